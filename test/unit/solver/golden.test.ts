/** One scene, one hash: whatever compiles the code, and with every version until the maths changes on purpose. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runBundled } from '../../support/fixturesProcess.js';

const committed = fileURLToPath(new URL('golden.json', import.meta.url));

describe('the golden scene', () => {
  const [compiled, interpreted, sparse] = runBundled(
    new URL('../../support/fixturesGolden.ts', import.meta.url),
    [[], ['--jitless'], ['--no-opt']],
  );

  it('gives the same bits with and without a compiler', () => {
    expect(compiled).toMatch(/^[0-9a-f]{64}$/);
    expect(interpreted).toBe(compiled);
    expect(sparse).toBe(compiled);
  });

  it.runIf(existsSync(committed))('gives the committed hash', () => {
    const { sha256 } = JSON.parse(readFileSync(committed, 'utf8')) as { sha256: string };
    expect(compiled).toBe(sha256);
  });
});
