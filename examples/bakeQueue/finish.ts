/**
 * The last step: from the results, one file for each file of the library with all its clips baked, as a bake on one
 * machine writes it, and a manifest that says for every clip of every file what became of it. It only reads results, so
 * it may run anywhere, and again.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ClipJob, sha256 } from './clipJob.js';
import { type BakedClip, mergeClips } from './mergeClips.js';
import { read } from './store.js';

/** A line of the manifest. */
export interface Entry {
  /** Path below the library, and below the output. */
  file: string;
  /** Name of the clip. */
  clip: string;
  /** Id of its job, name of its result. */
  id: string;
  /** What became of it; `left`: it keeps the tail it has. */
  state: 'baked' | 'left' | 'failed';
  /** Why it was left or failed. */
  why?: string;
}

/** Folders that the last step knows. */
export interface Folders {
  /** Files to bake. */
  library: string;
  /** Results of the jobs. */
  store: string;
  /** Where baked files and `manifest.json` go. */
  output: string;
}

/**
 * Writes the manifest, and the files of which a clip is baked and none failed.
 *
 * @param ids - of the jobs, in their order
 * @param failed - why jobs failed, by id
 */
export async function finish(
  jobs: readonly ClipJob[],
  ids: readonly string[],
  folders: Folders,
  failed: ReadonlyMap<string, string>,
): Promise<Entry[]> {
  const manifest: Entry[] = [];
  for (const file of new Set(jobs.map((job) => job.file))) {
    const entries: Entry[] = [];
    const baked: BakedClip[] = [];
    for (const [i, job] of jobs.entries()) {
      if (job.file !== file) continue;
      const id = ids[i]!;
      const result = await read(folders.store, id);
      const entry = { file, clip: job.name, id };
      if (result?.bytes) {
        baked.push({ clip: job.clip, bytes: result.bytes });
        entries.push({ ...entry, state: 'baked' });
      } else if (result) entries.push({ ...entry, state: 'left', why: result.left! });
      else entries.push({ ...entry, state: 'failed', why: failed.get(id) ?? 'there is no result' });
    }
    manifest.push(...entries);
    if (baked.length === 0 || entries.some(({ state }) => state === 'failed')) continue;
    const original = await readFile(join(folders.library, file));
    if (sha256(original) !== jobs.find((job) => job.file === file)!.rig)
      throw new Error(`${file} has changed since it was queued`);
    await writeWhole(join(folders.output, file), mergeClips(original, baked));
  }
  await writeWhole(join(folders.output, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

async function writeWhole(path: string, content: Uint8Array | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.tmp`, content);
  await rename(`${path}.tmp`, path);
}
