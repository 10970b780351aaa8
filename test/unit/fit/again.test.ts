/** Fits of what was fitted: nothing changes, the author's radii are not lost, and files say what chains feel. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { springChains } from '../../../src/setup/springs.js';
import {
  addCharacter,
  addSprings,
  createWorld,
  rowOf,
  type Asset,
  type SecondaryMotion,
} from '../../../src/index.js';
import { contactPart } from '../../../src/components/codes.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { fitColliders, type ColliderFit } from '../../../src/io/rig/index.js';
import { writeSprings } from '../../../src/io/vrm/index.js';
import { shared } from '../../support/shared.js';
import type { V3 } from '../../support/referenceMath.js';
import { makePerson, tube } from './support.js';

/** A person with thin colliders of all sorts and a strand that feels the first two of them. */
function authored(): Asset {
  const heads: V3[] = [0, 1, 2, 3].map((i) => [0, 1.6 - 0.15 * i, -0.14]);
  const { asset, bone } = makePerson({
    bones: heads.map((head, i): [string, string, V3] => [
      `lock${i}`,
      i === 0 ? 'head' : `lock${i - 1}`,
      head,
    ]),
    more: [0, 1, 2].map((i) => ({
      name: `lock${i}`,
      bone: `lock${i}`,
      ...tube(heads[i]!, heads[i + 1]!, 0.01, 0.01),
    })),
  });
  const capsule = { kind: 'capsule' as const, inside: false };
  const secondary: SecondaryMotion = {
    ...asset.secondary!,
    colliders: [
      {
        bone: bone('leftLowerArm'),
        shape: { ...capsule, offset: [0.1, 0.003, 0.007], tail: [0.2, 0, 0], radius: 0.02, tailRadius: 0.02 },
      },
      { bone: bone('head'), shape: { kind: 'sphere', offset: [0, 0.1, 0.01], radius: 0.1, inside: false } },
      {
        bone: bone('rightLowerArm'),
        shape: { ...capsule, offset: [0, 0, 0], tail: [-0.25, 0, 0], radius: 0.03, tailRadius: 0.02 },
      },
      { bone: bone('head'), shape: { kind: 'plane', offset: [0, 0.3, 0], normal: [0, -1, 0] } },
    ],
    groups: [
      { name: 'own', colliders: [0, 1] },
      { name: 'rest', colliders: [2, 3] },
      { name: 'empty', colliders: [] },
    ],
    springs: [
      {
        name: 'lock',
        joints: [0, 1, 2].map((i) => ({
          bone: bone(`lock${i}`),
          hitRadius: 0.01,
          stiffness: 1,
          gravityPower: 0,
          gravityDir: [0, -1, 0],
          dragForce: 0.4,
        })),
        end: bone('lock3'),
        endOffset: undefined,
        groups: [0],
        center: -1,
      },
    ],
  };
  return { ...asset, secondary };
}

const again = (asset: Asset, { secondary }: ColliderFit, options = {}): ColliderFit =>
  fitColliders({ ...asset, secondary }, options);

describe('a second fit', () => {
  const asset = authored();
  const fit = fitColliders(asset);

  it('finds something to do the first time', () => {
    const limits = fit.report.colliders.filter(({ made }) => !made).map(({ limit }) => limit);
    expect(limits.filter((limit) => limit === 'skin' || limit === 'growth').length).toBeGreaterThan(1);
    expect(fit.report.colliders.some(({ made }) => made)).toBe(true);
    expect(fit.secondary.springs[0]!.groups.length).toBeGreaterThan(1);
  });

  it('changes nothing, and says the same', () => {
    const second = again(asset, fit);
    expect(second.secondary).toEqual(fit.secondary);
    expect(second.report).toEqual(fit.report);
    expect(second.chains).toEqual(fit.chains);
  });

  it('gives back what the author left, to the bit', () => {
    expect(again(asset, fit).original).toEqual(asset.secondary);
    expect(fit.original).toBe(asset.secondary);
  });

  it('grows from the radii of the author, with another bound too', () => {
    const small = fitColliders(asset, { maxGrowth: 0.005 });
    expect(again(asset, fit, { maxGrowth: 0.005 }).secondary).toEqual(small.secondary);
    expect(small.secondary).not.toEqual(fit.secondary);
    expect(again(asset, fit, { maxGrowth: 0, make: false }).secondary).toEqual(asset.secondary);
  });

  it('keeps a collider that was put behind those that were made, and a group that holds one of both', () => {
    const { secondary } = fit;
    const mine = { bone: 1, shape: { kind: 'sphere', offset: [0, 5, 0], radius: 1, inside: false } } as const;
    const extended: SecondaryMotion = {
      ...secondary,
      colliders: [...secondary.colliders, { ...mine, shape: { ...mine.shape, offset: [0, 5, 0] } }],
      groups: [...secondary.groups, { name: 'mine', colliders: [4, secondary.colliders.length] }],
      springs: secondary.springs.map((spring) => ({
        ...spring,
        groups: [...spring.groups, secondary.groups.length],
      })),
    };
    const { original } = fitColliders(asset, { secondary: extended });
    expect(original!.colliders).toEqual([...asset.secondary!.colliders, mine]);
    expect(original!.groups).toEqual([...asset.secondary!.groups, { name: 'mine', colliders: [4] }]);
    expect(original!.springs[0]!.groups).toEqual([0, 3]);
  });
});

it('feels lists the colliders of the file as well', () => {
  const { report, secondary } = fitColliders(authored());
  const { groups, springs } = secondary;
  const felt = springs[0]!.groups.flatMap((group) => groups[group]!.colliders);
  expect(report.chains[0]!.feels).toEqual(felt.toSorted((a, b) => a - b));
  expect(report.chains[0]!.feels.slice(0, 2)).toEqual([0, 1]);
});

it('a chain that feels nothing but its own part is told so', () => {
  const asset = authored();
  const only = { ...asset.secondary!, groups: [{ name: 'own', colliders: [1] }] };
  const { report } = fitColliders(asset, { secondary: only, make: false });
  expect(report.chains[0]).toMatchObject({
    feels: [1],
    contactPart: 'tip',
    reason: 'it feels nothing but what it sits on',
  });
});

describe.skipIf(shared === undefined)('files', () => {
  const fitted = async (
    bytes: Uint8Array,
  ): Promise<{ bytes: Uint8Array; fit: ColliderFit; changed: boolean }> => {
    const fit = fitColliders(await loadGltf(bytes, { validate: false }), { taper: false });
    const written = await writeSprings(bytes, fit.secondary, { chains: fit.chains });
    return { bytes: written.bytes, fit, changed: written.report.changed };
  };

  it.each([
    'derived/seedsan_rebuilt.vrm',
    'vrm/Godette_vrm0.vrm',
    'glb-tail/khronos_Fox.glb',
    'derived/qfox_tail_ablated.glb',
  ])('%s: fitted twice is fitted once, to the byte', async (path) => {
    const bytes = new Uint8Array(readFileSync(`${shared}/${path}`));
    const once = await fitted(bytes);
    const twice = await fitted(once.bytes);
    expect(once.changed).toBe(true);
    expect(twice.changed).toBe(false);
    expect(Buffer.from(twice.bytes).equals(once.bytes)).toBe(true);
    const { colliders } = (await loadGltf(bytes, { validate: false })).secondary ?? { colliders: [] };
    expect(twice.fit.original!.colliders).toEqual(colliders);
  });

  it('Seed-san: a world has what the fit chose for each spring', async () => {
    const { bytes, fit } = await fitted(
      new Uint8Array(readFileSync(`${shared}/derived/seedsan_rebuilt.vrm`)),
    );
    const asset = await loadGltf(bytes, { validate: false });
    const chosen = fit.report.chains.map((chain) => chain.contactPart);
    expect(new Set(chosen).size).toBe(2);
    expect(springChains(asset).map(({ suggested }) => suggested!.contactPart)).toEqual(chosen);
    const world = createWorld();
    const { chains } = addSprings(world, addCharacter(world, asset));
    expect(chains.map((chain) => world.views.chain.contactPart[rowOf(world, 'chain', chain)])).toEqual(
      chosen.map((part) => contactPart[part]),
    );
  });
});
