/**
 * The facts that `inspect` prints.
 */
import type { Asset, Warning } from '../asset/index.js';
import { anatomicalFrame } from '../setup/anatomicalFrame.js';
import { chainRest } from '../setup/chainRest.js';
import { type Neutral, recoverNeutral } from '../setup/neutral.js';
import { rotateVec3 } from '../math/index.js';
import { collectEdges } from '../measure/skinnedEdges.js';
import { uniqueWarnings } from '../measure/uniqueWarnings.js';
import { chainsOf } from './options.js';
import { heightOf, unitWarning } from './unitWarning.js';

/** Where a rest pose comes from. */
export type RestSource = 'inverse-bind-matrices' | 'saved-nodes' | 'mixed';

/** A chain as found. */
export interface InspectedChain {
  name: string;
  /** Bone from which it hangs, null for the world. */
  attachment: string | null;
  /** Bones of the links, root first. */
  links: string[];
  /** Sum of the link lengths, file units. */
  length: number;
  restSource: RestSource;
  /** What tells where the last link ends. */
  tipSource: string;
  /** `vrm`: a spring of the file; `rigged`, `hair`: made by the rig pass; `artist`: modelled. Decides the defaults. */
  origin: string;
}

/** What `inspect --json` prints. */
export interface Inspection {
  file: string;
  bones: number;
  skins: number;
  clips: { name: string; duration: number }[];
  chains: InspectedChain[];
  /** What a VRM file says, null in other files: its version and how much there is of each. */
  secondary: { source: string; springs: number; colliders: number; constraints: number } | null;
  /** Lateral (the character's left), up and forward, and what they were derived from. */
  facing: { source: string; lateral: number[]; up: number[]; forward: number[] };
  /** Height along the up direction as saved, file units; null without a skinned mesh. */
  height: number | null;
  warnings: Warning[];
  /** All bones, parents first, when asked for. */
  skeleton?: { name: string; parent: string | null }[];
}

/** All bones with what they hang from, parents first. */
export function listBones({ skeleton: { names, parents } }: Asset): Inspection['skeleton'] {
  return names.map((name, bone) => ({ name, parent: parents[bone]! < 0 ? null : names[parents[bone]!]! }));
}

/** Collects the facts. */
export function inspectAsset(
  asset: Asset,
  file: string,
  roots: string[] | undefined,
  unit: number,
): Inspection {
  const neutral = recoverNeutral(asset);
  const frame = anatomicalFrame(asset, neutral);
  const definitions = chainsOf(asset, roots);
  const warnings: Warning[] = [...asset.warnings, ...neutral.warnings];
  const names = asset.skeleton.names;
  const chains = definitions.map((definition): InspectedChain => {
    const rest = chainRest(asset, neutral, frame, definition, { carry: 0, restCurve: 1 });
    warnings.push(...rest.warnings);
    return {
      name: definition.name,
      attachment: definition.attachment < 0 ? null : names[definition.attachment]!,
      links: definition.bones.map((bone) => names[bone]!),
      length: rest.lengths.reduce((sum, length) => sum + length, 0),
      restSource: restSource(neutral, definition.bones),
      tipSource: rest.tipSource,
      origin: definition.joints ? 'vrm' : definition.origin,
    };
  });
  const meshes = collectEdges(asset, definitions, warnings);
  const axis = (x: number, y: number, z: number): number[] => {
    const out = [0, 0, 0];
    rotateVec3(out, 0, frame.rotation, 0, [x, y, z], 0);
    return out.map((value) => Math.round(value * 1e6) / 1e6 + 0);
  };
  const facing = { source: frame.source, lateral: axis(1, 0, 0), up: axis(0, 1, 0), forward: axis(0, 0, 1) };
  const height = heightOf(asset, neutral, frame, meshes);
  warnings.push(...unitWarning(height, unit, file));
  if (chains.length === 0)
    warnings.push({
      code: 'no-chain',
      message: 'no springs and no Tail* bones were found; --chain names a root bone, --bones lists them',
      at: file,
    });
  return {
    file,
    bones: asset.skeleton.count,
    skins: asset.skins.length,
    clips: asset.clips.map(({ name, duration }) => ({ name, duration })),
    chains,
    secondary: countSecondary(asset),
    facing,
    height,
    warnings: uniqueWarnings(warnings),
  };
}

function countSecondary({ secondary }: Asset): Inspection['secondary'] {
  if (!secondary) return null;
  const { source, springs, colliders, constraints } = secondary;
  return {
    source,
    springs: springs.length,
    colliders: colliders.length,
    constraints: constraints.length,
  };
}

function restSource(neutral: Neutral, bones: number[]): RestSource {
  const bound = bones.filter((bone) => neutral.sources[bone] === 1).length;
  return bound === bones.length ? 'inverse-bind-matrices' : bound === 0 ? 'saved-nodes' : 'mixed';
}
