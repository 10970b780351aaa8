// Packages of Debian that tests need and npm does not have. Only a machine of CI, or one whose user asks for it by
// FOLLOWTHROUGH_INSTALL=1, gets them installed: elsewhere a test says what is missing and is skipped.
import { existsSync } from 'node:fs';
import { run } from './processes.mjs';

const attempts = 3;
const aptGet = '/usr/bin/apt-get';

/** Whether packages may be installed here. */
function mayInstall() {
  const asked = Boolean(process.env.CI) || process.env.FOLLOWTHROUGH_INSTALL === '1';
  return asked && process.getuid?.() === 0 && existsSync(aptGet);
}

async function apt(...args) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  // Tests run side by side: one waits for the other, by a lock on a file that is there. Strangers lock it as apt does.
  const command = ['flock', aptGet, aptGet, '-qq', '-o', 'DPkg::Lock::Timeout=300', ...args];
  const { code, out, error } = await run(command, { seconds: 900, env });
  process.stderr.write(out + error);
  if (code !== 0) throw new Error(`apt-get ${args.join(' ')} ended with ${code}`);
}

/**
 * Installs packages.
 *
 * @param {string[]} packages
 * @returns {Promise<boolean>} false where nothing may be installed
 * @throws when it may and fails three times, for networks fail now and then
 */
export async function ensureDebian(packages) {
  if (!mayInstall()) return false;
  for (let attempt = 1; ; attempt++) {
    try {
      await apt('update');
      await apt('install', '-y', '--no-install-recommends', ...packages);
      return true;
    } catch (error) {
      if (attempt === attempts) throw error;
      process.stderr.write(`${error.message}; once more\n`);
    }
  }
}
