/**
 * The library runs every case of test/vectors: from a GLB through the reader to the pose that is shown. Where the vectors
 * ask for less than the library promises (contact), the promise is tested.
 */
import { describe, expect, it } from 'vitest';
import { len, sub } from '../../support/referenceMath.js';
import { collision } from '../../vectors/make/springLoop.js';
import { unmoved } from '../../vectors/make/tree.js';
import type { VectorFile } from '../../vectors/make/model.js';
import { casesOf, fileNames, load, playCase, textOf, worst } from './support.js';

/** What the library reads where the specifications leave it open. */
const ownReading = 'both are scaled';

describe.each(fileNames)('%s', (name) => {
  it.each(casesOf(name).map((given) => [given.name, given] as const))('%s', async (_, given) => {
    const { expected, readings = {}, invariants, tolerance } = given;
    const { frames, said } = await playCase(given);
    expect(said).toEqual([]);
    if (expected) {
      const { metres, radians } = worst(expected, frames);
      expect(metres).toBeLessThan(tolerance.metres);
      expect(radians).toBeLessThan(tolerance.radians);
    }
    const read = Object.keys(readings).filter((key) => {
      const { metres, radians } = worst(readings[key]!, frames);
      return metres < tolerance.metres && radians < tolerance.radians;
    });
    expect(read).toEqual(given.readings ? [ownReading] : []);
    if (!invariants) return;
    for (const { positions } of frames.slice(invariants.frames[0] - 1, invariants.frames[1])) {
      for (const { from, to, metres } of invariants.lengths)
        expect(Math.abs(len(sub(positions[to]!, positions[from]!)) - metres)).toBeLessThan(1e-12);
      for (const { node, world, hitRadius, atLeastMetres } of invariants.clearances) {
        const gap = collision(unmoved, world, positions[node]!).distance - hitRadius;
        expect(gap).toBeGreaterThan(atLeastMetres);
        expect(gap).toBeGreaterThan(-1e-6);
      }
    }
  });
});

it('the runner in the README runs them, and sees what is wrong', async () => {
  const [, code] = /```js\n([^]*?)```/.exec(textOf('README.md'))!;
  const { run } = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code!)}`)) as {
    run: (file: VectorFile, loader: typeof load) => Promise<string[]>;
  };
  for (const name of fileNames) {
    const file = JSON.parse(textOf(name)) as VectorFile;
    expect(await run(file, load)).toEqual([]);
    for (const { expected, readings, invariants } of file.cases) {
      for (const { frames } of [...(expected ? [expected] : []), ...Object.values(readings ?? {})]) {
        const { positions, rotations } = frames.at(-1)!;
        if (positions[0]) positions[0][0] += 1e-8;
        else rotations[0]![0] += 1e-7;
      }
      if (invariants) invariants.lengths[0]!.metres += 1e-8;
    }
    expect(await run(file, load)).toEqual(file.cases.map((given) => given.name));
  }
});
