/**
 * The folder with the results, named by the ids of their jobs; all machines share it. A result is written under a
 * temporary name and renamed, so that whoever sees it sees it whole, and it is written once. What is in here is done:
 * the queue may be lost at any time.
 */
import { randomBytes } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a job left behind. */
export interface Result {
  /** A GLB with this clip baked; undefined when there was nothing to bake. */
  bytes?: Uint8Array;
  /** Why there was nothing to bake. */
  left?: string;
}

/** `<id>.glb` holds a baked clip, `<id>.txt` why there is none. */
const forms = { bytes: '.glb', left: '.txt' };

/** Whether the result of a job is there. */
export async function has(store: string, id: string): Promise<boolean> {
  const found = Object.values(forms).map((ending) =>
    access(join(store, id + ending)).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(found)).includes(true);
}

/** Keeps a result, unless it is there. */
export async function keep(store: string, id: string, { bytes, left }: Result): Promise<void> {
  if (await has(store, id)) return;
  await mkdir(store, { recursive: true });
  const temporary = join(store, `.${id}.${randomBytes(4).toString('hex')}.tmp`);
  try {
    await writeFile(temporary, bytes ?? `${left}\n`, { flag: 'wx' });
    await rename(temporary, join(store, id + (bytes ? forms.bytes : forms.left)));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The result of a job, undefined when there is none. */
export async function read(store: string, id: string): Promise<Result | undefined> {
  const open = (ending: string): Promise<Uint8Array | undefined> =>
    readFile(join(store, id + ending)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  const bytes = await open(forms.bytes);
  if (bytes) return { bytes };
  const left = await open(forms.left);
  return left && { left: new TextDecoder().decode(left).trimEnd() };
}

/** Removes what killed workers left half-written; for when no job runs. */
export async function sweep(store: string): Promise<void> {
  for (const name of await readdir(store).catch(() => []))
    if (/^\..*\.tmp$/.test(name)) await rm(join(store, name), { force: true });
}
