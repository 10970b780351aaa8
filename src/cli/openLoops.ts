/**
 * `--require-loop`: the clips of a bake that do not close, in words.
 */
import type { ClipReport } from '../io/bake/index.js';

/** One line for every baked clip that is no loop, or whose last pass did not end as it began. */
export function openLoops(clips: readonly ClipReport[]): string[] {
  return clips
    .filter((clip) => clip.ticks > 0 && !(clip.loop && clip.converged))
    .map(({ name, loop, seamDeg }) =>
      loop ? `${name} did not close (${seamDeg!.toPrecision(3)} degrees)` : `${name} is no loop`,
    );
}
