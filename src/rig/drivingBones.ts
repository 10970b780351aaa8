/**
 * The skeleton as the skin sees it: joints that hold weight, and the segments between them. A joint drives when it
 * holds more than 5e-4 of all weight; a segment counts only where both ends lie on the way to driven skin, so that no
 * root, IK target or pole draws a line through the air (docs/rigging.md, "Driving bones").
 */
import type { Asset } from '../asset/asset.js';
import type { Neutral } from '../setup/neutralPose.js';
import { isEndName } from '../setup/boneNames.js';
import type { Surface } from './surface.js';

/** Share of all weight above which a joint drives. */
const DRIVES = 5e-4;
/** A leaf without anything below ends after this share of its parent's segment. */
const STUB = 0.5;

/** Driving joints and their segments. */
export interface DrivingBones {
  /** 1 per bone that holds weight. */
  drives: Uint8Array;
  /** 1 per bone with a driving bone at or below it. */
  leads: Uint8Array;
  /** Heads in the bind pose, world, 3 per bone. */
  heads: Float64Array;
  /** Children per bone. */
  children: number[][];
  /** Ends of the segments, 6 numbers each. */
  segments: Float64Array;
  /** Bone that each segment belongs to (the one at its start). */
  owners: Int32Array;
}

/** Surveys the bones of a character. */
export function drivingBones(asset: Asset, neutral: Neutral, surface: Surface): DrivingBones {
  const { count, parents, names } = asset.skeleton;
  const heads = new Float64Array(3 * count);
  for (let bone = 0; bone < count; bone++)
    for (let k = 0; k < 3; k++) heads[3 * bone + k] = neutral.worlds[16 * bone + 12 + k]!;
  const children: number[][] = Array.from({ length: count }, () => []);
  for (let bone = 0; bone < count; bone++) if (parents[bone]! >= 0) children[parents[bone]!]!.push(bone);

  const held = new Float64Array(count);
  for (const [i, bone] of surface.bones.entries()) held[bone]! += surface.weights[i]!;
  const least = DRIVES * held.reduce((sum, weight) => sum + weight, 0);
  const drives = Uint8Array.from(held, (weight) => (weight > least ? 1 : 0));
  const leads = drives.slice();
  for (let bone = count - 1; bone >= 0; bone--)
    if (leads[bone] === 1 && parents[bone]! >= 0) leads[parents[bone]!] = 1;

  const bones: DrivingBones = {
    drives,
    leads,
    heads,
    children,
    segments: new Float64Array(0),
    owners: new Int32Array(0),
  };
  const segments: number[] = [];
  const owners: number[] = [];
  const add = (owner: number, x: number, y: number, z: number): void => {
    segments.push(heads[3 * owner]!, heads[3 * owner + 1]!, heads[3 * owner + 2]!, x, y, z);
    owners.push(owner);
  };
  const isJoint = new Uint8Array(count);
  for (const skin of asset.skins) for (const bone of skin.joints) isJoint[bone] = 1;
  // A node between two driving bones carries the segment on.
  const carries = new Uint8Array(count);
  for (let bone = 0; bone < count; bone++) {
    const parent = parents[bone]!;
    carries[bone] =
      leads[bone] === 1 && (drives[bone] === 1 || (parent >= 0 && carries[parent] === 1)) ? 1 : 0;
    if (carries[bone] === 0) continue;
    const below = children[bone]!.filter((child) => leads[child] === 1);
    for (const child of below) add(bone, heads[3 * child]!, heads[3 * child + 1]!, heads[3 * child + 2]!);
    if (below.length > 0) continue;
    const ends = children[bone]!.filter((child) => children[child]!.length === 0);
    const end = ends.find((child) => isEndName(names[child]!)) ?? ends.find((child) => isJoint[child] === 1);
    if (end !== undefined && !sameHead(heads, bone, end))
      add(bone, heads[3 * end]!, heads[3 * end + 1]!, heads[3 * end + 2]!);
    else addStub(bones, parents, bone, add);
  }
  bones.segments = Float64Array.from(segments);
  bones.owners = Int32Array.from(owners);
  return bones;
}

function sameHead(heads: Float64Array, a: number, b: number): boolean {
  for (let k = 0; k < 3; k++) if (heads[3 * a + k] !== heads[3 * b + k]) return false;
  return true;
}

/** A leaf goes on in the direction from its nearest ancestor that stands elsewhere. */
function addStub(
  { heads, leads }: DrivingBones,
  parents: Int32Array,
  bone: number,
  add: (owner: number, x: number, y: number, z: number) => void,
): void {
  let from = parents[bone]!;
  while (from >= 0 && sameHead(heads, from, bone)) from = parents[from]!;
  const o = 3 * bone;
  if (from < 0 || leads[from] === 0) {
    add(bone, heads[o]!, heads[o + 1]!, heads[o + 2]!);
    return;
  }
  const end = [0, 1, 2].map((k) => heads[o + k]! + STUB * (heads[o + k]! - heads[3 * from + k]!));
  add(bone, end[0]!, end[1]!, end[2]!);
}

/** Squared distance of a point to segment number `s`. */
export function squaredToSegment(segments: Float64Array, s: number, x: number, y: number, z: number): number {
  const o = 6 * s;
  const ax = segments[o]!;
  const ay = segments[o + 1]!;
  const az = segments[o + 2]!;
  const bx = segments[o + 3]! - ax;
  const by = segments[o + 4]! - ay;
  const bz = segments[o + 5]! - az;
  const px = x - ax;
  const py = y - ay;
  const pz = z - az;
  const squared = bx * bx + by * by + bz * bz;
  const t = squared > 0 ? Math.min(Math.max((px * bx + py * by + pz * bz) / squared, 0), 1) : 0;
  const dx = px - t * bx;
  const dy = py - t * by;
  const dz = pz - t * bz;
  return dx * dx + dy * dy + dz * dz;
}

/** Distance of a point to the nearest segment, Infinity without any. */
export function distanceToBones(segments: Float64Array, x: number, y: number, z: number): number {
  let least = Infinity;
  for (let s = 0; 6 * s < segments.length; s++)
    least = Math.min(least, squaredToSegment(segments, s, x, y, z));
  return Math.sqrt(least);
}
