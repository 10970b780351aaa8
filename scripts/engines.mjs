// npm run test:engines [-- --list | --install | --golden] [NAME...]
// Runs the scenario of test/engines, and files through the loader, in every engine that can be found, or in those named, and
// says which agree. Exit code 1 when one differs or fails; one that is not there is said and no fault.
// --list: which are there; --install: fetches those that npm has; --golden: writes test/engines/golden.json if all agree.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { assetFiles, filesAsScript } from './engines/assetFiles.mjs';
import { bundleProgram } from './engines/bundle.mjs';
import { firstDifference, inLanes } from './engines/compare.mjs';
import { installEngines } from './engines/install.mjs';
import { locate } from './engines/locate.mjs';
import { engineNamed, engines } from './engines/table.mjs';

/** Emulated and interpreted, on a machine that does other things too. */
const seconds = 900;

const args = process.argv.slice(2);
const flags = new Set(args.filter((arg) => arg.startsWith('--')));
const names = args.filter((arg) => !arg.startsWith('--'));
const wrong = [...flags].filter((flag) => !['--list', '--install', '--golden'].includes(flag));

// What runs in groups of its own is ended when this ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

function table(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => String(row[i]).length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, i) => String(cell).padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    );
}

/** What one engine says, with the time it takes, or why it says nothing. */
async function attempt(engine, program) {
  const start = performance.now();
  try {
    const lines = await engine.run(program, seconds);
    return { lines, seconds: (performance.now() - start) / 1000 };
  } catch (error) {
    return { fault: error.message, seconds: (performance.now() - start) / 1000 };
  }
}

/** `equal`, or the first line that is another than that of the first engine. */
function verdict({ lines, fault }, expected) {
  if (fault !== undefined) return `FAILED: ${fault.split('\n')[0]}`;
  const difference = firstDifference(expected, lines);
  return difference === undefined
    ? 'equal'
    : `DIFFERS: ${difference.actual ?? 'nothing'} for ${difference.expected ?? 'nothing'}`;
}

async function compareAll(found) {
  const scenario = await bundleProgram('test/engines/main.ts');
  const files = filesAsScript(await assetFiles()) + (await bundleProgram('test/engines/assets.ts'));
  const jobs = found.flatMap((engine) => [() => attempt(engine, scenario), () => attempt(engine, files)]);
  const results = await inLanes(availableParallelism(), jobs);
  const rows = found.map((engine, i) => ({ engine, scenario: results[2 * i], files: results[2 * i + 1] }));
  const expected = rows.find(({ scenario: { lines } }) => lines !== undefined)?.scenario.lines ?? [];
  const expectedFiles = rows.find((row) => row.files?.lines !== undefined)?.files.lines ?? [];
  const lastHash = (lines) => lines?.findLast((line) => /^\d/.test(line))?.split(' ')[1] ?? '-';
  const judged = rows.map((row) => [
    row.engine.name,
    row.engine.version,
    row.scenario.seconds.toFixed(1),
    lastHash(row.scenario.lines),
    verdict(row.scenario, expected),
    row.files?.seconds.toFixed(1) ?? '-',
    row.files ? verdict(row.files, expectedFiles) : 'not run',
  ]);
  table([['engine', 'version', 'seconds', 'last hash', 'scenario', 'seconds', 'files'], ...judged]);
  const same = judged.every((row) => row[4] === 'equal' && ['equal', 'not run'].includes(row[6]));
  for (const { engine, scenario: one, files: other } of rows)
    for (const fault of [one.fault, other?.fault]) if (fault) console.log(`\n${engine.name}: ${fault}`);
  await tellWhere(rows, scenario, expected);
  if (flags.has('--golden') && same) writeGolden(expected);
  return same;
}

/** Says of each engine that differs where it does first. */
async function tellWhere(rows, program, expected) {
  const first = rows.find(({ scenario }) => scenario.lines === expected);
  for (const { engine, scenario } of rows) {
    const difference = scenario.lines && firstDifference(expected, scenario.lines);
    if (difference !== undefined)
      console.log(`\n${engine.name}: ${await locate(first.engine, engine, program, difference, seconds)}`);
  }
}

/** Keeps the last hashes and counts, so that a change of bits is made on purpose. */
function writeGolden(lines) {
  const golden = { lines: lines.slice(-2) };
  writeFileSync(
    new URL('../test/engines/golden.json', import.meta.url),
    `${JSON.stringify(golden, null, 2)}\n`,
  );
}

async function main() {
  if (wrong.length > 0)
    throw new Error(`no option ${wrong.join(', ')}; there are --list, --install, --golden`);
  const wanted = names.length > 0 ? names.map(engineNamed) : engines;
  if (flags.has('--install')) await installEngines((spec) => console.log(`installed ${spec}`));
  const looked = await Promise.all(wanted.map(async (engine) => ({ ...engine, ...(await engine.find()) })));
  const found = looked.filter(({ run }) => run !== undefined);
  const missing = looked.filter(({ run }) => run === undefined);
  if (flags.has('--list')) table(found.map(({ name, version }) => [name, version]));
  else if (!flags.has('--install') && found.length > 0 && !(await compareAll(found))) process.exitCode = 1;
  if (missing.length > 0) console.log('\nnot found:');
  for (const { name, hint } of missing) console.log(`${name}: ${hint}`);
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
