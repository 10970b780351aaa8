/**
 * Hand-made characters with one tail for the solver's tests: straight or bent, any direction, any bone axes, scaled
 * armature. The rest of the file runs them in a world and reads positions, through the public interface only.
 */
import {
  addChains,
  addCharacter,
  createPose,
  createWorld,
  readPose,
  rowOf,
  setRoot,
  step,
} from '../../src/index.js';
import type { ChainDefinition, ChainOptions, Clip, Asset, Pose, World } from '../../src/index.js';
import type { ReferenceBind } from './reference.js';
import type { Q4, V3 } from './referenceMath.js';
import {
  add,
  angleOf,
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
} from './referenceMath.js';

export interface TailSpec {
  /** Number of links, default 4. */
  links?: number;
  /** Total length at bind in metres, default 0.8. */
  length?: number;
  /** World direction of every link at bind, default straight down. */
  direction?: V3;
  /** World directions link by link; wins over `direction` and `links`. */
  directions?: V3[];
  /** Bind position of the hips, from which the tail hangs; default (0, 1, 0). */
  hips?: V3;
  /** Seed of random bone axes; default none: every bone is aligned with the world at bind. */
  axes?: number;
  /** Scale of the armature node; everything below is stored in units 1 / scale. Default 1. */
  armature?: number;
  /** Whether an end bone marks the tip, default true. */
  end?: boolean;
  /** Number of other children the hips get, each one bone, for tests of what must not move. */
  legs?: number;
  /** Clips of the character. */
  clips?: (bones: TailBones) => Clip[];
}

export interface TailBones {
  root: number;
  hips: number;
  /** Bones of the links. */
  links: number[];
  /** End bone, -1 without. */
  end: number;
  legs: number[];
}

export interface Tail {
  asset: Asset;
  definition: ChainDefinition;
  bones: TailBones;
  bind: ReferenceBind;
  /** Bind positions of the tips. */
  bindTips: V3[];
}

export const down: V3 = [0, -1, 0];
export const back: V3 = [0, 0, -1];

/** Builds the character. Bones: Root, Armature, Hips, Tail_1..N, Tail_End, Leg_1..; the frame is +Y up, +Z forward. */
export function makeTail(spec: TailSpec = {}): Tail {
  const n = spec.directions?.length ?? spec.links ?? 4;
  const length = spec.length ?? 0.8;
  const directions = spec.directions ?? Array.from({ length: n }, (): V3 => spec.direction ?? down);
  const hips = spec.hips ?? [0, 1, 0];
  const scale = spec.armature ?? 1;
  const random = seeded(spec.axes ?? 0);
  const axes = (): Q4 => (spec.axes === undefined ? identity : rotationOf(random(), random(), random()));
  const names = ['Root', 'Armature', 'Hips'];
  const parents = [-1, 0, 1];
  const positions: V3[] = [[0, 0, 0], [0, 0, 0], hips];
  const rotations: Q4[] = [identity, identity, axes()];
  const bones: TailBones = { root: 0, hips: 2, links: [], end: -1, legs: [] };
  const push = (name: string, parent: number, position: V3, rotation: Q4): number => {
    names.push(name);
    parents.push(parent);
    positions.push(position);
    rotations.push(rotation);
    return names.length - 1;
  };
  let at = hips;
  let parent = 2;
  const bindTips: V3[] = [];
  for (let i = 0; i < n; i++) {
    parent = push(`Tail_${i + 1}`, parent, at, axes());
    bones.links.push(parent);
    at = add(at, mul(unit(directions[i]!), length / n));
    bindTips.push(at);
  }
  if (spec.end !== false) bones.end = push('Tail_End', parent, at, axes());
  for (let i = 0; i < (spec.legs ?? 0); i++) {
    bones.legs.push(push(`Leg_${i + 1}`, 2, add(hips, [0.1 * (i + 1), -0.4, 0]), axes()));
  }
  const asset = assetOf(names, parents, positions, rotations, scale);
  asset.clips = spec.clips?.(bones) ?? [];
  return {
    asset,
    definition: { name: 'Tail_1', attachment: 2, bones: bones.links, end: bones.end, origin: 'artist' },
    bones,
    bind: {
      frame: identity,
      attachment: rotations[2]!,
      locals: bones.links.map((b) => qmul(qinv(rotations[parents[b]!]!), rotations[b]!)),
      offsets: bones.links.map((b, i) => qrot(qinv(rotations[b]!), sub(bindTips[i]!, positions[b]!))),
      lengths: bones.links.map((b, i) => len(sub(bindTips[i]!, positions[b]!))),
    },
    bindTips,
  };
}

/** An asset from world positions and rotations at bind; bone 1 is the armature and carries the scale. */
export function assetOf(
  names: string[],
  parents: number[],
  positions: V3[],
  rotations: Q4[],
  scale = 1,
): Asset {
  const count = names.length;
  const translations = new Float64Array(3 * count);
  const locals = new Float64Array(4 * count);
  const scales = new Float64Array(3 * count).fill(1);
  const inverseBinds = new Float64Array(16 * count);
  for (let b = 0; b < count; b++) {
    const p = parents[b]!;
    const above = p > 0 ? scale : 1;
    const turn = p < 0 ? identity : qinv(rotations[p]!);
    const offset = sub(positions[b]!, p < 0 ? [0, 0, 0] : positions[p]!);
    translations.set(mul(qrot(turn, offset), 1 / above), 3 * b);
    locals.set(qmul(turn, rotations[b]!), 4 * b);
    if (b === 1) scales.fill(scale, 3, 6);
    inverseBinds.set(inverseOf(positions[b]!, rotations[b]!, b > 0 ? scale : 1), 16 * b);
  }
  return {
    name: 'hand-made',
    skeleton: {
      count,
      names,
      parents: Int32Array.from(parents),
      nodes: Int32Array.from(names.keys()),
      translations,
      rotations: locals,
      scales,
    },
    skins: [{ name: 'skin0', joints: Int32Array.from(names.keys()), inverseBinds }],
    meshes: [],
    clips: [],
    warnings: [],
  };
}

/** Inverse of the transform with uniform scale, column-major. */
function inverseOf(position: V3, rotation: Q4, scale: number): number[] {
  const back3 = qinv(rotation);
  const columns = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as V3[]
  ).map((axis) => mul(qrot(back3, axis), 1 / scale));
  const origin = mul(qrot(back3, position), -1 / scale);
  return [...columns[0]!, 0, ...columns[1]!, 0, ...columns[2]!, 0, ...origin, 1];
}

export interface Scene {
  world: World;
  character: number;
  chain: number;
  tail: Tail;
  pose: Pose;
}

export interface SceneOptions extends ChainOptions {
  tickRate?: number;
  unit?: number;
  /** Root at the first tick. */
  position?: V3;
  rotation?: Q4;
  scale?: V3;
}

/** The plain spring of most tests: the tail's own shape, no gravity, no planes. */
export const plain: ChainOptions = {
  carry: 0,
  restCurve: 1,
  gravity: 0,
  floor: false,
  keepOut: false,
  owner: 'solver',
};

/** A world with one character and its tail; options not named here are the library's defaults. */
export function makeScene(tail: Tail, options: SceneOptions = {}, into?: World): Scene {
  const { tickRate, unit: fileUnit, position, rotation, scale, ...chainOptions } = options;
  const world = into ?? createWorld(tickRate === undefined ? {} : { tickRate });
  const character = addCharacter(world, tail.asset, {
    frame: { up: [0, 1, 0], forward: [0, 0, 1] },
    ...(fileUnit === undefined ? {} : { unit: fileUnit }),
    ...(position === undefined ? {} : { position }),
    ...(rotation === undefined ? {} : { rotation }),
    ...(scale === undefined ? {} : { scale }),
  });
  const chain = addChains(world, character, { ...chainOptions, chains: [tail.definition] })[0]!;
  return { world, character, chain, tail, pose: createPose(world, character) };
}

/** Runs ticks; `before` is called before each with its number from 0. */
export function run(scene: Scene, ticks: number, before?: (tick: number) => void, after?: () => void): void {
  for (let k = 0; k < ticks; k++) {
    before?.(k);
    step(scene.world);
    after?.();
  }
}

/** Moves the root along a path given in seconds, tick by tick, from the time the motion starts. */
export function runAlong(
  scene: Scene,
  seconds: number,
  path: (timeSeconds: number) => V3,
  after?: (tick: number) => void,
  tickRate = 120,
): void {
  const ticks = Math.round(seconds * tickRate);
  for (let k = 1; k <= ticks; k++) {
    setRoot(scene.world, scene.character, { position: path(k / tickRate) });
    step(scene.world);
    after?.(k);
  }
}

/** Rows of the chain's particles, root first. */
function particleRows(scene: Scene): number[] {
  const { views } = scene.world;
  const row = rowOf(scene.world, 'chain', scene.chain);
  const first = views.chain.first[row]!;
  const stride = views.chain.stride[row]!;
  return Array.from({ length: views.chain.count[row]! }, (_, k) => first + k * stride);
}

/** World positions of the tips, from the state. */
export function tipsOf(scene: Scene): V3[] {
  const { position } = scene.world.views.particle;
  return particleRows(scene).map((k) => [position[3 * k]!, position[3 * k + 1]!, position[3 * k + 2]!]);
}

/** World position of the last tip. */
export function tipOf(scene: Scene): V3 {
  return tipsOf(scene).at(-1)!;
}

/** World velocities of the tips, from the state. */
export function velocitiesOf(scene: Scene): V3[] {
  const { velocity } = scene.world.views.particle;
  return particleRows(scene).map((k) => [velocity[3 * k]!, velocity[3 * k + 1]!, velocity[3 * k + 2]!]);
}

/** Bends of the links as rotations in the anatomical frame, from the state. */
export function bendsOf(scene: Scene): Q4[] {
  const { bend } = scene.world.views.particle;
  return particleRows(scene).map((k) => [bend[4 * k]!, bend[4 * k + 1]!, bend[4 * k + 2]!, bend[4 * k + 3]!]);
}

/** Contact flags per link. */
export function contactsOf(scene: Scene): boolean[] {
  const { contact } = scene.world.views.particle;
  return particleRows(scene).map((k) => contact[k]! !== 0);
}

/** World origins of these bones, from a fresh pose. */
export function originsOf(scene: Scene, bones: number[]): V3[] {
  const { worlds } = readPose(scene.world, scene.character, scene.pose);
  return bones.map((b) => [worlds[16 * b + 12]!, worlds[16 * b + 13]!, worlds[16 * b + 14]!]);
}

/** Head of the first link and all tips as the written pose has them (needs an end bone). */
export function jointsOf(scene: Scene): V3[] {
  const { links, end } = scene.tail.bones;
  return originsOf(scene, end < 0 ? links : [...links, end]);
}

/** Unit directions of the links as the written pose has them. */
export function directionsOf(scene: Scene): V3[] {
  const joints = jointsOf(scene);
  return joints.slice(1).map((p, i) => unit(sub(p, joints[i]!)));
}

/** All bytes of the state region: what a rollback would copy. */
export function stateBytes(world: World): Uint8Array {
  const { start, end } = world.arena.regions.state;
  return new Uint8Array(world.arena.buffer.slice(start, end));
}

/** Bit patterns of what moves (chains and particles), one text: equal texts are equal bits. */
export function motionBits(world: World): string {
  const { chain, particle } = world.views;
  const columns = [
    particle.position,
    particle.velocity,
    particle.bend,
    particle.couplingTarget,
    particle.contact,
    chain.lastPoint,
    chain.lastFrame,
    chain.lastVelocity,
  ];
  return columns.map((c) => Buffer.from(c.buffer, c.byteOffset, c.byteLength).toString('base64')).join('\n');
}

/**
 * By how much the worst link misses its length, as a multiple of what is allowed: 1e-12 m or 4 ulp of the largest
 * coordinate, whichever is larger. `head` is the world position of the first link's head.
 */
export function lengthFault(scene: Scene, head: V3, scale = 1): number {
  let worst = 0;
  let at = head;
  tipsOf(scene).forEach((tip, i) => {
    const largest = Math.max(...[...at, ...tip].map(Math.abs));
    const ulp = 2 ** (Math.floor(Math.log2(Math.max(largest, 1e-300))) - 52);
    const error = Math.abs(len(sub(tip, at)) - scene.tail.bind.lengths[i]! * scale);
    worst = Math.max(worst, error / Math.max(1e-12, 4 * ulp));
    at = tip;
  });
  return worst;
}

/** Local rotations of bones in the written pose. */
export function localRotationsOf(scene: Scene, bones: number[]): Q4[] {
  const { rotations } = readPose(scene.world, scene.character, scene.pose);
  return bones.map((b) => [...rotations.subarray(4 * b, 4 * b + 4)] as unknown as Q4);
}

/**
 * Reads the bend of every link in radians: the angle by which the written local rotation of its bone differs from
 * the one at rest, found by a second world without gravity that has run one tick.
 */
export function bendReader(tail: Tail, options: SceneOptions): (scene: Scene) => number[] {
  const resting = makeScene(tail, { ...options, gravity: 0 });
  step(resting.world);
  const rest = localRotationsOf(resting, tail.bones.links);
  return (scene) => localRotationsOf(scene, tail.bones.links).map((q, i) => angleOf(rest[i]!, q));
}

export function degrees(angleRad: number): number {
  return (angleRad * 180) / Math.PI;
}

export function radians(angleDeg: number): number {
  return (angleDeg * Math.PI) / 180;
}
