/**
 * A world that runs ahead of what is known. Its state at the confirmed tick comes from inputs of the server alone; behind it
 * stand guesses. When inputs arrive, the guesses are taken back, the inputs applied, and the rest is guessed again: what the
 * server sent never meets a guessed state.
 */
import { step, type Asset, type World } from 'followthrough';
import { applyInputs, createHistory, type History } from 'followthrough/replay';

/** How a prediction works. */
export interface PredictionOptions {
  /** Where to find assets of characters that join. */
  assets: readonly Asset[];
  /** Does to the world what is likely to be done to it before its next tick. */
  guess: (world: World) => void;
  /** Most ticks to run ahead: when the server is silent for longer, the game stands still. */
  window: number;
  /** Confirmed ticks to keep, for finding out when a world went wrong. */
  kept: number;
}

/** A world and how much of it is certain. */
export interface Prediction {
  /** The world; it stands at the newest tick, guessed or not. */
  readonly world: World;
  /** Confirmed ticks, and guessed ones behind them. */
  readonly history: History;
  /** Ticks that are certain. */
  readonly confirmed: number;
  /**
   * Takes guesses back and runs ticks with what was really done.
   *
   * @param inputs - of the ticks from `confirmed` on, in order
   * @param onTick - called after each tick, while the world stands there
   */
  confirm(inputs: readonly Uint8Array[], onTick?: () => void): void;
  /** Runs the world up to a tick, by guesses. */
  predictTo(tick: number): void;
}

/** Makes a prediction of a world that stands at a confirmed tick. */
export function createPrediction(world: World, options: PredictionOptions): Prediction {
  const { assets, guess, window, kept } = options;
  const history = createHistory(world, window + kept);
  let confirmed = world.tick;
  history.save();
  return {
    world,
    history,
    get confirmed() {
      return confirmed;
    },
    confirm(inputs, onTick) {
      if (inputs.length > 0 && world.tick > confirmed) history.rewind(confirmed);
      for (const bytes of inputs) {
        applyInputs(world, bytes, assets);
        step(world);
        confirmed = world.tick;
        onTick?.();
        history.save();
      }
    },
    predictTo(tick) {
      const end = Math.min(tick, confirmed + window);
      while (world.tick < end) {
        guess(world);
        step(world);
        history.save();
      }
    },
  };
}
