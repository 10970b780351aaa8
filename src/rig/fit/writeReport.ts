/**
 * The report of the collider fit: coverage per collider and per part of the body, before and after, and what was chosen
 * for each chain.
 */
import type { ColliderDefinition, SecondaryMotion } from '../../asset/secondary.js';
import { depthAtRest, reaches } from './chainsAtRest.js';
import type { MadeCollider } from './groups.js';
import { largestScale, larger, pointGap, type Proxy } from './proxy.js';
import type { FitReport, FittedChain, FittedCollider, FittedRegion } from './report.js';
import { quantile } from './search.js';
import type { FitWork } from './work.js';

/** Writes it. */
export function writeReport(
  work: FitWork,
  secondary: SecondaryMotion,
  made: readonly MadeCollider[],
): FitReport {
  const { asset, body, height, skins, warnings, grown, before } = work;
  for (const [i, { kept }] of grown.entries())
    if (kept !== undefined && body !== undefined)
      warnings.push({
        code: 'collider-kept',
        message: `collider ${i} is kept as it is: ${kept}`,
        at: asset.skeleton.names[before.colliders[i]!.bone] ?? String(i),
      });
  return {
    body: body?.source,
    height,
    colliders: [...authoredColliders(work, secondary), ...madeColliders(work, made)],
    regions: regionsOf(work, made),
    chains: chainsOf(work, made),
    standsOff: skins.flatMap(({ left }) => left.map((bone) => asset.skeleton.names[bone]!)),
    warnings,
  };
}

/** Radii in the world of the bind pose. */
function radiiOf({ bone, shape }: ColliderDefinition, { worlds }: FitWork['neutral']): number[] {
  if (shape.kind === 'plane' || 16 * bone >= worlds.length) return [];
  const scale = largestScale(worlds, bone);
  return (shape.kind === 'sphere' ? [shape.radius] : [shape.radius, shape.tailRadius]).map(
    (radius) => scale * radius,
  );
}

/** Coverage of points by one or several proxies. */
function coverage(
  points: Float64Array,
  proxies: readonly Proxy[],
  near: number,
): Pick<FittedCollider, 'points' | 'covered' | 'outside' | 'above'> {
  const gaps: number[] = [];
  for (let o = 0; o < points.length; o += 3) {
    let least = Infinity;
    for (const proxy of proxies) least = Math.min(least, pointGap(proxy, points, o));
    gaps.push(least);
  }
  const count = gaps.length;
  const covered = gaps.reduce((sum, gap) => sum + (gap <= near ? 1 : 0), 0);
  const finite = gaps.filter((gap) => gap < Infinity);
  return {
    points: count,
    covered: count === 0 ? 0 : covered / count,
    outside: Math.max(quantile(finite, 0.95), 0),
    above: Math.max(-quantile(finite, 0.05), 0),
  };
}

function authoredColliders(
  { asset, neutral, body, before, authored, grown, near }: FitWork,
  secondary: SecondaryMotion,
): FittedCollider[] {
  return before.colliders.map(({ bone, shape }, collider) => {
    const { growth, limit, part, points } = grown[collider]!;
    const { proxy } = authored[collider]!;
    const found = body?.parts[part];
    return {
      collider,
      bone: asset.skeleton.names[bone] ?? String(bone),
      region: found?.region,
      side: found?.side,
      made: false,
      radiiBefore: radiiOf({ bone, shape }, neutral),
      radii: radiiOf(secondary.colliders[collider]!, neutral),
      limit,
      ...coverage(points, proxy === undefined ? [] : [larger(proxy, growth)], near),
    };
  });
}

function madeColliders(
  { asset, neutral, body, before, near }: FitWork,
  made: readonly MadeCollider[],
): FittedCollider[] {
  return made.map(({ bone, shape, part, points, proxy, shrunk }, i) => ({
    collider: before.colliders.length + i,
    bone: asset.skeleton.names[bone]!,
    region: body!.parts[part]!.region,
    side: body!.parts[part]!.side,
    made: true,
    radiiBefore: undefined,
    radii: radiiOf({ bone, shape }, neutral),
    limit: shrunk > 0 ? 'rest' : 'skin',
    ...coverage(points, [proxy], near),
  }));
}

/** Parts of one region and side together. */
function regionsOf({ skins, authored, grown, near }: FitWork, made: readonly MadeCollider[]): FittedRegion[] {
  const old = authored.flatMap(({ proxy }) => proxy ?? []);
  const now = [
    ...authored.flatMap(({ proxy }, i) => (proxy === undefined ? [] : [larger(proxy, grown[i]!.growth)])),
    ...made.map(({ proxy }) => proxy),
  ];
  const regions = new Map<
    string,
    { region: FittedRegion['region']; side: FittedRegion['side']; points: number[] }
  >();
  for (const { part, points } of skins) {
    const key = `${part.side} ${part.region}`;
    const entry = regions.get(key) ?? { region: part.region, side: part.side, points: [] };
    regions.set(key, entry);
    for (const value of points) entry.points.push(value);
  }
  return [...regions.values()].flatMap(({ region, side, points: list }) => {
    if (list.length === 0) return [];
    const points = Float64Array.from(list);
    return [
      { region, side, coveredBefore: coverage(points, old, near).covered, ...coverage(points, now, near) },
    ];
  });
}

function chainsOf(
  { resting, contacts, authored, grown, felt, before }: FitWork,
  made: readonly MadeCollider[],
): FittedChain[] {
  const index = (i: number): number => before.colliders.length + i;
  return resting.map((chain, c) => {
    const contact = contacts[c]!;
    let pushed = 0;
    const look = (proxy: Proxy): void => {
      if (reaches(chain, proxy))
        pushed = Math.max(pushed, depthAtRest(chain, proxy, contact.contactPart === 'tip'));
    };
    for (const [i, { proxy }] of authored.entries())
      if (proxy !== undefined && felt[i]!.includes(chain)) look(larger(proxy, grown[i]!.growth));
    for (const one of made) if (one.feels[c]!) look(one.proxy);
    return {
      name: chain.definition.name,
      spring: chain.spring,
      ...contact,
      feels: [
        ...before.colliders.flatMap((_, i) => (felt[i]!.includes(chain) ? [i] : [])),
        ...made.flatMap(({ feels }, i) => (feels[c]! ? [index(i)] : [])),
      ],
      spared: made.flatMap(({ spares }, i) => (spares[c]! ? [index(i)] : [])),
      pushedAtRest: pushed,
    };
  });
}
