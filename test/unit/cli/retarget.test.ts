/** `followthrough retarget`: a made-up walk onto the project's fox, and what makes no sense said in one line. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foxWithTailGlb } from '../../../examples/characters/fox.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { clearance } from '../../../src/retarget/index.js';
import { errorsOf, jsonOf } from '../../support/gltfBuilder.js';
import { walkerBvh } from '../../support/walkerBvh.js';
import { run } from './support/run.js';

let folder: string;
let fox: string;
let walk: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'followthrough-'));
  fox = join(folder, 'fox.glb');
  walk = join(folder, 'stride.bvh');
  await writeFile(fox, await foxWithTailGlb());
  await writeFile(walk, walkerBvh(31));
});

afterAll(() => rm(folder, { recursive: true }));

describe('followthrough retarget', () => {
  it('adds the clip to the file, whose other parts stay', async () => {
    const out = join(folder, 'fox-strides.glb');
    const { code, stdout, stderr } = await run('retarget', walk, fox, '-o', out);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: .*stride\.bvh: the rest pose does not stand on the ground.*\n$/);
    expect(stdout).toMatch(/bones mapped: hips, .*leftUpperLeg/);
    expect(stdout).toContain('stride: 1.00 s, 31 keys');
    const [before, after] = [await readFile(fox), await readFile(out)];
    expect(await errorsOf(after)).toEqual(await errorsOf(before));
    const [old, now] = [jsonOf(before), jsonOf(after)];
    for (const key of Object.keys(old))
      if (key !== 'buffers') expect(now[key].slice?.(0, old[key].length) ?? now[key]).toEqual(old[key]);
    const { clips, skeleton } = await loadGltf(after);
    const stride = clips.at(-1)!;
    expect(stride.name).toBe('stride');
    const moved = stride.tracks.filter(({ path }) => path === 'translation');
    expect(moved.map(({ bone }) => skeleton.names[bone])).toEqual(['mixamorig:Hips']);
    // 1.4 m of a body with legs of 82 cm: as many leg lengths on the fox.
    const hips = moved[0]!.values;
    expect(Math.abs(hips[hips.length - 1]! - hips[2]!)).toBeGreaterThan(0.1);
    const again = await run('retarget', walk, fox, '-o', join(folder, 'again.glb'));
    expect(again.code).toBe(0);
    expect(Buffer.compare(after, await readFile(join(folder, 'again.glb')))).toBe(0);
  });

  it('prints JSON, names the clip, sets keys, takes bones and modes', async () => {
    const out = join(folder, 'named.gltf');
    const options = [
      '--name',
      'Stride',
      '--fps',
      '10',
      '--mode',
      'leftFoot=match',
      '--target-bone',
      'chest=mixamorig:Spine1',
    ];
    const { code, stdout } = await run(
      'retarget',
      walk,
      fox,
      '-o',
      out,
      '--json',
      ...options,
      '--source-pose',
      'stride:0',
    );
    expect(code).toBe(0);
    const value = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['source', 'file', 'output', 'bones', 'scale', 'clips', 'warnings']);
    expect(value['clips']).toEqual([{ name: 'Stride', duration: 1, keys: 11, lift: null }]);
    expect(value['bones']).toContainEqual({ role: 'chest', source: 'Spine1', target: 'mixamorig:Spine1' });
    expect((await loadGltf(await readFile(out))).clips.at(-1)!.name).toBe('Stride');
  });

  it('keeps the body on the ground when asked to', async () => {
    const out = join(folder, 'ground.glb');
    const plain = await run('retarget', walk, fox, '-o', out, '--json');
    const grounded = await run('retarget', walk, fox, '-o', out, '--json', '--ground');
    const lift = (text: string): number | null =>
      (JSON.parse(text) as { clips: { lift: number | null }[] }).clips[0]!.lift;
    expect(lift(plain.stdout)).toBeNull();
    expect(lift(grounded.stdout)).toBeGreaterThanOrEqual(0);
    const { clips, ...fox1 } = await loadGltf(await readFile(out));
    const stride = clips.at(-1)!;
    expect(Math.min(...clearance({ ...fox1, clips }, stride, stride.tracks[0]!.times))).toBeGreaterThan(
      -1e-6,
    );
  });

  it('takes the clips of a glTF file, all or some', async () => {
    const out = join(folder, 'same.glb');
    const none = await run('retarget', fox, fox, '-o', out);
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(/fox\.glb: clip 'Walk': the file has one of that name already/);
    const one = await run('retarget', fox, fox, '-o', out, '--clip', 'walk', '--name', 'Walk2');
    expect([one.code, one.stderr]).toEqual([0, '']);
    const { clips } = await loadGltf(await readFile(out));
    expect(clips.map(({ name }) => name)).toContain('Walk2');
  });

  it.each<[string[], RegExp]>([
    [['stride.bvh', '-o', 'x.glb'], /missing required argument 'character'/],
    [['stride.bvh', 'fox.glb'], /-o, --output <file>' not specified/],
    [['stride.bvh', 'fox.glb', '-o', 'x.bvh'], /expected a name that ends in \.glb, \.vrm or \.gltf/],
    [['none.bvh', 'fox.glb', '-o', 'x.glb'], /none\.bvh: there is no such file/],
    [['stride.bvh', 'none.glb', '-o', 'x.glb'], /none\.glb: there is no such file/],
    [['fox.glb', 'stride.bvh', '-o', 'x.glb'], /stride\.bvh: /],
    [['stride.bvh', 'fox.glb', '-o', 'x.glb', '--clip', 'Fly'], /--clip Fly fits no clip: stride/],
    [['fox.glb', 'fox.glb', '-o', 'x.glb', '--name', 'All'], /--name All: names one clip/],
    [['stride.bvh', 'fox.glb', '-o', 'x.glb', '--source-bone', 'hips'], /expected role=bone/],
    [
      ['stride.bvh', 'fox.glb', '-o', 'x.glb', '--source-bone', 'hips=Nose'],
      /hips: .*stride\.bvh has no bone 'Nose'/,
    ],
    [
      ['stride.bvh', 'fox.glb', '-o', 'x.glb', '--source-bone', 'nose=Head'],
      /nose: is no bone of a human body/,
    ],
    [
      ['stride.bvh', 'fox.glb', '-o', 'x.glb', '--mode', 'nose=delta'],
      /modes: 'nose' is no bone of a human body/,
    ],
    [['stride.bvh', 'fox.glb', '-o', 'x.glb', '--mode', 'hips=wild'], /expected role=match or role=delta/],
    [['stride.bvh', 'fox.glb', '-o', 'x.glb', '--source-pose', 'T'], /expected bind, or clip:seconds/],
    [['stride.bvh', 'fox.glb', '-o', 'x.glb', '--source-pose', 'T:0'], /has no clip 'T'/],
    [['finger.bvh', 'fox.glb', '-o', 'x.glb'], /no bone of a body is known in both/],
  ])('%j: exit code 2, one line, nothing written', async (args, message) => {
    await writeFile(
      join(folder, 'finger.bvh'),
      'ROOT a { OFFSET 0 0 0 CHANNELS 1 Yposition } MOTION Frames: 1 Frame Time: 1 0',
    );
    const before = await readdir(folder);
    const paths = args.map((arg) => (/^\w+\.(?:bvh|glb)$/.test(arg) ? join(folder, arg) : arg));
    const { code, stdout, stderr } = await run('retarget', ...paths);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(await readdir(folder)).toEqual(before);
  });
});
