/**
 * Making proxies for the parts of a body whose skin no collider of the file covers: head, neck, torso, the segments of
 * arms and legs. Each is carried by the bone that owns most of the skin that it was fitted to.
 */
import type { Asset } from '../../asset/asset.js';
import type { Warning } from '../../asset/errors.js';
import { distance3 } from '../../math/vec3.js';
import { partName, type BodyParts, type Directions } from './bodyParts.js';
import { fitHead } from './fitHead.js';
import { fitAlong } from './fitLimb.js';
import { fitTorso } from './fitTorso.js';
import { coneOf, gapTo, pointGap, type Proxy } from './proxy.js';
import { placeOnLine, type PartSkin } from './visibleSkin.js';

/** A proxy that was made. */
export interface Made {
  proxy: Proxy;
  bone: number;
  /** Its part. */
  part: number;
  /** Points that it was fitted to, 3 numbers each. */
  points: Float64Array;
}

/** How far around a part its neighbours are looked at, in its radii. */
const AROUND = 2;
/** Share of its points above which a proxy is not needed, since others cover them. */
const ENOUGH = 0.5;
/** A proxy is a picture of its skin when this share of the points ... */
const ALIKE = 0.5;
/** ... is no farther from its surface than this share of its radius; wings and capes are not. */
const ROUGH = 0.35;

/**
 * Makes proxies.
 *
 * @param others - proxies that are there
 * @param near - distance up to which a point counts as covered
 */
export function makeProxies(
  asset: Asset,
  body: BodyParts,
  skins: readonly PartSkin[],
  directions: Directions,
  tapered: boolean,
  others: readonly Proxy[],
  near: number,
  warnings: Warning[],
): Made[] {
  return skins.flatMap((skin, part) => {
    const { region, side, bones, line } = skin.part;
    if (region === 'hand' || region === 'foot') return [];
    const at = asset.skeleton.names[bones[0]!]!;
    const fits = fitsOf(skin, neighbours(skins, skin), directions, tapered);
    if (fits.length === 0 && line.length > 0)
      warnings.push({
        code: 'no-skin-of-part',
        message: `${partName(region, side)}: too little skin around ${at} to fit a collider`,
        at,
      });
    return fits.flatMap(({ proxy, own }) => {
      const points = Float64Array.from(own.flatMap((i) => [...skin.points.subarray(3 * i, 3 * i + 3)]));
      if (!isAlike(proxy, points)) {
        warnings.push({
          code: 'no-skin-of-part',
          message: `${partName(region, side)}: the skin around ${at} is not round enough for a collider`,
          at,
        });
        return [];
      }
      let covered = 0;
      for (let o = 0; o < points.length; o += 3)
        if (others.some((other) => pointGap(other, points, o) <= near)) covered++;
      if (3 * covered > ENOUGH * points.length) return [];
      return [{ proxy, bone: carrierOf(asset, body, skin, own), part, points }];
    });
  });
}

/** Points of other parts near a part. */
function neighbours(skins: readonly PartSkin[], { part, radius, centre, length }: PartSkin): Float64Array {
  const near: number[] = [];
  for (const { part: other, points } of skins) {
    if (other === part) continue;
    for (let o = 0; o < points.length; o += 3) {
      let away = distance3(points, o, centre, 0);
      if (length > 0) {
        const place = placeOnLine(part.line, points, o);
        away = Math.max(place.away, -place.along, place.along - length);
      }
      if (away < AROUND * radius) near.push(points[o]!, points[o + 1]!, points[o + 2]!);
    }
  }
  return Float64Array.from(near);
}

function isAlike(proxy: Proxy, points: Float64Array): boolean {
  const cone = coneOf(proxy);
  const rough = ROUGH * Math.max(proxy.ra, proxy.rb);
  let alike = 0;
  for (let o = 0; o < points.length; o += 3) if (Math.abs(gapTo(cone, points, o)) <= rough) alike++;
  return 3 * alike >= ALIKE * points.length;
}

/** A part in words. */

function fitsOf(
  skin: PartSkin,
  others: Float64Array,
  directions: Directions,
  tapered: boolean,
): { proxy: Proxy; loss: number; own: number[] }[] {
  if (skin.part.region === 'torso') return fitTorso(skin, others, directions, tapered);
  const fit =
    skin.part.region === 'head'
      ? fitHead(skin, others, directions, tapered)
      : fitAlong(skin.part.line, skin.points, others, directions, tapered);
  return fit === undefined ? [] : [{ ...fit, own: [...skin.bones.keys()] }];
}

/** The bone of the part that owns most of the points, what hangs on it counted with it; ties: the first. */
function carrierOf(
  { skeleton: { parents } }: Asset,
  { hangsAt }: BodyParts,
  { part, bones }: PartSkin,
  own: readonly number[],
): number {
  const counts = part.bones.map(() => 0);
  for (const i of own) {
    let bone = bones[i]!;
    if (hangsAt[bone]! >= 0) bone = parents[hangsAt[bone]!]!;
    // A bone between two of the part goes with the upper one.
    while (bone >= 0 && !part.bones.includes(bone)) bone = parents[bone]!;
    const at = part.bones.indexOf(bone);
    if (at >= 0) counts[at]!++;
  }
  const most = counts.indexOf(Math.max(...counts));
  // A segment of a limb turns with its first bone, wherever twist bones take its skin.
  return part.region === 'torso' ? part.bones[most]! : part.bones[0]!;
}
