/**
 * Where the real files of other people lie. A user's clone has none: tests that need them skip with a message.
 * In CI they must be there.
 */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder: string = fileURLToPath(new URL('../../../shared/data', import.meta.url));

/** Folder of the shared files, undefined where it is missing. */
export const shared: string | undefined = existsSync(folder) ? folder : undefined;

/** Names of the files of one folder that end so, sorted; none where the shared files are missing. */
export const sharedNames = (below: string, ending: string): string[] =>
  shared === undefined
    ? []
    : readdirSync(`${shared}/${below}`)
        .filter((name) => name.endsWith(ending))
        .toSorted();

if (shared === undefined && process.env['CI']) throw new Error('CI needs ../shared/data beside the checkout');
if (shared === undefined) console.warn('../shared/data is missing: tests on real files are skipped');
