/**
 * Runs many ticks of characters with constraints of every kind, frozen ones among them, and prints by how many bytes the
 * heap grew in each of many windows without any collection: a loaded machine compiles late, and what counts is the calmest.
 */
import {
  addCharacter,
  addConstraints,
  createWorld,
  setConstraint,
  setPose,
  step,
} from '../../../src/index.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { rotationOf, seeded } from '../../support/referenceMath.js';
import { aim, assetOf, flat, frame, plainRig, roll, rotation } from './support.js';

declare const gc: () => void;

const random = seeded(4);
const parents = [-1, 0, 1, 2, 1, 4, 5, 0, 0];
const rig = plainRig(
  parents,
  parents.map((): V3 => [random(), random(), random()]),
);
const asset = assetOf(rig, [
  roll(3, 2, [1, 0, 0], 0.5),
  aim(6, 3, [0, 1, 0]),
  rotation(2, 1, 0.25),
  aim(4, 3, [0, 0, -1], 0.75),
  rotation(7, 8),
  rotation(8, 7),
]);
const world = createWorld();
const characters = Array.from({ length: 24 }, () => addCharacter(world, asset, { frame }));
// Weights are set here: a fraction handed over per tick may be boxed by the caller, which says nothing of the tick.
for (const character of characters)
  setConstraint(world, addConstraints(world, character)[0]!, { weight: 0.5 });
// Inputs are made up front, so that a tick allocates nothing of its own.
const poses = Array.from({ length: 64 }, () =>
  flat({ ...rig, rotations: parents.map((): Q4 => rotationOf(random(), random(), random())) }),
);
let count = 0;
function tick(): void {
  for (let i = 0; i < characters.length; i++) setPose(world, characters[i]!, poses[(count + i) & 63]!);
  step(world);
  count++;
}

const ticks = 2000;
const grown: number[] = [];
for (let window = 0; window < 24; window++) {
  gc();
  const before = process.memoryUsage().heapUsed;
  for (let k = 0; k < ticks; k++) tick();
  grown.push(process.memoryUsage().heapUsed - before);
}
process.stdout.write(JSON.stringify({ ticks, grown }));
