// Lets `npm test`, `npm run demo` and the rest work on a bare clone: installs the locked packages when
// node_modules is missing or does not agree with the lock file.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Whether npm's own record of node_modules agrees with the lock file. */
function installed() {
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(record)) return false;
  const have = readJson(record).packages;
  return Object.entries(readJson('package-lock.json').packages).every(([path, entry]) => {
    if (path === '') return true;
    // Optional packages of other platforms stand in the lock file only.
    if (have[path] === undefined) return entry.optional ?? entry.peer ?? false;
    return have[path].version === entry.version;
  });
}

/** Runs `npm ci`; whether it succeeded. */
function install() {
  const windows = process.platform === 'win32';
  const { status } = spawnSync(windows ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund'], {
    // What runs next may print JSON: everything of the installation goes to stderr.
    stdio: ['ignore', 2, 2],
    shell: windows,
  });
  return status === 0;
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node ${process.versions.node} is too old: 20.19 or newer is needed`);
  process.exitCode = 1;
} else if (!installed()) {
  console.error('installing the packages of package-lock.json ...');
  // A second attempt only because networks fail now and then.
  if (!install() && !install()) process.exitCode = 1;
}
