/**
 * Files in and out. Reading names the file in every error; writing goes to a temporary name beside the target and
 * is renamed, so that a failed run leaves nothing half-written.
 */
import { randomBytes } from 'node:crypto';
import { access, constants, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve as resolvePath } from 'node:path';
import { FollowthroughError } from '../asset/index.js';

/** Reads a file. */
export async function readInput(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new FollowthroughError('invalid-file', `${path}: ${reason(error)}`);
  }
}

/** Whether a .gltf written there must take its files along, because it stands in another folder than what was read. */
export function standsApart(output: string, input: string): boolean {
  return dirname(resolvePath(output)) !== dirname(resolvePath(input));
}

/** A function that reads files named relative to another file, as a .gltf names its buffers. */
export function besides(path: string): (uri: string) => Promise<Uint8Array> {
  return async (uri) => {
    const name = decodeUri(uri);
    try {
      return await readFile(resolvePath(dirname(path), name));
    } catch (error) {
      throw new FollowthroughError('invalid-file', `${name}: ${reason(error)}`);
    }
  };
}

/** Writes a file under a temporary name and renames it. */
export async function writeOutput(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.tmp`);
  try {
    await writeFile(temporary, bytes, { flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new FollowthroughError('invalid-argument', `${path}: cannot be written, ${reason(error)}`);
  }
}

/** @throws FollowthroughError when an output file cannot be written where it should: known before the work begins */
export async function requireWritable(path: string): Promise<void> {
  const folder = dirname(resolvePath(path));
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    throw new FollowthroughError('invalid-argument', `${path}: there is no folder ${folder} to write into`);
  const before = await stat(path).catch(() => undefined);
  if (before?.isDirectory())
    throw new FollowthroughError('invalid-argument', `${path}: is a folder, expected a file to write`);
  try {
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new FollowthroughError('invalid-argument', `${path}: cannot be written, ${reason(error)}`);
  }
}

function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

function reason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  const known: Record<string, string> = {
    ENOENT: 'there is no such file',
    EISDIR: 'is a folder, expected a file',
    EACCES: 'no permission',
    EPERM: 'no permission',
    EROFS: 'the disk is read-only',
    ENOTDIR: 'a part of the path is no folder',
    ENOSPC: 'the disk is full',
    ENAMETOOLONG: 'the name is too long',
  };
  const message = error instanceof Error ? error.message.split('\n')[0]! : String(error);
  return (code && known[code]) ?? message;
}
