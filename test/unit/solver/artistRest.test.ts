/** Tails that artists made, at rest by default: the shape at bind, read straight from the inverse bind matrices. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Asset } from '../../../src/index.js';
import {
  addCharacter,
  addChains,
  createPose,
  createWorld,
  findChains,
  readPose,
  step,
} from '../../../src/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { degrees } from '../../support/chains.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { angleOf, cross, fromColumns, qinv, qmul, unit } from '../../support/referenceMath.js';
import { shared } from '../../support/shared.js';

/** Rotation of a column-major matrix whose columns may be scaled. */
function rotationIn(m: ArrayLike<number>, at: number): Q4 {
  const x = unit([m[at]!, m[at + 1]!, m[at + 2]!]);
  const y: V3 = [m[at + 4]!, m[at + 5]!, m[at + 6]!];
  const z = unit(cross(x, y));
  return fromColumns(x, cross(z, x), z);
}

/** Rotation of a bone in the frame of another at bind, by the first skin that holds both; undefined without one. */
function bindRotation(asset: Asset, bone: number, frame: number): Q4 | undefined {
  for (const { joints, inverseBinds } of asset.skins) {
    const [b, f] = [joints.indexOf(bone), joints.indexOf(frame)];
    if (b < 0 || f < 0) continue;
    // The inverse bind holds the inverse world rotation: R_f^-1 R_b = rot(IB_f) rot(IB_b)^-1.
    return qmul(rotationIn(inverseBinds, 16 * f), qinv(rotationIn(inverseBinds, 16 * b)));
  }
  return undefined;
}

describe.skipIf(!shared)("an artist's tail", () => {
  const files = [
    'khronos_Fox.glb',
    'quaternius_animals_Fox.glb',
    'quaternius_animals_Wolf.glb',
    'quaternius_animals_ShibaInu.glb',
    'quaternius_easy_enemies_Rat.glb',
  ];

  it.each(files)('keeps its authored shape to 0.1 degree at rest: %s', async (file) => {
    const asset = await loadGltf(readFileSync(join(shared!, 'glb-tail', file)));
    const world = createWorld();
    const character = addCharacter(world, asset);
    const definitions = findChains(asset);
    const chains = addChains(world, character);
    expect(chains.length).toBeGreaterThan(0);
    for (let k = 0; k < 40 * 120; k++) step(world);
    const { worlds } = readPose(world, character, createPose(world, character));
    let compared = 0;
    for (const { attachment, bones } of definitions) {
      const frame = qinv(rotationIn(worlds, 16 * attachment));
      for (const bone of bones) {
        const expected = bindRotation(asset, bone, attachment);
        if (!expected) continue;
        compared++;
        expect(degrees(angleOf(qmul(frame, rotationIn(worlds, 16 * bone)), expected))).toBeLessThan(0.1);
      }
    }
    expect(compared).toBeGreaterThan(1);
  });
});
