/** A head with strands of hair side by side, for tests of chains that meet chains. */
import {
  addChains,
  addCharacter,
  createWorld,
  type Asset,
  type ChainDefinition,
  type ChainOptions,
  type World,
} from '../../src/index.js';
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

/** Radius of the strands of {@link strandScene}, and their other options. */
export const radius = 0.01;
export const freeStrand: ChainOptions = {
  floor: false,
  keepOut: false,
  limit: Infinity,
  coupling: 0,
  radius,
};

/** Strands in a world. */
export interface StrandScene {
  world: World;
  character: number;
  /** Their chains. */
  chains: number[];
  roots: V3[];
}

/** A world with strands; their options are taken in turn, and `scale` is that of the character. */
export function strandScene(
  roots: V3[],
  options: readonly ChainOptions[],
  scale: V3 = [1, 1, 1],
): StrandScene {
  const world = createWorld();
  const { asset, chains: definitions } = strands(roots);
  const frame = { up: [0, 1, 0] as V3, forward: [0, 0, 1] as V3 };
  const character = addCharacter(world, asset, { frame, scale });
  const chains = definitions.map(
    (one, c) =>
      addChains(world, character, { ...freeStrand, ...options[c % options.length], chains: [one] })[0]!,
  );
  return { world, character, chains, roots };
}

/** Tips of the strand whose chain is in row c. */
export function strandTips({ world: { views } }: StrandScene, c: number): V3[] {
  return Array.from({ length: links }, (_, k) => {
    const p = (views.chain.first[c]! + k) * 3;
    return [...views.particle.position.subarray(p, p + 3)] as V3;
  });
}
