/**
 * Directions of a body without left and right in its bone names: the mirror symmetry of its joints. Up is taken to be
 * the file's +Y (glTF); pairs of joints that mirror each other give the lateral axis, the feet and the head its ends.
 */
import type { Asset } from '../asset/asset.js';
import { isTailName } from './boneNames.js';
import type { BodyDirections, BodyFacing } from './bodyLandmarks.js';
import type { Neutral } from './neutralPose.js';

/** Largest mirror error of a pair, relative to the distance of its joints. */
const MIRROR_ERROR = 0.25;
/** Share of joints that must have a mate for the body to count as symmetric. */
const MATED_SHARE = 0.3;
/** Share of the body's height up to which the end of a limb counts as standing on the ground. */
const GROUNDED = 0.25;

/** A point of the body: a joint or an end helper. */
interface Point {
  bone: number;
  at: [number, number, number];
}

/**
 * Reads the directions of a body from the mirror symmetry of its joints about a plane across x or z.
 *
 * @returns undefined when the joints show no symmetry, or nothing that mirrors stands on the ground
 */
export function symmetricBody(
  asset: Asset,
  neutral: Neutral,
): { directions: BodyDirections; facing: BodyFacing } | undefined {
  const points = bodyPoints(asset, neutral);
  if (points.length < 6) return undefined;
  const byX = mates(points, 0);
  const byZ = mates(points, 2);
  const across = byZ.count > byX.count ? 2 : 0;
  const { mateOf, count } = across === 2 ? byZ : byX;
  if (count < MATED_SHARE * points.length) return undefined;

  const leaves = leavesOf(asset, points);
  const heights = points.map(({ at }) => at[1]);
  const low = Math.min(...heights);
  const reach = GROUNDED * (Math.max(...heights) - low);
  const isFoot = (leaf: number): boolean =>
    mateOf[leaf]! >= 0 &&
    heights[leaf]! - low <= reach &&
    limbTop(asset, points, mateOf, leaf) - low > 2 * reach;
  const feet = leaves.filter(isFoot);
  if (feet.length < 2) return undefined;
  const fourFooted = feet.length >= 4;
  const along = across === 0 ? 2 : 0;
  const toes = toeSign(asset, points, feet, along);
  const head = fourFooted ? headSign(points, leaves, mateOf, along) : toes;
  // Files face +Z unless both say otherwise.
  const sign = tailSign(asset, points, along) || (toes === head && toes) || 1;
  const forward = new Float64Array(3);
  forward[along] = sign;
  const lateral = new Float64Array(3);
  // up x forward: x for +z, -z for +x.
  lateral[across] = across === 0 ? sign : -sign;
  return {
    directions: { up: Float64Array.of(0, 1, 0), ground: undefined, lateral, sided: false },
    facing: { forward, fourFooted },
  };
}

/** Joints of any skin and what hangs on them without being a joint; all nodes in a file without skins. */
function bodyPoints(asset: Asset, neutral: Neutral): Point[] {
  const { count, parents } = asset.skeleton;
  const isPoint = new Uint8Array(count).fill(asset.skins.length === 0 ? 1 : 0);
  for (const skin of asset.skins) for (const bone of skin.joints) isPoint[bone] = 1;
  const points: Point[] = [];
  for (let bone = 0; bone < count; bone++) {
    if (isPoint[bone] === 0 && !(parents[bone]! >= 0 && isPoint[parents[bone]!] === 1)) continue;
    const [x, y, z] = [12, 13, 14].map((k) => neutral.worlds[16 * bone + k]!) as [number, number, number];
    points.push({ bone, at: [x, y, z] });
  }
  return points;
}

/** Mutual nearest mirror images about the plane through the mean of the points across an axis. */
function mates(points: Point[], axis: 0 | 2): { mateOf: Int32Array; count: number } {
  const plane = points.reduce((sum, { at }) => sum + at[axis], 0) / points.length;
  const image = points.map((point) => {
    let best = -1;
    let least = Infinity;
    for (const [i, other] of points.entries()) {
      const error = squaredDistance(point.at, other.at, axis, 2 * plane);
      if (error < least) [best, least] = [i, error];
    }
    const apart = 2 * (point.at[axis] - plane);
    return least <= MIRROR_ERROR * MIRROR_ERROR * apart * apart ? best : -1;
  });
  const mateOf = Int32Array.from(image, (mate, i) =>
    mate >= 0 && mate !== i && image[mate] === i ? mate : -1,
  );
  return { mateOf, count: mateOf.reduce((sum, mate) => sum + (mate >= 0 ? 1 : 0), 0) };
}

function squaredDistance(a: Point['at'], b: Point['at'], axis: number, mirror: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const d = (k === axis ? mirror - a[k]! : a[k]!) - b[k]!;
    sum += d * d;
  }
  return sum;
}

function leavesOf(asset: Asset, points: Point[]): number[] {
  const hasChild = new Set(points.map(({ bone }) => asset.skeleton.parents[bone]!));
  return points.flatMap(({ bone }, i) => (hasChild.has(bone) ? [] : [i]));
}

/** Height at which the limb of a foot leaves the trunk: the topmost ancestor with a mate. */
function limbTop(asset: Asset, points: Point[], mateOf: Int32Array, foot: number): number {
  let top = points[foot]!;
  for (;;) {
    const above = points.findIndex(({ bone }) => bone === asset.skeleton.parents[top.bone]);
    if (above < 0 || mateOf[above]! < 0) return top.at[1];
    top = points[above]!;
  }
}

/** Away from where a bone called tail points; 0 when there is none. */
function tailSign(asset: Asset, points: Point[], along: 0 | 2): number {
  const { names, parents } = asset.skeleton;
  let sum = 0;
  for (const { bone, at } of points) {
    const before = isTailName(names[bone]!)
      ? points.find((point) => point.bone === parents[bone])
      : undefined;
    if (before !== undefined) sum += before.at[along] - at[along];
  }
  return Math.sign(sum);
}

/** On which side of the body its highest end in the middle lies: the head of an animal on four feet. */
function headSign(points: Point[], leaves: number[], mateOf: Int32Array, along: 0 | 2): number {
  const middle = leaves.filter((leaf) => mateOf[leaf]! < 0);
  if (middle.length === 0) return 0;
  const head = middle.reduce((best, leaf) => (points[leaf]!.at[1] > points[best]!.at[1] ? leaf : best));
  const centre = points.reduce((sum, { at }) => sum + at[along], 0) / points.length;
  return Math.sign(points[head]!.at[along] - centre);
}

/** Which way the feet point: the last segments, where these lie more than they stand; 0 when they stand. */
function toeSign(asset: Asset, points: Point[], feet: number[], along: 0 | 2): number {
  let ahead = 0;
  let down = 0;
  for (const foot of feet) {
    const { bone, at } = points[foot]!;
    const before = points.find((point) => point.bone === asset.skeleton.parents[bone]);
    if (before === undefined) continue;
    ahead += at[along] - before.at[along];
    down += Math.abs(at[1] - before.at[1]);
  }
  return Math.abs(ahead) > down ? Math.sign(ahead) : 0;
}
