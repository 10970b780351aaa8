/** Colliders fitted to real avatars, humanoids and animals: coverage, sides, rest, and that nothing else happens. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  addChains,
  addCharacter,
  addConstraints,
  addSprings,
  createWorld,
  rowOf,
  setPose,
  createPose,
  readPose,
  step,
  type Asset,
} from '../../../src/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { writeSprings } from '../../../src/io/vrm/index.js';
import { fitColliders, type BodyRegion, type ColliderFit } from '../../../src/io/rig/index.js';
import { shared } from '../../support/shared.js';

const load = async (path: string): Promise<{ bytes: Uint8Array; asset: Asset }> => {
  const bytes = new Uint8Array(readFileSync(`${shared}/${path}`));
  return { bytes, asset: await loadGltf(bytes, { name: path, validate: false }) };
};

/** Least share of the skin that is covered; how deep skin may lie, as a share of the height, at the 95th percentile. */
type Least = Partial<Record<BodyRegion, [covered: number, above: number]>>;

const files: [path: string, least: Least][] = [
  [
    'vrm/cryptovoxels_vrm0.vrm',
    { torso: [0.9, 0.02], head: [0.9, 0.02], arm: [0.95, 0.015], leg: [0.95, 0.015] },
  ],
  [
    'derived/seedsan_rebuilt.vrm',
    { torso: [0.65, 0.025], head: [0.9, 0.02], arm: [0.95, 0.02], leg: [0.85, 0.03] },
  ],
  ['vrm/Godette_vrm0.vrm', { torso: [0.85, 0.04], head: [0.6, 0.08], arm: [0.9, 0.02], leg: [0.9, 0.04] }],
  [
    'glb-humanoid/gdquest_mannequiny.glb',
    { torso: [0.95, 0.03], head: [0.95, 0.02], arm: [0.95, 0.015], leg: [0.9, 0.025] },
  ],
  [
    'glb-humanoid/khronos_CesiumMan.glb',
    { torso: [0.95, 0.03], head: [0.95, 0.05], arm: [0.95, 0.02], leg: [0.9, 0.03] },
  ],
  [
    'glb-humanoid/quaternius_modular_women_Formal.glb',
    { torso: [0.95, 0.03], head: [0.9, 0.03], arm: [0.95, 0.015], leg: [0.8, 0.04] },
  ],
  [
    'glb-humanoid/quaternius_modular_men_King.glb',
    { torso: [0.9, 0.04], head: [0.9, 0.04], arm: [0.95, 0.02], leg: [0.85, 0.03] },
  ],
  ['glb-tail/quaternius_animals_Fox.glb', { torso: [0.9, 0.05], head: [0.65, 0.06], leg: [0.85, 0.04] }],
  ['glb-tail/quaternius_animals_Horse.glb', { torso: [0.9, 0.05], head: [0.75, 0.06], leg: [0.8, 0.03] }],
];

describe.skipIf(shared === undefined).each(files)('%s', (path, least) => {
  let asset: Asset;
  let fit: ColliderFit;
  beforeAll(async () => {
    ({ asset } = await load(path));
    fit = fitColliders(asset);
  });

  it('has its skin covered, and colliders do not stand far out of it', () => {
    for (const [region, [covered, above]] of Object.entries(least)) {
      const found = fit.report.regions.filter((one) => one.region === region);
      expect(found.length, region).toBeGreaterThan(0);
      for (const one of found) {
        expect(one.covered, `${one.side} ${region}`).toBeGreaterThan(covered);
        expect(one.above / fit.report.height, `${one.side} ${region}`).toBeLessThan(above);
        expect(one.covered).toBeGreaterThanOrEqual(one.coveredBefore);
      }
    }
  });

  it('has finite numbers and radii of a body', () => {
    expect(JSON.stringify(fit.secondary)).not.toMatch(/null/);
    for (const { made, radii } of fit.report.colliders)
      for (const radius of radii) {
        expect(radius).toBeGreaterThan(0);
        if (made) expect(radius / fit.report.height).toBeLessThan(0.25);
      }
  });

  it('leaves chains at rest where they are', () => {
    for (const { made, limit, radii, radiiBefore } of fit.report.colliders)
      if (!made && limit === 'kept') expect(radii).toEqual(radiiBefore);
    const before = fitColliders(asset, { maxGrowth: 0, make: false });
    for (const [i, { pushedAtRest }] of fit.report.chains.entries())
      expect(pushedAtRest / fit.report.height).toBeLessThanOrEqual(
        Math.max(before.report.chains[i]!.pushedAtRest / fit.report.height, 0.001) + 1e-9,
      );
  });

  it('is data that a world takes', () => {
    const world = createWorld();
    const character = addCharacter(world, asset);
    addConstraints(world, character);
    addChains(world, character, { chains: fit.chains });
    for (let tick = 0; tick < 30; tick++) step(world);
    expect(world.report.warnings.map(({ code }) => code)).not.toContain('chain-faulted');
  });
});

describe.skipIf(shared === undefined)('sides', () => {
  // Bodies whose skin is alike on both sides.
  it.each([
    'glb-humanoid/gdquest_mannequiny.glb',
    'vrm/Godette_vrm0.vrm',
    'glb-tail/quaternius_animals_Horse.glb',
  ])('%s: left and right get the same radii', async (path) => {
    const { asset } = await load(path);
    const { report } = fitColliders(asset);
    const of = (side: string): number[][] =>
      report.colliders.filter((one) => one.made && one.side === side).map(({ radii }) => radii);
    const [left, right] = [of('left'), of('right')];
    expect(left.length).toBeGreaterThan(3);
    expect(right.length).toBe(left.length);
    for (const [i, radii] of left.entries())
      for (const [k, radius] of radii.entries())
        expect(Math.abs(right[i]![k]! / radius - 1)).toBeLessThan(0.05);
  });
});

describe.skipIf(shared === undefined)('Seed-san', () => {
  const path = 'derived/seedsan_rebuilt.vrm';

  it('has its ponytail tested as segments and its bangs at the tips', async () => {
    const { report } = fitColliders((await load(path)).asset);
    const parts = Object.fromEntries(report.chains.map(({ name, contactPart }) => [name, contactPart]));
    expect(parts['hair_tail_1']).toBe('segment');
    for (const letter of 'ABCDEFG') expect(parts[`hair_${letter}.001`]).toBe('tip');
  });

  it('keeps the colliders of its artist in place, grown by at most 3% of the height', async () => {
    const { asset } = await load(path);
    const { secondary, original, report } = fitColliders(asset);
    for (const [i, { bone, shape }] of original!.colliders.entries()) {
      const now = secondary.colliders[i]!;
      expect(now.bone).toBe(bone);
      for (const [k, value] of shape.offset.entries()) expect(now.shape.offset[k]!).toBeCloseTo(value, 12);
      const { radiiBefore, radii } = report.colliders[i]!;
      for (const [k, radius] of radii.entries()) {
        expect(radius).toBeGreaterThanOrEqual(radiiBefore![k]!);
        expect(radius - radiiBefore![k]!).toBeLessThanOrEqual(0.03 * report.height + 1e-12);
      }
    }
  });

  it('goes on through a file', async () => {
    const { bytes, asset } = await load(path);
    const { secondary } = fitColliders(asset, { taper: false });
    const written = await writeSprings(bytes, secondary);
    expect(written.report.warnings.map(({ code }) => code)).not.toContain('vrm-capsule');
    expect(written.secondary.colliders).toEqual(secondary.colliders);
    expect(written.secondary.groups).toEqual(secondary.groups);
  });

  it('turns its head without a fault', async () => {
    const { asset } = await load(path);
    const fit = fitColliders(asset);
    const world = createWorld({ tickRate: 60 });
    const character = addCharacter(world, asset);
    const pose = createPose(world, character);
    const { chains } = addSprings(world, character, { secondary: fit.secondary, contactPart: 'segment' });
    readPose(world, character, pose);
    const head = asset.secondary!.humanoid['head']!;
    const rest = pose.rotations.slice(4 * head, 4 * head + 4);
    const tail = rowOf(world, 'chain', chains[0]!);
    for (let tick = 0; tick < 120; tick++) {
      const half = 0.4 * Math.sin((2 * Math.PI * tick) / 60);
      const [x, y, z, w] = rest as unknown as [number, number, number, number];
      const [s, c] = [Math.sin(half), Math.cos(half)];
      pose.rotations.set([c * x + s * z, c * y + s * w, c * z - s * x, c * w - s * y], 4 * head);
      setPose(world, character, { rotations: pose.rotations });
      step(world);
    }
    expect(world.report.warnings.map(({ code }) => code)).not.toContain('chain-faulted');
    const { first, count } = world.views.chain;
    const tips = world.views.particle.position.slice(3 * first[tail]!, 3 * (first[tail]! + count[tail]!));
    for (const value of tips) expect(Number.isFinite(value)).toBe(true);
  });
});
