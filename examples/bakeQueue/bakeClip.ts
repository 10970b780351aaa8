/**
 * What a job does, in a thread of its worker: it bakes one clip and keeps the result. Doing it again does nothing. What
 * would go wrong again, however often it is tried, comes back as data (a thrown error is tried again by the queue).
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FollowthroughError } from 'followthrough';
import { bakeGltf } from 'followthrough/bake';
import { type ClipJob, jobId, libraryVersion, sha256 } from './clipJob.js';
import { has, keep, type Result } from './store.js';

/** A job and where things are on this machine. */
export interface ClipTask {
  /** The job. */
  job: ClipJob;
  /** Id under which it was queued. */
  id: string;
  /** Folder of the files. */
  library: string;
  /** Folder of the results. */
  store: string;
}

/** What became of a job. */
export type ClipOutcome = { done: 'baked' | 'left' | 'there' } | { hopeless: string };

/** Does a job. */
export async function bakeClip({ job, id, library, store }: ClipTask): Promise<ClipOutcome> {
  if (await has(store, id)) return { done: 'there' };
  if (jobId(job, await libraryVersion()) !== id)
    return { hopeless: 'queued by another version of the library than this worker has' };
  const bytes = await readFile(join(library, job.file));
  if (sha256(bytes) !== job.rig) return { hopeless: `${job.file} has changed since it was queued` };
  try {
    const result = await bakeOne(bytes, job);
    await keep(store, id, result);
    return { done: result.bytes ? 'baked' : 'left' };
  } catch (error) {
    if (error instanceof FollowthroughError) return { hopeless: error.message };
    throw error;
  }
}

/** Bakes the clip of a job; a clip that keeps its tail is no failure. */
export async function bakeOne(bytes: Uint8Array, { file, clip, settings }: ClipJob): Promise<Result> {
  try {
    return { bytes: (await bakeGltf(bytes, { ...settings, name: file, clips: [clip] })).bytes };
  } catch (error) {
    if (error instanceof FollowthroughError && error.code === 'nothing-to-simulate')
      return { left: error.message };
    throw error;
  }
}
