/** `followthrough rig` on the project's fox and on a head with three tufts: every option, what is printed and written. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foxGlb } from '../../../examples/characters/fox.js';
import type { RigPiece } from '../../../src/io/rig/index.js';
import { skinnedTriangle } from '../../support/gltfBuilder.js';
import { offMiddle, tufts } from '../../support/rig/scenes.js';
import { assetGltf } from './support/assetGlb.js';
import { run, type Run } from './support/run.js';

interface RigJson {
  file: string;
  output: string | null;
  pieces: RigPiece[];
  warnings: { code: string; message: string; at: string }[];
}

let folder: string;
let fox: string;
let rigged: string;
let picture: string;
/** The fox rigged into `rigged` and drawn into `picture`, as JSON; the same into other files, as a table; `rigged` rigged. */
let first: Run;
let second: Run;
let again: Run;

const at = (name: string): string => join(folder, name);
const rig = (...args: string[]): Promise<Run> => run('rig', ...args);
const jsonOf = ({ stdout }: Run): RigJson => JSON.parse(stdout) as RigJson;
const dry = async (file: string, ...args: string[]): Promise<RigJson> =>
  jsonOf(await rig(file, '--dry-run', '--json', ...args));
const chainsIn = ({ pieces }: RigJson): RigPiece[] => pieces.filter(({ verdict }) => verdict === 'chain');
const sameBytes = async (a: string, b: string): Promise<boolean> =>
  (await readFile(a)).equals(await readFile(b));
const codes = ({ warnings }: RigJson): string[] => warnings.map(({ code }) => code);

function expectRefused({ code, stdout, stderr }: Run, says: RegExp): void {
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  expect(stderr).toMatch(says);
  expect(code).toBe(2);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'followthrough-'));
  [fox, rigged, picture] = [at('fox.glb'), at('fox-rigged.glb'), at('fox.svg')];
  await writeFile(fox, await foxGlb());
  [first, second] = await Promise.all([
    rig(fox, '-o', rigged, '--svg', picture, '--json'),
    rig(fox, '-o', at('second.glb'), '--svg', at('second.svg')),
  ]);
  again = await rig(rigged, '-o', at('again.glb'), '--json');
});

afterAll(() => rm(folder, { recursive: true }));

describe('what is printed', () => {
  test('--json: one value with the promised keys and nothing else', () => {
    const value = jsonOf(first);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(Object.keys(value)).toEqual(['file', 'output', 'pieces', 'warnings']);
    expect(value).toMatchObject({ file: fox, output: rigged, warnings: [] });
    const figures = ['confidence', 'vertices', 'length', 'aspect', 'boneRatio', 'flatness', 'lateral'];
    figures.push('weightDistanceBefore', 'weightDistanceAfter');
    const words = ['id', 'verdict', 'kind', 'reason', 'attachment'];
    for (const piece of value.pieces) {
      expect(Object.keys(piece).toSorted()).toEqual([...words, ...figures, 'joints'].toSorted());
      for (const key of words) expect(piece[key as keyof RigPiece], key).toBeTypeOf('string');
      for (const key of figures) expect(piece[key as keyof RigPiece], key).toBeTypeOf('number');
      expect(['chain', 'rigid', 'left']).toContain(piece.verdict);
      expect(piece.joints.length > 0).toBe(piece.verdict === 'chain');
    }
    expect(new Set(value.pieces.map(({ id }) => id)).size).toBe(value.pieces.length);
  });

  test('the tail of the fox: joints from root to end, skin now near its bones', () => {
    const [tail, ...others] = chainsIn(jsonOf(first));
    expect(others).toEqual([]);
    expect(tail).toMatchObject({ id: 'piece1', kind: 'tail', attachment: 'mixamorig:Hips' });
    const names = tail!.joints.map(({ name }) => name);
    expect(names).toEqual([...names.slice(0, -1).map((_, i) => `Tail_${i + 1}`), 'Tail_End']);
    const heights = tail!.joints.map(({ position }) => position[1]);
    expect(heights).toEqual(heights.toSorted((a, b) => b - a));
    expect(tail!.boneRatio).toBeGreaterThan(1);
    expect(tail!.weightDistanceAfter).toBeLessThan(tail!.weightDistanceBefore / 2);
  });

  test('a table for people: every piece with its reason, and what was written', () => {
    const { code, stdout, stderr } = second;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^piece +verdict +kind +hangs from +points +length +bones +confidence +aspect +q/);
    const { pieces } = jsonOf(first);
    for (const { id, verdict, kind, attachment, vertices, reason } of pieces) {
      expect(stdout).toMatch(new RegExp(`^${id} +${verdict} +${kind} +${attachment} +${vertices} `, 'm'));
      expect(stdout).toContain(`\n${id}: ${reason}\n`);
    }
    const added = pieces[0]!.joints.length;
    const written = `second.glb: ${27 + added} bones, ${added} new bones, new weights for `;
    expect(stdout).toMatch(new RegExp(`${written}\\d+ vertices$`, 'm'));
    expect(stdout).toMatch(/second\.svg: picture$/m);
    expect(stdout).not.toMatch(/ $|\[=/m);
  });

  test('--help names every option', async () => {
    const { code, stdout } = await rig('--help');
    expect(code).toBe(0);
    const options = ['output', 'rigid', 'dry-run', 'force', 'min-confidence', 'hair', 'attach', 'joints'];
    for (const option of [...options, 'svg', 'unit', 'json']) expect(stdout).toContain(`--${option}`);
    expect(stdout).toMatch(/default: 0\.25/);
  });
});

describe('what is written', () => {
  test('the file and the picture, and nothing beside them', async () => {
    const names = await readdir(folder);
    expect(names.filter((name) => name.includes('.tmp'))).toEqual([]);
    const svg = await readFile(picture, 'utf8');
    expect(svg).toMatch(/^<svg /);
    expect(svg).toMatch(/<\/svg>\s*$/);
    for (const { id } of jsonOf(first).pieces) expect(svg).toContain(id);
  });

  test('inspect, bake and measure take it without a further option', async () => {
    const [inspected, baked, measured] = await Promise.all([
      run('inspect', rigged, '--json'),
      run('bake', rigged, '-o', at('baked.glb'), '--clip', 'Walk', '--json'),
      run('measure', rigged, '--clip', 'Walk', '--max-torn', '0', '--max-p99', '1.25', '--json'),
    ]);
    for (const { code, stderr } of [inspected, baked, measured]) expect([code, stderr]).toEqual([0, '']);
    const { bones, chains } = JSON.parse(inspected.stdout) as { bones: number; chains: unknown[] };
    expect(bones).toBe(27 + jsonOf(first).pieces[0]!.joints.length);
    expect(chains).toEqual([
      expect.objectContaining({ name: 'Tail_1', attachment: 'mixamorig:Hips', origin: 'rigged' }),
    ]);
    const { clips } = JSON.parse(baked.stdout) as { clips: unknown[] };
    expect(clips).toEqual([expect.objectContaining({ name: 'Walk', loop: true, converged: true })]);
    const { tipTravel } = JSON.parse(measured.stdout) as { tipTravel: number };
    expect(tipTravel).toBeGreaterThan(0.05);
  });

  test('the same bytes every time', async () => {
    expect(await sameBytes(at('second.glb'), rigged)).toBe(true);
    expect(await sameBytes(at('second.svg'), picture)).toBe(true);
  });

  test('rigging the result changes nothing and says so', async () => {
    expect(again.code).toBe(0);
    expect(await sameBytes(at('again.glb'), rigged)).toBe(true);
    expect(codes(jsonOf(again))).toEqual(['nothing-to-rig']);
    expect(again.stderr).toMatch(/^warning: .*fox-rigged\.glb: every piece .* left as it is[^\n]*\n$/);
    expect(chainsIn(jsonOf(again))).toEqual([]);
    expect(jsonOf(again).pieces.map(({ kind }) => kind)).toContain('boned-tail');
  });

  test('a .gltf where the name says so, over its own input too', async () => {
    const output = at('text.gltf');
    expect((await rig(fox, '-o', output)).code).toBe(0);
    const text = await readFile(output, 'utf8');
    const { nodes } = JSON.parse(text) as { nodes: { name: string }[] };
    expect(nodes.map(({ name }) => name)).toContain('Tail_End');
    expect((await rig(output, '-o', output)).code).toBe(0);
    expect(await readFile(output, 'utf8')).toBe(text);
  });

  test('--dry-run and --svg alone write no file, -o is not missed; --unit is for what people read', async () => {
    const before = await readdir(folder);
    const [json, text] = await Promise.all([
      rig(fox, '--dry-run', '-o', at('dry.glb'), '--json', '--unit', '100'),
      rig(fox, '--dry-run', '--unit', '100'),
    ]);
    expect(await readdir(folder)).toEqual(before);
    expect([json.code, text.code]).toEqual([0, 0]);
    expect(jsonOf(json)).toEqual({ ...jsonOf(first), output: null });
    expect(text.stdout).toMatch(/^nothing written: \d+ new bones, new weights for \d+ vertices$/m);
    const { length, weightDistanceBefore, weightDistanceAfter } = jsonOf(first).pieces[0]!;
    const row = text.stdout.split('\n')[1]!;
    for (const value of [length, weightDistanceBefore, weightDistanceAfter])
      expect(row).toContain(` ${(value / 100).toFixed(3)}`);
    const drawn = await rig(fox, '--svg', at('only.svg'), '--json');
    expect([drawn.code, jsonOf(drawn).output]).toEqual([0, null]);
    expect(await sameBytes(at('only.svg'), picture)).toBe(true);
    expect(await readdir(folder)).toHaveLength(before.length + 1);
  });
});

describe('what the caller decides', () => {
  test('--rigid: the tail on the hips, no bone, nothing to simulate', async () => {
    const output = at('rigid.glb');
    const value = jsonOf(await rig(fox, '--rigid', '-o', output, '--json'));
    expect(value.pieces[0]).toMatchObject({ id: 'piece1', verdict: 'rigid', kind: 'tail', joints: [] });
    expect(value.warnings).toEqual([]);
    const { stdout } = await run('inspect', output, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ bones: 27, chains: [] });
  });

  test('--force: chain, rigid and leave, for a piece each', async () => {
    const forced = ['piece1=leave', 'piece2=chain', 'piece3=rigid'].flatMap((text) => ['--force', text]);
    const { pieces } = await dry(fox, ...forced);
    const before = jsonOf(first).pieces;
    expect(pieces.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(pieces.slice(0, 3).map(({ verdict }) => verdict)).toEqual(['left', 'chain', 'rigid']);
    expect(pieces.slice(0, 3).map(({ reason }) => reason)).toEqual(
      before.slice(0, 3).map(({ reason }) => `asked for; else: ${reason}`),
    );
    expect(pieces.slice(3)).toEqual(before.slice(3));
  });

  test('--force leave for all there is: the very bytes of the input', async () => {
    const { code, stderr } = await rig(fox, '--force', 'piece1=leave', '-o', at('left.glb'));
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: .* nothing is changed\n$/);
    expect(await sameBytes(at('left.glb'), fox)).toBe(true);
  });

  test('--force of what is not there, or has bones', async () => {
    const boned = jsonOf(again).pieces.find(({ kind }) => kind === 'boned-tail')!.id;
    const [unknown, fixed] = await Promise.all([
      rig(fox, '--dry-run', '--force', 'piece99=chain'),
      rig(rigged, '--dry-run', '--force', `${boned}=chain`),
    ]);
    expectRefused(unknown, /force piece99: there is no such piece; the file has piece1, piece2/);
    expectRefused(fixed, new RegExp(`force ${boned}=chain: it has bones already`));
  });

  test('--min-confidence: a tail off the middle is left when more is asked for', async () => {
    const file = at('leaning.glb');
    await writeFile(file, assetGltf(offMiddle(0.3).asset).glb());
    const [usual, strict] = await Promise.all([dry(file), dry(file, '--min-confidence', '0.99')]);
    expect(chainsIn(usual)).toHaveLength(1);
    expect(chainsIn(strict)).toEqual([]);
    expect(codes(strict)).toContain('nothing-to-rig');
    const { id } = chainsIn(usual)[0]!;
    expect(strict.pieces.find((piece) => piece.id === id)!.reason).toMatch(/confidence .* asked for 0\.99/);
  });
});

describe('--hair', () => {
  let girl: string;

  beforeAll(async () => {
    girl = at('girl.glb');
    await writeFile(girl, assetGltf(tufts().asset, ['Shape', 'Tufts']).glb());
  });

  test('by node, by mesh, by material: the same tuft, the others listed by number', async () => {
    const names = ['Hair', 'Tufts', 'fur material'];
    const values = await Promise.all(names.map((name) => dry(girl, '--hair', name)));
    const taken = values.map((value, i) => {
      const chains = chainsIn(value);
      expect(chains).toHaveLength(1);
      expect(chains[0]).toMatchObject({ kind: 'hair', attachment: 'mixamorig:Head' });
      expect(value.pieces.map(({ id }) => id).toSorted()).toEqual(
        [0, 1, 2].map((island) => `${names[i]}#${island}`),
      );
      expect(codes(value)).toEqual(['hair-islands']);
      return chains[0]!.joints;
    });
    expect(taken[1]).toEqual(taken[0]);
    expect(taken[2]).toEqual(taken[0]);
  });

  test('name#2 is its island 2; --joints and --attach', async () => {
    const to = ['--joints', '6', '--attach', 'mixamorig:Neck', '--force', 'Hair#2=chain'];
    const value = await dry(girl, '--hair', 'Hair#2', ...to);
    expect(value.warnings).toEqual([]);
    const [tuft, ...others] = chainsIn(value);
    expect([tuft!.id, tuft!.attachment, others]).toEqual(['Hair#2', 'mixamorig:Neck', []]);
    expect(tuft!.joints.map(({ name }) => name)).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((i) => `Hair_${i}`),
      'Hair_End',
    ]);
  });

  test('several at once; the file needs no further option', async () => {
    const output = at('girl-rigged.glb');
    const { code, stdout } = await rig(girl, '--hair', 'Hair#0', '--hair', 'Hair#1', '-o', output, '--json');
    expect(code).toBe(0);
    expect(chainsIn(JSON.parse(stdout) as RigJson).map(({ id }) => id)).toEqual(['Hair#0', 'Hair#1']);
    const { chains } = JSON.parse((await run('inspect', output, '--json')).stdout) as { chains: unknown[] };
    expect(chains).toEqual([
      expect.objectContaining({ name: 'Hair_1', attachment: 'mixamorig:Head', origin: 'hair' }),
      expect.objectContaining({ name: 'Hair2_1', attachment: 'mixamorig:Head', origin: 'hair' }),
    ]);
  });

  test('a .gltf written into another folder takes its files along', async () => {
    const file = assetGltf(tufts().asset);
    await writeFile(at('girl data.bin'), file.bin());
    await writeFile(at('girl.gltf'), file.gltf('girl%20data.bin'));
    await mkdir(at('elsewhere'));
    const [near, far] = [at('near.gltf'), at('elsewhere/far.gltf')];
    const results = await Promise.all(
      [near, far].map((output) => rig(at('girl.gltf'), '--hair', 'Hair#0', '-o', output)),
    );
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    expect(await readFile(near, 'utf8')).toContain('girl%20data.bin');
    expect(await readFile(far, 'utf8')).not.toContain('girl%20data.bin');
    expect((await run('inspect', far)).stdout).toMatch(/^Hair_1 +mixamorig:Head +hair/m);
  });

  test('what is not there is refused with what there is', async () => {
    const cases: [string[], RegExp][] = [
      [['--hair', 'Hiar'], /girl\.glb: hair Hiar: no node, mesh or material .* nearest: Hair\n/],
      [['--hair', 'Hair#3'], /hair Hair: there is no island 3; it has 3, from 0/],
      [
        ['--hair', 'Hair', '--attach', 'mixamorig:Haed'],
        /no bone is called 'mixamorig:Haed'; nearest: .*:Head/,
      ],
      [
        ['--hair', 'Hair', '--joints', '65'],
        /joints of hair Hair is 65, expected a whole number from 1 to 64/,
      ],
      [['--hair', 'Hair', '--force', 'piece1=chain'], /no such piece; the file has (Hair#[012](, |\n)){3}/],
    ];
    const results = await Promise.all(cases.map(([args]) => rig(girl, '--dry-run', ...args)));
    results.forEach((result, i) => expectRefused(result, cases[i]![1]));
  });
});

describe('nothing to do', () => {
  test.each<[string, () => Uint8Array, string[]]>([
    [
      'no skin',
      () => {
        const b = skinnedTriangle();
        delete b.json['skins'];
        delete b.json['nodes'][0].skin;
        return b.glb();
      },
      ['no-skin', 'nothing-to-rig'],
    ],
    ['one triangle', () => skinnedTriangle().glb(), ['nothing-to-rig']],
  ])('%s: exit 0, a warning, the bytes that came', async (name, make, expected) => {
    const [input, output] = [at(`${name}.glb`), at(`${name} out.glb`)];
    await writeFile(input, make());
    const result = await rig(input, '-o', output, '--json');
    expect(result.code).toBe(0);
    expect(codes(jsonOf(result))).toEqual(expect.arrayContaining(expected));
    expect(result.stderr).toMatch(/^warning: .*nothing is changed$/m);
    expect(await sameBytes(output, input)).toBe(true);
  });
});
