/**
 * K29: random rigs against what @pixiv/three-vrm-node-constraint makes of them. Its results are kept in threeVrm.json, as
 * the package is nothing that the library needs; constraints stand there in an order that has nothing to do with theirs.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ConstraintDefinition } from '../../../src/index.js';
import { addConstraints, setPose, step } from '../../../src/index.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { angleOf } from '../../support/referenceMath.js';
import { flat, shownRotations, worldOf, type Locals } from './support.js';

/** Rotations as whole numbers, not of length 1; one scale per bone. */
interface Stored {
  translations: V3[];
  rotations: Q4[];
  scales: number[];
}

interface Scene {
  parents: number[];
  rest: Stored;
  pose: Stored;
  constraints: ConstraintDefinition[];
  expected: Q4[];
}

const { scenes } = JSON.parse(readFileSync(new URL('threeVrm.json', import.meta.url), 'utf8')) as {
  scenes: Scene[];
};

function unpack({ translations, rotations, scales }: Stored): Locals {
  return {
    translations,
    rotations: rotations.map((q): Q4 => {
      const length = Math.hypot(...q);
      return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
    }),
    scales: scales.map((s): V3 => [s, s, s]),
  };
}

it.each(scenes.map((scene, i) => [i, scene] as const))(
  'scene %i',
  (_, { parents, rest, pose, constraints, expected }) => {
    const { world, character } = worldOf({ parents, ...unpack(rest) }, constraints);
    addConstraints(world, character);
    setPose(world, character, flat(unpack(pose)));
    step(world);
    for (const [b, q] of shownRotations(world, character).entries())
      expect(angleOf(q, expected[b]!), `bone ${b}`).toBeLessThan(1e-8);
    expect(world.report.warnings.filter(({ code }) => code === 'constraint-cycle')).toEqual([]);
  },
);
