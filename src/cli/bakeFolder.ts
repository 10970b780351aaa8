/**
 * `followthrough bake FOLDER -o OUT`: many files, one task each, in worker threads (Piscina) or, with `--threads 1`,
 * here. A file is baked by the same function wherever it runs, and reports are kept in the order of the files, so that
 * neither files nor reports can tell how many threads there were. Only this thread writes.
 */
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FollowthroughError, type Warning } from '../asset/index.js';
import type { ClipReport } from '../io/bake/index.js';
import type { BakeFlags } from './bakeFile.js';
import { type BakeOutcome, type BakeTask, bakeTask, type Fault, faultOf } from './bakeWorker.js';
import { failThreshold, naming } from './errors.js';
import { writeOutput } from './files.js';
import { holdSignals } from './holdSignals.js';
import { type FilePair, models, pairFiles } from './manyFiles.js';
import { openLoops } from './openLoops.js';
import { counted, figure, print, printJson, printWarnings, table } from './output.js';
import { createProgress } from './progress.js';

/** What `--json` says about a file. */
type FileReport = { file: string } & (
  | { output: string; clips: ClipReport[]; warnings: Warning[] }
  | { passedOver: Fault }
  | { error: Fault }
);

/** What bakes a file: this thread, or a pool of others. */
interface Bakery {
  bake: (task: BakeTask) => Promise<BakeOutcome>;
  close: () => Promise<void>;
}

/**
 * Bakes files and folders into a folder. What is wrong with one file does not stop the others; the exit code says it.
 *
 * @throws FollowthroughError before anything is written, when paths make no sense
 */
export async function bakeFolder(inputs: readonly string[], flags: BakeFlags): Promise<void> {
  const pairs = await pairFiles(inputs, models, flags.output);
  const threads = Math.min(flags.threads ?? availableParallelism(), pairs.length);
  const bakery = await openBakery(threads);
  const progress = createProgress();
  const hold = holdSignals();
  const files: FileReport[] = [];
  let done = 0;
  try {
    await inLanes(threads, pairs.length, async (index) => {
      const pair = pairs[index]!;
      progress.update(done / pairs.length, `${done} of ${pairs.length} files, ${pair.file}`);
      const outcome = await bakery.bake({ ...pair, flags });
      files[index] = await hold(() => kept(pair, outcome));
      done++;
    });
  } finally {
    progress.stop();
    await bakery.close();
  }
  report(files, flags);
}

async function openBakery(threads: number): Promise<Bakery> {
  if (threads === 1) return { bake: bakeTask, close: async () => {} };
  const { Piscina } = await import('piscina');
  const pool = new Piscina<BakeTask, BakeOutcome>({
    filename: fileURLToPath(new URL('./bakeWorker.js', import.meta.url)),
    name: 'bakeTask',
    minThreads: threads,
    maxThreads: threads,
  });
  return {
    // A thread that ends, for want of memory for instance, is a fault of this file; the pool starts another one.
    bake: (task) => pool.run(task).catch((error: unknown) => ({ error: faultOf(task.file, error) })),
    close: () => pool.destroy(),
  };
}

/** Works on 0..count-1 in order, so many at a time. */
async function inLanes(lanes: number, count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Writes what was baked; what is kept of a file is its report. */
async function kept({ file, output }: FilePair, outcome: BakeOutcome): Promise<FileReport> {
  if (!('bytes' in outcome)) return { file, ...outcome };
  try {
    await naming(file, async () => {
      await makeFolder(dirname(output));
      await writeOutput(output, outcome.bytes);
    });
  } catch (error) {
    return { file, error: faultOf(file, error) };
  }
  return { file, output, clips: outcome.clips, warnings: outcome.warnings };
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    const why = (error as Error).message.split('\n')[0]!;
    throw new FollowthroughError('invalid-argument', `${path}: cannot be made, ${why}`);
  }
}

function report(files: readonly FileReport[], { output, json, requireLoop }: BakeFlags): void {
  const baked = files.filter((entry) => 'clips' in entry);
  const passedOver = files.filter((entry) => 'passedOver' in entry);
  const failed = files.filter((entry) => 'error' in entry);
  const counts = { baked: baked.length, passedOver: passedOver.length, failed: failed.length };
  if (json) printJson({ output, ...counts, files });
  else {
    if (baked.length > 0) print(table(['file', 'clips', 'loops', 'keys', 'error deg'], baked.map(rowOf)), '');
    const faults = [
      passedOver.length > 0 ? `${passedOver.length} passed over` : '',
      failed.length > 0 ? `${failed.length} failed` : '',
    ].filter(Boolean);
    print(`${output}: ${[`${counted(baked.length, 'file')} baked`, ...faults].join(', ')}`);
  }
  // What matters most comes last, where it is read.
  for (const { file, warnings } of baked)
    printWarnings(warnings.map((warning) => ({ ...warning, at: placeOf(file, warning) })));
  for (const { passedOver: fault } of passedOver) process.stderr.write(`passed over: ${fault.message}\n`);
  if (requireLoop)
    for (const { file, clips } of baked) for (const why of openLoops(clips)) failThreshold(`${file}: ${why}`);
  for (const { error } of failed) process.stderr.write(`error: ${error.message}\n`);

  if (failed.length > 0)
    throw new FollowthroughError(
      'invalid-file',
      `${failed.length} of ${counted(files.length, 'file')} cannot be baked`,
    );
  if (baked.length === 0 && passedOver.some((entry) => entry.passedOver.code === 'unknown-name'))
    throw new FollowthroughError(
      'unknown-name',
      `${output}: no file has what --clip, --chain and --set name`,
    );
}

function rowOf({ file, clips }: { file: string; clips: ClipReport[] }): string[] {
  return [
    file,
    String(clips.length),
    String(clips.filter(({ loop }) => loop).length),
    String(clips.reduce((sum, clip) => sum + clip.keys, 0)),
    figure(Math.max(...clips.map((clip) => clip.maxErrorDeg)), 3),
  ];
}

/** Where a warning belongs among many files; the message of some says the place itself. */
function placeOf(file: string, { at, message }: Warning): string {
  return at === file || message.startsWith(`${at}:`) ? file : `${file}: ${at}`;
}
