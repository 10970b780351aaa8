/**
 * What a worker thread of `followthrough bake FOLDER` runs, and the command itself with `--threads 1`: one file in, bytes
 * and report out. An error of the library would lose its class and code on the way between threads, so that what went
 * wrong comes back as data. Nothing is written here: a thread can be stopped at any moment.
 */
import { FollowthroughError } from '../asset/index.js';
import { type BakedFile, bakeFile, type BakeFlags } from './bakeFile.js';
import { naming, oneLine } from './errors.js';

/** A file to bake. */
export interface BakeTask {
  /** Its path. */
  file: string;
  /** Where it will be written. */
  output: string;
  /** The options of all files. */
  flags: BakeFlags;
}

/** Why a file was not baked. */
export interface Fault {
  /** Code of the `FollowthroughError`, `unexpected` for any other error. */
  code: string;
  /** One line that names the file. */
  message: string;
}

/** What became of a file. */
export type BakeOutcome =
  | BakedFile
  /** There is nothing in it to simulate, or not what the options name: no fault among many files. */
  | { passedOver: Fault }
  /** It cannot be baked. */
  | { error: Fault };

/** Bakes a file; never throws. */
export async function bakeTask({ file, output, flags }: BakeTask): Promise<BakeOutcome> {
  try {
    return await naming(file, () => bakeFile(file, output, flags, { amongMany: true }));
  } catch (error) {
    const fault = faultOf(file, error);
    const harmless = fault.code === 'nothing-to-simulate' || fault.code === 'unknown-name';
    return harmless ? { passedOver: fault } : { error: fault };
  }
}

/** An error as data. */
export function faultOf(file: string, error: unknown): Fault {
  const message = oneLine(error instanceof Error ? error.message : String(error));
  return error instanceof FollowthroughError
    ? { code: error.code, message }
    : { code: 'unexpected', message: `${file}: unexpected: ${message}` };
}
