/**
 * Whether a character is of a size that metres make sense at. Only gravity, the fastest felt speed and floors are in
 * metres; everything else about a chain is free of the unit.
 */
import type { Asset, ChainDefinition, Warning } from '../asset/index.js';
import { rotateVec3 } from '../math/index.js';
import { characterHeight } from '../measure/characterHeight.js';
import { collectEdges, type SkinnedEdges } from '../measure/skinnedEdges.js';
import { type AnatomicalFrame, anatomicalFrame } from '../setup/anatomicalFrame.js';
import { type ChainOptions, chainDefaults } from '../setup/chainOptions.js';
import { type Neutral, recoverNeutral } from '../setup/neutral.js';

/** Height of a character along its up direction as saved, file units; null without a skinned mesh. */
export function heightOf(
  asset: Asset,
  neutral: Neutral,
  frame: AnatomicalFrame,
  meshes: SkinnedEdges[],
): number | null {
  const up = [0, 0, 0];
  rotateVec3(up, 0, frame.rotation, 0, [0, 1, 0], 0);
  return characterHeight(asset, neutral, meshes, up);
}

/** A warning for a height that no unit of metres explains. */
export function unitWarning(height: number | null, unit: number, file: string): Warning[] {
  if (height === null || (height / unit <= 10 && height / unit >= 0.1)) return [];
  const metres = (height / unit).toPrecision(3);
  return [
    {
      code: 'unit',
      message:
        `the character is ${metres} m tall at ${unit} file units per metre; if that is wrong, --unit says how ` +
        'many it has (100: centimetres)',
      at: file,
    },
  ];
}

/** The same for a simulation, where metres matter to any of its chains. */
export function unitWarningFor(
  asset: Asset,
  chains: ChainDefinition[],
  optionsOf: (chain: ChainDefinition) => ChainOptions,
  { unit, floor }: { unit: number; floor?: number },
): Warning[] {
  const inMetres = chains.some((chain) => {
    const { gravity, maxSpeed } = { ...chainDefaults(chain), ...optionsOf(chain) };
    return gravity !== 0 || maxSpeed < Infinity;
  });
  if (floor === undefined && !inMetres) return [];
  return unitWarningOf(asset, chains, unit);
}

/** The same whatever is done with the character. */
export function unitWarningOf(asset: Asset, chains: ChainDefinition[], unit: number): Warning[] {
  const neutral = recoverNeutral(asset);
  const meshes = collectEdges(asset, chains, []);
  return unitWarning(heightOf(asset, neutral, anatomicalFrame(asset, neutral), meshes), unit, asset.name);
}
