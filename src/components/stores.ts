/** All components, in the order in which their columns lie in the arena. Appending is a format change. */
import { Bone } from './bone.js';
import { Character } from './character.js';
import { Chain } from './chain.js';
import { ClipPlayer } from './clipPlayer.js';
import { Collider } from './collider.js';
import { Constraint } from './constraint.js';
import type { Columns } from './field.js';
import { FloorPlane } from './floorPlane.js';
import { Global } from './global.js';
import { Particle } from './particle.js';
import { PoseInput } from './poseInput.js';

/** Every component by the name of its store. */
export const components: {
  /** Numbers of the world. */
  readonly global: typeof Global;
  /** Characters. */
  readonly character: typeof Character;
  /** Bones of all characters. */
  readonly bone: typeof Bone;
  /** Chains. */
  readonly chain: typeof Chain;
  /** Tips of all links. */
  readonly particle: typeof Particle;
  /** Colliders. */
  readonly collider: typeof Collider;
  /** Floor planes. */
  readonly floor: typeof FloorPlane;
  /** Clips that play. */
  readonly player: typeof ClipPlayer;
  /** Poses given by the game. */
  readonly input: typeof PoseInput;
  /** Node constraints. */
  readonly constraint: typeof Constraint;
} = {
  global: Global,
  character: Character,
  bone: Bone,
  chain: Chain,
  particle: Particle,
  collider: Collider,
  floor: FloorPlane,
  player: ClipPlayer,
  input: PoseInput,
  constraint: Constraint,
};

/** Name of a store. */
export type StoreName = keyof typeof components;

/** Names of all stores in layout order. */
export const storeNames: readonly StoreName[] = [
  'global',
  'character',
  'bone',
  'chain',
  'particle',
  'collider',
  'floor',
  'player',
  'input',
  'constraint',
];

/**
 * The typed arrays of every store. The objects stay, the arrays inside are replaced when a store grows:
 * `generation` tells.
 */
export type Views = { readonly [K in StoreName]: Columns<(typeof components)[K]> } & {
  /** Rises by one each time the arrays move. */
  generation: number;
};
