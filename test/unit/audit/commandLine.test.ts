/** What all three commands share: --help, --chain, --unit, one JSON value on stdout; clips without a name. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foxWithTailGlb } from '../../../examples/characters/fox.js';
import { run } from '../cli/support/run.js';

let folder: string;
let fox: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'followthrough-'));
  fox = join(folder, 'fox.glb');
  await writeFile(fox, await foxWithTailGlb());
}, 60_000);

afterAll(() => rm(folder, { recursive: true }));

/** Arguments that make a command run on the fox. */
const least = (command: string): string[] => [
  command,
  fox,
  ...(command === 'inspect' ? [] : ['--clip', 'Idle']),
  ...(command === 'bake' ? ['-o', join(folder, 'out.glb')] : []),
];

describe.each(['inspect', 'bake', 'measure'])('%s', (command) => {
  test('--help names --chain, --unit and --json', async () => {
    const { code, stdout, stderr } = await run(command, '--help');
    expect([code, stderr]).toEqual([0, '']);
    for (const option of ['--chain', '--unit', '--json', '--help']) expect(stdout).toContain(option);
  });

  test('--chain takes the root bone of a chain, --json prints one value and nothing else', async () => {
    const { code, stdout } = await run(...least(command), '--chain', 'Tail_2', '--json');
    expect(code).toBe(0);
    const value = JSON.parse(stdout) as { chains?: { name: string; links?: string[] }[]; clips?: unknown[] };
    if (command === 'inspect') expect(value.chains![0]!.links).toEqual(['Tail_2', 'Tail_3', 'Tail_4']);
    if (command === 'measure') expect(value.chains!.map(({ name }) => name)).toEqual(['Tail_2']);
    if (command === 'bake') expect(value.clips).toHaveLength(1);
  });

  test('--unit is how many file units a metre has; warnings go to stderr', async () => {
    const { code, stdout, stderr } = await run(...least(command), '--unit', '0.01', '--json');
    expect(code).toBe(0);
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    if (command === 'inspect') expect(stderr).toMatch(/^warning: /);
  });
});

test('unnamed clips are #0, #1', async () => {
  const bytes = await foxWithTailGlb();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  const text = new TextDecoder().decode(bytes.subarray(20, 20 + length));
  // The same length of text, so that the file stays as it is around it.
  const nameless = text
    .replace('"name":"Walk"', '"nams":"Walk"')
    .replace('"name":"Sprint"', '"nams":"Sprint"');
  bytes.set(new TextEncoder().encode(nameless), 20);
  const file = join(folder, 'nameless.glb');
  await writeFile(file, bytes);
  const { stdout } = await run('inspect', file, '--json');
  const { clips } = JSON.parse(stdout) as { clips: { name: string }[] };
  expect(clips.map(({ name }) => name)).toEqual(['#0', '#1', 'Crouch', 'BackFlip', 'Idle']);
  expect((await run('measure', file, '--clip', '#1', '--samples', '2', '--json')).code).toBe(0);
});
