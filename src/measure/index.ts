/**
 * Measuring what the skin does: stretch of the edges over a clip, travel of the tip, and how a loop closes.
 *
 * @module followthrough/measure
 */
export { measureClip } from './measureClip.js';
export type { MeasuredMotion, MeasuredPose, MeasureOptions, MeasureReport } from './measureClip.js';
export type { StretchFigures } from './figures.js';
export type { LoopRule } from './clipLoop.js';
