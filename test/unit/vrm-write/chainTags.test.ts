/** What the collider fit notes in a file: at root nodes and at colliders, beside whatever stands there. */
import { describe, expect, test } from 'vitest';
import type { Asset, ChainDefinition } from '../../../src/asset/asset.js';
import {
  addCharacter,
  addSpringColliders,
  addSprings,
  createWorld,
  findChains,
  rowOf,
} from '../../../src/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { writeSprings } from '../../../src/io/vrm/index.js';
import { jsonOf, type Json } from '../../support/gltfBuilder.js';
import { row, springBone } from '../vrm/support.js';
import { fileOf, only, rewritten, sameBytes, said, springOf, type Motion } from './support.js';

const ball = (bone: number): Motion['colliders'][number] => ({
  bone,
  shape: { kind: 'sphere', offset: [0, 0, 0], radius: 0.1, inside: false },
});
const groups = [0, 1, 2].map((g) => ({ name: `g${g}`, colliders: [g] }));
const motion = only({ colliders: [0, 0, 0].map(ball), groups });
const chainAt = (bone: number, suggested: NonNullable<ChainDefinition['suggested']>): ChainDefinition => ({
  name: `n${bone}`,
  attachment: bone - 1,
  bones: [bone],
  end: bone + 1,
  origin: 'artist',
  suggested,
});
const load = (bytes: Uint8Array): Promise<Asset> => loadGltf(bytes, { validate: false });
const nodeOf = (bytes: Uint8Array, node: number): Json => jsonOf(bytes)['nodes'][node] as Json;

describe('tags of chains', () => {
  const tail = chainAt(2, { colliderMask: 0b101, contactPart: 'segment' });

  test('hold groups and contact, and are read back', async () => {
    const { bytes, report } = await writeSprings(fileOf(row(4)), motion, { chains: [tail] });
    expect(report.changed).toBe(true);
    expect(nodeOf(bytes, 2)['extras']).toEqual({
      followthrough: { chain: { colliderGroups: [0, 2], contactPart: 'segment' } },
    });
    const asset = await load(bytes);
    expect(asset.warnings).toEqual([]);
    expect(asset.suggestions).toEqual([{ bone: 2, colliderMask: 0b101, contactPart: 'segment' }]);
    const [chain] = findChains(asset, { roots: ['n2'] });
    expect(chain!.suggested).toEqual({ colliderMask: 0b101, contactPart: 'segment' });
  });

  test('keep what stands there, and writing again gives the very bytes', async () => {
    const nodes = row(4);
    nodes[2]!['extras'] = {
      mine: [1],
      followthrough: { other: 2, chain: { limitDeg: 12.5, contactPart: 'tip', later: 'x' } },
    };
    const { bytes } = await writeSprings(fileOf(nodes), motion, { chains: [tail] });
    expect(JSON.stringify(nodeOf(bytes, 2)['extras'])).toBe(
      JSON.stringify({
        mine: [1],
        followthrough: {
          other: 2,
          chain: { limitDeg: 12.5, contactPart: 'segment', later: 'x', colliderGroups: [0, 2] },
        },
      }),
    );
    const again = await writeSprings(bytes, motion, { chains: [tail] });
    expect(again.report.changed).toBe(false);
    expect(sameBytes(again.bytes, bytes)).toBe(true);
    // Without chains tags stay as they are.
    expect(sameBytes((await writeSprings(bytes, motion)).bytes, bytes)).toBe(true);
  });

  test('of springs say the contact alone: their groups stand in the spring', async () => {
    const spring = springOf([1, 2, 3], { groups: [1] });
    const chains = [chainAt(1, { colliderMask: 0b10, contactPart: 'segment' })];
    const { bytes } = await writeSprings(fileOf(row(4)), { ...motion, springs: [spring] }, { chains });
    expect(nodeOf(bytes, 1)['extras']).toEqual({ followthrough: { chain: { contactPart: 'segment' } } });
    const world = createWorld();
    const asset = await load(bytes);
    const { chains: added, colliders } = addSprings(world, addCharacter(world, asset));
    const at = rowOf(world, 'chain', added[0]!);
    expect([world.views.chain.contactPart[at], world.views.chain.colliderMask[at]]).toEqual([1, 0b10]);
    expect(colliders).toHaveLength(1);
  });

  test('make their colliders stand in a world, whoever asks for them', async () => {
    const { bytes } = await writeSprings(fileOf(row(4)), motion, { chains: [tail] });
    const asset = await load(bytes);
    const added = (...args: unknown[]): number => {
      const world = createWorld();
      const character = addCharacter(world, asset);
      return addSpringColliders(world, character, ...(args as [])).length;
    };
    expect(added()).toBe(2);
    expect(added(undefined, [])).toBe(0);
    // Groups of other springs and colliders may have other numbers.
    expect(added(asset.secondary)).toBe(0);
    expect(added(asset.secondary, [chainAt(2, { colliderMask: 0b10 })])).toBe(1);
  });

  test('without colliders a list of groups goes, the rest stays', async () => {
    const nodes = row(3);
    nodes[1]!['extras'] = { followthrough: { chain: { colliderGroups: [0], limitDeg: 9 } } };
    nodes[2]!['extras'] = { followthrough: { chain: { colliderGroups: [0] } } };
    const chains = [1, 2].map((bone) => chainAt(bone, { colliderMask: 0, contactPart: 'tip' }));
    const { bytes } = await writeSprings(fileOf(nodes), only({}), { chains });
    expect(nodeOf(bytes, 1)['extras']).toEqual({ followthrough: { chain: { limitDeg: 9 } } });
    expect(nodeOf(bytes, 2)).not.toHaveProperty('extras');
  });

  test('more than 32 groups share bits, and come back as the same mask', async () => {
    const many = Array.from({ length: 40 }, (_, g) => ({ name: `g${g}`, colliders: [0] }));
    const mask = 0x80000005;
    const chains = [chainAt(2, { colliderMask: mask })];
    const { bytes } = await writeSprings(fileOf(row(4)), { ...motion, groups: many }, { chains });
    expect((await load(bytes)).suggestions).toEqual([{ bone: 2, colliderMask: mask }]);
  });

  test.each<[string, Json, string]>([
    [
      'a group that is not there',
      { colliderGroups: [0, 3] },
      'colliderGroups: expected a list of collider groups, of which there are 3',
    ],
    ['a mask', { colliderGroups: 5 }, 'colliderGroups: expected a list'],
    ['half a group', { colliderGroups: [0.5] }, 'colliderGroups: expected a list'],
    ['a contact of no kind', { contactPart: 'all' }, 'contactPart: expected "tip" or "segment"'],
  ])('%s is passed over and told', async (_, chain, says) => {
    const nodes = row(3);
    nodes[1]!['extras'] = { followthrough: { chain: { limitDeg: 180, ...chain } } };
    const { bytes } = await writeSprings(fileOf(nodes), motion);
    const { suggestions, warnings } = await load(bytes);
    expect(suggestions).toEqual([{ bone: 1, limit: Math.PI }]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ code: 'chain-tag', at: 'node 1' });
    expect(warnings[0]!.message).toContain(`/nodes/1/extras/followthrough/chain/${says}`);
  });

  test.each<[string, unknown]>([
    ['/nodes/2/extras', 'text'],
    ['/nodes/2/extras/followthrough', { followthrough: [] }],
  ])('%s that is no object: refused, in one line', async (place, extras) => {
    const nodes = row(4);
    nodes[2]!['extras'] = extras;
    await expect(writeSprings(fileOf(nodes), motion, { chains: [tail] })).rejects.toMatchObject({
      code: 'unsupported-file',
      message: `${place}: is no object, so that nothing can be noted beside it`,
    });
  });

  test('a bone that is not there: refused', async () => {
    await expect(
      writeSprings(fileOf(row(2)), motion, { chains: [chainAt(9, { contactPart: 'tip' })] }),
    ).rejects.toMatchObject({ code: 'invalid-argument', message: 'chains/0/bones/0: there is no bone 9' });
  });
});

describe('marks of colliders', () => {
  const marked = only({
    colliders: [{ ...ball(0), fitted: { made: true } }, { ...ball(0), fitted: { radii: [0.05] } }, ball(0)],
    groups,
  });

  test('go through a file, beside what stands there, and go again', async () => {
    const first = await rewritten(fileOf(row(2)), marked);
    expect(first.secondary.colliders).toEqual(marked.colliders);
    const colliders = first.extension['colliders'] as Json[];
    expect(colliders.map(({ extras }) => extras as unknown)).toEqual([
      { followthrough: { fitted: { made: true } } },
      { followthrough: { fitted: { radii: [0.05] } } },
      undefined,
    ]);
    colliders[1]!['extras'].mine = 1;
    const edited = fileOf(row(2), { VRMC_springBone: first.extension });
    const second = await rewritten(edited, only({ colliders: [0, 0, 0].map(ball), groups }));
    expect((second.extension['colliders'] as Json[]).map(({ extras }) => extras as unknown)).toEqual([
      undefined,
      { mine: 1 },
      undefined,
    ]);
    expect(sameBytes((await writeSprings(first.bytes, marked)).bytes, first.bytes)).toBe(true);
  });

  test('a capsule that is written with one radius has one before', async () => {
    const capsule = { kind: 'capsule', offset: [0, 0, 0], tail: [0, 1, 0], inside: false } as const;
    const given = only({
      colliders: [
        {
          bone: 0,
          shape: { ...capsule, offset: [0, 0, 0], tail: [0, 1, 0], radius: 0.2, tailRadius: 0.1 },
          fitted: { radii: [0.12, 0.05] },
        },
      ],
    });
    const { bytes } = await writeSprings(fileOf(row(2)), given);
    expect((await said(bytes)).colliders[0]!.fitted).toEqual({ radii: [0.12] });
  });

  test.each<[unknown]>([
    ['made'],
    [{ made: 1 }],
    [{ radii: 0.1 }],
    [{ radii: [] }],
    [{ radii: [-1] }],
    [{ radii: [1, 2, 3] }],
  ])('%j is passed over and told', async (fitted) => {
    const collider = {
      node: 0,
      shape: { sphere: { offset: [0, 0, 0], radius: 0.1 } },
      extras: { followthrough: { fitted } },
    };
    const { colliders, said: told } = await springBone(row(2), { colliders: [collider] });
    expect(colliders).toEqual([ball(0)]);
    expect(told).toEqual(['collider-tag /colliders/0/extras/followthrough/fitted']);
  });

  test('that make no sense are refused', async () => {
    const wrong = only({ colliders: [{ ...ball(0), fitted: { radii: [-1] } }] });
    await expect(writeSprings(fileOf(row(2)), wrong)).rejects.toMatchObject({
      code: 'invalid-argument',
      message: 'secondary/colliders/0/fitted: expected one or two radii from 0',
    });
  });
});
