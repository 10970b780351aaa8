// vitest reporter: leaves the counts of a run in the file that TEST_COUNTS names, where scripts/test.mjs reads them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export default class CountReporter {
  onTestRunEnd(modules, errors) {
    const file = process.env.TEST_COUNTS;
    if (file === undefined) return;
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) for (const test of module.children.allTests()) count[test.result().state]++;
    // A module that fails to load has no tests to fail.
    const broken = modules.filter((module) => module.errors().length > 0).length;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      JSON.stringify({
        passed: count.passed,
        failed: count.failed + count.pending + broken + errors.length,
        skipped: count.skipped,
      }),
    );
  }
}
