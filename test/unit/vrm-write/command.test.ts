/** `followthrough springs`: what is printed and written, and that nothing is on bad input. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeGlb } from '../../../src/io/gltf/container.js';
import { inFolder, run, type Run } from '../cli/support/run.js';
import { row } from '../vrm/support.js';
import { fileOf, said } from './support.js';

const glb = (nodes: object[], extensions?: object): Uint8Array => writeGlb(fileOf(nodes, extensions));
const springs = [
  { name: 'hair.front', joints: [{ node: 0, stiffness: 4 }, { node: 1, stiffness: 2 }, { node: 2 }] },
  { name: 'skirt', joints: [{ node: 3 }, { node: 4 }] },
];
const NEW = glb(row(5), { VRMC_springBone: { specVersion: '1.0', springs } });
const OLD = glb(row(2), { VRM: { secondaryAnimation: { boneGroups: [{ comment: 'tail', bones: [0] }] } } });

const work = (use: (at: (name: string) => string) => Promise<void>): Promise<void> =>
  inFolder(async (folder) => {
    const at = (name: string): string => join(folder, name);
    await writeFile(at('new.vrm'), NEW);
    await writeFile(at('old.vrm'), OLD);
    await writeFile(at('bare.glb'), glb(row(2)));
    await use(at);
  });
const printed = ({ stdout }: Run): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

describe('followthrough springs', () => {
  test('lists; writes what --set says, by name, by root bone and for all', () =>
    work(async (at) => {
      const list = await run('springs', at('new.vrm'));
      expect([list.code, list.stderr]).toEqual([0, '']);
      expect(list.stdout).toMatch(/hair\.front +n0 +2 +4 > 2 +0 +0\.5 +0 +0\nskirt +n3 +1 +1 /);
      expect(list.stdout).toMatch(/nothing written: 2 springs, 0 colliders\n$/);

      const sets = ['*.dragForce=0.25', 'hair.front.stiffness=3,1.5', 'n3.gravityDir=0,0,2'];
      const args = sets.flatMap((set) => ['--set', set]);
      const tuned = await run('springs', at('new.vrm'), '-o', at('tuned.vrm'), '--json', ...args);
      expect([tuned.code, tuned.stderr]).toEqual([0, '']);
      expect(printed(tuned)).toEqual({
        file: at('new.vrm'),
        output: at('tuned.vrm'),
        source: 'springbone',
        changed: true,
        migrated: false,
        springs: [
          {
            ...{ name: 'hair.front', bones: ['n0', 'n1'], end: 'n2', center: null, colliderGroups: [] },
            ...{ hitRadius: [0, 0], stiffness: [3, 1.5], gravityPower: [0, 0] },
            ...{ gravityDir: [0, 1].map(() => [0, -1, 0]), dragForce: [0.25, 0.25] },
          },
          {
            ...{ name: 'skirt', bones: ['n3'], end: 'n4', center: null, colliderGroups: [] },
            ...{
              hitRadius: [0],
              stiffness: [1],
              gravityPower: [0],
              gravityDir: [[0, 0, 1]],
              dragForce: [0.25],
            },
          },
        ],
        colliders: [],
        ends: [],
        warnings: [],
      });
      const [hair, skirt] = (await said(await readFile(at('tuned.vrm')))).springs;
      expect(hair!.joints.map(({ stiffness, dragForce }) => [stiffness, dragForce])).toEqual([
        [3, 0.25],
        [1.5, 0.25],
      ]);
      expect(skirt!.joints[0]).toMatchObject({ gravityDir: [0, 0, 1], dragForce: 0.25 });
    }));

  test('nothing to change: the very bytes', () =>
    work(async (at) => {
      const { code, stdout } = await run('springs', at('new.vrm'), '-o', at('same.vrm'));
      expect(code).toBe(0);
      expect(stdout).toMatch(/same\.vrm: 2 springs, 0 colliders, nothing to change\n$/);
      expect(await readFile(at('same.vrm'))).toEqual(Buffer.from(NEW));
    }));

  test('a VRM 0.x gets the springs of 1.0 beside its own', () =>
    work(async (at) => {
      const { code, stdout, stderr } = await run('springs', at('old.vrm'), '-o', at('moved.vrm'));
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /moved\.vrm: 1 spring, 0 colliders, VRMC_springBone 1\.0 beside VRM 0\.x, 1 new end node\n$/,
      );
      expect(stderr).toBe('warning: /extensions/VRM: springs written as 1.0; the old ones stay\n');
      const { source, springs: moved } = await said(await readFile(at('moved.vrm')));
      expect([source, moved[0]!.name, moved[0]!.end]).toEqual(['springbone', 'tail', 2]);
    }));

  test.each<[string, string[], RegExp]>([
    ['a file without springs', ['bare.glb'], /bare\.glb: \/extensions: expected VRM, VRMC_vrm/],
    ['no such file', ['none.vrm'], /none\.vrm: there is no such file/],
    [
      'no such spring',
      ['new.vrm', '--set', 'x.stiffness=1'],
      /--set x\.stiffness=1: there is no spring x; the file has hair\.front, n0, skirt, n3/,
    ],
    [
      'no such value',
      ['new.vrm', '--set', '*.stiffiness=1'],
      /stiffiness is no value of a spring, expected hitRadius/,
    ],
    ['no value', ['new.vrm', '--set', '*.stiffness'], /expected spring\.value=x/],
    ['no number', ['new.vrm', '--set', '*.stiffness=1,'], /expected a number, or several/],
    ['a direction of two numbers', ['new.vrm', '--set', '*.gravityDir=1,0'], /expected three numbers/],
    [
      'a number out of range',
      ['new.vrm', '--set', '*.dragForce=2'],
      /new\.vrm: --set \*\.dragForce=2: 2, expected a number from 0 to 1/,
    ],
    [
      'too many numbers',
      ['new.vrm', '--set', 'skirt.dragForce=0,1'],
      /new\.vrm: --set skirt\.dragForce=0,1: 2 numbers for the 1 joints of 'skirt'/,
    ],
  ])('%s: exit code 2, one line, nothing written', (_, [file, ...args], says) =>
    work(async (at) => {
      const result = await run('springs', at(file!), '-o', at('out.vrm'), ...args);
      expect(result.stdout).toBe('');
      expect(result.stderr).toMatch(/^error: [^\n]+\n$/);
      expect(result.stderr).toMatch(says);
      expect(result.code).toBe(2);
      expect((await readdir(at('.'))).toSorted()).toEqual(['bare.glb', 'new.vrm', 'old.vrm']);
    }),
  );
});
