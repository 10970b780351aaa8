/**
 * Every chain that a file offers: its springs first, whose author said how they move, then the tails that names tell.
 */
import type { Asset, ChainDefinition } from '../asset/index.js';
import { findChains } from './findChains.js';
import { springChains } from './springs.js';

/**
 * @param roots - only the chains of these root bones; a spring where one begins there
 * @throws those of `findChains`
 */
export function fileChains(asset: Asset, roots?: readonly string[]): ChainDefinition[] {
  const springs = springChains(asset);
  if (roots) {
    const named = springs.filter(({ name }) => roots.includes(name));
    const others = roots.filter((root) => !named.some(({ name }) => name === root));
    return [...named, ...(others.length > 0 ? findChains(asset, { roots: others }) : [])];
  }
  const held = new Set(springs.flatMap(({ bones }) => bones));
  return [...springs, ...findChains(asset).filter(({ bones }) => !bones.some((bone) => held.has(bone)))];
}
