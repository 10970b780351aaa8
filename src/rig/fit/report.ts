/**
 * What the collider fit is asked for and what it says about its work, as plain data. Lengths are world units of the bind
 * pose; shares are of points on the visible skin (docs/rigging.md, "Collider fit").
 */
import type { ChainDefinition } from '../../asset/asset.js';
import { FollowthroughError, type Warning } from '../../asset/errors.js';
import type { SecondaryMotion } from '../../asset/secondary.js';
import type { FrameOption } from '../../setup/rig.js';
import type { BodyRegion, BodySide } from './bodyParts.js';

/** Options of `fitColliders`. */
export interface FitOptions {
  /** Springs and colliders to begin with; default what the character's file says. */
  secondary?: SecondaryMotion;
  /** Chains that will feel the colliders, beside the springs; default the tails and the hair that `findChains` sees. */
  chains?: readonly ChainDefinition[];
  /** Most that the radius of a collider of the file grows, as a share of the body's height, 0 to 1; default 0.03. */
  maxGrowth?: number;
  /** Whether colliders are made for skin that those of the file do not cover; default true. */
  make?: boolean;
  /** Whether a collider that is made may have two radii, which VRM files cannot say; default true. */
  taper?: boolean;
  /** Exact names of nodes, meshes or materials that are not seen and do not count: a hidden accessory. Default none. */
  hidden?: readonly string[];
  /** Units of the file per metre, for the radius of chains that have none of their own; default 1. */
  unit?: number;
  /** Directions that fix left, up and forward; default found. */
  frame?: FrameOption;
}

/** Why a radius is what it is. */
export type FitLimit =
  /** It follows the skin. */
  | 'skin'
  /** The skin is farther than `maxGrowth` lets it grow. */
  | 'growth'
  /** A chain at rest stands in the way. */
  | 'rest'
  /** It covers its skin as it is. */
  | 'covered'
  /** It is no ball or capsule that keeps things out, or does not stand in the skin of its bone. */
  | 'kept';

/** One collider of the result. */
export interface FittedCollider {
  /** Index in `secondary.colliders`; colliders of the file keep theirs. */
  collider: number;
  /** Name of the bone that carries it. */
  bone: string;
  /** Part of the body; undefined for a bone of none. */
  region: BodyRegion | undefined;
  /** Side of the body. */
  side: BodySide | undefined;
  /** True for one that was made here. */
  made: boolean;
  /**
   * Radii as their author left them, world units of the bind pose (`original` has those of the bone's space); undefined for one that
   * was made. Two for a capsule, one for a ball, none for a plane.
   */
  radiiBefore: number[] | undefined;
  /** Radii as they are now. */
  radii: number[];
  /** What stopped it. */
  limit: FitLimit;
  /** Points of the visible skin that are its to cover. */
  points: number;
  /** Share of them inside it, or not farther than 0.5% of the height from it; 0 without points. */
  covered: number;
  /** 95th percentile of how far these points stand out of it; 0 where they do not. */
  outside: number;
  /** 95th percentile of how deep these points lie below its surface, which is how far hair floats above them. */
  above: number;
}

/** How well the skin of one part of the body is covered, by all colliders together. */
export interface FittedRegion {
  /** Part of the body. */
  region: BodyRegion;
  /** Side of the body. */
  side: BodySide;
  /** Points of its visible skin. */
  points: number;
  /** Share of them inside a collider, or not farther than 0.5% of the height from one, before. */
  coveredBefore: number;
  /** The same after. */
  covered: number;
  /** 95th percentile of how far points stand out of all colliders after the fit. */
  outside: number;
  /** 95th percentile of how deep points lie below the surface after the fit. */
  above: number;
}

/** What was decided for one chain. */
export interface FittedChain {
  /** Name of its root bone. */
  name: string;
  /** Index in `secondary.springs`, -1 for a chain that is none. */
  spring: number;
  /** What of its links shall stay out of colliders. */
  contactPart: 'tip' | 'segment';
  /** Why. */
  reason: string;
  /** Colliders that it feels, by index: of the file and made. */
  feels: number[];
  /** Colliders that were made, lie within its reach, and would push it out at rest: it does not feel them. */
  spared: number[];
  /** How deep the deepest of its links lies at rest in what it feels; 0 when nothing is pushed. */
  pushedAtRest: number;
}

/** Everything that the fit has to say. */
export interface FitReport {
  /** What told the parts of the body; undefined when nothing did. */
  body: 'humanoid' | 'names' | 'symmetry' | undefined;
  /** Height of the visible body along its up, world units: what shares are of. */
  height: number;
  /** One per collider of the result. */
  colliders: FittedCollider[];
  /** One per part and side of the body that has visible skin. */
  regions: FittedRegion[];
  /** One per spring, then one per other chain. */
  chains: FittedChain[];
  /** Names of bones that hang on the body and stand off it: their skin is not covered. */
  standsOff: string[];
  /** What could not be done: `no-body`, `no-skin-of-part`, `collider-kept`, `collider-scale`, `too-many-collider-groups`. */
  warnings: Warning[];
}

/** @throws FollowthroughError `invalid-argument` for a value out of range */
export function checkFitOptions({ maxGrowth, unit }: FitOptions): void {
  if (maxGrowth !== undefined && !(maxGrowth >= 0 && maxGrowth <= 1))
    throw new FollowthroughError(
      'invalid-argument',
      `maxGrowth is ${String(maxGrowth)}, expected a number from 0 to 1`,
    );
  if (unit !== undefined && !(unit > 0 && unit < Infinity))
    throw new FollowthroughError('invalid-argument', `unit is ${String(unit)}, expected a number above 0`);
}
