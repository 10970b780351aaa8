// Installs the packed library (scripts/pack.mjs) into an empty folder, as a user does, and there: imports every entry
// point, compiles a program against the published types, runs the command.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.keys(exports)
  .filter((entry) => entry !== './package.json')
  .map((entry) => name + entry.slice(1));
const tarball = resolve('node_modules/.cache/pack/followthrough.tgz');
const tsc = resolve('node_modules/typescript/bin/tsc');
const dir = mkdtempSync(join(tmpdir(), 'followthrough-install-'));

/** Runs a command in the empty folder; its output, which an error carries too. */
function run(command, args) {
  try {
    return execFileSync(command, args, {
      cwd: dir,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    });
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout ?? ''}`, { cause: error });
  }
}

/** Type-checks a program of the folder with a user's strictest settings. */
function check(file, skipLibCheck) {
  const settings = '--noEmit --strict --module nodenext --target es2022 --lib es2023,dom'.split(' ');
  run(process.execPath, [tsc, file, ...settings, '--skipLibCheck', skipLibCheck]);
}

try {
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', tarball]);

  for (const entry of entries) {
    writeFileSync(
      join(dir, 'entry.mjs'),
      `console.log(Object.keys(await import('${entry}')).length, 'names in ${entry}');`,
    );
    process.stdout.write(run(process.execPath, ['entry.mjs']));
  }

  const imports = entries.map((entry, i) => `import * as entry${i} from '${entry}';`);
  const uses = entries.map((_, i) => `entry${i}`);
  writeFileSync(join(dir, 'all.ts'), `${imports.join('\n')}\nconsole.log(${uses.join(', ')});\n`);
  check('all.ts', 'true');
  // The declarations of other packages may need that excuse (those of @gltf-transform/core do), the core's may not.
  writeFileSync(join(dir, 'core.ts'), `import * as core from '${name}';\nconsole.log(core);\n`);
  check('core.ts', 'false');
  console.log('types of every entry compile');

  for (const args of [
    ['--version'],
    ['--help'],
    ['inspect', '--help'],
    ['rig', '--help'],
    ['bake', '--help'],
    ['retarget', '--help'],
    ['bvh', '--help'],
    ['measure', '--help'],
    ['springs', '--help'],
    ['record', '--help'],
    ['verify', '--help'],
  ]) {
    const text = run('npx', ['--no-install', name, ...args]).trim();
    if (text === '') throw new Error(`${name} ${args.join(' ')} printed nothing`);
    console.log(`${name} ${args.join(' ')}: ${text.split('\n').length} lines`);
  }

  // A recording of an empty world, checked by the installed program in a process of its own: it finds its files.
  writeFileSync(
    join(dir, 'record.mjs'),
    `import { writeFileSync } from 'node:fs';
     import { createWorld } from '${name}';
     import { createRecorder } from '${name}/replay';
     const recorder = createRecorder(createWorld());
     for (let i = 0; i < 10; i++) recorder.step();
     writeFileSync('empty.ftr', recorder.finish());`,
  );
  run(process.execPath, ['record.mjs']);
  process.stdout.write(run('npx', ['--no-install', name, 'verify', 'empty.ftr', '--engine', 'node']));
} catch (error) {
  console.error(String(error instanceof Error ? error.message : error));
  process.exitCode = 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
