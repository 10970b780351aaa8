/**
 * A real ponytail (Seed-san's, six links) behind a torso in a back flip and a walk of 6 s, rendered at 30, 60 and 120
 * frames per second over 120 ticks: no link is inside the torso, and the frame rate changes no bit of any tick
 * (docs/solver.md, "Time", "Contact", "Sweep"). The clips are made here on the file's own bones.
 */
import { describe, expect, test } from 'vitest';
import {
  addChains,
  addCharacter,
  addCollider,
  advance,
  type ChainDefinition,
  type Clip,
  type ColliderShape,
  createPose,
  createWorld,
  play,
  readPose,
  springChains,
  step,
  type World,
} from '../../../src/index.js';
import { loadVrm } from '../../../src/io/vrm/index.js';
import { motionBits, radians } from '../../support/chains.js';
import { linkGap } from '../../support/contactGaps.js';
import { readBytes } from '../../support/gltfBuilder.js';
import { clipOf, smooth } from '../../support/poses.js';
import { add, axisAngle, len, qmul, type Q4, sub, type V3 } from '../../support/referenceMath.js';
import { shared } from '../../support/shared.js';

const seconds = 6;
const tickRate = 120;
const radius = 0.01;
const asset = shared ? await loadVrm(readBytes(`${shared}/derived/seedsan_rebuilt.vrm`)) : undefined;

/** Torso from the waist to between the shoulders, in the space of the chest, which stands upright. */
const torso: Extract<ColliderShape, { kind: 'capsule' }> = {
  kind: 'capsule',
  offset: [0, 0.16, 0],
  tail: [0, -0.12, 0],
  radius: 0.09,
  tailRadius: 0.085,
  inside: false,
};

/** Where the hips go from where they stand, and how bones turn from how they stand, at a time. */
interface Moment {
  hips: V3;
  turns: Record<string, Q4>;
}

/** Three flips of 2 s: crouch, 0.7 s in the air with one turn backwards, land. */
function flip(t: number): Moment {
  const phase = t % 2;
  const air = Math.min(1, Math.max(0, (phase - 0.4) / 0.7));
  const crouch = smooth(phase / 0.3) * (1 - smooth((phase - 0.3) / 0.12));
  const landing = smooth((phase - 1.05) / 0.12) * (1 - smooth((phase - 1.2) / 0.5));
  const bow = 0.6 * Math.max(crouch, landing) + 0.7 * Math.sin(Math.PI * air);
  return {
    hips: [0, 0.45 * 4 * air * (1 - air) - 0.2 * Math.max(crouch, landing), 0],
    turns: {
      hips: axisAngle([1, 0, 0], -2 * Math.PI * smooth((phase - 0.36) / 0.78)),
      chest: axisAngle([1, 0, 0], 0.5 * bow),
      head: axisAngle([1, 0, 0], -0.4 * bow),
    },
  };
}

/** A walk at 1.4 m/s that looks around and throws the head back. */
function walk(t: number): Moment {
  const stride = 2 * Math.PI * 0.95 * t;
  return {
    hips: [0.02 * Math.sin(stride), 0.02 * Math.cos(2 * stride) - 0.02, 1.4 * t],
    turns: {
      hips: qmul(
        axisAngle([0, 1, 0], 0.12 * Math.cos(stride)),
        axisAngle([0, 0, 1], 0.06 * Math.sin(stride)),
      ),
      chest: axisAngle([0, 1, 0], -0.25 * Math.cos(stride)),
      head: qmul(
        axisAngle([0, 1, 0], radians(50) * Math.sin(2 * Math.PI * 0.4 * t)),
        axisAngle([1, 0, 0], -0.14 * (1 - Math.cos(2 * Math.PI * 0.5 * t))),
      ),
    },
  };
}

function clipFrom(name: string, moment: (t: number) => Moment): Clip {
  const { humanoid } = asset!.secondary;
  const { translations, rotations } = asset!.skeleton;
  const times = Float64Array.from({ length: 60 * seconds + 1 }, (_, k) => k / 60);
  const moments = Array.from(times, moment);
  const hips = humanoid['hips']!;
  const stands = [...translations.subarray(3 * hips, 3 * hips + 3)] as V3;
  return clipOf(name, [
    {
      bone: hips,
      path: 'translation',
      interpolation: 'linear',
      times,
      values: Float64Array.from(moments.flatMap((one) => add(stands, one.hips))),
    },
    ...['hips', 'chest', 'head'].map((part) => {
      const bone = humanoid[part]!;
      const bind = [...rotations.subarray(4 * bone, 4 * bone + 4)] as unknown as Q4;
      return {
        bone,
        path: 'rotation' as const,
        interpolation: 'linear' as const,
        times,
        values: Float64Array.from(moments.flatMap(({ turns }) => qmul(turns[part]!, bind))),
      };
    }),
  ]);
}

/** The ponytail; without the centre of the file, which would take the motion of the hips away. */
function ponytailOf(withCenter: boolean): ChainDefinition {
  const { center, ...rest } = springChains(asset!).find(({ bones }) => bones.length === 6)!;
  return withCenter && center !== undefined ? { ...rest, center } : rest;
}

interface Frame {
  tick: number;
  bits: string;
  /** Least distance of a link to the torso. */
  gap: number;
  /** Largest error of a length. */
  lengthFault: number;
}

function render(clip: Clip, ponytail: ChainDefinition, framesPerSecond: number): Frame[] {
  const world: World = createWorld({ tickRate });
  const character = addCharacter(world, { ...asset!, clips: [clip] });
  const chest = asset!.secondary.humanoid['chest']!;
  addChains(world, character, {
    model: 'spring',
    contactPart: 'segment',
    radius,
    gravity: 3,
    chains: [ponytail],
  });
  addCollider(world, { character, bone: chest, shape: torso });
  play(world, character, clip.name, { loop: false });
  // The pose that the file is saved in is inside the torso: the first tick takes it out.
  step(world);
  const pose = createPose(world, character);
  const lengths: number[] = [];
  return Array.from({ length: seconds * framesPerSecond }, () => {
    advance(world, 1 / framesPerSecond);
    readPose(world, character, pose);
    const m = pose.worlds.subarray(16 * chest, 16 * chest + 16);
    const toWorld = ([x, y, z]: readonly number[]): V3 =>
      [0, 1, 2].map((i) => m[12 + i]! + m[i]! * x! + m[4 + i]! * y! + m[8 + i]! * z!) as V3;
    const placed: ColliderShape = { ...torso, offset: toWorld(torso.offset), tail: toWorld(torso.tail) };
    // As shown: with no time left over that is a tick as it was.
    const points = [...ponytail.bones, ponytail.end].map(
      (bone) => [...pose.worlds.subarray(16 * bone + 12, 16 * bone + 15)] as V3,
    );
    let gap = Infinity;
    let lengthFault = 0;
    points.slice(1).forEach((tip, k) => {
      gap = Math.min(gap, linkGap(placed, points[k]!, tip, radius, false));
      const length = len(sub(tip, points[k]!));
      lengths[k] ??= length;
      lengthFault = Math.max(lengthFault, Math.abs(length - lengths[k]!));
    });
    return { tick: world.tick, bits: motionBits(world), gap, lengthFault };
  });
}

describe.skipIf(!shared)('a ponytail behind a torso', () => {
  const scenes: [string, (t: number) => Moment, boolean][] = [
    ['a back flip', flip, false],
    ['a back flip, with the centre of the file', flip, true],
    ['a walk', walk, false],
    ['a walk, with the centre of the file', walk, true],
  ];

  test.each(scenes)('%s', (_, moment, withCenter) => {
    const clip = clipFrom('Clip', moment);
    const ponytail = ponytailOf(withCenter);
    const fine = render(clip, ponytail, 120);
    expect(fine).toHaveLength(seconds * tickRate);
    const least = Math.min(...fine.map(({ gap }) => gap));
    const touching = fine.filter(({ gap }) => gap < 1e-6).length;
    expect(least).toBeGreaterThan(-1e-6);
    expect(touching).toBeGreaterThan(20);
    expect(Math.max(...fine.map(({ lengthFault }) => lengthFault))).toBeLessThan(1e-12);
    const bits = new Map(fine.map((frame) => [frame.tick, frame.bits]));
    for (const framesPerSecond of [30, 60])
      for (const frame of render(clip, ponytail, framesPerSecond)) {
        expect(frame.gap).toBeGreaterThan(-1e-6);
        expect(bits.get(frame.tick) === frame.bits, `${framesPerSecond} fps, tick ${frame.tick}`).toBe(true);
      }
  });
});
