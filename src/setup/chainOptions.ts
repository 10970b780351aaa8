/**
 * Options of a chain, their ranges and their defaults by origin: a hanging tail made by the rig pass is lifted and
 * centred, hair keeps its curve in the frame of the head, a tail made by an artist keeps its own shape.
 */
import { FollowthroughError, type ChainDefinition } from '../asset/index.js';
import {
  chainModel,
  contactPart,
  ownerRule,
  restFrame,
  restPose,
  teleportRule,
} from '../components/codes.js';
import type { Chain } from '../components/chain.js';
import type { Columns } from '../components/field.js';
import { requireBits } from './world.js';

/** Columns of the chain store. */
export type ChainColumns = Columns<typeof Chain>;

/** How a chain moves. Everything is optional; what is left out keeps its default. */
export interface ChainOptions {
  /**
   * Motion law; default 'vrm' for chains with VRM joints, else 'spring'. 'vrm' takes all it needs from the joints:
   * frequency, tipRatio, damping, coupling, limit, gravity, air, restFrame, keepOut and radius are not used.
   */
  model?: 'spring' | 'vrm';
  /**
   * Spring at the root link in Hz, > 0; default 0.9. Hair: 1.5, below 0.3 m more, as a pendulum of its length:
   * 1.5 sqrt(0.3 / length), at most 5.
   */
  frequency?: number;
  /** Frequency of the tip link as a share of the root's, > 0; default 0.5 (hair 1). */
  tipRatio?: number;
  /** Damping ratio, >= 0, 1 is critical; default 0.65 (hair 0.8). */
  damping?: number;
  /** Rate at which a bend follows the bends of its neighbours, 1/s, >= 0; default 12 (hair 0), 0 is off. */
  coupling?: number;
  /** Largest bend of a link beyond its rest direction, radians, > 0; default pi/6 (hair Infinity); Infinity is off. */
  limit?: number;
  /** Gravity in m/s^2 along world -Y; default 1 for hanging tails of the rig pass, else 0. */
  gravity?: number;
  /**
   * How much of the attachment's speed is felt as air, 0..1; default 0.25. 0: constant speed bends nothing. Hair: so much
   * that it leans in a walk as in a wind of that speed, by tan = speed / 6 m/s (0.29 for one link of 0.3 m).
   */
  air?: number;
  /** How much of the world's wind is felt, 0..1; default 1. */
  wind?: number;
  /** How much of the attachment's translation is felt, 0..1; default 1. */
  inertia?: number;
  /** How much of the attachment's turning is felt, 0..1; default 1. */
  inertiaRotation?: number;
  /** Fastest translation that is felt, m/s, > 0; default Infinity. */
  maxSpeed?: number;
  /** Fastest turning that is felt, rad/s, > 0; default Infinity. */
  maxTurn?: number;
  /** Lift of the whole chain at rest, radians, shared by its links; default 50 degrees (hanging tails of the rig pass) or 0. */
  carry?: number;
  /** 0: centred arc, 1: the curve as modelled; default 0 (hanging tails of the rig pass) or 1. */
  restCurve?: number;
  /** What a link's rest direction is measured in; default 'parent' (hair 'attachment'). */
  restFrame?: 'parent' | 'attachment';
  /** 'bind': the neutral pose; 'animated': the clip's own pose, so that physics adds to it. Default 'bind'. */
  restPose?: 'bind' | 'animated';
  /** Who moves the chain: 'auto' leaves it to a clip that moves any of its bones. Default 'auto'. */
  owner?: 'auto' | 'solver' | 'clip';
  /** How much of the simulated rotation is shown, 0..1; default 1. */
  weight?: number;
  /** Keep the links behind the plane through the root that faces forward; default true unless the rest shape crosses it. */
  keepOut?: boolean;
  /** Keep the links above the world's floor planes; default true. */
  floor?: boolean;
  /** Distance of the centre line from a floor, metres at scale 1, >= 0; default 0.025. */
  clearance?: number;
  /** Radius of the links for colliders and other chains, metres at scale 1, >= 0; default 0.01. */
  radius?: number;
  /** What stays out of colliders: 'segment', the whole link (default), or 'tip', its end (default with VRM joints). */
  contactPart?: 'tip' | 'segment';
  /** Groups of colliders that are felt, one bit each, 0 to 4294967295; default all. 0 is none. */
  colliderMask?: number;
  /** Groups of chains it belongs to, one bit each, 0 to 4294967295; default 1. For `chainMask` and the wind. */
  groups?: number;
  /**
   * Groups of chains of the same character and level (docs/solver.md) that its links stay out of by both radii, one bit
   * each; default 0, none. Where both ask for
   * it both give way, which looks best, else the one that does. Links that touch at rest may stand as near as there.
   */
  chainMask?: number;
  /** What a jump of the attachment does: 'keep' moves the chain along, 'reset' returns it to rest, 'none' lets it be felt. */
  teleport?: 'keep' | 'reset' | 'none';
}

/** Hair of this length, metres, and longer swings at 1.5 Hz. */
const longHair = 0.3;
/** Damping ratio of hair. */
const hairDamping = 0.8;
/** The frequency of the shortest, Hz. */
const fastestHair = 5;

/** Frequency of hair, Hz: a pendulum's, by the root of the length. */
function hairFrequency(lengthMetres: number): number {
  if (!(lengthMetres < longHair)) return 1.5;
  const frequency = 1.5 * Math.sqrt(longHair / lengthMetres);
  return frequency < fastestHair ? frequency : fastestHair;
}

/**
 * What hair feels of air: so much that it leans in a walk as it does standing in a wind of that speed, by tan = speed / 6 m/s
 * (docs/solver.md, "Wind"), whatever its length and number of links.
 */
function hairAir({ lengthMetres, links }: ChainSize): number {
  if (!(lengthMetres < Infinity)) return 0.25;
  const air = (2 * Math.PI * hairFrequency(lengthMetres) * lengthMetres) / (12 * hairDamping * links);
  return air < 1 ? air : 1;
}

/** How long a chain is, and of how many links. */
interface ChainSize {
  /** Sum of the links, metres. */
  lengthMetres: number;
  /** Their number. */
  links: number;
}

/** Defaults of a chain by where it came from, and of hair by its size. */
function defaultOptions(
  origin: ChainDefinition['origin'],
  size: ChainSize,
): Required<Omit<ChainOptions, 'keepOut'>> {
  const rigged = origin === 'rigged';
  const hair = origin === 'hair';
  return {
    model: 'spring',
    frequency: hair ? hairFrequency(size.lengthMetres) : 0.9,
    tipRatio: hair ? 1 : 0.5,
    damping: hair ? hairDamping : 0.65,
    coupling: hair ? 0 : 12,
    limit: hair ? Infinity : Math.PI / 6,
    gravity: rigged ? 1 : 0,
    air: hair ? hairAir(size) : 0.25,
    wind: 1,
    inertia: 1,
    inertiaRotation: 1,
    maxSpeed: Infinity,
    maxTurn: Infinity,
    carry: rigged ? (50 * Math.PI) / 180 : 0,
    restCurve: rigged ? 0 : 1,
    restFrame: hair ? 'attachment' : 'parent',
    restPose: 'bind',
    owner: 'auto',
    weight: 1,
    floor: true,
    clearance: 0.025,
    radius: 0.01,
    contactPart: 'segment',
    colliderMask: 0xffffffff,
    groups: 1,
    chainMask: 0,
    teleport: 'keep',
  };
}

/**
 * Defaults of one chain: those of its origin, and what its file says.
 *
 * @param size - of the chain, for the frequency and air of hair
 */
export function chainDefaults(
  { origin, suggested = {}, joints }: ChainDefinition,
  size: ChainSize = { lengthMetres: Infinity, links: 1 },
): Required<Omit<ChainOptions, 'keepOut'>> {
  const ofJoints: ChainOptions = joints ? { model: 'vrm', contactPart: 'tip' } : {};
  return { ...defaultOptions(origin, size), ...ofJoints, ...suggested };
}

type NumberOption =
  | 'frequency'
  | 'tipRatio'
  | 'damping'
  | 'coupling'
  | 'limit'
  | 'air'
  | 'wind'
  | 'inertia'
  | 'inertiaRotation'
  | 'maxSpeed'
  | 'maxTurn'
  | 'carry'
  | 'restCurve'
  | 'weight'
  | 'clearance'
  | 'radius';

/** Range of each numeric option: lowest, highest, and whether the lowest itself is allowed. */
const ranges: Record<NumberOption, readonly [low: number, high: number, closed: boolean]> = {
  frequency: [0, 1e6, false],
  tipRatio: [0, 1e6, false],
  damping: [0, 1e6, true],
  coupling: [0, 1e6, true],
  limit: [0, Infinity, false],
  air: [0, 1, true],
  wind: [0, 1, true],
  inertia: [0, 1, true],
  inertiaRotation: [0, 1, true],
  maxSpeed: [0, Infinity, false],
  maxTurn: [0, Infinity, false],
  carry: [-2 * Math.PI, 2 * Math.PI, true],
  restCurve: [0, 1, true],
  weight: [0, 1, true],
  clearance: [0, Infinity, true],
  radius: [0, Infinity, true],
};

const codes = {
  model: chainModel,
  restFrame,
  restPose,
  owner: ownerRule,
  teleport: teleportRule,
  contactPart,
} as const;
const codeColumn = {
  model: 'model',
  restFrame: 'restFrame',
  restPose: 'restPose',
  owner: 'ownerRule',
  teleport: 'teleportRule',
  contactPart: 'contactPart',
} as const;
const flags = ['keepOut', 'floor'] as const;
const bits = ['colliderMask', 'groups', 'chainMask'] as const;

function invalid(name: string, value: unknown, expected: string): FollowthroughError {
  return new FollowthroughError(
    'invalid-argument',
    `chain option ${name} is ${String(value)}, expected ${expected}`,
  );
}

/** @throws FollowthroughError `invalid-argument` for an unknown name or a value out of range */
export function checkOptions(options: ChainOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (name in ranges) {
      const [low, high, closed] = ranges[name as NumberOption];
      if (typeof value !== 'number' || !(closed ? value >= low : value > low) || !(value <= high))
        throw invalid(name, value, `a number ${closed ? 'from' : 'above'} ${low} to ${high}`);
    } else if (name === 'gravity') {
      if (typeof value !== 'number' || !Number.isFinite(value)) throw invalid(name, value, 'a finite number');
    } else if (bits.includes(name as (typeof bits)[number])) {
      requireBits(value, `chain option ${name}`);
    } else if (name in codes) {
      const allowed = Object.keys(codes[name as keyof typeof codes]);
      if (!allowed.includes(value as string)) throw invalid(name, value, allowed.join(' or '));
    } else if (flags.includes(name as (typeof flags)[number])) {
      if (typeof value !== 'boolean') throw invalid(name, value, 'true or false');
    } else throw new FollowthroughError('unknown-name', `there is no chain option ${name}`);
  }
}

/** Writes the given options into a chain's columns; leaves the others as they are. */
export function writeOptions(chain: ChainColumns, row: number, options: ChainOptions): void {
  for (const name of Object.keys(ranges) as NumberOption[]) {
    const value = options[name];
    if (value !== undefined) chain[name][row] = value;
  }
  if (options.gravity !== undefined) {
    chain.acceleration[row * 3] = 0;
    chain.acceleration[row * 3 + 1] = -options.gravity;
    chain.acceleration[row * 3 + 2] = 0;
  }
  for (const name of bits) {
    const value = options[name];
    if (value !== undefined) chain[name][row] = value;
  }
  for (const name of Object.keys(codes) as (keyof typeof codes)[]) {
    const value = options[name];
    if (value !== undefined) chain[codeColumn[name]][row] = (codes[name] as Record<string, number>)[value]!;
  }
  for (const name of flags) {
    const value = options[name];
    if (value !== undefined) chain[name][row] = value ? 1 : 0;
  }
}
