/**
 * Which files a command reads that takes files and folders, in which order, and where each of them goes. Order and names
 * follow from the paths alone, by code unit: no locale, no order of the disk, no number of threads has a say. Whatever is
 * wrong with paths is said here, before the first file is read.
 */
import { access, constants, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve as resolvePath } from 'node:path';
import { FollowthroughError } from '../asset/index.js';
import { containerOf } from './options.js';

/** The files that a command takes. */
export interface FileKind {
  /** Whether a file of that name is one. */
  fits: (name: string) => boolean;
  /** What they are called. */
  called: string;
}

/** Files of glTF. */
export const models: FileKind = {
  fits: (name) => containerOf(name) !== undefined,
  called: '.glb, .gltf or .vrm',
};
/** Files of motion capture. */
export const motions: FileKind = { fits: (name) => /\.bvh$/i.test(name), called: '.bvh' };

/** A file and where it goes. */
export interface FilePair {
  /** Path of the file to read. */
  file: string;
  /** Path of the file to write. */
  output: string;
}

/**
 * Files of the command line in its order, those of a folder sorted by their path. A folder keeps its tree in the output.
 *
 * @param inputs - files and folders
 * @param kind - which files count
 * @param output - the folder to write into; it need not be there yet. Without one, outputs are the names below the inputs
 * @throws FollowthroughError `invalid-argument` or `invalid-file` when nothing can be read, nothing can be written, or a
 *   file would be written over another one that is read
 */
export async function pairFiles(
  inputs: readonly string[],
  kind: FileKind,
  output: string | undefined,
): Promise<FilePair[]> {
  if (output !== undefined) await requireFolder(output);
  const folder = output ?? '';
  const pairs: FilePair[] = [];
  for (const input of inputs) {
    const found = await stat(input).catch((error: unknown) => unreadable(input, error));
    if (found.isDirectory()) {
      const names = await filesBelow(input, kind, output === undefined ? undefined : resolvePath(output));
      if (names.length === 0)
        throw new FollowthroughError('invalid-argument', `${input}: there is no ${kind.called} in it`);
      for (const name of names) pairs.push({ file: join(input, name), output: join(folder, name) });
    } else if (!kind.fits(input))
      throw new FollowthroughError('invalid-argument', `${input}: expected a ${kind.called}, or a folder`);
    else pairs.push({ file: input, output: join(folder, basename(input)) });
  }
  if (output !== undefined) requireApart(pairs);
  return pairs;
}

/** Paths below a folder, with `/` between their parts on every system, sorted by code unit. */
async function filesBelow(folder: string, kind: FileKind, output: string | undefined): Promise<string[]> {
  const found: string[] = [];
  const search = async (place: string): Promise<void> => {
    const path = join(folder, place);
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) =>
      unreadable(path, error),
    );
    for (const entry of entries) {
      const name = place === '' ? entry.name : `${place}/${entry.name}`;
      // What other programs hide: .git, the ._fox.glb that macOS leaves beside fox.glb.
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) {
        // Results of an earlier run are not read again.
        if (resolvePath(folder, name) !== output) await search(name);
      } else if (kind.fits(entry.name)) found.push(name);
    }
  };
  await search('');
  return found.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
}

/** No file may be written twice, or before it is read. */
function requireApart(pairs: readonly FilePair[]): void {
  const inputs = new Map(pairs.map(({ file }) => [resolvePath(file), file]));
  const outputs = new Map<string, string>();
  for (const { file, output } of pairs) {
    const path = resolvePath(output);
    const other = outputs.get(path);
    if (other !== undefined)
      throw new FollowthroughError('invalid-argument', `${output}: ${other} and ${file} would both go there`);
    outputs.set(path, file);
    if (inputs.has(path) && path !== resolvePath(file))
      throw new FollowthroughError(
        'invalid-argument',
        `${output}: ${file} would go there, but that file is to be read too`,
      );
  }
}

/** The folder must be there, or there must be one to make it in. */
async function requireFolder(path: string): Promise<void> {
  const fail = (problem: string): never => {
    throw new FollowthroughError('invalid-argument', `${path}: ${problem}`);
  };
  const named = await stat(path).catch(() => undefined);
  if (!named && (models.fits(path) || motions.fits(path)))
    fail('is the name of a file, expected a folder to write many files into');
  let folder = resolvePath(path);
  let found = named;
  while (!found && dirname(folder) !== folder) {
    folder = dirname(folder);
    found = await stat(folder).catch(() => undefined);
  }
  if (!found?.isDirectory())
    fail(`${named ? 'is a file' : `${folder} is a file`}, expected a folder to write into`);
  await access(folder, constants.W_OK).catch(() => fail(`cannot be written, no permission for ${folder}`));
}

function unreadable(path: string, error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  const why =
    code === 'ENOENT' ? 'there is no such file or folder' : `cannot be read, ${message.split('\n')[0]}`;
  throw new FollowthroughError('invalid-file', `${path}: ${why}`);
}
