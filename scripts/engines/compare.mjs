// What two engines said, beside each other.

/** Where two lists of lines first differ: the line's number and both lines; undefined when they are equal. */
export function firstDifference(expected, actual) {
  const length = Math.max(expected.length, actual.length);
  for (let i = 0; i < length; i++)
    if (expected[i] !== actual[i]) return { line: i, expected: expected[i], actual: actual[i] };
  return undefined;
}

/** Runs jobs, so many at a time, and gives their results in order. */
export async function inLanes(lanes, jobs) {
  const results = [];
  let next = 0;
  const lane = async () => {
    while (next < jobs.length) {
      const at = next++;
      results[at] = await jobs[at]();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
