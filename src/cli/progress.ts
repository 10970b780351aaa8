/**
 * A progress bar on stderr for work over a second; silent when stderr is no terminal.
 */
import { SingleBar } from 'cli-progress';
import { oneLine } from './errors.js';

/** Shows progress. */
export interface Progress {
  /** Says how far the work is, 0..1, and at what. */
  update: (share: number, label: string) => void;
  /** Wipes the bar. */
  stop: () => void;
}

/** Characters of the bar between its brackets. */
const barWidth = 28;

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
          barsize: barWidth,
          clearOnComplete: true,
          // Else wrapping is turned off, and stays off in a terminal where the work is stopped with Ctrl-C.
          linewrap: true,
        });
        bar.start(1, 0, { label: '' });
      }
      const room = Math.max(0, (process.stderr.columns || 80) - barWidth - 4);
      bar.update(Math.min(Math.max(share, 0), 1), { label: oneLine(label).slice(0, room) });
    },
    stop: () => bar?.stop(),
  };
}
