/** A head with strands of hair side by side, for tests of chains that meet chains. */
import type { Asset, ChainDefinition } from '../../src/index.js';
import { assetOf } from './chains.js';
import { add, identity, type V3 } from './referenceMath.js';

/** Links of a strand, and the length of each. */
export const links = 4;
const link = 0.1;

/** A head at (0, 1, 0), bone 2, with strands that hang straight down from the given points. */
export function strands(roots: V3[]): { asset: Asset; chains: ChainDefinition[] } {
  const names = ['Root', 'Armature', 'Head'];
  const parents = [-1, 0, 1];
  const positions: V3[] = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 1, 0],
  ];
  const chains = roots.map((root, c): ChainDefinition => {
    const bones: number[] = [];
    for (let k = 0; k <= links; k++) {
      parents.push(k === 0 ? 2 : names.length - 1);
      if (k < links) bones.push(names.length);
      names.push(`Strand_${c}_${k}`);
      positions.push(add(add([0, 1, 0], root), [0, -link * k, 0]));
    }
    return { name: `strand ${c}`, attachment: 2, bones, end: names.length - 1, origin: 'hair' };
  });
  return {
    asset: assetOf(
      names,
      parents,
      positions,
      names.map(() => identity),
    ),
    chains,
  };
}
