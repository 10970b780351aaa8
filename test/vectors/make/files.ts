/** The vector files by name, as text: what scripts/vectors.mjs writes and a test compares with what is committed. */
import { openCases, pressedCases } from './contactCases.js';
import { settledCases, untouchedCases } from './collisionCases.js';
import { constraintCases } from './constraintCases.js';
import type { Case, VectorFile } from './model.js';
import { orderCases } from './orderCases.js';
import { print } from './print.js';
import { springCases } from './springCases.js';

function fileOf(about: string, cases: Case[]): VectorFile {
  return { format: 'vrm-motion-vectors', version: 1, about, framesPerSecond: 60, cases };
}

/** Name and text of every file. */
export function vectorFiles(): [name: string, text: string][] {
  const files: [string, VectorFile][] = [
    [
      'springbone.json',
      fileOf('Springs without colliders: what the algorithm of VRMC_springBone 1.0 gives. See README.md.', [
        ...springCases(),
        ...orderCases(),
      ]),
    ],
    [
      'springbone-colliders.json',
      fileOf(
        'Springs with colliders: values where every way out of a collider ends in the same place, invariants elsewhere. See README.md.',
        [...untouchedCases(), ...settledCases(), ...pressedCases(), ...openCases()],
      ),
    ],
    [
      'node-constraint.json',
      fileOf(
        'Node constraints: what the formulas of VRMC_node_constraint 1.0 give. See README.md.',
        constraintCases(),
      ),
    ],
  ];
  return files.map(([name, file]) => [name, print(file)]);
}
