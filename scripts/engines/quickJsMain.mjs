// node scripts/engines/quickJsMain.mjs FILE
// Runs a classic script in QuickJS, which comes as WebAssembly without a shell of its own.
import { readFileSync } from 'node:fs';
import { getQuickJS } from 'quickjs-emscripten';

const vm = (await getQuickJS()).newContext();
const say = vm.newFunction('followthroughSay', (line) => {
  process.stdout.write(`${vm.getString(line)}\n`);
});
vm.setProp(vm.global, 'followthroughSay', say);
say.dispose();

/** Says what went wrong and ends badly. */
function fail(error) {
  const { name, message, stack } = vm.dump(error);
  process.stderr.write(`${name}: ${message}\n${stack}\n`);
  process.exitCode = 1;
}

const result = vm.evalCode(readFileSync(process.argv[2], 'utf8'), 'program.js');
if (result.error) fail(result.error);
const jobs = vm.runtime.executePendingJobs();
if (jobs.error) fail(jobs.error);
