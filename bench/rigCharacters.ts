/**
 * Characters of any number of points for the benchmark of the rig pass, all with a tail that nobody rigged: one fused
 * skin; and tubes with many shells more: 300 hair cards, which get finer; a tail of fur cards and one of scales that
 * touch nothing, which get more and smaller; hair cards that get more (each then lies near ever more others).
 */
import type { Asset } from '../src/index.js';
import { add, cross, normalize, perpendicular, scale, X, type Vec3 } from '../examples/characters/linear.js';
import { boneIndex, PREFIX } from '../examples/characters/humanoidRig.js';
import type { Influence } from '../examples/characters/skin.js';
import { cos, sin } from '../src/math/trig.js';
import { FOX, fusedSkin, legInfluences, limbShells, makeBody, type Body } from '../test/support/rig/body.js';
import { withShells } from '../test/support/rig/fixtures.js';
import type { Shell } from '../test/support/rig/shells.js';
import { furTube, namedTail, tailCones, tailTube, type Tail } from '../test/support/rig/tails.js';

/** Makes a character of about so many welded points. */
export type Maker = (points: number) => Asset;

/** Points of the mesher beyond which a mesh is split instead: its grid takes 8 times the memory per halved cell. */
const MESHED = 150_000;
/** Points of a fused fox and of its tubes, times the square of the cell. */
const FUSED = 3.36;
const TUBES = 1.63;
/** Share of the points in cards. */
const IN_CARDS = 0.5;
const CARDS = 300;
/** Cells of a small card, across and down. */
const SMALL = [2, 5] as const;
/** The golden angle, radians. */
const GOLDEN = 2.399963;

const fused: Maker = (points) => {
  const splits = points > MESHED ? 1 : 0;
  const body = makeBody({ ...FOX, cell: Math.sqrt((FUSED * 4 ** splits) / points) });
  const skin = fusedSkin(body, tailCones(body, namedTail('fox', body)));
  return withShells(body, [splits > 0 ? splitInFour(skin) : skin]).asset;
};

/** Hair cards of one size on the head, which get finer. */
const fineCards: Maker = (points) => {
  const down = Math.max(1, Math.round(Math.sqrt(((IN_CARDS * points) / CARDS) * 4)) - 1);
  const across = Math.max(1, Math.round((IN_CARDS * points) / CARDS / (down + 1)) - 1);
  return tubesWith(points, (body) => hair(body, CARDS, [across, down]));
};

/** Hair cards of one size on the head, which get more. */
const manyCards: Maker = (points) => tubesWith(points, (body) => hair(body, smallCards(points), SMALL));

/** A tail of fur cards, which get more and smaller. */
const furCards: Maker = (points) =>
  tubesWith(points, (body, tail) => fur(body, tail, smallCards(points), 1.05, 1));

/** Scales around the tail that touch nothing, more and smaller ones. */
const looseCards: Maker = (points) =>
  tubesWith(points, (body, tail) => fur(body, tail, smallCards(points), 1.5, 0.25));

/** How many cards of 18 points make up their share. */
const smallCards = (points: number): number =>
  Math.round((IN_CARDS * points) / ((SMALL[0] + 1) * (SMALL[1] + 1)));

/** The makers by name. */
export const makers: Readonly<Record<string, Maker>> = {
  'one fused skin': fused,
  '300 hair cards': fineCards,
  'tail of fur cards': furCards,
  'loose scales': looseCards,
  'ever more hair cards': manyCards,
};

/** A body of tubes, a tail of two, and shells that take half of the points. */
function tubesWith(points: number, cards: (body: Body, tail: Tail) => Shell[]): Asset {
  const cell = Math.sqrt(TUBES / ((1 - IN_CARDS) * points));
  const body = makeBody({ ...FOX, cell });
  const tail = namedTail('fox', body);
  const rings = Math.max(16, Math.round(tail.curve.length / (1.3 * cell)));
  const sides = Math.max(12, Math.round(0.45 / (1.6 * cell)));
  const tubes = [tailTube(body, tail, { rings, sides }), furTube(body, tail, { rings, sides })];
  return withShells(body, [...limbShells(body), ...tubes, ...cards(body, tail)]).asset;
}

/** Cards spread over the head by the golden angle, hanging outward and down. */
function hair({ joints, rig, proportions }: Body, count: number, cells: readonly [number, number]): Shell[] {
  const radius = proportions.head * proportions.height;
  const centre = add(joints.head, [0, radius, 0]);
  const head = [{ bone: boneIndex(rig, `${PREFIX}Head`), weight: 1 }];
  return Array.from({ length: count }, (_, c) => {
    const y = 0.95 - (1.1 * (c + 0.5)) / count;
    const [x, z] = [cos(GOLDEN * c), sin(GOLDEN * c)];
    const out: Vec3 = [Math.sqrt(1 - y * y) * x, y, Math.sqrt(1 - y * y) * z];
    const across = scale(normalize(cross([0, 1, 0], out)), 0.12 * radius);
    const down = add(scale(out, 0.5 * radius), [0, -0.9 * radius, 0]);
    return card(add(centre, scale(out, 1.01 * radius)), across, down, cells, () => head);
  });
}

/** Cards spread over a tail by the golden angle, lying like tiles at some radii from its middle; width 1: they overlap. */
function fur({ rig }: Body, tail: Tail, count: number, radii: number, width: number): Shell[] {
  const size = width / Math.sqrt(count);
  return Array.from({ length: count }, (_, c) => {
    const along = (0.95 * tail.curve.length * (c + 0.5)) / count;
    const { point, tangent } = tail.curve.at(along);
    const side = perpendicular(X, tangent);
    const out = add(scale(side, cos(GOLDEN * c)), scale(cross(tangent, side), sin(GOLDEN * c)));
    const across = scale(cross(tangent, out), 0.3 * size);
    const down = add(scale(tangent, 0.6 * size), scale(out, 0.05 * size));
    const root = add(point, scale(out, radii * tail.fur!(along)));
    return card(root, across, down, SMALL, (p) => legInfluences(rig, p));
  });
}

/** A flat card of so many cells, across and down from the middle of its upper edge. */
function card(
  root: Vec3,
  acrossEdge: Vec3,
  downEdge: Vec3,
  [across, down]: readonly [number, number],
  weigh: (p: Vec3) => Influence[],
): Shell {
  const shell: Shell = { name: 'card', positions: [], triangles: [], influences: [], tail: [] };
  const at = (i: number, j: number): number => j * (across + 1) + i;
  for (let j = 0; j <= down; j++)
    for (let i = 0; i <= across; i++) {
      const p = add(root, add(scale(acrossEdge, i / across - 0.5), scale(downEdge, j / down)));
      shell.positions.push(p);
      shell.influences.push(weigh(p));
      shell.tail.push(0);
      if (i === across || j === down) continue;
      const [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
      shell.triangles.push(a, b, c, a, c, d);
    }
  return shell;
}

/** Four triangles for one: a new vertex in the middle of every edge, with the weights of both ends. */
function splitInFour(shell: Shell): Shell {
  const { name, positions, influences, tail } = shell;
  const split: Shell = {
    name,
    positions: [...positions],
    triangles: [],
    influences: [...influences],
    tail: [...tail],
  };
  const middles = new Map<number, number>();
  const middle = (a: number, b: number): number => {
    const key = Math.min(a, b) * positions.length + Math.max(a, b);
    const known = middles.get(key);
    if (known !== undefined) return known;
    const vertex = split.positions.push(scale(add(positions[a]!, positions[b]!), 0.5)) - 1;
    split.influences.push([...influences[a]!, ...influences[b]!]);
    split.tail.push((tail[a]! + tail[b]!) / 2);
    middles.set(key, vertex);
    return vertex;
  };
  for (let t = 0; t < shell.triangles.length; t += 3) {
    const [a, b, c] = [shell.triangles[t]!, shell.triangles[t + 1]!, shell.triangles[t + 2]!];
    const [d, e, f] = [middle(a, b), middle(b, c), middle(c, a)];
    split.triangles.push(a, d, f, d, b, e, f, e, c, d, e, f);
  }
  return split;
}
