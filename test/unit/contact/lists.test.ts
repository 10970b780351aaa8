/**
 * Chains of one head share the list of colliders gathered for the one before (docs/solver.md, "Colliders") where it stands for
 * them too: not with another mask, on another size, or where the one before was not swept.
 */
import { describe, expect, it } from 'vitest';
import {
  addChains,
  addCharacter,
  addCollider,
  createWorld,
  setRoot,
  step,
  type ChainOptions,
} from '../../../src/index.js';
import type { V3 } from '../../support/referenceMath.js';
import { links, strands } from '../../support/strands.js';

const free: ChainOptions = { floor: false, keepOut: false, coupling: 0, limit: Infinity, radius: 0.01 };
const roots: V3[] = [
  [-0.06, 0, 0],
  [0.06, 0, 0],
];

/** Bits of the second strand, with or without the first before it. */
function second(options: [ChainOptions, ChainOptions], withFirst: boolean): number[] {
  const world = createWorld();
  const { asset, chains } = strands(roots);
  const character = addCharacter(world, asset, { frame: { up: [0, 1, 0], forward: [0, 0, 1] } });
  const used = withFirst ? [0, 1] : [1];
  for (const c of used) addChains(world, character, { ...free, ...options[c], chains: [chains[c]!] });
  const ball = (x: number, groups: number): void => {
    const shape = { kind: 'sphere', offset: [x, -0.2, 0.03], radius: 0.05 } as const;
    addCollider(world, { character, bone: 2, shape, groups });
  };
  ball(-0.06, 1);
  ball(0.06, 2);
  for (let k = 0; k < 240; k++) {
    setRoot(world, character, { position: [0.2 * Math.sin(k / 9), 0, 0.1 * Math.cos(k / 7)] });
    step(world);
  }
  const { chain, particle } = world.views;
  const first = chain.first[used.length - 1]! * 3;
  return [...particle.position.subarray(first, first + links * 3)];
}

describe('what a chain feels does not depend on the chain before it', () => {
  it.each<[string, [ChainOptions, ChainOptions]]>([
    ['of another mask', [{ colliderMask: 1 }, { colliderMask: 2 }]],
    ['that feels none', [{ colliderMask: 0 }, { colliderMask: 3 }]],
    ['that was carried along, and not swept', [{ inertia: 0.5 }, {}]],
    ['that was swept', [{}, { inertia: 0.5 }]],
    ['that tests its tips', [{ contactPart: 'tip' }, {}]],
  ])('%s', (_, options) => {
    expect(second(options, true)).toEqual(second(options, false));
  });

  it('the colliders are met at all', () => {
    expect(second([{}, {}], true)).not.toEqual(second([{}, { colliderMask: 0 }], true));
  });
});
