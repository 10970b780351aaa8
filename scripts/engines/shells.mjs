// Engines that are a command: they get the program as a file and print its lines.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inFolder, run } from './processes.mjs';

/** The first lines of a text, for messages; some shells show the whole line of the program, which may be all of it. */
const head = (text) =>
  text
    .trim()
    .split('\n')
    .slice(0, 12)
    .map((line) => line.slice(0, 200))
    .join('\n');

/**
 * Runs a program in a shell.
 *
 * @param {{ command: string[], env?: Record<string, string> }} shell the command that takes the file as its last argument
 * @returns {Promise<string[]>} what the program printed
 */
export function runInShell({ command, env }, program, seconds) {
  return inFolder(async (folder) => {
    const file = join(folder, 'program.js');
    await writeFile(file, program);
    const { code, out, error } = await run([...command, file], { seconds, env });
    const lines = out.split('\n').filter((line) => line !== '');
    // Some shells end well after an exception: without its last line a program did not.
    if (code !== 0 || lines.at(-1) !== 'end') throw new Error(`ended with ${code}\n${head(error || out)}`);
    return lines.slice(0, -1);
  });
}
