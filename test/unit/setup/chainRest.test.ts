/**
 * The rest shape of a chain. The goal is recomputed, not the formula: bones get the local rotations the frames imply,
 * three.js poses the skeleton, and the links must point where they should in the character's own directions.
 */
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Asset, ChainDefinition } from '../../../src/asset/asset.js';
import { anatomicalFrame } from '../../../src/setup/anatomicalFrame.js';
import { chainRest } from '../../../src/setup/chainRest.js';
import type { ChainRest } from '../../../src/setup/chainRest.js';
import { recoverNeutral } from '../../../src/setup/neutral.js';
import { largestDifference, makeAsset, numbers, randomQuat, turn } from './support/assets.js';
import type { NodeSpec, Quad, Triple } from './support/assets.js';

const degrees = (deg: number): number => (deg * Math.PI) / 180;

/** A tail of world offsets whose bones have random axes under an attachment with random axes. */
function tail(offsets: Triple[], seed: number, turned = true): { asset: Asset; chain: ChainDefinition } {
  const next = numbers(seed);
  const axes = (): Quaternion => (turned ? new Quaternion(...randomQuat(next)) : new Quaternion());
  const nodes: NodeSpec[] = [];
  let parentName: string | undefined;
  let parentWorld = new Quaternion();
  const add = (name: string, offset: Triple): void => {
    const world = axes();
    const t = new Vector3(...offset).applyQuaternion(parentWorld.clone().invert());
    const r = parentWorld.clone().invert().multiply(world);
    const node: NodeSpec = { name, t: t.toArray(), r: [r.x, r.y, r.z, r.w] };
    if (parentName !== undefined) node.parent = parentName;
    nodes.push(node);
    parentName = name;
    parentWorld = world;
  };
  add('hips', [0, 1, 0]);
  add('Tail1', [0, 0, -0.1]);
  for (const [i, offset] of offsets.entries())
    add(i + 1 < offsets.length ? `Tail${i + 2}` : 'Tail_end', offset);
  const asset = makeAsset(nodes, [{ joints: nodes.map(({ name }) => name) }]);
  const bones = offsets.map((_, i) => i + 1);
  return { asset, chain: { name: 'Tail1', attachment: 0, bones, end: offsets.length + 1, origin: 'artist' } };
}

function rest(asset: Asset, chain: ChainDefinition, carryDeg: number, restCurve: number): ChainRest {
  const neutral = recoverNeutral(asset);
  return chainRest(asset, neutral, anatomicalFrame(asset, neutral), chain, {
    carry: degrees(carryDeg),
    restCurve,
  });
}

/** World directions of the links when the bones stand at rest, by three.js, the attachment as in the neutral pose. */
function posedDirections(asset: Asset, chain: ChainDefinition, shape: ChainRest): Vector3[] {
  const neutral = recoverNeutral(asset);
  const { parents, count } = asset.skeleton;
  const quat = (a: ArrayLike<number>, i: number): Quaternion =>
    new Quaternion(a[4 * i]!, a[4 * i + 1]!, a[4 * i + 2]!, a[4 * i + 3]!);
  const worlds: Matrix4[] = [];
  for (let bone = 0; bone < count; bone++) {
    const link = shape.bones.indexOf(bone);
    const rotation =
      link < 0
        ? quat(neutral.rotations, bone)
        : quat(shape.framesBefore, link)
            .invert()
            .multiply(quat(shape.frames, link + 1));
    const local = new Matrix4().compose(
      new Vector3().fromArray(neutral.translations, 3 * bone),
      rotation,
      new Vector3().fromArray(neutral.scales, 3 * bone),
    );
    const parent = parents[bone]!;
    worlds.push(parent < 0 ? local : worlds[parent]!.clone().multiply(local));
  }
  const heads = [...shape.bones, chain.end].map((bone) => new Vector3().setFromMatrixPosition(worlds[bone]!));
  return [...shape.bones].map((_, i) => heads[i + 1]!.clone().sub(heads[i]!).normalize());
}

const direction = (values: Float64Array, i: number): Vector3 => new Vector3().fromArray(values, 3 * i);

describe('the rest shape of a chain', () => {
  const curved: Triple[] = [
    [0.02, -0.05, -0.2],
    [0.1, -0.1, -0.15],
    [0.12, -0.02, -0.1],
    [-0.05, 0.1, -0.12],
    [0.1, 0.1, 0.02],
  ];

  it('keeps the authored directions with carry 0 and restCurve 1, whatever the axes of the bones', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { asset, chain } = tail(curved, seed);
      const shape = rest(asset, chain, 0, 1);
      const offsets = curved.map((offset) => new Vector3(...offset));
      for (const [i, offset] of offsets.entries()) {
        expect(shape.lengths[i]).toBeCloseTo(offset.length(), 14);
        expect(direction(shape.directions, i).distanceTo(offset.clone().normalize())).toBeLessThan(1e-12);
        expect(direction(shape.authored, i).distanceTo(offset.clone().normalize())).toBeLessThan(1e-12);
      }
    }
  });

  it('poses the bones along its directions: A_i holds the ancestors corrections, A_0 the axes of the attachment', () => {
    for (let seed = 1; seed <= 10; seed++) {
      for (const [carry, curve] of [
        [0, 1],
        [50, 0],
        [50, 1],
        [-20, 0.4],
      ] as const) {
        const { asset, chain } = tail(curved, seed);
        const shape = rest(asset, chain, carry, curve);
        for (const [i, posed] of posedDirections(asset, chain, shape).entries())
          expect(posed.distanceTo(direction(shape.directions, i))).toBeLessThan(1e-12);
      }
    }
  });

  it('gives the same world shape whatever the axes of attachment and bones', () => {
    const expected = tail(curved, 0, false);
    const plain = rest(expected.asset, expected.chain, 50, 0.3).directions;
    for (let seed = 1; seed <= 10; seed++) {
      const { asset, chain } = tail(curved, seed);
      expect(largestDifference(rest(asset, chain, 50, 0.3).directions, plain)).toBeLessThan(1e-12);
    }
  });

  it('lifts the whole tail by the carry, shared by the joints, for 1 to 8 links', () => {
    for (let links = 1; links <= 8; links++) {
      const hanging = Array.from({ length: links }, (): Triple => [0, -0.1, 0]);
      const { asset, chain } = tail(hanging, links);
      const { directions } = rest(asset, chain, 50, 0);
      for (let i = 0; i < links; i++) {
        const back = Math.atan2(-directions[3 * i + 2]!, -directions[3 * i + 1]!);
        expect((back * 180) / Math.PI).toBeCloseTo((50 * (i + 1)) / links, 10);
        expect(Math.abs(directions[3 * i]!)).toBeLessThan(1e-14);
      }
    }
  });

  it('has no sideways bend at restCurve 0 and half of it, as an angle, at 0.5', () => {
    const sideways: Triple[] = [
      [0, -0.1, 0],
      [Math.sin(degrees(30)), -Math.cos(degrees(30)), 0],
      [1, 0, 0],
    ];
    const { asset, chain } = tail(sideways, 4);
    const lateral = (curve: number): number[] => {
      const { directions } = rest(asset, chain, 0, curve);
      return [0, 1, 2].map((i) => (Math.asin(directions[3 * i]!) * 180) / Math.PI);
    };
    expect(largestDifference(lateral(0), [0, 0, 0])).toBeLessThan(1e-12);
    expect(largestDifference(lateral(0.5), [0, 15, 45])).toBeLessThan(1e-10);
    expect(largestDifference(lateral(1), [0, 30, 90])).toBeLessThan(1e-5);
  });

  it('takes the middle plane of the root, and down where the root points straight sideways', () => {
    const leaning = tail([[0.3, -0.3, -0.4]], 5);
    const { directions } = rest(leaning.asset, leaning.chain, 0, 0);
    expect(largestDifference(directions, [0, -0.6, -0.8])).toBeLessThan(1e-14);
    const across = tail([[0.3, 0, 0]], 6);
    expect(largestDifference(rest(across.asset, across.chain, 0, 0).directions, [0, -1, 0])).toBeLessThan(
      1e-14,
    );
  });

  it('carries the incoming tangent on in the last bone own frame when there is no end helper', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const { asset, chain } = tail([...curved.slice(0, 3), [0, 0, -1]], seed);
      const open = { ...chain, end: -1 };
      const shape = rest(asset, open, 0, 1);
      expect(direction(shape.authored, 3).distanceTo(direction(shape.authored, 2))).toBeLessThan(1e-14);
      expect(shape.lengths[3]).toBeCloseTo(shape.lengths[2]!, 14);
      expect(shape.tipSource).toBe('previous-length');
    }
  });

  it('ends where the skin of the last bone ends, measured along the tangent', () => {
    const nodes: NodeSpec[] = [
      { name: 'hips', r: turn([1, 2, 0], 70) },
      { name: 'a', parent: 'hips', t: [0, 0, -0.1] },
      { name: 'b', parent: 'a', t: [0, -0.4, 0], saved: { t: [0, -0.4, 0], r: turn([1, 0, 0], 90) } },
    ];
    const at = (x: number, y: number, z: number): Triple => {
      const p = new Vector3(x, y, z).applyQuaternion(new Quaternion(...turn([1, 2, 0], 70)));
      return [p.x, p.y, p.z];
    };
    const points = [
      { joint: 'b', at: [at(0, -0.4, -0.1), at(0.05, -0.95, -0.1), at(-0.3, -0.6, -0.1)] },
      { joint: 'a', at: [at(0, -9, -0.1)] },
    ];
    const asset = makeAsset(
      nodes,
      [{ joints: ['hips', 'a', 'b'], space: new Matrix4().makeScale(100, 100, 100) }],
      points,
    );
    const shape = rest(asset, { name: 'a', attachment: 0, bones: [1, 2], end: -1, origin: 'artist' }, 0, 1);
    expect(shape.tipSource).toBe('skin-reach');
    expect(shape.lengths[1]).toBeCloseTo(0.55, 12);
  });

  it('points a single bone along its skin, else away from its attachment, with a warning', () => {
    const nodes: NodeSpec[] = [{ name: 'hips' }, { name: 'Tail', parent: 'hips', t: [0, 0, -0.5] }];
    const chain: ChainDefinition = { name: 'Tail', attachment: 0, bones: [1], end: -1, origin: 'artist' };
    const skin = [{ joints: ['hips', 'Tail'] }];
    const skinned = makeAsset(nodes, skin, [
      {
        joint: 'Tail',
        at: [
          [0, 0, -0.5],
          [0, -0.8, -0.5],
        ],
      },
    ]);
    const onSkin = rest(skinned, chain, 0, 1);
    expect(largestDifference(onSkin.directions, [0, -1, 0])).toBeLessThan(1e-14);
    expect(onSkin.lengths[0]).toBeCloseTo(0.8, 14);
    const bare = rest(makeAsset(nodes, skin), chain, 0, 1);
    expect(largestDifference(bare.directions, [0, 0, -1])).toBeLessThan(1e-14);
    expect(bare.lengths[0]).toBe(0.5);
    expect(bare.warnings.map(({ code }) => code)).toEqual(['tip-guessed']);
  });

  it('lets bones without length ride rigidly and reports them', () => {
    const withStop: Triple[] = [
      [0, -0.3, 0],
      [0, 0, 0],
      [0, -0.2, -0.2],
    ];
    const { asset, chain } = tail(withStop, 8);
    const shape = rest(asset, chain, 50, 0);
    expect(shape.skipped).toEqual([2]);
    expect([...shape.bones]).toEqual([1, 3]);
    expect(shape.count).toBe(2);
    expect(shape.warnings.map(({ code, at }) => `${code} ${at}`)).toEqual(['zero-length-link Tail2']);
    for (const [i, posed] of posedDirections(asset, chain, shape).entries())
      expect(posed.distanceTo(direction(shape.directions, i))).toBeLessThan(1e-12);
  });

  it('composes nodes between two bones of a chain', () => {
    const q = (axis: Triple, deg: number): Quad => turn(axis, deg);
    const nodes: NodeSpec[] = [
      { name: 'hips', r: q([0, 1, 1], 100) },
      { name: 'mount', parent: 'hips', t: [0, 0.1, 0], r: q([1, 0, 1], 33) },
      { name: 'a', parent: 'mount', t: [0, 0.1, 0], r: q([1, 0, 0], 20) },
      { name: 'helper', parent: 'a', t: [0, 0.2, 0.1], r: q([0, 1, 0], 75) },
      { name: 'b', parent: 'helper', t: [0.1, 0.1, 0], r: q([0, 0, 1], 15) },
      { name: 'end', parent: 'b', t: [0.3, 0, 0] },
    ];
    const asset = makeAsset(nodes, [{ joints: ['hips', 'a', 'b'] }]);
    const chain: ChainDefinition = { name: 'a', attachment: 0, bones: [2, 4], end: 5, origin: 'artist' };
    for (const [carry, curve] of [
      [0, 1],
      [50, 0],
    ] as const) {
      const shape = rest(asset, chain, carry, curve);
      for (const [i, posed] of posedDirections(asset, chain, shape).entries())
        expect(posed.distanceTo(direction(shape.directions, i))).toBeLessThan(1e-12);
    }
  });

  it('uses world lengths under a scaled armature', () => {
    const nodes: NodeSpec[] = [
      { name: 'Armature', r: turn([1, 0, 0], -90), s: [39.5, 39.5, 39.5] },
      { name: 'hips', parent: 'Armature' },
      { name: 'a', parent: 'hips', t: [0, 0.01, 0] },
      { name: 'b', parent: 'a', t: [0, 0.02, 0] },
      { name: 'end', parent: 'b', t: [0, 0.04, 0] },
    ];
    const asset = makeAsset(nodes, [{ joints: ['hips', 'a', 'b'] }]);
    const shape = rest(asset, { name: 'a', attachment: 1, bones: [2, 3], end: 4, origin: 'artist' }, 0, 1);
    expect(largestDifference(shape.lengths, [0.79, 1.58])).toBeLessThan(1e-12);
    expect(largestDifference(shape.directions, [0, 0, -1, 0, 0, -1])).toBeLessThan(1e-6);
  });

  it('says whether the rest shape stands in front of the root', () => {
    const crosses = (offsets: Triple[], carry = 0): boolean => {
      const { asset, chain } = tail(offsets, 3);
      return rest(asset, chain, carry, 1).crossesKeepOut;
    };
    expect(
      crosses([
        [0, -1, 0],
        [0, -1, 0],
      ]),
    ).toBe(false);
    expect(
      crosses([
        [0, -1, -0.5],
        [0, -1, 0.4],
      ]),
    ).toBe(false);
    expect(
      crosses([
        [0, -1, -0.5],
        [0, -1, 0.6],
      ]),
    ).toBe(true);
    expect(
      crosses([
        [0, -1, 0.1],
        [0, -1, -0.6],
      ]),
    ).toBe(true);
    expect(
      crosses(
        [
          [0, -1, 0.1],
          [0, -1, 0.1],
        ],
        50,
      ),
    ).toBe(false);
  });

  it('solves a mirrored part of the skeleton as its mirror image', () => {
    const build = (mirror: boolean): ChainRest => {
      const { asset, chain } = tail(curved, 9);
      const { skeleton } = asset;
      const top = makeAsset([{ name: 'world', s: [mirror ? -1 : 1, 1, 1] }]).skeleton;
      const shifted: Asset = {
        ...asset,
        skins: asset.skins.map((skin) => ({ ...skin, joints: skin.joints.map((bone) => bone + 1) })),
        skeleton: {
          count: skeleton.count + 1,
          names: ['world', ...skeleton.names],
          parents: Int32Array.from([-1, ...skeleton.parents.map((parent) => parent + 1)]),
          nodes: Int32Array.from([0, ...skeleton.nodes.map((node) => node + 1)]),
          translations: Float64Array.from([...top.translations, ...skeleton.translations]),
          rotations: Float64Array.from([...top.rotations, ...skeleton.rotations]),
          scales: Float64Array.from([...top.scales, ...skeleton.scales]),
        },
      };
      const moved = {
        ...chain,
        attachment: 1,
        bones: chain.bones.map((bone) => bone + 1),
        end: chain.end + 1,
      };
      return rest(shifted, moved, 50, 0.5);
    };
    const plain = build(false);
    const mirrored = build(true);
    expect(largestDifference(mirrored.directions, plain.directions)).toBeLessThan(1e-12);
    expect(largestDifference(mirrored.frames.map(Math.abs), plain.frames.map(Math.abs))).toBeLessThan(1e-12);
    expect(largestDifference(mirrored.lengths, plain.lengths)).toBeLessThan(1e-12);
  });

  it('refuses bones that do not stand in one line', () => {
    const { asset, chain } = tail(curved, 1);
    expect(() => rest(asset, { ...chain, bones: [2, 1] }, 0, 1)).toThrow(/does not hang below/);
    expect(() => rest(asset, { ...chain, bones: [] }, 0, 1)).toThrow(/no bones/);
    expect(() => rest(asset, { ...chain, bones: [1, 99] }, 0, 1)).toThrow(/no bone 99/);
  });
});
