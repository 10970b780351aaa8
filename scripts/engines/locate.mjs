// Where two engines part that do not say the same of the scenario: the first tick, and the columns in which that shows.
import { firstDifference } from './compare.mjs';

/** Tick of a line of the scenario; undefined for the line of counts. */
const tickOf = (line) => (line === undefined ? undefined : /^\d+/.exec(line)?.[0]);

/**
 * Runs the scenario again in both, with all columns of the ticks in which they part.
 *
 * @param {{ expected?: string, actual?: string }} difference of their lines
 * @returns {Promise<string>} in words
 */
export async function locate(engine, other, program, difference, seconds) {
  const tick = tickOf(difference.expected) ?? tickOf(difference.actual);
  if (tick === undefined) return 'one ends before the other, or counts otherwise';
  const watch = { from: Math.max(0, Number(tick) - 99), to: Number(tick) };
  const watching = `globalThis.followthroughWatch = ${JSON.stringify(watch)};\n${program}`;
  const [expected, actual] = await Promise.all([engine.run(watching, seconds), other.run(watching, seconds)]);
  const isColumn = (line) => /^\d+ \w+\.\w+ /.test(line);
  const found = firstDifference(expected.filter(isColumn), actual.filter(isColumn));
  if (found === undefined) return `tick ${tick}: in no column, so in what readPose makes of them`;
  const at = tickOf(found.expected);
  const columns = expected.filter((line) => tickOf(line) === at && isColumn(line) && !actual.includes(line));
  return `tick ${at}: ${columns.map((line) => line.split(' ')[1]).join(', ')}`;
}
