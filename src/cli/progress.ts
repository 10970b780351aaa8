/**
 * A progress bar on stderr for work over a second; silent when stderr is no terminal.
 */
import { SingleBar } from 'cli-progress';

/** Shows progress. */
export interface Progress {
  /** Says how far the work is, 0..1, and at what. */
  update: (share: number, label: string) => void;
  /** Wipes the bar. */
  stop: () => void;
}

/** Work shorter than this shows no bar, milliseconds. */
const patience = 1000;

/** Starts the clock. */
export function createProgress(): Progress {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} };
  const started = Date.now();
  let bar: SingleBar | undefined;
  return {
    update: (share, label) => {
      if (!bar && Date.now() - started < patience) return;
      if (!bar) {
        bar = new SingleBar({
          stream: process.stderr,
          format: '[{bar}] {label}',
          barsize: 28,
          clearOnComplete: true,
        });
        bar.start(1, 0, { label });
      }
      bar.update(Math.min(Math.max(share, 0), 1), { label });
    },
    stop: () => bar?.stop(),
  };
}
