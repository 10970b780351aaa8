// npm test [-- STAGE...]: every check of the repository in order, or the stages named. All run even if one fails. A stage
// counts as one test, those of vitest count each. The last line of output is `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';

/** The npm scripts to run; from `vitest` on they need what `build` writes. */
const stages = [
  'check:types',
  'check:format',
  'check:lint',
  'check:layers',
  'check:unused',
  'build',
  'vitest',
  'check:pack',
  'check:manifest',
  'check:exports',
  'check:size',
  'check:install',
  'docs',
];

/** Where vitest's reporter (scripts/count-reporter.mjs) leaves its counts for this process and no other. */
const countsFile = `node_modules/.cache/test-counts-${process.pid}.json`;

/** Logs are read as plain text; only a terminal gets colours. */
const colour = process.stdout.isTTY || process.env.FORCE_COLOR ? {} : { NO_COLOR: '1' };

/** Runs a stage; its passed, failed and skipped tests. */
function run(stage) {
  // One stream for everything, so that nothing of a stage can come after the closing line.
  const { status } = spawnSync('npm', ['run', '--silent', stage], {
    stdio: ['ignore', 1, 1],
    env: { ...process.env, ...colour, TEST_COUNTS: countsFile },
    shell: process.platform === 'win32',
  });
  if (!existsSync(countsFile))
    return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
  const tests = JSON.parse(readFileSync(countsFile, 'utf8'));
  rmSync(countsFile);
  // An error outside of any test fails a run without failing a test.
  return { ...tests, failed: status === 0 ? tests.failed : Math.max(1, tests.failed) };
}

/** The stages asked for by name, with or without `check:`. */
const wanted = process.argv
  .slice(2)
  .map((word) => stages.find((stage) => stage === word || stage === `check:${word}`) ?? word);
const unknown = wanted.filter((word) => !stages.includes(word));
if (unknown.length > 0) {
  console.error(`no stage ${unknown.join(', ')}; there are ${stages.join(', ')}`);
  process.exit(2);
}

const total = { passed: 0, failed: 0, skipped: 0 };
const summary = [];
for (const stage of wanted.length > 0 ? wanted : stages) {
  console.log(`\n== ${stage}`);
  const start = performance.now();
  const { passed, failed, skipped } = run(stage);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  summary.push(`${failed > 0 ? 'FAILED' : 'ok    '} ${stage.padEnd(14)} ${seconds.padStart(7)} s`);
}
console.log(`\n${summary.join('\n')}`);
if (total.skipped > 0) console.log(`${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;
console.log(`\n${total.passed} passed, ${total.failed} failed`);
