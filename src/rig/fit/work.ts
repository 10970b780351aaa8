/**
 * What the steps of the collider fit hand on: everything that the result and the report are made of.
 */
import type { Asset, ChainDefinition } from '../../asset/asset.js';
import type { Warning } from '../../asset/errors.js';
import type { SecondaryMotion } from '../../asset/secondary.js';
import type { Neutral } from '../../setup/neutralPose.js';
import type { BodyParts, Directions } from './bodyParts.js';
import type { RestingChain } from './chainsAtRest.js';
import type { Contact, giveWay } from './giveWay.js';
import type { Authored, Grown } from './growProxies.js';
import type { Made } from './makeProxies.js';
import type { PartSkin } from './visibleSkin.js';

/** Everything that the result is made of. */
export interface FitWork extends SeenBody {
  asset: Asset;
  neutral: Neutral;
  before: SecondaryMotion;
  original: SecondaryMotion | undefined;
  springs: ChainDefinition[];
  others: ChainDefinition[];
  resting: RestingChain[];
  contacts: Contact[];
  authored: Authored[];
  grown: Grown[];
  placed: (Made & ReturnType<typeof giveWay>)[];
  /** Chains that feel each collider of the file. */
  felt: RestingChain[][];
  near: number;
  warnings: Warning[];
}

/** What is known of the body. */
export interface SeenBody {
  body: BodyParts | undefined;
  skins: PartSkin[];
  directions: Directions;
  height: number;
}
