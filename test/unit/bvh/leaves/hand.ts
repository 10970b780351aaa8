/**
 * Hands (feet, legs) whose tips are known, and the BVH files that an exporter makes of them: rotations count from a
 * reference pose, `G = W_pose W_reference^-1`, OFFSETs are the differences of joint positions in that pose, and where the
 * last bone ends stands nowhere unless asked for. Own mathematics throughout, so that a fault of the library cannot hide.
 */
import type { Bvh, BvhChannel, BvhJoint } from '../../../../src/io/bvh/bvh.js';
import {
  add,
  angleBetween,
  axisAngle,
  cross,
  dot,
  identity,
  len,
  mul,
  qinv,
  qmul,
  qrot,
  rotationOf,
  seeded,
  sub,
  unit,
  type Q4,
  type V3,
} from '../../../support/referenceMath.js';

export const deg: number = Math.PI / 180;
const letters = 'XYZ';

/** How the true bend of a last phalanx follows that of the joint before it. */
export type Law = 'linear' | 'independent' | 'dead zone' | 'power';
export const laws: Law[] = ['linear', 'independent', 'dead zone', 'power'];
export type Order = 'XYZ' | 'XZY' | 'YXZ' | 'YZX' | 'ZXY' | 'ZYX';
export const orders: Order[] = ['XYZ', 'XZY', 'YXZ', 'YZX', 'ZXY', 'ZYX'];
/** End Sites of the leaves: none, at the joint, straight on and as long as the bone, or where the tip is (a Nub). */
export type Ends = 'none' | 'zero' | 'straight' | 'nub';

/** Indices of the poses that every set has: what the exporter may count from. */
export const FIST = 0;
export const HALF = 1;
export const OPEN = 2;

/** Bend of every joint of a digit in one pose, degrees, from the palm out; positive is flexion. */
export type Bends = number[];

/** A chain of joints. */
export interface Digit {
  /** Names of its joints; the last is the leaf. */
  names: string[];
  /** Its bends, one list per pose. */
  poses: Bends[];
}

export interface HandOptions {
  /** Pose that the rotations count from. Default FIST. */
  reference?: number;
  order?: Order;
  ends?: Ends;
  /** File units per unit. */
  scale?: number;
  /** Sigma of turns of every joint about any axis, degrees: no real hand bends in one plane. Default 0. */
  wobble?: number;
  /** For the shape of the hand and its way through space. */
  seed?: number;
  name?: string;
}

/** A file, and what is true of it. */
export interface Hand {
  bvh: Bvh;
  /** Names of the leaves. */
  leaves: string[];
  /** Tip of each leaf in its frame, file units. */
  tips: Record<string, V3>;
  /** Positions of the joints by name, per pose. */
  positions: Record<string, V3>[];
  /** Where each leaf really ends, per pose. */
  tipPositions: Record<string, V3>[];
  /** True bend of each leaf, per pose, degrees. */
  leafBends: Record<string, number[]>;
  /** True bend of the joint before each leaf, per pose, degrees. */
  innerBends: Record<string, number[]>;
}

/** Names of the five digits of a hand, thumb first. */
export function fingerNames(thumbJoints: 2 | 3 = 3, prefix = 'RightHand'): string[][] {
  const joints = (digit: string, count: number): string[] =>
    Array.from({ length: count }, (_, i) => `${prefix}${digit}${i + 1}`);
  return [
    joints('Thumb', thumbJoints),
    ...['Index', 'Middle', 'Ring', 'Pinky'].map((digit) => joints(digit, 3)),
  ];
}

/** Normally distributed numbers, those beyond 2.5 sigma brought back there. */
function normal(random: () => number): (sigma: number) => number {
  return (sigma) => {
    const z = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return sigma * Math.max(-2.5, Math.min(2.5, z));
  };
}

/** Bend of the leaf without noise. */
function leafBend(law: Law, inner: number, random: () => number): number {
  const p = Math.max(0, inner);
  if (law === 'linear') return 0.67 * inner;
  if (law === 'independent') return p < 12 ? 0 : 75 * random();
  if (law === 'dead zone') return 1.2 * Math.max(0, p - 40);
  return 75 * (p / 100) ** 1.8;
}

export interface PosesOptions {
  seed?: number;
  law?: Law;
  /** Number of poses with a straight finger, OPEN among them. Default 14 of 34. */
  open?: number;
  /** Least bend of the other poses. Default 20. */
  closedFrom?: number;
  count?: number;
  thumbJoints?: 2 | 3;
  names?: string[][];
  /** Sigma of what the law leaves open, degrees. Default 4. */
  noise?: number;
}

/** Poses of five digits: a fist, a half bent hand, an open one, and others of which some are open. */
export function fingerPoses(options: PosesOptions = {}): Digit[] {
  const { seed = 1, law = 'linear', open = 14, closedFrom = 20, count = 34, noise = 4 } = options;
  const random = seeded(seed * 7919 + 13);
  const gauss = normal(random);
  return (options.names ?? fingerNames(options.thumbJoints)).map((names) => {
    const order = Array.from({ length: count - 3 }, (_, i) => ({ pose: i + 3, key: random() }));
    order.sort((a, b) => a.key - b.key || a.pose - b.pose);
    const straight = new Set([OPEN, ...order.slice(0, open - 1).map(({ pose }) => pose)]);
    const poses = Array.from({ length: count }, (_, pose): Bends => {
      let inner = closedFrom + (100 - closedFrom) * random();
      if (pose === FIST) inner = 95;
      else if (pose === HALF) inner = Math.max(45, closedFrom);
      else if (straight.has(pose)) inner = 1 + gauss(3);
      const fixed = law === 'independent' && (pose === FIST ? 70 : pose === HALF ? 35 : undefined);
      const leaf = (fixed || leafBend(law, inner, random)) + gauss(noise);
      return [...names.slice(2).map(() => 0.8 * inner + gauss(5)), inner, leaf];
    });
    return { names, poses };
  });
}

/** A finger of three joints, `*` in the name for their number, by the bends of the last two. */
export function digitOf(name: string, bends: readonly (readonly [number, number])[]): Digit {
  return {
    names: [1, 2, 3].map((i) => name.replace('*', String(i))),
    poses: bends.map(([inner, leaf]) => [0.8 * inner, inner, leaf]),
  };
}

/** What of a digit stays the same in all poses. */
interface Shape {
  base: V3;
  direction: V3;
  hinge: V3;
  lengths: number[];
}

function shapeOf({ names }: Digit, index: number, random: () => number): Shape {
  const spread = (8 * (2 - index) + 4 * random()) * deg;
  const direction: V3 = unit(
    index === 0 ? [1, -0.3, 1.1] : [Math.cos(spread), 0.1 * random(), Math.sin(spread)],
  );
  const flat = unit(cross(direction, index === 0 ? [0.3, 1, -0.2] : [0, 1, 0]));
  const hinge = qrot(axisAngle(direction, 0.3 * (random() - 0.5)), flat);
  // Also of a digit of two joints the first bone goes on where the one before came from.
  const base: V3 =
    names.length < 3
      ? mul(direction, 4)
      : index === 0
        ? [2, -1, 3]
        : [9 + random(), random() - 0.5, 6 - 2.5 * index];
  return { base, direction, hinge, lengths: names.map((_, i) => 4.5 * 0.65 ** i * (0.9 + 0.2 * random())) };
}

/** World rotations and positions of all joints in one pose; the root first. */
interface Truth {
  rotations: Q4[];
  positions: V3[];
  tips: V3[];
}

/** The file that an exporter writes, and the truth. */
export function makeHand(digits: readonly Digit[], options: HandOptions = {}): Hand {
  const {
    reference = FIST,
    order = 'ZXY',
    ends = 'none',
    scale = 1,
    wobble = 0,
    seed = 1,
    name = 'hand.bvh',
  } = options;
  const random = seeded(seed * 104729 + 7);
  const shaky = seeded(seed + 31);
  const gauss = normal(shaky);
  const shapes = digits.map((digit, i) => shapeOf(digit, i, random));
  const count = digits[0]!.poses.length;
  const truths = Array.from({ length: count }, (_, pose): Truth => {
    const at: V3 = [60 * random() - 30, 90 + 20 * random(), 60 * random() - 30];
    const turn = rotationOf(random(), random(), random());
    const truth: Truth = { rotations: [turn], positions: [mul(at, scale)], tips: [] };
    for (const [d, { poses }] of digits.entries()) {
      const { base, direction, hinge, lengths } = shapes[d]!;
      let rotation = turn;
      let next = add(truth.positions[0]!, mul(qrot(turn, base), scale));
      for (const [i, bend] of poses[pose]!.entries()) {
        const axis: V3 = [shaky() - 0.5, shaky() - 0.5, shaky() - 0.5];
        rotation = qmul(qmul(rotation, axisAngle(hinge, bend * deg)), axisAngle(axis, gauss(wobble) * deg));
        truth.positions.push(next);
        truth.rotations.push(rotation);
        next = add(next, mul(qrot(rotation, direction), scale * lengths[i]!));
      }
      truth.tips.push(next);
    }
    return truth;
  });
  return exportPoses(digits, truths, { reference, order, ends, name });
}

function exportPoses(
  digits: readonly Digit[],
  truths: readonly Truth[],
  { reference, order, ends, name }: Required<Pick<HandOptions, 'reference' | 'order' | 'ends' | 'name'>>,
): Hand {
  const rest = truths[reference]!;
  const turns = [...order].map((letter) => `${letter}rotation` as BvhChannel);
  const joints: BvhJoint[] = [
    {
      name: 'RightHand',
      parent: -1,
      offset: [0, 0, 0],
      channels: ['Xposition', 'Yposition', 'Zposition', ...turns],
      firstChannel: 0,
      ends: [],
    },
  ];
  const hand: Omit<Hand, 'bvh'> = {
    leaves: [],
    tips: {},
    positions: truths.map(() => ({})),
    tipPositions: truths.map(() => ({})),
    leafBends: {},
    innerBends: {},
  };
  for (const [d, { names, poses }] of digits.entries()) {
    for (const [i, joint] of names.entries()) {
      const index = joints.length;
      const parent = i === 0 ? 0 : index - 1;
      const offset = sub(rest.positions[index]!, rest.positions[parent]!);
      joints.push({
        name: joint,
        parent,
        offset,
        channels: [...turns],
        firstChannel: 3 * index + 3,
        ends: [],
      });
    }
    const index = joints.length - 1;
    const leaf = joints[index]!;
    const tip = sub(rest.tips[d]!, rest.positions[index]!);
    hand.leaves.push(leaf.name);
    hand.tips[leaf.name] = tip;
    hand.leafBends[leaf.name] = poses.map((bends) => bends.at(-1)!);
    hand.innerBends[leaf.name] = poses.map((bends) => bends.at(-2)!);
    const straight = mul(unit(leaf.offset), len(tip));
    const end: V3 | undefined = { none: undefined, zero: [0, 0, 0] as V3, straight, nub: tip }[ends];
    if (end) leaf.ends.push({ name: '', offset: end });
    for (const [f, truth] of truths.entries()) hand.tipPositions[f]![leaf.name] = truth.tips[d]!;
  }
  const rows = truths.map(({ rotations, positions }, f) => {
    const row: number[] = [...positions[0]!];
    const world = rotations.map((rotation, j) => qmul(rotation, qinv(rest.rotations[j]!)));
    for (const [j, joint] of joints.entries()) {
      const local = joint.parent < 0 ? world[j]! : qmul(qinv(world[joint.parent]!), world[j]!);
      // No rounding where nothing turns: exporters write a plain 0 for the reference.
      row.push(...(f === reference ? [0, 0, 0] : eulerOf(local, order)));
      hand.positions[f]![joint.name] = positions[j]!;
    }
    return row;
  });
  const channelCount = 3 * joints.length + 3;
  const frames = Float64Array.from(rows.flat());
  return {
    ...hand,
    bvh: { name, joints, channelCount, frameCount: rows.length, frameTime: 1 / 30, frames, warnings: [] },
  };
}

/** Angles in degrees of a rotation as three turns, the first of `order` outermost. */
export function eulerOf(q: Q4, order: Order): [number, number, number] {
  const [i, j, k] = [...order].map((letter) => letters.indexOf(letter)) as [number, number, number];
  const columns = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as V3[]
  ).map((axis) => qrot(q, axis));
  const at = (row: number, column: number): number => columns[column]![row]!;
  const sign = (j - i + 3) % 3 === 1 ? 1 : -1;
  const middle = Math.atan2(sign * at(i, k), Math.hypot(at(i, i), at(i, j)));
  if (Math.hypot(at(i, i), at(i, j)) < 1e-12)
    return [Math.atan2(sign * at(k, j), at(j, j)) / deg, middle / deg, 0];
  return [
    Math.atan2(-sign * at(j, k), at(k, k)) / deg,
    middle / deg,
    Math.atan2(-sign * at(i, j), at(i, i)) / deg,
  ];
}

/** World rotations and positions of one frame by name; positions of channels stand instead of OFFSET. */
export function forward(bvh: Bvh, frame: number): Record<string, { rotation: Q4; position: V3 }> {
  const placed: { rotation: Q4; position: V3 }[] = [];
  for (const joint of bvh.joints) {
    const local: V3 = [...joint.offset];
    let turn = identity;
    for (const [c, channel] of joint.channels.entries()) {
      const value = bvh.frames[frame * bvh.channelCount + joint.firstChannel + c]!;
      const axis = letters.indexOf(channel[0]!);
      if (channel.endsWith('position')) local[axis] = value;
      else turn = qmul(turn, axisAngle([0, 1, 2].map((k) => (k === axis ? 1 : 0)) as V3, value * deg));
    }
    const parent = placed[joint.parent] ?? { rotation: identity, position: [0, 0, 0] as V3 };
    const position = add(parent.position, qrot(parent.rotation, local));
    placed.push({ rotation: qmul(parent.rotation, turn), position });
  }
  return Object.fromEntries(bvh.joints.map(({ name }, j) => [name, placed[j]!]));
}

/** One file per frame, as a set of poses often comes. */
export function split(bvh: Bvh): Bvh[] {
  return Array.from({ length: bvh.frameCount }, (_, f) => ({
    ...structuredClone(bvh),
    name: `pose ${f}`,
    frameCount: 1,
    frames: bvh.frames.slice(f * bvh.channelCount, (f + 1) * bvh.channelCount),
  }));
}

/** Angle between two directions, degrees. */
export function angleDeg(a: readonly number[], b: readonly number[]): number {
  return angleBetween(a as V3, b as V3) / deg;
}

/** Bend of a leaf with its `_End` in one frame, degrees; positive is the way its finger flexes in the rest pose. */
export function shownBend(bvh: Bvh, leaf: string, frame: number): number {
  const { parent, offset } = bvh.joints.find(({ name }) => name === leaf)!;
  const placed = forward(bvh, frame);
  const before = placed[bvh.joints[parent]!.name]!;
  const bone = sub(placed[leaf]!.position, before.position);
  const tip = sub(placed[`${leaf}_End`]!.position, placed[leaf]!.position);
  const hinge = unit(qrot(before.rotation, cross(bvh.joints[parent]!.offset, offset)));
  const across = (v: V3): V3 => sub(v, mul(hinge, dot(hinge, v)));
  const [a, b] = [across(bone), across(tip)];
  return Math.atan2(dot(cross(a, b), hinge), dot(a, b)) / deg;
}

/** Angle between the tip that was found and the true one, per leaf, degrees. */
export function tipErrors(hand: Hand, mended: Bvh): number[] {
  return hand.leaves.map((leaf) => angleDeg(endOf(mended, leaf)!.offset, hand.tips[leaf]!));
}

/** OFFSET of the joint that a repair put under a leaf. */
export function endOf(bvh: Bvh, leaf: string): BvhJoint | undefined {
  return bvh.joints.find(({ name }) => name === `${leaf}_End`);
}

/** Rank correlation of Spearman; ties in the order they come. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const ranks = (values: readonly number[]): number[] => {
    const sorted = values
      .map((value, i) => ({ value, i }))
      .toSorted((x, y) => x.value - y.value || x.i - y.i);
    const out: number[] = [];
    for (const [rank, { i }] of sorted.entries()) out[i] = rank;
    return out;
  };
  const [x, y] = [ranks(a), ranks(b)];
  const n = a.length;
  const squares = x.reduce((sum, rank, i) => sum + (rank - y[i]!) ** 2, 0);
  return 1 - (6 * squares) / (n * (n * n - 1));
}
