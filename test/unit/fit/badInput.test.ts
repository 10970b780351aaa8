/** Options out of range, files without a body or skin, numbers that are none. */
import { describe, expect, it } from 'vitest';
import { fitColliders } from '../../../src/io/rig/index.js';
import type { V3 } from '../../support/referenceMath.js';
import { makePerson } from './support.js';

describe('bad input', () => {
  const { asset } = makePerson();
  it.each([
    [{ maxGrowth: 2 }, /maxGrowth is 2, expected a number from 0 to 1/],
    [{ maxGrowth: Number.NaN }, /maxGrowth is NaN/],
    [{ unit: 0 }, /unit is 0, expected a number above 0/],
    [{ unit: Infinity }, /unit is Infinity/],
    [{ hidden: ['Face'] }, /hidden: no node, mesh or material is called 'Face'; nearest: face/],
    [{ hidden: [''] }, /hidden: no node, mesh or material is called ''/],
    [{ frame: { up: [0, 0, 0] as V3 } }, /frame: up must be/],
  ])('%j', (options, message) => {
    expect(() => fitColliders(asset, options)).toThrow(message);
  });

  it('a file without a body gives a warning and what it had', () => {
    const { skeleton, ...rest } = asset;
    for (const one of [
      { ...rest, skeleton, meshes: [], skins: [] },
      {
        ...rest,
        skeleton: { ...skeleton, count: 0, names: [], parents: new Int32Array(0) },
        meshes: [],
        skins: [],
      },
    ]) {
      const bare = { ...one, secondary: { ...asset.secondary!, humanoid: {} } };
      const { secondary, report } = fitColliders(bare);
      expect(secondary).toEqual(bare.secondary);
      expect(report.warnings.map(({ code }) => code)).toEqual(['no-body']);
    }
  });

  it('positions and weights that are no numbers are passed over', () => {
    const broken = makePerson();
    const [mesh] = broken.asset.meshes;
    mesh!.positions.fill(Number.NaN, 0, 30);
    mesh!.weights.fill(Number.NaN, 40, 60);
    const { report } = fitColliders(broken.asset);
    for (const { radii } of report.colliders) for (const radius of radii) expect(radius).toBeGreaterThan(0);
  });

  it('a body without skin gives warnings, one per part', () => {
    const { secondary, report } = fitColliders({ ...asset, meshes: [] });
    expect(secondary.colliders).toEqual([]);
    expect(report.regions).toEqual([]);
    expect(report.warnings.every(({ code }) => code === 'no-skin-of-part')).toBe(true);
    expect(report.warnings.length).toBe(11);
  });

  it('a stretched bone is told', () => {
    const stretched = makePerson({ armature: 1 });
    stretched.asset.skeleton.scales.set([1, 2, 1], 0);
    stretched.asset.skins = [];
    stretched.asset.meshes = stretched.asset.meshes.map((one) => ({ ...one, skin: -1, influences: 0 }));
    const { report } = fitColliders({
      ...stretched.asset,
      secondary: {
        ...stretched.asset.secondary!,
        colliders: [
          {
            bone: stretched.bone('head'),
            shape: { kind: 'sphere', offset: [0, 0, 0], radius: 0.1, inside: false },
          },
        ],
      },
    });
    expect(report.warnings.map(({ code }) => code)).toContain('collider-scale');
  });
});
