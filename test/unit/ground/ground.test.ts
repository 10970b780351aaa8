/**
 * Grounding (docs/retarget.md, "Ground"): what may lift a body and what may not. The character is made of boxes of skin on
 * a root, hips, two legs and a tail, so that every height is known.
 */
import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import type { Asset, Clip } from '../../../src/asset/index.js';
import { loadBvh } from '../../../src/io/bvh/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { calibrate, clearance, groundClip, retargetClip } from '../../../src/retarget/index.js';
import { shared } from '../../support/shared.js';

/** Bones: name, parent, height of the head above its parent's. */
const BONES: readonly [string, number, number][] = [
  ['Root', -1, 0],
  ['Hips', 0, 1],
  ['LeftUpLeg', 1, -0.1],
  ['LeftFoot', 2, -0.8],
  ['RightUpLeg', 1, -0.1],
  ['RightFoot', 4, -0.8],
  ['Spine', 1, 0.2],
  ['Head', 6, 0.4],
  ['Tail_1', 1, 0],
  ['Tail_2', 8, -0.5],
];

/**
 * @param tailDrop - how far the tail's skin reaches below the tail's last bone
 * @param scale - of the root, whose children are that much smaller in its own units
 */
function body(tailDrop: number, scale = 1): Asset {
  const count = BONES.length;
  const heads = BONES.map(([, parent, y]) => y + (parent < 0 ? 0 : headOf(parent)));
  const x = BONES.map(([name]) => (name.startsWith('Left') ? 0.1 : name.startsWith('Right') ? -0.1 : 0));
  // Skin: one point below each bone; the soles at 0, the tail where it is asked to be.
  const low = BONES.map(([name], bone) =>
    name.endsWith('Foot')
      ? 0
      : name === 'Root'
        ? 0.5
        : name === 'Tail_2'
          ? heads[bone]! - tailDrop
          : heads[bone]! - 0.02,
  );
  const positions = BONES.flatMap((_, bone) => [x[bone]!, low[bone]!, 0]);
  return {
    name: 'body',
    skeleton: {
      count,
      names: BONES.map(([name]) => name),
      parents: Int32Array.from(BONES, ([, parent]) => parent),
      nodes: Int32Array.from(BONES, (_, bone) => bone),
      translations: Float64Array.from(
        BONES.flatMap(([, parent, y], bone) =>
          [x[bone]! - (parent < 0 ? 0 : x[parent]!), y, 0].map((value) =>
            parent === 0 ? value / scale : parent < 0 ? value : value / scale,
          ),
        ),
      ),
      rotations: Float64Array.from(BONES.flatMap(() => [0, 0, 0, 1])),
      scales: Float64Array.from(
        BONES.flatMap((_, bone) => Array.from({ length: 3 }, () => (bone === 0 ? scale : 1))),
      ),
    },
    skins: [
      {
        name: 'skin',
        joints: Int32Array.from(BONES, (_, bone) => bone),
        inverseBinds: Float64Array.from(
          BONES.flatMap((_, bone) => {
            const s = 1 / scale;
            return [s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, -x[bone]! * s, -heads[bone]! * s, 0, 1];
          }),
        ),
      },
    ],
    meshes: [
      {
        name: 'mesh',
        mesh: 0,
        primitive: 0,
        material: '',
        bone: 0,
        skin: 0,
        positions: Float64Array.from(positions),
        indices: new Uint32Array(0),
        influences: 1,
        joints: Uint16Array.from(BONES, (_, bone) => bone),
        weights: new Float64Array(count).fill(1),
      },
    ],
    clips: [],
    warnings: [],
  };
}

function headOf(bone: number): number {
  const [, parent, y] = BONES[bone]!;
  return y + (parent < 0 ? 0 : headOf(parent));
}

const times = Float64Array.from({ length: 41 }, (_, key) => key / 20);

/** A clip in which the hips stand at these heights, in world units. */
function hipsAt(height: (time: number) => number, scale = 1): Clip {
  const values = Float64Array.from([...times].flatMap((time) => [0, height(time) / scale, 0]));
  const track = { bone: 1, path: 'translation', interpolation: 'linear', times, values } as const;
  return { name: 'clip', index: 0, duration: 2, tracks: [track], bakedBones: [] };
}

const sinking = (time: number): number => (Math.abs(time - 1) < 0.26 ? 0.85 : 1);
const heights = ({ tracks }: Clip, scale = 1): number[] =>
  Array.from(times, (_, key) => tracks[0]!.values[3 * key + 1]! * scale);

describe('grounding', () => {
  test('lifts a body that sinks by as much as it sinks', () => {
    const { clip, floor, lifts } = groundClip(body(0), hipsAt(sinking), { easeSeconds: 0 });
    expect(floor).toBeCloseTo(0, 12);
    times.forEach((time, key) => expect(lifts[key]).toBeCloseTo(sinking(time) < 1 ? 0.15 : 0, 12));
    for (const height of heights(clip)) expect(height).toBeCloseTo(1, 12);
  });

  test('eases: never below what is needed, nowhere a jump, nothing where nothing is near', () => {
    const { lifts } = groundClip(body(0), hipsAt(sinking), { easeSeconds: 0.2 });
    let steepest = 0;
    times.forEach((time, key) => {
      expect(lifts[key]).toBeGreaterThanOrEqual((sinking(time) < 1 ? 0.15 : 0) - 1e-12);
      if (Math.abs(time - 1) > 0.26 + 0.41) expect(lifts[key]).toBe(0);
      if (key > 0) steepest = Math.max(steepest, Math.abs(lifts[key]! - lifts[key - 1]!));
    });
    expect(steepest).toBeLessThan(0.15 / 8);
  });

  test.each([0, 0.3, 0.6, 5])(
    'a tail that reaches %s m below its bone changes neither floor nor lift',
    (tailDrop) => {
      const bare = groundClip(body(0), hipsAt(sinking));
      const tailed = groundClip(body(tailDrop), hipsAt(sinking));
      expect(tailed.floor).toBe(bare.floor);
      expect(tailed.lifts).toEqual(bare.lifts);
    },
  );

  test('counted in one minimum only it would shift the floor', () => {
    // The tail hangs 0.4 m below the soles: what counts it in the rest pose has a floor that is too low by that.
    const long = body(0.9);
    const counted = groundClip(long, hipsAt(sinking), { appendages: [], easeSeconds: 0 });
    expect(counted.floor).toBeCloseTo(-0.4, 12);
    const left = groundClip(long, hipsAt(sinking), { easeSeconds: 0 });
    expect(left.floor).toBeCloseTo(0, 12);
    expect(Math.max(...left.lifts)).toBeCloseTo(0.15, 12);
  });

  test('limbs of a solver make the floor but lift nothing', () => {
    const owned = ['LeftUpLeg', 'RightUpLeg'];
    const { floor, lifts } = groundClip(body(0), hipsAt(sinking), { owned, easeSeconds: 0 });
    expect(floor).toBeCloseTo(0, 12);
    expect(Math.max(...lifts)).toBe(0);
    // Lying down, the hips themselves touch.
    const lying = groundClip(
      body(0),
      hipsAt(() => -0.1),
      { owned, easeSeconds: 0 },
    );
    expect(lying.lifts[0]).toBeCloseTo(0.12, 12);
  });

  test('what is carried is no body: a sword on a slot of the hand', () => {
    const plain = body(0);
    const { skeleton } = plain;
    const hung = (names: string[]): Asset => {
      // A chain of bones below the hips, the last of which carries a mesh without skin that reaches 3 m down.
      const first = skeleton.count;
      const reals = (list: Float64Array, values: number[]): Float64Array =>
        Float64Array.from([...list, ...values]);
      const whole = (list: Int32Array, values: number[]): Int32Array => Int32Array.from([...list, ...values]);
      return {
        ...plain,
        skeleton: {
          count: first + names.length,
          names: [...skeleton.names, ...names],
          parents: whole(
            skeleton.parents,
            names.map((_, i) => (i === 0 ? 1 : first + i - 1)),
          ),
          nodes: whole(
            skeleton.nodes,
            names.map((_, i) => first + i),
          ),
          translations: reals(
            skeleton.translations,
            names.flatMap(() => [0, 0, 0]),
          ),
          rotations: reals(
            skeleton.rotations,
            names.flatMap(() => [0, 0, 0, 1]),
          ),
          scales: reals(
            skeleton.scales,
            names.flatMap(() => [1, 1, 1]),
          ),
        },
        meshes: [
          ...plain.meshes,
          {
            ...plain.meshes[0]!,
            skin: -1,
            bone: first + names.length - 1,
            positions: Float64Array.of(0, -3, 0),
            influences: 0,
          },
        ],
      };
    };
    expect(
      groundClip(
        hung(['slot', 'Sword']),
        hipsAt(() => 1),
      ).floor,
    ).toBeCloseTo(0, 12);
    // A part of the body itself counts: a robot of rigid pieces.
    expect(
      groundClip(
        hung(['Plate']),
        hipsAt(() => 1),
      ).floor,
    ).toBeCloseTo(-2, 12);
  });

  test('the motion may go below the ground as far as it is allowed', () => {
    const of = (allowance: number | ((time: number) => number)): number =>
      Math.max(...groundClip(body(0), hipsAt(sinking), { allowance, easeSeconds: 0 }).lifts);
    expect(of(-0.05)).toBeCloseTo(0.1, 12);
    expect(of((time) => sinking(time) - 1)).toBeCloseTo(0, 12);
  });

  test('a scaled parent: the lift is in units of the world', () => {
    const { clip } = groundClip(body(0, 0.01), hipsAt(sinking, 0.01), { easeSeconds: 0 });
    for (const height of heights(clip, 0.01)) expect(height).toBeCloseTo(1, 9);
  });

  test('what needs no lift comes back as it is', () => {
    const clip = hipsAt(() => 1.1);
    expect(groundClip(body(0), clip).clip).toBe(clip);
    const values = clip.tracks[0]!.values.slice();
    groundClip(body(0), hipsAt(sinking));
    expect(clip.tracks[0]!.values).toEqual(values);
  });

  test('clearance is the height of what is lowest', () => {
    const found = clearance(body(0.9), hipsAt(sinking), [0, 1]);
    expect([...found].map((value) => value.toFixed(9))).toEqual(['0.000000000', '-0.150000000']);
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      'a bone that is not there',
      () => groundClip(body(0), hipsAt(sinking), { appendages: ['Wing'] }),
      /no bone 'Wing'/,
    ],
    [
      'an allowance above 0',
      () => groundClip(body(0), hipsAt(sinking), { allowance: 1 }),
      /expected 0 or below/,
    ],
    [
      'an ease below 0',
      () => groundClip(body(0), hipsAt(sinking), { easeSeconds: -1 }),
      /easeSeconds: expected/,
    ],
    [
      'a clip without hips',
      () => groundClip(body(0), { ...hipsAt(sinking), tracks: [] }),
      /no linear translation track/,
    ],
  ])('%s is refused', (_, work, message) => expect(work).toThrow(message));
});

test.skipIf(shared === undefined)('a crouch onto a body with shorter legs stays on the ground', async () => {
  const motion = loadBvh(readFileSync(`${shared}/bvh/20tab_test_mocapbank.bvh`), { name: 'mocapbank' });
  const knight = await loadGltf(readFileSync(`${shared}/glb-humanoid/kaykit_Knight.glb`), {
    validate: false,
  });
  const clip = retargetClip(calibrate(motion, knight), motion, 0);
  const { clip: grounded, lifts, times: keys } = groundClip(knight, clip);
  const before = Math.min(...clearance(knight, clip, keys));
  const after = Math.min(...clearance(knight, grounded, keys));
  console.log(
    `lowest point ${before.toFixed(3)} m before, ${after.toFixed(3)} m after, lift up to ${Math.max(...lifts).toFixed(3)} m`,
  );
  expect(before).toBeLessThan(0);
  expect(after).toBeGreaterThan(-1e-9);
});
