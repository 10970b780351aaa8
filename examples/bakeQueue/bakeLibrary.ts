/**
 * The producer: queues a job for every clip of a library, waits for the workers, and writes the baked files.
 */
import { type ClipJob, clipJobs, libraryVersion, type Settings } from './clipJob.js';
import { type Entry, finish, type Folders } from './finish.js';
import { type Connection, enqueue, failures, openQueue, untilEmpty } from './queue.js';
import { sweep } from './store.js';

/** What came of it. */
export interface LibraryResult {
  /** The jobs, in the order of files and clips. */
  jobs: ClipJob[];
  /** Their ids. */
  ids: string[];
  /** What became of each. */
  manifest: Entry[];
}

/**
 * Bakes a library; there must be workers.
 *
 * @param signal - stops the waiting, for instance because no worker is left
 */
export async function bakeLibrary(
  folders: Folders,
  settings: Settings,
  connection: Connection,
  signal: AbortSignal = new AbortController().signal,
): Promise<LibraryResult> {
  const jobs = await clipJobs(folders.library, settings);
  const queue = openQueue(connection);
  try {
    const ids = await enqueue(queue, jobs, await libraryVersion());
    await untilEmpty(queue, signal);
    await sweep(folders.store);
    return { jobs, ids, manifest: await finish(jobs, ids, folders, await failures(queue)) };
  } finally {
    await queue.close();
  }
}
