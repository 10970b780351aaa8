/** `npm run soak [-- STEPS]`: ten million steps of links, and what memory they left. */
import { soak } from './soak.js';

const steps = Number(process.argv[2] ?? 1e7);
const collect = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};
const heap: number[] = [];
const start = performance.now();
const report = soak(steps, 2, () => heap.push(collect()));
const seconds = Math.round((performance.now() - start) / 1000);
const heapGrowthBytes = heap[1]! - heap[0]!;
console.log(JSON.stringify({ ...report, seconds, heapGrowthBytes }, null, 2));
const bad = report.notFinite.length + report.leftOver.length + report.handles;
if (bad > 0 || report.rows > 2 * report.rowsEarly || heapGrowthBytes > 1_000_000) process.exitCode = 1;
