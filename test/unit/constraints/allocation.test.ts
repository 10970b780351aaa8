/** K27: a tick with constraints allocates nothing: the heap of a separate process does not grow while it runs. */
import { expect, it } from 'vitest';
import { runBundled } from '../../support/fixturesProcess.js';

it('K27: a tick of characters with constraints of every kind allocates nothing', () => {
  const [printed] = runBundled(new URL('heap.ts', import.meta.url), [
    ['--expose-gc', '--max-semi-space-size=64'],
  ]);
  const { ticks, grown } = JSON.parse(printed!) as { ticks: number; grown: number[] };
  console.log(
    `heap growth per tick, window by window: ${grown.map((g) => (g / ticks).toFixed(1)).join(', ')} bytes`,
  );
  // Reading the heap costs a kilobyte by itself; one number boxed per tick would be 12 bytes a tick.
  expect(Math.min(...grown) / ticks).toBeLessThan(2);
});
