/**
 * Ctrl-C while files are written: it takes effect when the writes that have begun are done, so that no temporary file
 * stays behind. Outside of writes a signal does what it always does, at once, also while a thread is busy.
 */

/** Signals that end a program by default and can be waited with. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Gives a function that does work which no signal may cut in two.
 *
 * @param end - how the process ends by a signal that came meanwhile; for tests
 */
export function holdSignals(
  end: (signal: NodeJS.Signals) => void = (signal) => process.kill(process.pid, signal),
): <T>(work: () => Promise<T>) => Promise<T> {
  let begun = 0;
  let came: NodeJS.Signals | undefined;
  const hold = (signal: NodeJS.Signals): void => {
    came = signal;
  };
  return async (work) => {
    if (begun++ === 0) for (const signal of signals) process.on(signal, hold);
    try {
      return await work();
    } finally {
      if (--begun === 0) {
        for (const signal of signals) process.off(signal, hold);
        if (came) end(came);
      }
    }
  };
}
