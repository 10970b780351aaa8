// Four suites over one source tree: concepts alone, laws over random input, the product on real files, public types.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const src = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** The public entry points, as `paths` of tsconfig.json has them. */
const alias = [
  { find: /^followthrough$/, replacement: src('index.ts') },
  { find: /^followthrough\/gltf$/, replacement: src('io/gltf/index.ts') },
  { find: /^followthrough\/measure$/, replacement: src('measure/index.ts') },
  { find: /^followthrough\/bake$/, replacement: src('io/bake/index.ts') },
];

/** A suite; its time limit only ends what hangs, no test is about speed. */
const suite = (name: string, testTimeout: number) => ({
  resolve: { alias },
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout: testTimeout },
});

export default defineConfig({
  test: {
    reporters: ['default', './scripts/count-reporter.mjs'],
    coverage: { provider: 'v8', include: ['src/**'] },
    projects: [
      suite('unit', 120_000),
      suite('property', 300_000),
      suite('integration', 600_000),
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
