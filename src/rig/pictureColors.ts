/**
 * Colours of the picture: a muted one per bone that owns skin, so that bones whose skin meets can be told apart, and a
 * strong one per verdict.
 */
import type { Verdict } from './plan.js';
import type { Surface } from './surface.js';

/** Outline and label of a piece. */
export const verdictColors: Record<Verdict, string> = {
  chain: '#0a7a3d',
  rigid: '#b45309',
  left: '#5b6472',
};

/** Skin that no bone moves. */
const unowned = '#d0d0d0';

/** Hues around the circle, at two lightnesses each. */
const hues = 18;

/** Hues that the marks of a chain have. */
const taken: readonly number[] = [7, 8];

/** Bone with the largest weight of each point (ties: the first), -1 where all weights are 0. */
export function pointOwners(surface: Surface): Int32Array {
  const owners = new Int32Array(surface.count).fill(-1);
  for (let p = 0; p < surface.count; p++) {
    let most = 0;
    for (let k = surface.first[p]!; k < surface.first[p + 1]!; k++) {
      if (!(surface.weights[k]! > most)) continue;
      most = surface.weights[k]!;
      owners[p] = surface.bones[k]!;
    }
  }
  return owners;
}

/**
 * A colour per owner. Owners with much skin choose first; each takes the colour that is farthest from those of its
 * neighbours on the skin and, less so, from all others.
 *
 * @param owners - bone of each point, -1 for none
 * @returns colours as `#rrggbb` by bone, in the order of falling skin
 */
export function ownerColors(surface: Surface, owners: Int32Array): Map<number, string> {
  const size = new Map<number, number>();
  for (const bone of owners) size.set(bone, (size.get(bone) ?? 0) + 1);
  const neighbours = new Map<number, Set<number>>([...size.keys()].map((bone) => [bone, new Set<number>()]));
  for (let t = 0; t < surface.triangles.length; t++) {
    const a = owners[surface.triangles[t]!]!;
    const b = owners[surface.triangles[t % 3 === 2 ? t - 2 : t + 1]!]!;
    if (a === b) continue;
    neighbours.get(a)!.add(b);
    neighbours.get(b)!.add(a);
  }
  const bones = [...size.keys()].toSorted((a, b) => size.get(b)! - size.get(a)! || a - b);
  const chosen = new Map<number, number>();
  for (const bone of bones) {
    if (bone >= 0) chosen.set(bone, farthestColor(chosen, neighbours.get(bone)!));
  }
  return new Map(bones.map((bone) => [bone, bone < 0 ? unowned : colorOf(chosen.get(bone)!)]));
}

function farthestColor(chosen: ReadonlyMap<number, number>, neighbours: ReadonlySet<number>): number {
  let best = 0;
  let bestScore = -Infinity;
  for (let color = 0; color < 2 * hues; color++) {
    if (taken.includes(color >> 1)) continue;
    let nearest = 1;
    let crowd = 0;
    let again = false;
    for (const [bone, other] of chosen) {
      again ||= other === color;
      const away = difference(color, other);
      if (neighbours.has(bone)) nearest = Math.min(nearest, away);
      crowd += 1 / (0.05 + away);
    }
    const score = nearest - 0.02 * (crowd / (1 + chosen.size)) - (again ? 0.3 : 0);
    if (score > bestScore) {
      bestScore = score;
      best = color;
    }
  }
  return best;
}

/** 0..1: how different two colours look, hue above lightness. */
function difference(a: number, b: number): number {
  const apart = Math.abs((a >> 1) - (b >> 1));
  const hue = Math.min(apart, hues - apart) / (hues / 2);
  return Math.min(1, hue + ((a ^ b) & 1 ? 0.25 : 0));
}

function colorOf(color: number): string {
  return hex((color >> 1) / hues, 0.46, color & 1 ? 0.64 : 0.77);
}

/** Hue, saturation and lightness, 0..1 each, as `#rrggbb`. */
function hex(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number): string => {
    const k = (n + hue * 12) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}
