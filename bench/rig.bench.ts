/**
 * The rig pass on generated characters of 6,000 to 500,000 welded points (a million triangles) and on real files: time
 * by stage, growth against n log n, peak memory. Bounds: 6,000 points under 0.4 s, 30,000 under 1.5 s of one core.
 * Every character has a process of its own, which reads it as `loadGltf` would give it, and plans.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Asset } from '../src/index.js';
import { loadGltf } from '../src/io/gltf/index.js';
import { planRig } from '../src/io/rig/index.js';
import { makers } from './rigCharacters.js';

const sizes = [6_000, 30_000, 100_000, 500_000];
/** Seconds of one core allowed, by welded points. */
const bounds: Readonly<Record<number, number>> = { 6000: 0.4, 30000: 1.5 };
const derived = '../shared/data/derived';
/** The rest of the runs is left out once so much time has passed ... */
const patienceMs = 5000;
/** ... and larger characters where a run takes longer than this. */
const slowMs = 8000;
const warmRuns = 5;

/** What a process found out about one character. */
interface Figures {
  points: number;
  triangles: number;
  /** Chains that were planned. */
  chains: number;
  /** First run, then those that followed, ms. */
  runs: number[];
  /** Time by stage, ms, of the run with the median time. */
  stages: [string, number][];
  /** Peak of resident memory during the first run over what it was before, bytes. */
  peak: number;
}

const median = <T>(list: readonly T[], value: (item: T) => number): T =>
  list.toSorted((a, b) => value(a) - value(b))[list.length >> 1]!;

/** Processor time of this process, ms: other programs on the machine disturb it less than the clock on the wall. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Plans one character a few times. */
function measure(asset: Asset): Figures {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let figures: Figures | undefined;
  const timed: { ms: number; stages: [string, number][] }[] = [];
  const begin = cpuMs();
  while (timed.length === 0 || (timed.length <= warmRuns && cpuMs() - begin < patienceMs)) {
    const stages: [string, number][] = [];
    let stage = 'roles';
    const start = cpuMs();
    let since = start;
    const enter = (what: string): void => {
      const now = cpuMs();
      const last = stages.at(-1);
      if (last?.[0] === stage) last[1] += now - since;
      else stages.push([stage, now - since]);
      // Numbers of protrusions and the like make no stages.
      stage = what.replaceAll(/\W*\d.*/g, '');
      since = now;
    };
    const plan = planRig(asset, { onProgress: (_, what) => enter(what) });
    enter('');
    timed.push({ ms: since - start, stages });
    figures ??= {
      points: plan.surface.count,
      triangles: plan.surface.triangles.length / 3,
      chains: plan.pieces.filter(({ report }) => report.verdict === 'chain').length,
      runs: [],
      stages: [],
      peak: process.resourceUsage().maxRSS * 1024 - before,
    };
  }
  const later = timed.length > 1 ? timed.slice(1) : timed;
  return {
    ...figures!,
    runs: timed.map(({ ms }) => ms),
    stages: median(later, ({ ms }) => ms).stages,
  };
}

/** Runs {@link measure} in a process of its own; gives the reason when that ends without a result. */
function measureApart(file: string): Figures | string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--enable-source-maps', '--expose-gc', process.argv[1]!, file],
    { encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  if (status === 0) return JSON.parse(stdout) as Figures;
  return stderr.split('\n').find((text) => /error/i.test(text)) ?? `ended with ${status ?? 'a signal'}`;
}

const cell = (text: string, width: number): string => text.padStart(width);
const seconds = (ms: number): string => (ms / 1000).toFixed(ms < 995 ? 3 : 2);
const typical = ({ runs }: Figures): number => median(runs.length > 1 ? runs.slice(1) : runs, (ms) => ms);

function head(): void {
  console.log(
    `${'character'.padEnd(28)}${['points', 'triangles', 'chains', 'first s', 'warm s', 'growth', 'peak MB', 'B/point'].map((name) => cell(name, 10)).join('')}  stages, ms`,
  );
}

/** Growth is the power of n log n: 1 where doubling n log n doubles the time. */
function line(name: string, figures: Figures | string, smaller?: Figures): void {
  if (typeof figures === 'string') {
    console.log(`${name.padEnd(28)}${cell('failed', 10)}  ${figures}`);
    return;
  }
  const { points, triangles, chains, runs, stages, peak } = figures;
  const nLogN = (n: number): number => n * Math.log(n);
  const growth = smaller
    ? Math.log(typical(figures) / typical(smaller)) / Math.log(nLogN(points) / nLogN(smaller.points))
    : NaN;
  const numbers = [
    String(points),
    String(triangles),
    String(chains),
    seconds(runs[0]!),
    runs.length > 1 ? seconds(typical(figures)) : '-',
    smaller ? growth.toFixed(2) : '-',
    (peak / 2 ** 20).toFixed(0),
    (peak / points).toFixed(0),
  ];
  const parts = stages.map(([stage, ms]) => `${stage} ${ms.toFixed(0)}`);
  console.log(`${name.padEnd(28)}${numbers.map((text) => cell(text, 10)).join('')}  ${parts.join(', ')}`);
}

function generated(): void {
  const folder = mkdtempSync(join(tmpdir(), 'followthrough-'));
  const file = join(folder, 'asset.bin');
  try {
    for (const [name, make] of Object.entries(makers)) {
      let smaller: Figures | undefined;
      for (const size of sizes) {
        writeFileSync(file, serialize(make(size)));
        const figures = measureApart(file);
        line(typeof figures === 'string' ? `${name}, ${size}` : name, figures, smaller);
        if (typeof figures === 'string') break;
        const bound = bounds[size] ?? Infinity;
        if (figures.runs[0]! > 1000 * bound)
          console.log(`  first run (code not yet warm) above the bound of ${bound} s for ${size} points`);
        smaller = figures;
        if (typical(figures) < slowMs || size === sizes.at(-1)) continue;
        console.log(
          `  more than ${figures.points} points are left out: a run takes ${seconds(typical(figures))} s`,
        );
        break;
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function realFiles(): void {
  if (!existsSync(derived)) {
    console.log(`${derived} is missing: real files are left out`);
    return;
  }
  const files = readdirSync(derived).filter((file) => /_ablated\.glb$|^seedsan_rebuilt\.vrm$/.test(file));
  for (const file of files.toSorted()) line(file, measureApart(join(derived, file)));
}

const argument = process.argv[2];
if (argument === undefined) {
  head();
  generated();
  realFiles();
} else {
  const bytes = readFileSync(argument);
  const asset = argument.endsWith('.bin')
    ? (deserialize(bytes) as Asset)
    : await loadGltf(bytes, { name: basename(argument) });
  console.log(JSON.stringify(measure(asset)));
}
