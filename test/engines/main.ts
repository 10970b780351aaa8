/** Entry of the scenario: prints its lines, and `end` when all are there. */
import { say } from './say.js';
import { runScenario, type Watch } from './scenario.js';

/** Ticks that the driver wants in full. */
const { followthroughWatch } = globalThis as { followthroughWatch?: Watch };

for (const line of runScenario(followthroughWatch)) say(line);
say('end');
