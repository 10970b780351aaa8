/** The fox as rigged with the plan that a person would make by hand: its tail a chain, its ears left, a pouch rigid. */
import { foxGlb, foxWithTailGlb } from '../../../../examples/characters/fox.js';
import { findChains } from '../../../../src/index.js';
import { loadGltf } from '../../../../src/io/gltf/index.js';
import { recoverNeutral } from '../../../../src/setup/neutral.js';
import { fakePlan, surfaceOf } from './fakePlan.js';

const asset = await loadGltf(await foxGlb(), { name: 'fox.glb' });
const withTail = await loadGltf(await foxWithTailGlb());
const surface = surfaceOf(asset);
const [tail] = findChains(withTail);
const { worlds } = recoverNeutral(withTail);
const joints = [...tail!.bones, tail!.end].map((bone) => ({
  name: withTail.skeleton.names[bone]!,
  position: [...worlds.subarray(16 * bone + 12, 16 * bone + 15)] as [number, number, number],
}));
const other = surfaceOf(withTail);
const onTail = (p: number): boolean => {
  let weight = 0;
  for (let k = other.first[p]!; k < other.first[p + 1]!; k++)
    if (tail!.bones.includes(other.bones[k]!)) weight += other.weights[k]!;
  return weight > 0.5;
};

export const fox = asset;
export const foxPlan = fakePlan(surface, [
  {
    verdict: 'chain',
    kind: 'tail',
    has: onTail,
    attachment: 'mixamorig:Hips',
    joints,
    reason: 'no bone runs inside (q 3.5), long (aspect 8.3), round, in the middle plane behind the legs',
  },
  {
    verdict: 'rigid',
    kind: 'worn',
    has: (_, [x, y, z]) => x > 0.05 && y > 0.98 && y < 1.1 && z > 0.04,
    attachment: 'mixamorig:Spine',
    reason: 'off the middle plane by 0.9 of the spacing of the legs (at most 0.45)',
  },
  { verdict: 'left', kind: 'head', has: (_, [x, y]) => y > 1.7 && x > 0, attachment: 'mixamorig:Head' },
  { verdict: 'left', kind: 'head', has: (_, [x, y]) => y > 1.7 && x < 0, attachment: 'mixamorig:Head' },
  { verdict: 'left', kind: 'head', has: (_, [, y, z]) => y > 1.45 && z > 0.16, attachment: 'mixamorig:Head' },
]);
