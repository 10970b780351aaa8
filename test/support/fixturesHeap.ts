/**
 * Runs many ticks and prints by how many bytes the heap grew in each of several windows without any collection. The
 * first windows still run in the interpreter, which boxes every number; what counts is the calmest.
 */
import { mixedScene } from './fixturesScene.js';

declare const gc: () => void;

const { tick } = mixedScene(32);
const ticks = 2000;
const grown: number[] = [];
for (let window = 0; window < 10; window++) {
  gc();
  const before = process.memoryUsage().heapUsed;
  for (let k = 0; k < ticks; k++) tick();
  grown.push(process.memoryUsage().heapUsed - before);
}
process.stdout.write(JSON.stringify({ ticks, grown }));
