// Two suites over one source tree: behaviour, a folder per layer, and the public types.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const src = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** The public entry points, as `paths` of tsconfig.json has them. */
const alias = [
  { find: /^followthrough$/, replacement: src('index.ts') },
  { find: /^followthrough\/gltf$/, replacement: src('io/gltf/index.ts') },
  { find: /^followthrough\/measure$/, replacement: src('measure/index.ts') },
  { find: /^followthrough\/bake$/, replacement: src('io/bake/index.ts') },
  { find: /^followthrough\/replay$/, replacement: src('replay/index.ts') },
  { find: /^followthrough\/rig$/, replacement: src('io/rig/index.ts') },
  { find: /^followthrough\/bvh$/, replacement: src('io/bvh/index.ts') },
  { find: /^followthrough\/retarget$/, replacement: src('retarget/index.ts') },
  { find: /^followthrough\/vrm$/, replacement: src('io/vrm/index.ts') },
];

/** Only ends what hangs: no test is about speed. */
const timeLimit = 120_000;

export default defineConfig({
  test: {
    // By default one core is left idle; of two that is half.
    maxWorkers: '100%',
    reporters: ['default', './scripts/count-reporter.mjs'],
    coverage: { provider: 'v8', include: ['src/**'] },
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          testTimeout: timeLimit,
          hookTimeout: timeLimit,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            // Errors outside of these tests are those of check:types.
            ignoreSourceErrors: true,
            include: ['test/types/**/*.test-d.ts'],
            tsconfig: './test/types/tsconfig.json',
          },
        },
      },
    ],
  },
});
