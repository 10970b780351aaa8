/**
 * The anatomical frame F of a character: columns lateral (its own left) = up x forward, up, forward, in the world of
 * the neutral pose. Bone axes of a rig mean nothing (the attachment of a tail is typically 74 to 112 degrees off), so
 * the frame is read from the body: legs give up, left and right give lateral, the rest follows. See `docs/solver.md`,
 * "Anatomical frame".
 */
import type { Asset } from '../asset/asset.js';
import { FollowthroughError } from '../asset/errors.js';
import type { Warning } from '../asset/errors.js';
import { quatFromMat4, rotateVec3 } from '../math/quat.js';
import { cross3, dot3, normalize3 } from '../math/vec3.js';
import { namedBody, namedDirections, namedFacing } from './bodyLandmarks.js';
import { nearAxis, standingAxes } from './standingAxes.js';
import { symmetricBody } from './symmetricBody.js';
import type { Neutral } from './neutralPose.js';

/** Which way a character is built. */
export interface AnatomicalFrame {
  /** Unit quaternion x, y, z, w: takes (1, 0, 0) to the character's left, (0, 1, 0) to up, (0, 0, 1) to forward. */
  rotation: Float64Array;
  /**
   * `limbs`: pairs of left and right limbs; `four-footed`: legs, and hips to head for forward; `gltf`: nothing was
   * found, +Y up and +Z forward as glTF says; `given`: by the caller.
   */
  source: 'limbs' | 'four-footed' | 'gltf' | 'given';
  /** Contradictions: names that call the right side left. */
  warnings: Warning[];
}

/** Directions a caller can give; they need not be unit vectors. */
export interface GivenFrame {
  /** Up, in the world of the neutral pose. */
  up?: readonly [number, number, number];
  /** Forward, in the world of the neutral pose; its part along up is removed. */
  forward?: readonly [number, number, number];
}

/** Cosine above which the head or the toes contradict the names of the sides (60 degrees and closer to backward). */
const CONTRADICTION = 0.5;

/**
 * Derives the anatomical frame.
 *
 * Up: from the feet to the tops of the legs, summed over all legs; where these slant (a crouching body), the normal of
 * the plane on which four feet stand; without legs from hips to head if that is upright; else +Y. Lateral: left minus
 * right, summed over the pairs of limbs where they leave the trunk, by name; else the mirror symmetry of the joints;
 * made perpendicular to up. Forward = lateral x up. Hips to head (four feet) or the toes (two feet) decide its sign
 * where names do not, and overrule names that point the other way. A direction within 30 degrees of an axis on which
 * the file stands is that axis exactly ({@link standingAxes}).
 *
 * @param asset - character
 * @param neutral - its neutral pose
 * @param given - directions that the caller knows better; what is missing is derived
 * @returns a right-handed frame
 * @throws FollowthroughError `invalid-argument` when a given direction is zero, not finite, or both are parallel
 */
export function anatomicalFrame(asset: Asset, neutral: Neutral, given: GivenFrame = {}): AnatomicalFrame {
  const derived = derivedFrame(asset, neutral);
  if (given.up === undefined && given.forward === undefined) return derived;
  const up = given.up === undefined ? undefined : unit(given.up, 'up');
  const forward = given.forward === undefined ? undefined : unit(given.forward, 'forward');
  return givenFrame(derived, up, forward);
}

function derivedFrame(asset: Asset, neutral: Neutral): AnatomicalFrame {
  const gltf = frameFrom(axis(0, 1, 0), axis(0, 0, 1), 'gltf', []);
  const named = namedBody(asset, neutral);
  const byName = namedDirections(named);
  const symmetric = byName === undefined ? symmetricBody(asset, neutral) : undefined;
  const body = byName ?? symmetric?.directions;
  if (body === undefined) return gltf;
  const axes = standingAxes(asset, neutral, body.up, body.lateral);
  const up = nearAxis(axes, body.up) ?? (body.ground && nearAxis(axes, body.ground)) ?? body.up;
  const lateral = perpendicular(nearAxis(axes, body.lateral) ?? body.lateral, up);
  if (lateral === undefined) return gltf;
  const facing = symmetric?.facing ?? namedFacing(named, up);
  const forward = new Float64Array(3);
  cross3(forward, 0, lateral, 0, up, 0);
  const warnings: Warning[] = [];
  // What the body shows outweighs names: a mirrored character keeps its names but not its sides.
  if (
    facing.forward !== undefined &&
    dot3(facing.forward, 0, forward, 0) < (body.sided ? -CONTRADICTION : 0)
  ) {
    negate(forward);
    const message =
      'bones called left stand on the right of the body, as its head or toes tell it: the names are ignored';
    if (body.sided) warnings.push({ code: 'sides-swapped', message, at: asset.name });
  }
  return frameFrom(up, forward, facing.fourFooted ? 'four-footed' : 'limbs', warnings);
}

/**
 * What the caller gave wins exactly. The other direction is made perpendicular to it; where nothing of it is left, it
 * goes where the shortest turn of the derived frame takes it.
 */
function givenFrame(
  derived: AnatomicalFrame,
  up: Float64Array | undefined,
  forward: Float64Array | undefined,
): AnatomicalFrame {
  const columns = frameColumns(derived.rotation);
  if (up !== undefined) {
    const ahead = perpendicular(forward ?? columns.forward, up);
    if (ahead !== undefined) return frameFrom(up, ahead, 'given', []);
    if (forward !== undefined)
      throw new FollowthroughError('invalid-argument', 'frame: up and forward are parallel');
    if (dot3(up, 0, columns.forward, 0) > 0) negate(columns.up);
    return frameFrom(up, perpendicular(columns.up, up)!, 'given', []);
  }
  const above = perpendicular(columns.up, forward!);
  if (above !== undefined) return frameFrom(above, forward!, 'given', []);
  if (dot3(forward!, 0, columns.up, 0) > 0) negate(columns.forward);
  return frameFrom(perpendicular(columns.forward, forward!)!, forward!, 'given', []);
}

function frameFrom(
  up: Float64Array,
  forward: Float64Array,
  source: AnatomicalFrame['source'],
  warnings: Warning[],
): AnatomicalFrame {
  const matrix = new Float64Array(16);
  cross3(matrix, 0, up, 0, forward, 0);
  matrix.set(up, 4);
  matrix.set(forward, 8);
  matrix[15] = 1;
  const rotation = new Float64Array(4);
  quatFromMat4(rotation, 0, matrix, 0);
  return { rotation, source, warnings };
}

function frameColumns(rotation: Float64Array): { up: Float64Array; forward: Float64Array } {
  const up = axis(0, 1, 0);
  const forward = axis(0, 0, 1);
  rotateVec3(up, 0, rotation, 0, up, 0);
  rotateVec3(forward, 0, rotation, 0, forward, 0);
  return { up, forward };
}

function axis(x: number, y: number, z: number): Float64Array {
  return Float64Array.of(x, y, z);
}

function unit(vector: readonly [number, number, number], name: string): Float64Array {
  const out = Float64Array.from(vector);
  if (out.length !== 3 || !(normalize3(out, 0, out, 0) > 0))
    throw new FollowthroughError(
      'invalid-argument',
      `frame: ${name} must be three finite numbers, not all 0`,
    );
  return out;
}

/** Unit part of `vector` perpendicular to the unit vector `up`; undefined when nothing of it is left. */
function perpendicular(vector: Float64Array, up: Float64Array): Float64Array | undefined {
  const along = dot3(vector, 0, up, 0);
  const out = vector.map((value, k) => value - along * up[k]!);
  return normalize3(out, 0, out, 0) > 1e-6 ? out : undefined;
}

function negate(vector: Float64Array): void {
  for (let k = 0; k < 3; k++) vector[k] = 0 - vector[k]!;
}
