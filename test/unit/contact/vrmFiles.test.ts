/**
 * VRM files of other people with their own springs and colliders, their heads turned about for 4 s: everything stays
 * finite, lengths hold, and no tip is deeper in a collider that its spring names than 1e-6 m where a direction is free,
 * else as little as can be (docs/solver.md, "Contact"). Colliders and radii are read from the file here a second time.
 */
import { describe, expect, test } from 'vitest';
import {
  addCharacter,
  addConstraints,
  addSprings,
  type ColliderShape,
  createPose,
  createWorld,
  type Pose,
  readPose,
  rowOf,
  setPose,
  setRoot,
  step,
} from '../../../src/index.js';
import { loadVrm, type VrmAsset } from '../../../src/io/vrm/index.js';
import { radians } from '../../support/chains.js';
import { depthAlong, type Felt, leastDepth, type Link } from '../../support/contactGaps.js';
import { gltfFilesUnder, readBytes, resolveBeside } from '../../support/gltfBuilder.js';
import { add, axisAngle, len, mul, qmul, type Q4, sub, unit, type V3 } from '../../support/referenceMath.js';
import { shared } from '../../support/shared.js';

const tickRate = 120;
const seconds = 4;
const bound = 1e-6;
/** A jam lasts: it is looked at every so many ticks. */
const lookEvery = 12;

const files = shared
  ? [
      ...gltfFilesUnder(`${shared}/vrm`).map((path) => path.slice(shared!.length + 1)),
      'derived/seedsan_rebuilt.vrm',
    ].toSorted()
  : [];

const at = (list: Float64Array, offset: number): V3 => [list[offset]!, list[offset + 1]!, list[offset + 2]!];

/** A shape of a bone in the world; radii grow with the largest axis of the bone. */
function placed(shape: ColliderShape, worlds: Float64Array, bone: number): ColliderShape {
  const m = worlds.subarray(16 * bone, 16 * bone + 16);
  const columns = [0, 4, 8].map((c) => at(m, c));
  const turn = (v: readonly number[]): V3 =>
    columns.reduce<V3>((sum, column, i) => add(sum, mul(column, v[i]!)), [0, 0, 0]);
  const toWorld = (v: readonly number[]): V3 => add(at(m, 12), turn(v));
  const scale = Math.max(...columns.map(len));
  if (shape.kind === 'plane') {
    // Square to two directions of the plane.
    const n = unit([...shape.normal] as V3);
    const cofactors = columns.map((column, i) => mul(column, n[i]! / (len(column) * len(column))));
    return {
      kind: 'plane',
      offset: toWorld(shape.offset),
      normal: unit(add(cofactors[0]!, add(cofactors[1]!, cofactors[2]!))),
    };
  }
  const radius = scale * shape.radius;
  if (shape.kind === 'sphere') return { ...shape, offset: toWorld(shape.offset), radius };
  return {
    ...shape,
    offset: toWorld(shape.offset),
    tail: toWorld(shape.tail),
    radius,
    tailRadius: scale * shape.tailRadius,
  };
}

/** Turn of the head (or of all) and way of the root at a time. */
function motionAt(t: number): { turn: Q4; position: V3 } {
  return {
    turn: qmul(
      axisAngle([0, 1, 0], radians(60) * Math.sin(2 * Math.PI * 0.8 * t)),
      axisAngle([1, 0, 0.4], radians(30) * Math.sin(2 * Math.PI * 1.1 * t)),
    ),
    position: [0.1 * Math.sin(2 * Math.PI * 0.7 * t), 0.05 * Math.sin(2 * Math.PI * 1.3 * t), 0.6 * t],
  };
}

interface Played {
  finite: boolean;
  /** Largest error of a length, as a multiple of what is allowed: 1e-12 m or 4 ulp. */
  lengthFault: number;
  /** Largest depth where a direction is free; how much deeper than need be where none is. */
  free: number;
  jammed: number;
  /** Tips in touch, and looks at jams, over all ticks. */
  touches: number;
  jams: number;
}

function playFile(asset: VrmAsset): Played {
  const { secondary, skeleton } = asset;
  const world = createWorld({ tickRate });
  const character = addCharacter(world, asset);
  addConstraints(world, character);
  const rows = addSprings(world, character).chains.map((chain) => rowOf(world, 'chain', chain));
  const head = secondary.humanoid['head'];
  const pose: Pose = readPose(world, character, createPose(world, character));
  const rotations = pose.rotations.slice();
  const stands = head === undefined ? undefined : ([...rotations.subarray(4 * head, 4 * head + 4)] as Q4);
  // Colliders on bones that a chain moves stand where it left them in the last tick.
  const turning = new Set(secondary.springs.flatMap(({ joints }) => joints.map(({ bone }) => bone)));
  const carried = (bone: number): boolean =>
    bone >= 0 && (turning.has(bone) || carried(skeleton.parents[bone]!));
  const result: Played = { finite: true, lengthFault: 0, free: 0, jammed: 0, touches: 0, jams: 0 };
  const lengths: number[][] = [];
  let before = pose.worlds.slice();
  for (let tick = 0; tick < seconds * tickRate; tick++) {
    const { turn, position } = motionAt(tick / tickRate);
    if (head !== undefined && stands) {
      rotations.set(qmul(stands, turn), 4 * head);
      setPose(world, character, { rotations });
    }
    setRoot(world, character, stands ? { position } : { position, rotation: turn });
    step(world);
    readPose(world, character, pose);
    const { chain, particle } = world.views;
    result.finite &&= pose.worlds.every(Number.isFinite);
    const shapes = secondary.colliders.map(({ bone, shape }) =>
      placed(shape, carried(bone) ? before : pose.worlds, bone),
    );
    secondary.springs.forEach(({ joints, groups }, s) => {
      const felt = groups
        .flatMap((group) => secondary.groups[group]!.colliders)
        .map((index): Felt => ({ shape: shapes[index]!, tipOnly: true }));
      let from = at(pose.worlds, 16 * joints[0]!.bone + 12);
      joints.forEach(({ hitRadius }, k) => {
        const tip = at(particle.position, 3 * (chain.first[rows[s]!]! + k * chain.stride[rows[s]!]!));
        const length = len(sub(tip, from));
        const own = (lengths[s] ??= []);
        own[k] ??= length;
        const ulp = 2 ** (Math.floor(Math.log2(Math.max(...[...from, ...tip].map(Math.abs)))) - 52);
        const error = Math.abs(length - own[k]!);
        result.finite &&= Number.isFinite(length);
        result.lengthFault = Math.max(result.lengthFault, error / Math.max(1e-12, 4 * ulp));
        const link: Link = { head: from, length, radius: hitRadius };
        from = tip;
        if (length < 1e-9 || felt.length === 0) return;
        const direction = unit(sub(tip, link.head));
        const depth = depthAlong(link, felt, direction);
        if (depth > -1e-6) result.touches++;
        if (depth <= bound || tick % lookEvery > 0) return;
        result.jams++;
        const { depth: least } = leastDepth(link, felt, [direction]);
        if (least <= 0) result.free = Math.max(result.free, depth);
        else result.jammed = Math.max(result.jammed, depth - least);
      });
    });
    before = pose.worlds.slice();
  }
  return result;
}

describe.skipIf(!shared)('springs of VRM files in motion', () => {
  test.each(files)('%s', async (name) => {
    const asset = await loadVrm(readBytes(`${shared}/${name}`), {
      name,
      resolve: resolveBeside(`${shared}/${name}`),
    });
    const played = playFile(asset);
    expect(played.finite).toBe(true);
    expect(played.lengthFault).toBeLessThanOrEqual(1);
    expect(played.free).toBeLessThan(bound);
    expect(played.jammed).toBeLessThan(bound);
    // Of the files with colliders that a spring names, those in which none is ever met.
    const unmet = ['icaps_pmed', 'isphere_anglelimit_60', 'inside-collider'].some((part) =>
      name.includes(part),
    );
    const { springs, groups } = asset.secondary;
    const named = springs.some((spring) =>
      spring.groups.some((group) => groups[group]!.colliders.length > 0),
    );
    expect(played.touches > 0).toBe(named && !unmet);
  });
});
