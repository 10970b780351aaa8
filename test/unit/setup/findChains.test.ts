/** Finding chains by name and from named roots. */
import { describe, expect, it } from 'vitest';
import { FollowthroughError } from '../../../src/asset/errors.js';
import type { Asset, ChainDefinition } from '../../../src/asset/asset.js';
import { findChains } from '../../../src/setup/findChains.js';
import { makeAsset, turn } from './support/assets.js';
import type { NodeSpec } from './support/assets.js';

/** A skeleton from lines `name < parent`; all nodes are joints of one skin unless they stand in brackets. */
function skeleton(...lines: string[]): Asset {
  const bare = (text: string): string => text.replace(/[[\]]/g, '').trim();
  const nodes = lines.map((line): NodeSpec => {
    const [name, parent] = line.split('<');
    const node: NodeSpec = { name: bare(name!), t: [0, -0.1, 0] };
    if (parent !== undefined) node.parent = bare(parent);
    return node;
  });
  const joints = lines.filter((line) => !line.includes('[')).map((line) => bare(line.split('<')[0]!));
  return makeAsset(nodes, [{ joints }]);
}

/** A chain in words: attachment > links > end. */
function words(asset: Asset, chain: ChainDefinition): string {
  const name = (bone: number): string => (bone < 0 ? '-' : asset.skeleton.names[bone]!);
  return `${name(chain.attachment)} > ${chain.bones.map(name).join(' ')} > ${name(chain.end)}`;
}

const found = (asset: Asset, roots?: string[]): string[] =>
  findChains(asset, roots === undefined ? {} : { roots }).map((chain) => words(asset, chain));

describe('finding chains', () => {
  it.each([
    ['Tail_1', 'Tail_2'],
    ['tail1', 'tail2'],
    ['Tail', 'Tail.001'],
    ['b_Tail01_012', 'b_Tail02_013'],
    ['mixamorig:Tail_1', 'mixamorig:Tail_2'],
    ['Tail 1', 'Tail 2'],
    ['TAIL-1', 'TAIL-2'],
    ['tail_01_jnt', 'tail_02_jnt'],
  ])('finds %s, %s', (first, second) => {
    const asset = skeleton('Hips', `${first}<Hips`, `${second}<${first}`);
    expect(found(asset)).toEqual([`Hips > ${first} ${second} > -`]);
  });

  it('takes an end helper for the end: a node in no skin, or a joint without weight', () => {
    expect(found(skeleton('Hips', 'Tail1<Hips', 'Tail2<Tail1', '[Tail2_end]<Tail2'))).toEqual([
      'Hips > Tail1 Tail2 > Tail2_end',
    ]);
    expect(found(skeleton('Hips', 'Tail_1<Hips', 'Tail_End<Tail_1'))).toEqual(['Hips > Tail_1 > Tail_End']);
    expect(found(skeleton('Hips', 'Tail_1<Hips', '[tip]<Tail_1', '[TailNub]<Tail_1'))).toEqual([
      'Hips > Tail_1 > TailNub',
    ]);
  });

  it('takes an end-named joint that moves skin for a link, and a last joint that moves none for the end', () => {
    const nodes: NodeSpec[] = [
      { name: 'Hips' },
      { name: 'Tail1', parent: 'Hips', t: [0, -1, 0] },
      { name: 'Tail_end', parent: 'Tail1', t: [0, -1, 0] },
    ];
    const skins = [{ joints: ['Hips', 'Tail1', 'Tail_end'] }];
    const weighted = makeAsset(nodes, skins, [
      { joint: 'Tail1', at: [[0, -1, 0]] },
      { joint: 'Tail_end', at: [[0, -2, 0]] },
    ]);
    expect(found(weighted)).toEqual(['Hips > Tail1 Tail_end > -']);
    const renamed = nodes.map((node) => ({ ...node, name: node.name === 'Tail_end' ? 'Tail2' : node.name }));
    const bare = makeAsset(
      renamed,
      [{ joints: ['Hips', 'Tail1', 'Tail2'] }],
      [{ joint: 'Tail1', at: [[0, -1, 0]] }],
    );
    expect(found(bare)).toEqual(['Hips > Tail1 > Tail2']);
  });

  it('leaves hair, clothes, controls, meshes and words that only contain tail', () => {
    const asset = skeleton(
      'Hips',
      'detail<Hips',
      'Tailor<Hips',
      'tail_ik<Hips',
      'CoatTail_1<Hips',
      '[Tail_mesh]<Hips',
      'Head<Hips',
      'Tail_hair<Head',
      'ponytail1<Head',
      'Tail1<Head',
    );
    expect(found(asset)).toEqual([]);
  });

  it('follows the longest branch and gives the others chains of their own', () => {
    const asset = skeleton('Hips', 'Tail1<Hips', 'TailFin<Tail1', 'Tail2<Tail1', 'Tail3<Tail2');
    expect(found(asset)).toEqual(['Hips > Tail1 Tail2 Tail3 > -', 'Tail1 > TailFin > -']);
    expect(found(skeleton('Hips', 'Tail.L<Hips', 'Tail.R<Hips', 'Tail2.L<Tail.L', 'Tail2.R<Tail.R'))).toEqual(
      ['Hips > Tail.L Tail2.L > -', 'Hips > Tail.R Tail2.R > -'],
    );
  });

  it('reaches over nodes of other names between two tail bones', () => {
    expect(found(skeleton('Hips', 'Tail1<Hips', '[offset]<Tail1', 'Tail2<offset'))).toEqual([
      'Hips > Tail1 Tail2 > -',
    ]);
  });

  it('finds a tail that is the body, and a top-level one', () => {
    expect(found(skeleton('Root', 'Body<Root', 'Tail<Root', 'Tail1<Tail'))).toEqual([
      'Root > Tail Tail1 > -',
    ]);
    expect(found(skeleton('Tail1', 'Tail2<Tail1'))).toEqual(['- > Tail1 Tail2 > -']);
  });

  it('in a file without skins takes any node, but no single piece of scenery', () => {
    const nodes: NodeSpec[] = [
      { name: 'Body' },
      { name: 'Tail1', parent: 'Body' },
      { name: 'Tail2', parent: 'Tail1' },
    ];
    expect(found(makeAsset(nodes))).toEqual(['Body > Tail1 Tail2 > -']);
    expect(found(makeAsset(nodes.slice(0, 2)))).toEqual([]);
  });

  it('follows a named root down single children and the deepest branch, to the end helper', () => {
    const asset = skeleton(
      'Hips',
      'Hair1<Hips',
      'clip<Hair1',
      'Hair2<Hair1',
      'Hair3<Hair2',
      '[Hair3_end]<Hair3',
    );
    expect(found(asset, ['Hair1'])).toEqual(['Hips > Hair1 Hair2 Hair3 > Hair3_end']);
    expect(found(asset, ['Hair2', 'clip'])).toEqual(['Hair1 > Hair2 Hair3 > Hair3_end', 'Hair1 > clip > -']);
    expect(found(asset, [])).toEqual([]);
  });

  it('refuses a root that does not exist, with near names, or that fits several bones', () => {
    const asset = skeleton('Hips', 'HairFront<Hips', 'HairBack<Hips', 'Twin<Hips');
    const failure = (name: string): FollowthroughError => {
      try {
        findChains(asset, { roots: [name] });
      } catch (error) {
        if (error instanceof FollowthroughError) return error;
      }
      throw new Error('no error');
    };
    expect(failure('Hairfront').code).toBe('unknown-name');
    expect(failure('Hairfront').message).toBe("hand-made: no bone is called 'Hairfront'; nearest: HairFront");
    expect(failure('hair').message).toContain('HairFront, HairBack');
    expect(failure('zzz').message).toBe("hand-made: no bone is called 'zzz'");
    asset.skeleton.names[3] = 'HairBack';
    expect(failure('HairBack').message).toContain('several bones');
  });

  it('calls a chain rigged only when it is built as the rig pass builds', () => {
    const nodes: NodeSpec[] = [
      { name: 'Hips', r: turn([1, 0, 0], 30) },
      { name: 'Tail_1', parent: 'Hips', t: [0, -1, 0], saved: { t: [0, -1, 0], r: turn([1, 0, 0], 20) } },
      { name: 'Tail_2', parent: 'Tail_1', t: [0, -1, 0] },
      { name: 'Tail_End', parent: 'Tail_2', t: [0, -1, 0] },
    ];
    const joints = nodes.map(({ name }) => name);
    const origin = (specs: NodeSpec[]): string => findChains(makeAsset(specs, [{ joints }]))[0]!.origin;
    expect(origin(nodes)).toBe('rigged');
    expect(origin(nodes.map((node, i) => (i === 2 ? { ...node, r: turn([1, 0, 0], 1) } : node)))).toBe(
      'artist',
    );
    const other = nodes.map((node) => (node.name === 'Tail_2' ? { ...node, name: 'Tail_3' } : node));
    const renamed = other.map((node) => (node.parent === 'Tail_2' ? { ...node, parent: 'Tail_3' } : node));
    const all = [{ joints: renamed.map(({ name }) => name) }];
    expect(findChains(makeAsset(renamed, all))[0]!.origin).toBe('artist');
  });
});
