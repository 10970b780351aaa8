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
export type {
  ColliderDefinition,
  ColliderGroupDefinition,
  ColliderShape,
  ConstraintDefinition,
  SecondaryMotion,
  SpringDefinition,
  SpringJoint,
} from './secondary.js';
export { FollowthroughError, type ErrorCode, type Warning } from './errors.js';
