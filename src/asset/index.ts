/** The plain data that every layer shares. */
export type {
  Asset,
  ChainDefinition,
  ChainSuggestion,
  Clip,
  Interpolation,
  MeshPrimitive,
  Skeleton,
  Skin,
  Track,
  TrackPath,
} from './asset.js';
export { FollowthroughError, type ErrorCode, type Warning } from './errors.js';
