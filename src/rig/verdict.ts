/**
 * What becomes of a protrusion: where it hangs, in which zone of the body, and by which rule it is made a chain, bound
 * rigidly or left alone. Conservative: a wrong chain is worse than none (docs/rigging.md, "Place" and "Verdicts").
 */
import { distance3, dot3 } from '../math/vec3.js';
import { squaredToSegment, type DrivingBones } from './drivingBones.js';
import type { PieceKind, Verdict } from './plan.js';
import type { Protrusion } from './protrusions.js';
import type { Roles } from './roles.js';

/** How much farther than the nearest joint a trunk joint may be and still win. */
const TRUNK_BIAS = 1.5;
/** Least length over radius of a chain. */
const LONG = 3;
/** Least length of a piece, as a share of the skin's diagonal. */
const SHORT = 0.04;
/** Flatness of a sheet. */
const SHEET = 4;
/** Largest lateral offset of a tail. */
const MIDDLE = 0.45;
/** Fewest welded points of a piece. */
const POINTS = 8;
/** Default of `minConfidence`. */
export const CONFIDENT = 0.25;

/** Part of the body that a piece hangs from. */
export type Zone = 'rear' | 'trunk' | 'head' | 'limb' | 'unknown';

/** A protrusion with its place on the body. */
export interface PlacedPiece {
  /** The protrusion. */
  piece: Protrusion;
  /** Bone from which it hangs. */
  attachment: number;
  /** Part of the body. */
  zone: Zone;
  /** Offset of the collar from the middle plane, relative; 0 when no plane is known. */
  lateral: number;
  /** Product of the distances to the limits, 0..1. */
  confidence: number;
}

/** A decision and its reason. */
export interface Decision {
  verdict: Verdict;
  kind: PieceKind;
  reason: string;
}

/** Finds where a protrusion hangs and how sure it is a tail. */
export function placePiece(
  bones: DrivingBones,
  roles: Roles | undefined,
  parents: Int32Array,
  piece: Protrusion,
): PlacedPiece {
  const attachment = findAttachment(bones, roles, parents, piece.collarCentre);
  const sideways = roles === undefined ? 0 : dot3(roles.normal, 0, piece.collarCentre, 0) - roles.offset;
  const yard = roles === undefined ? 1 : Math.max(roles.rearLegs.spacing / 2, piece.collarRadius);
  const lateral = yard > 0 ? Math.abs(sideways) / yard : 0;
  const confidence =
    saturate((piece.aspect - 2) / 3) *
    saturate((piece.boneRatio - 1) / 2) *
    saturate((SHEET - piece.flatness) / 2.5) *
    saturate((MIDDLE - lateral) / 0.225);
  return {
    piece,
    attachment,
    zone: zoneOf(bones, roles, piece.collarCentre, attachment),
    lateral,
    confidence,
  };
}

function saturate(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}

/** The joint a piece hangs from: the nearest, but a trunk joint wins where it is hardly farther. */
function findAttachment(
  { drives, heads }: DrivingBones,
  roles: Roles | undefined,
  parents: Int32Array,
  collar: Float64Array,
): number {
  const away = (bone: number): number => distance3(heads, 3 * bone, collar, 0);
  let nearest = -1;
  let trunk = -1;
  for (let bone = 0; bone < drives.length; bone++) {
    if (drives[bone] === 0) continue;
    if (nearest < 0 || away(bone) < away(nearest)) nearest = bone;
    if (roles?.trunk[bone] === 1 && (trunk < 0 || away(bone) < away(trunk))) trunk = bone;
  }
  if (roles === undefined || nearest < 0) return nearest;
  const reach = TRUNK_BIAS * away(nearest);
  let pelvis = parents[roles.rearLegs.roots[0]]!;
  while (pelvis >= 0 && roles.trunk[pelvis] === 0) pelvis = parents[pelvis]!;
  if (pelvis >= 0 && away(pelvis) <= reach) return pelvis;
  return trunk >= 0 && away(trunk) <= reach ? trunk : nearest;
}

function zoneOf(
  { heads }: DrivingBones,
  roles: Roles | undefined,
  collar: Float64Array,
  attachment: number,
): Zone {
  if (roles === undefined) return 'unknown';
  const { head, belowHead, rearLegs, otherLimbs, trunk } = roles;
  let least = distance3(rearLegs.middle, 0, collar, 0);
  let hub: Zone = 'rear';
  for (const { middle } of otherLimbs) {
    const away = distance3(middle, 0, collar, 0);
    if (away < least) [least, hub] = [away, 'trunk'];
  }
  if (head >= 0 && distance3(heads, 3 * head, collar, 0) < least) hub = 'head';
  if (hub === 'head' || belowHead[attachment] === 1) return 'head';
  return trunk[attachment] === 1 ? hub : 'limb';
}

/** What is known of the whole character. */
export interface Body {
  bones: DrivingBones;
  roles: Roles | undefined;
  /** Height of the skin. */
  height: number;
  names: readonly string[];
  /** Bones of tails and hair that exist already. */
  boned: ReadonlySet<number>;
  minConfidence: number;
}

/** Whether a protrusion is large enough to be talked about. */
export function isPiece({ base, nodes }: Protrusion, diagonal: number): boolean {
  return base >= SHORT * diagonal && nodes.length >= POINTS;
}

/**
 * Decides about a piece.
 *
 * @param others - all pieces of the character: wings come in pairs
 */
export function decide(body: Body, placed: PlacedPiece, others: readonly PlacedPiece[]): Decision {
  const { piece, zone, lateral, confidence, attachment } = placed;
  const { aspect, flatness } = piece;
  const hangs = body.names[attachment] ?? 'nothing';
  const left = (kind: PieceKind, reason: string): Decision => ({ verdict: 'left', kind, reason });
  const boned = bonedTailAt(body, piece.collarCentre);
  if (boned >= 0) return left('boned-tail', `end of a tail that has bones already (${body.names[boned]!})`);
  if (zone === 'head') return left('head', `on the head (${hangs})`);
  if (zone === 'limb') return left('limb', `on a limb (${hangs})`);
  if (isWing(body, placed, others)) return left('wing', `one of a pair at the upper trunk (${hangs})`);
  if (flatness > SHEET)
    return left('sheet', `flat: sections are ${flatness.toFixed(1)} times as wide as thick`);
  if (zone === 'trunk')
    return aspect >= LONG
      ? { verdict: 'rigid', kind: 'worn', reason: `long, but on the trunk above the legs (${hangs})` }
      : left('bump', `on the trunk, ${aspect.toFixed(1)} times as long as its radius`);
  if (zone === 'unknown') return left('bump', 'no pair of legs was found, so no pelvis can be named');
  if (aspect < LONG)
    return left('bump', `${aspect.toFixed(1)} times as long as its radius, a chain has ${LONG}`);
  if (lateral > MIDDLE)
    return {
      verdict: 'rigid',
      kind: 'worn',
      reason: `off the middle plane: ${lateral.toFixed(2)}, a tail has at most ${MIDDLE}`,
    };
  if (confidence < body.minConfidence)
    return left('bump', `confidence ${confidence.toFixed(2)}, asked for ${body.minConfidence}`);
  return {
    verdict: 'chain',
    kind: 'tail',
    reason: `long, round, in the middle behind the legs, no bone inside (${piece.boneRatio.toFixed(1)} radii away)`,
  };
}

/** The bone of an existing tail that a collar lies next to, -1 for none. */
function bonedTailAt({ bones, boned }: Body, collar: Float64Array): number {
  let least = Infinity;
  let owner = -1;
  for (const [s, bone] of bones.owners.entries()) {
    const squared = squaredToSegment(bones.segments, s, collar[0]!, collar[1]!, collar[2]!);
    if (squared < least) {
      least = squared;
      owner = bone;
    }
  }
  return boned.has(owner) ? owner : -1;
}

/** Largest mirror error of a pair of wings, as a share of the distance between them. */
const PAIR = 0.35;
/** Least length of a wing, as a share of the height. */
const WING = 0.15;

/** A long piece of the upper trunk with a mirror image on the other side. */
function isWing(
  { roles, height }: Body,
  { piece, zone }: PlacedPiece,
  others: readonly PlacedPiece[],
): boolean {
  if (zone !== 'trunk' || roles === undefined || piece.base < WING * height) return false;
  return others.some((other) => {
    if (other.piece === piece || other.zone !== 'trunk' || other.piece.base < WING * height) return false;
    let squared = 0;
    const off = dot3(roles.normal, 0, piece.middle, 0) - roles.offset;
    const otherOff = dot3(roles.normal, 0, other.piece.middle, 0) - roles.offset;
    for (let k = 0; k < 3; k++) {
      const image = piece.middle[k]! - 2 * off * roles.normal[k]!;
      squared += (image - other.piece.middle[k]!) * (image - other.piece.middle[k]!);
    }
    return off * otherOff < 0 && Math.sqrt(squared) < PAIR * Math.abs(otherOff - off);
  });
}
