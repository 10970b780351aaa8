// Packs what is built, exactly as `npm publish` would, into node_modules/.cache/pack/followthrough.tgz for the checks of
// the package, and refuses files that nobody meant to publish.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'node_modules/.cache/pack';
const meant =
  /^(dist|docs|src)\/|^test\/vectors\/[^/]+\.(json|md)$|^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;

mkdirSync(folder, { recursive: true });
const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
  shell: process.platform === 'win32',
});
const [{ filename, files, size, unpackedSize }] = JSON.parse(output);
renameSync(join(folder, filename), join(folder, 'followthrough.tgz'));
console.log(`${files.length} files, ${size} bytes packed, ${unpackedSize} bytes unpacked`);

const strangers = files.map(({ path }) => path).filter((path) => !meant.test(path));
const missing = ['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts', 'dist/cli/main.js'].filter(
  (path) => !files.some((file) => file.path === path),
);
// TypeScript before 5.7 knows no typed arrays with a type parameter: public signatures say `Float64Array`.
const tooNew = files
  .map(({ path }) => path)
  .filter(
    (path) => path.endsWith('.d.ts') && /Array<(Shared)?ArrayBuffer(Like)?>/.test(readFileSync(path, 'utf8')),
  );

if (tooNew.length > 0) console.error(`generic typed arrays in ${tooNew.join(', ')}`);
if (strangers.length > 0) console.error(`packed but not meant to be: ${strangers.join(', ')}`);
if (missing.length > 0) console.error(`not packed: ${missing.join(', ')}`);
if (strangers.length + missing.length + tooNew.length > 0) process.exitCode = 1;
