/**
 * The queue: its name, how jobs get into it, and waiting until it is empty. A job is tried three times; its place in Redis
 * is free again when it is done, since the store is what knows what is done.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { type ClipJob, jobId } from './clipJob.js';

/** Name of the queue in Redis. */
export const queueName = 'bake';

/** Where Redis is. */
export interface Connection {
  /** Host, default 127.0.0.1. */
  host?: string;
  /** Port. */
  port: number;
}

/** Opens the queue. */
export function openQueue(connection: Connection): Queue<ClipJob> {
  const queue = new Queue<ClipJob>(queueName, {
    connection,
    defaultJobOptions: {
      attempts: 3,
      backoff: { type: 'exponential', delay: 500 },
      removeOnComplete: true,
    },
  });
  // It goes on trying to reach Redis.
  queue.on('error', (error) => console.error(`queue: ${error.message}`));
  return queue;
}

/**
 * Queues jobs under their ids. One that is queued already is not queued twice, one that failed before gets another try.
 *
 * @returns ids in the order of the jobs
 */
export async function enqueue(
  queue: Queue<ClipJob>,
  jobs: readonly ClipJob[],
  version: string,
): Promise<string[]> {
  const ids = jobs.map((job) => jobId(job, version));
  // A job that is being worked on stays.
  for (const id of ids) await queue.remove(id);
  await queue.addBulk(
    jobs.map((data, i) => ({ name: `${data.file} ${data.name}`, data, opts: { jobId: ids[i]! } })),
  );
  return ids;
}

/** Waits until nothing is queued, worked on or waiting for its next try. */
export async function untilEmpty(queue: Queue<ClipJob>, signal: AbortSignal): Promise<void> {
  while ((await queue.getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized')) > 0)
    await pause(50, undefined, { signal });
}

/** Reasons of the jobs that were given up, by id. */
export async function failures(queue: Queue<ClipJob>): Promise<Map<string, string>> {
  const jobs = await queue.getFailed();
  return new Map(jobs.map(({ id, failedReason }) => [id!, failedReason]));
}
