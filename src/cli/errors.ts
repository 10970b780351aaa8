/**
 * Every failure of a command as one line on stderr and an exit code: 2 for bad input or usage. Exit code 1 is
 * kept for thresholds that the user gave.
 */
import { CommanderError } from 'commander';
import { FollowthroughError } from '../asset/index.js';

/** Exit code for bad input and bad usage. */
const badInput = 2;
/** Exit code when a threshold that the user gave is not met. */
const thresholdFailed = 1;

/** One line without line breaks and control characters. */
export function oneLine(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Runs work on a file; its errors name the file. */
export async function naming<T>(file: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FollowthroughError && !error.message.startsWith(file))
      throw new FollowthroughError(error.code, `${file}: ${error.message}`);
    throw error;
  }
}

/** Stdout that takes nothing more, for instance because the disk is full. */
export function cannotPrint(error: Error): FollowthroughError {
  return new FollowthroughError('invalid-argument', `stdout cannot be written, ${error.message}`);
}

/** Prints a failure and returns the exit code that it means. */
export function reportFailure(error: unknown): number {
  // Commander has printed its own errors, help and version by now.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : badInput;
  const message = error instanceof Error ? error.message : String(error);
  const prefix = error instanceof FollowthroughError ? 'error' : 'error: unexpected';
  process.stderr.write(`${prefix}: ${oneLine(message)}\n`);
  if (process.env['DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return badInput;
}

/** Prints a threshold that was not met and sets the exit code. */
export function failThreshold(message: string): void {
  process.stderr.write(`failed: ${message}\n`);
  process.exitCode = thresholdFailed;
}
