/**
 * A worker process; start as many as there are machines. The bake runs in a thread, so that this one goes on saying to
 * Redis that the worker lives: a worker that is silent for `lockDuration` counts as dead, and its job goes to another one.
 */
import { type Job, UnrecoverableError, Worker } from 'bullmq';
import { Piscina } from 'piscina';
import type { ClipOutcome, ClipTask } from './bakeClip.js';
import type { ClipJob } from './clipJob.js';
import { type Connection, queueName } from './queue.js';

/** How a worker is set up. */
export interface WorkerSetup {
  /** File that exports `bakeClip`, for the threads. */
  program: string;
  /** Folder of the files on this machine. */
  library: string;
  /** Folder of the results on this machine. */
  store: string;
  /** Where Redis is. */
  connection: Connection;
  /** Jobs at the same time, default 1. */
  threads?: number;
  /** Called when a job begins and when it has ended. */
  onJob?: (id: string, what: 'begun' | 'baked' | 'left' | 'there') => void;
}

/** Works until it is closed. */
export function startWorker(setup: WorkerSetup): { close: () => Promise<void> } {
  const { program, library, store, connection, threads = 1, onJob } = setup;
  const pool = new Piscina<ClipTask, ClipOutcome>({
    filename: program,
    name: 'bakeClip',
    maxThreads: threads,
  });
  const work = async (job: Job<ClipJob>): Promise<void> => {
    const id = job.id!;
    onJob?.(id, 'begun');
    const outcome = await pool.run({ job: job.data, id, library, store });
    if ('hopeless' in outcome) throw new UnrecoverableError(outcome.hopeless);
    onJob?.(id, outcome.done);
  };
  const worker = new Worker<ClipJob>(queueName, work, {
    connection,
    concurrency: threads,
    lockDuration: 3000,
    stalledInterval: 1000,
    // A job that ends every worker it comes to must not go round for ever.
    maxStalledCount: 3,
  });
  worker.on('error', (error) => console.error(`worker: ${error.message}`));
  return {
    close: async () => {
      await worker.close();
      await pool.destroy();
    },
  };
}
