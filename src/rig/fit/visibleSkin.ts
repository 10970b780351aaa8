/**
 * The skin of each part as it is seen from the part's own line: of all points in a direction the outermost. So a body
 * under clothes, a mouth and eyes inside a head, and the density of a mesh have no say. What hangs on a part on bones of
 * its own counts where it lies on it (a breast, a jaw, a collar bone) and is left out where it stands off (a backpack,
 * long ears). Only maxima and order statistics are taken: the order of vertices and triangles changes nothing.
 */
import { cross3, distance3, dot3, normalize3 } from '../../math/vec3.js';
import { isBefore } from '../places.js';
import type { BodyPart, BodyParts, Directions } from './bodyParts.js';
import { quantile } from './search.js';
import type { Samples } from './samples.js';

/** Visible skin of one part. */
export interface PartSkin {
  part: BodyPart;
  /** Points that are seen, world, 3 each. */
  points: Float64Array;
  /** Bone that owns each. */
  bones: Int32Array;
  /** Per point of a part with a line: how far along the line, in world units from its start; may lie beyond its ends. */
  along: Float64Array;
  /** Length of the line. */
  length: number;
  /** Typical distance of the points from the line; from the middle where there is none. */
  radius: number;
  /** Middle of the skin. */
  centre: Float64Array;
  /** Topmost bones of what hangs on the part and was left out. */
  left: number[];
}

/** Pieces of a line that are looked at, per typical radius, and most of them. */
const SLICES = 4;
const MOST_SLICES = 48;
/** Directions around a line. */
const SECTORS = 24;
/** Cells of each face of the cube around a middle, one way. */
const CELLS = 5;
/**
 * What hangs on a part is of it when half of its points are nearer to the line than this, in distances of the part's own
 * skin beside them. A head is looked at from its middle, and crown and jaw may be bones of their own.
 */
const NEAR = 1.4;
const NEAR_HEAD = 2;
/** Share of the own skin that this distance takes in. */
const MOST = 0.75;
/** Pieces of a line in which the own skin is compared. */
const BESIDE = 8;
/** How far beyond the ends of a line its skin reaches, in radii: buttocks, shoulders. */
const BEYOND = 1.2;

/** Looks at every part. */
export function visibleSkin(samples: Samples, body: BodyParts, directions: Directions): PartSkin[] {
  const lists: number[][] = body.parts.map(() => []);
  const hanging = new Map<number, number[]>();
  for (const [i, bone] of samples.bones.entries()) {
    const part = body.partOf[bone]!;
    if (part < 0) continue;
    const root = body.hangsAt[bone]!;
    const list = root < 0 ? lists[part]! : (hanging.get(root) ?? []);
    if (root >= 0) hanging.set(root, list);
    list.push(i);
  }
  return body.parts.map((part, p) => {
    const roots = [...hanging.keys()].filter((root) => body.partOf[root] === p).toSorted((a, b) => a - b);
    return lookAt(
      samples,
      part,
      lists[p]!,
      roots.map((root) => ({ root, list: hanging.get(root)! })),
      directions,
    );
  });
}

function lookAt(
  samples: Samples,
  part: BodyPart,
  own: readonly number[],
  hanging: readonly { root: number; list: number[] }[],
  directions: Directions,
): PartSkin {
  const list = [...own];
  let left = [...hanging];
  // Fingers belong to a hand wherever they are.
  if (part.line.length === 0) {
    for (const one of left) for (const i of one.list) list.push(i);
    left = [];
  }
  for (let more = true; more && left.length > 0;) {
    const isNear = nearTest(samples, part, list);
    const taken = left.filter((one) => 2 * one.list.filter(isNear).length >= one.list.length);
    for (const one of taken) for (const i of one.list) list.push(i);
    left = left.filter((one) => !taken.includes(one));
    more = taken.length > 0;
  }
  const skin: PartSkin = {
    part,
    points: new Float64Array(0),
    bones: new Int32Array(0),
    along: new Float64Array(0),
    length: lineLength(part.line),
    radius: 0,
    centre: middleOf(samples, list),
    left: left.map(({ root }) => root),
  };
  skin.radius = quantile(
    list.map((i) => distanceTo(part, skin.centre, samples.positions, 3 * i)),
    0.5,
  );
  const chosen = skin.length > 0 ? alongLine(samples, list, skin, directions) : around(samples, list, skin);
  skin.points = Float64Array.from(chosen.flatMap((i) => [0, 1, 2].map((k) => samples.positions[3 * i + k]!)));
  skin.bones = Int32Array.from(chosen, (i) => samples.bones[i]!);
  skin.along = Float64Array.from(chosen, (i) =>
    skin.length > 0 ? placeOnLine(part.line, samples.positions, 3 * i).along : 0,
  );
  return skin;
}

/** Whether a point lies on a part rather than off it. */
function nearTest(samples: Samples, part: BodyPart, own: readonly number[]): (point: number) => boolean {
  const { positions } = samples;
  const middle = middleOf(samples, own);
  const length = lineLength(part.line);
  const near = part.region === 'head' ? NEAR_HEAD : NEAR;
  const pieceOf = (i: number): number => {
    if (length === 0) return 0;
    const share = placeOnLine(part.line, positions, 3 * i).along / length;
    return Math.min(Math.max(Math.floor(share * BESIDE), 0), BESIDE - 1);
  };
  const pieces: number[][] = Array.from({ length: BESIDE }, () => []);
  for (const i of own) pieces[pieceOf(i)]!.push(distanceTo(part, middle, positions, 3 * i));
  const all = quantile(pieces.flat(), MOST);
  const most = pieces.map((away) => near * (away.length === 0 ? all : quantile(away, MOST)));
  return (i) => own.length === 0 || distanceTo(part, middle, positions, 3 * i) <= most[pieceOf(i)]!;
}

function lineLength(line: number[]): number {
  let length = 0;
  for (let o = 3; o < line.length; o += 3) length += distance3(line, o, line, o - 3);
  return length;
}

/** Middle of points, axis by axis: half of them on either side, wherever a horn or a braid ends. */
function middleOf({ positions }: Samples, list: readonly number[]): Float64Array {
  return Float64Array.from([0, 1, 2], (k) =>
    quantile(
      list.map((i) => positions[3 * i + k]!),
      0.5,
    ),
  );
}

/** Distance of a point to the line of a part, to the middle of its skin where it has none. */
function distanceTo(part: BodyPart, middle: Float64Array, p: Float64Array, o: number): number {
  if (part.line.length < 6) return distance3(middle, 0, p, o);
  return placeOnLine(part.line, p, o).away;
}

/**
 * The place on a line that is nearest to a point; the first and the last segment go on beyond their ends.
 *
 * @returns length along the line (below 0 before its start), the number of the segment, distance from the line
 */
export function placeOnLine(
  line: number[],
  p: ArrayLike<number>,
  o: number,
): { along: number; segment: number; away: number } {
  let best = { along: 0, segment: 0, away: Infinity };
  let start = 0;
  const last = line.length - 6;
  for (let s = 0; s <= last; s += 3) {
    const length = distance3(line, s, line, s + 3);
    let along = 0;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const off = p[o + k]! - line[s + k]!;
      along += (off * (line[s + 3 + k]! - line[s + k]!)) / length;
      square += off * off;
    }
    const on = Math.min(Math.max(along, s === 0 ? along : 0), s === last ? Math.max(along, 0) : length);
    const away = Math.sqrt(Math.max(square - along * along, 0) + (along - on) * (along - on));
    if (away < best.away) best = { along: start + on, segment: s / 3, away };
    start += length;
  }
  return best;
}

/** Outermost points per piece of the line and direction around it. */
function alongLine(
  samples: Samples,
  list: readonly number[],
  skin: PartSkin,
  directions: Directions,
): number[] {
  const { line } = skin.part;
  const beyond = skin.part.region === 'torso' ? BEYOND * skin.radius : 0;
  const low = -beyond;
  const high = skin.length + beyond;
  const wanted = (SLICES * (high - low)) / Math.max(skin.radius, (high - low) / MOST_SLICES);
  const slices = Math.min(Math.max(Math.ceil(wanted), 4), MOST_SLICES);
  const frames = segmentFrames(line, directions);
  const cells = new Map<number, { point: number; away: number }>();
  for (const i of list) {
    const { along, segment, away } = placeOnLine(line, samples.positions, 3 * i);
    if (along < low || along > high) continue;
    const slice = Math.min(Math.floor(((along - low) / (high - low)) * slices), slices - 1);
    const frame = frames[segment]!;
    const x = component(samples.positions, i, line, segment, frame.side);
    const y = component(samples.positions, i, line, segment, frame.other);
    keepOutermost(cells, slice * SECTORS + sectorOf(x, y), i, away, samples.positions, skin.radius);
  }
  return chosenOf(cells);
}

/** Two directions square to each segment of a line: sideways (up for lines that go sideways), and square to both. */
export function segmentFrames(
  line: number[],
  { lateral, up }: Directions,
): { side: Float64Array; other: Float64Array; way: Float64Array }[] {
  const frames: { side: Float64Array; other: Float64Array; way: Float64Array }[] = [];
  for (let s = 0; s + 6 <= line.length; s += 3) {
    const way = Float64Array.from([0, 1, 2], (k) => line[s + 3 + k]! - line[s + k]!);
    normalize3(way, 0, way, 0);
    const reference = Math.abs(dot3(way, 0, lateral, 0)) > 0.7 ? up : lateral;
    const on = dot3(way, 0, reference, 0);
    const side = reference.map((value, k) => value - on * way[k]!);
    normalize3(side, 0, side, 0);
    const other = new Float64Array(3);
    cross3(other, 0, way, 0, side, 0);
    frames.push({ side, other, way });
  }
  return frames;
}

function component(
  positions: Float64Array,
  i: number,
  line: number[],
  segment: number,
  direction: Float64Array,
): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += (positions[3 * i + k]! - line[3 * segment + k]!) * direction[k]!;
  return sum;
}

/** Sector of a direction, by the place on a square around the middle: no angle is needed, and mirror images agree. */
function sectorOf(x: number, y: number): number {
  const size = Math.abs(x) + Math.abs(y);
  if (!(size > 0)) return 0;
  // 0 to 1 from +x to +y, mirrored into the other quarters.
  const quarter = Math.min(Math.floor((Math.abs(y) / size) * (SECTORS / 4)), SECTORS / 4 - 1);
  return quarter + ((x < 0 ? 1 : 0) + (y < 0 ? 2 : 0)) * (SECTORS / 4);
}

/** Outermost points per cell of a cube around the middle. */
function around(samples: Samples, list: readonly number[], { centre, radius }: PartSkin): number[] {
  const cells = new Map<number, { point: number; away: number }>();
  for (const i of list) {
    const off = [0, 1, 2].map((k) => samples.positions[3 * i + k]! - centre[k]!);
    keepOutermost(
      cells,
      cubeCell(off),
      i,
      distance3(samples.positions, 3 * i, centre, 0),
      samples.positions,
      radius,
    );
  }
  return chosenOf(cells);
}

/** Cell of the cube that a direction meets. */
function cubeCell(off: readonly number[]): number {
  const sizes = off.map((value) => Math.abs(value));
  const axis = sizes[0]! >= sizes[1]! && sizes[0]! >= sizes[2]! ? 0 : sizes[1]! >= sizes[2]! ? 1 : 2;
  const size = sizes[axis]!;
  if (!(size > 0)) return 0;
  const cell = (value: number): number => Math.min(Math.floor(((value / size + 1) / 2) * CELLS), CELLS - 1);
  const face = 2 * axis + (off[axis]! < 0 ? 1 : 0);
  return (face * CELLS + cell(off[(axis + 1) % 3]!)) * CELLS + cell(off[(axis + 2) % 3]!);
}

/** Parts of the radius to which places are told apart, so that rounding does not choose between equals. */
const GRAIN = 1e-6;

function keepOutermost(
  cells: Map<number, { point: number; away: number }>,
  cell: number,
  point: number,
  away: number,
  positions: Float64Array,
  radius: number,
): void {
  const kept = cells.get(cell);
  if (kept === undefined || isOuter(point, away, kept, positions, GRAIN * radius))
    cells.set(cell, { point, away });
}

/** Whether a point is farther out, to the grain; among equals the first by its place. */
function isOuter(
  point: number,
  away: number,
  kept: { point: number; away: number },
  positions: Float64Array,
  grain: number,
): boolean {
  const by = Math.round(away / grain) - Math.round(kept.away / grain);
  if (by !== 0) return by > 0;
  for (let k = 0; k < 3; k++) {
    const step =
      Math.round(positions[3 * point + k]! / grain) - Math.round(positions[3 * kept.point + k]! / grain);
    if (step !== 0) return step < 0;
  }
  return isBefore(positions, point, kept.point);
}

/** The points of all cells, in the order of the cells. */
function chosenOf(cells: Map<number, { point: number; away: number }>): number[] {
  return [...cells.keys()].toSorted((a, b) => a - b).map((cell) => cells.get(cell)!.point);
}
