// The layer rules: imports point down only (CONTRIBUTING.md, "Layout"), and only the outermost layer knows a platform.

/** From low to high; a layer may import itself and every layer before it. */
const layers = [
  'math',
  'asset',
  'components',
  'setup',
  'systems',
  'replay',
  'rig',
  'retarget',
  'measure',
  'io',
  'cli',
];

/** Above the core, which src/index.ts re-exports: these may import it too. */
const aboveTheCore = new Set(['replay', 'rig', 'retarget', 'measure', 'io', 'cli']);

/** npm packages a layer may import; layers not named here: none. */
const packages = {
  components: ['bitecs'],
  setup: ['bitecs'],
  systems: ['bitecs'],
  replay: ['bitecs'],
  measure: ['gl-matrix'],
  io: ['@noble/hashes', 'draco3dgltf', 'gl-matrix', 'gltf-validator', 'meshoptimizer'],
  cli: ['cli-progress', '@types/cli-progress', 'cli-table3', 'commander', 'piscina', 'quickjs-emscripten'],
};

const layerRules = layers.map((layer, at) => ({
  name: `${layer}-imports-down`,
  comment: `src/${layer} may import ${layers.slice(0, at).join(', ') || 'nothing'}`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: {
    path: '^src/',
    pathNot: [
      `^src/(${layers.slice(0, at + 1).join('|')})/`,
      ...(aboveTheCore.has(layer) ? ['^src/index\\.ts$'] : []),
    ],
  },
}));

const packageRules = layers.map((layer) => ({
  name: `${layer}-packages`,
  comment: `src/${layer} may use ${(packages[layer] ?? ['no package']).join(', ')}`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: {
    path: 'node_modules/',
    pathNot: ['node_modules/@types/node/', ...(packages[layer] ?? []).map((name) => `node_modules/${name}/`)],
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...layerRules,
    ...packageRules,
    {
      name: 'index-is-the-core',
      comment: 'a program that imports only the core must not pull in files, measuring or the command line',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: { pathNot: '^src/(math|asset|components|setup|systems)/' },
    },
    {
      name: 'rig-and-measure-apart',
      comment: 'a pass that changes a character and the figures that judge it know nothing of each other',
      severity: 'error',
      from: { path: '^src/measure/' },
      to: { path: '^src/rig/' },
    },
    {
      name: 'retarget-apart',
      comment: 'moving clips between skeletons knows nothing of the rig pass, of replays and of measuring',
      severity: 'error',
      from: { path: '^src/retarget/' },
      to: { path: '^src/(rig|replay|measure)/' },
    },
    {
      name: 'no-platform',
      comment: 'only the command line may use Node',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-dev-in-src',
      comment: 'what is published may need only what is installed with it (types vanish in the build)',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: 'node_modules/@types/',
      },
    },
    {
      name: 'src-stands-alone',
      comment: 'the library knows nothing of its tests, examples, benchmarks and scripts',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|examples|bench|scripts|dist)/' },
    },
    {
      name: 'examples-use-public-entries',
      comment: 'examples show what a user can write',
      severity: 'error',
      from: { path: '^examples/(?!characters/)' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(index|io/gltf/index|io/rig/index|io/vrm/index|io/bake/index|measure/index|replay/index|retarget/index|io/bvh/index)\\.ts$',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import', 'default'] },
  },
};
