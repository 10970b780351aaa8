// node scripts/fuzz-contact.mjs [SHARE] [SEED]
// Puts 100,000 random links among random colliders and compares what contact makes of them with directions found by
// looking at many; SHARE 0.1 runs a tenth. Exits with 1 when a bound is not met (test/support/contactFuzz.ts says them).
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';

const [share = '1', seed = '1'] = process.argv.slice(2);
const { faultsOf, fuzz, fuzzSets } = await import(
  pathToFileURL(await bundle('test/support/contactFuzz.ts')).href
);

let failed = false;
for (const set of fuzzSets) {
  const cases = Math.round(Number(share) * set.cases);
  const result = fuzz(set, cases, Number(seed));
  const { contacts, tooDeep, jammed, jamsTooDeep, farther, worst } = result;
  const faults = faultsOf(set, result);
  failed ||= faults.length > 0;
  console.log(
    `${set.name}: ${cases} cases, ${contacts} contacts, ${tooDeep} too deep (${worst.tooDeep.by.toExponential(1)} m), ` +
      `${jammed} jammed, ${jamsTooDeep} of them too deep (${worst.jamsTooDeep.by.toExponential(1)} m), ` +
      `${farther} not the nearest (${worst.farther.by.toExponential(1)} rad)`,
  );
  for (const fault of faults) console.log(`  ${fault}`);
  if (faults.length > 0)
    for (const { one } of Object.values(worst)) if (one) console.log(`  ${JSON.stringify(one)}`);
}
if (failed) process.exitCode = 1;
