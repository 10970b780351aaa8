// Makes one classic script of a TypeScript program, for shells and pages that know no modules. The same text goes to every
// engine; what an engine lacks stands in front of it (prelude.mjs), and only Hermes gets it in another form (lower.mjs).
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Puts another text in the place of one that stands exactly once in the file whose path ends so. */
function changing({ file, from, to }) {
  let found = 0;
  return {
    name: 'change',
    transform(code, id) {
      if (!id.endsWith(file)) return null;
      found += code.split(from).length - 1;
      return code.replace(from, to);
    },
    buildEnd() {
      if (found !== 1)
        throw new Error(`${file}: ${JSON.stringify(from)} stands there ${found} times, not once`);
    },
  };
}

/**
 * Bundles `entry` (path from the repository's root) with all that it imports.
 *
 * @param {string} entry
 * @param {{ file: string, from: string, to: string }} [change] a text to put in the place of another, for tests of the tests
 * @returns {Promise<string>} the program
 */
export async function bundleProgram(entry, change) {
  const { output } = await build({
    input: join(root, entry),
    // Neither Node's nor a page's: packages that look for either find neither.
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    tsconfig: join(root, 'tsconfig.json'),
    plugins: change ? [changing(change)] : [],
    output: { format: 'iife', codeSplitting: false },
    // Packages are imported for side effects they do not have here, and Draco's name is only known when it is needed.
    logLevel: 'silent',
    write: false,
  });
  return output[0].code;
}
