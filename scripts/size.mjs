// Bundles small programs against dist/ as a user's bundler does, holds each to a budget of minified + gzipped bytes,
// and checks what it reaches: a program that imports only the core must not pull in files, measuring or the command line.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const everything = (entry) => `import * as all from '${entry}'; console.log(all)`;
const core = /^dist\/(math|asset|components|setup|systems|index\.js$)|^node_modules\/bitecs\//;
const measure =
  /^dist\/(math|asset|components|setup|systems|measure|index\.js$)|^node_modules\/(bitecs|gl-matrix)\//;
const replay = /^dist\/(math|asset|components|setup|systems|replay|index\.js$)|^node_modules\/bitecs\//;
const retarget = /^dist\/(math|asset|components|setup|systems|retarget|index\.js$)|^node_modules\/bitecs\//;
const io = /^dist\/(?!cli\/)/;

/** [name, program, budget in gzipped bytes, what it may reach, packages left outside] */
const cases = [
  ['nothing', `import 'followthrough'`, 20, core, []],
  ['core', everything('followthrough'), 58_000, core, []],
  ['replay', everything('followthrough/replay'), 60_000, replay, []],
  ['measure', everything('followthrough/measure'), 68_000, measure, []],
  ['gltf', everything('followthrough/gltf'), 30_000, io, Object.keys(dependencies)],
  ['rig', everything('followthrough/rig'), 86_000, io, Object.keys(dependencies)],
  ['vrm', everything('followthrough/vrm'), 35_000, io, Object.keys(dependencies)],
  ['retarget', everything('followthrough/retarget'), 32_000, retarget, []],
  ['bvh', everything('followthrough/bvh'), 16_000, io, Object.keys(dependencies)],
  ['bake', everything('followthrough/bake'), 78_000, io, Object.keys(dependencies)],
];

for (const [name, contents, budget, reach, external] of cases) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    // An empty configuration: the repository's `paths` would lead to src/ instead of what is published.
    tsconfigRaw: {},
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: external.flatMap((dependency) => [dependency, `${dependency}/*`]),
    write: false,
    metafile: true,
    logLevel: 'error',
    legalComments: 'none',
  });
  const size = gzipSync(outputFiles[0].contents, { level: 9 }).length;
  const strangers = Object.keys(metafile.inputs).filter((file) => file !== '<stdin>' && !reach.test(file));
  const ok = size <= budget && strangers.length === 0;
  if (!ok) process.exitCode = 1;
  const why = strangers.length > 0 ? `reaches ${strangers.slice(0, 5).join(', ')}` : '';
  console.log(
    `${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${String(size).padStart(6)} of ${budget} bytes gzipped ${why}`,
  );
}
