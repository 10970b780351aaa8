/** The fox as a humanoid rigger leaves it: the same file as the fox with a tail, but for bones and weights of the tail. */
import { mat4, vec3 } from 'gl-matrix';
import { validateBytes } from 'gltf-validator';
import { expect, it } from 'vitest';
import { foxGlb, foxWithTailGlb } from '../../../examples/characters/fox.js';
import { percentile, pieces, readCharacter, stretchOf, weightOn } from './skinnedCharacter.js';

const bytes = await foxGlb();
const fox = await readCharacter(bytes);
const withTail = await readCharacter(await foxWithTailGlb());
const nameOf = (joint: number): string => fox.joints[joint]!.getName().replace('mixamorig:', '');
/** The two shells of the tail, with their ends inside the body. */
const shells = new Set(
  pieces(withTail)
    .filter((piece) => piece.some((v) => weightOn(withTail, v, 'Tail_') > 0.9))
    .flat(),
);
const tail = withTail.positions.flatMap((_, v) => (weightOn(withTail, v, 'Tail_') > 0.5 ? [v] : []));

it('has the same bytes at every call and passes the validator', async () => {
  expect(Buffer.compare(await foxGlb(), bytes)).toBe(0);
  expect((await validateBytes(bytes)).issues.messages).toEqual([]);
});

it('has the bones of the body and none in the tail', () => {
  const names = withTail.joints.map((node) => node.getName());
  expect(fox.joints.map((node) => node.getName())).toEqual(names.filter((name) => !name.startsWith('Tail_')));
});

it('has every vertex and triangle of the fox with a tail, and the weights of its body', () => {
  expect(fox.positions).toEqual(withTail.positions);
  expect(fox.triangles).toEqual(withTail.triangles);
  const body = fox.positions.flatMap((_, v) => (shells.has(fox.welded[v]!) ? [] : [v]));
  expect(body.length).toBeGreaterThan(6000);
  for (const v of body) expect(fox.influences[v]).toEqual(withTail.influences[v]);
});

it('has its tail on the left shin and, the rest, on both thighs', () => {
  const owned = new Map<string, number>();
  for (const v of tail) {
    const [owner] = fox.influences[v]!.toSorted((a, b) => b[1] - a[1])[0]!;
    owned.set(nameOf(owner), (owned.get(nameOf(owner)) ?? 0) + 1);
  }
  const share = (name: string): number => (owned.get(name) ?? 0) / tail.length;
  expect([...owned.keys()].toSorted()).toEqual(['LeftLeg', 'LeftUpLeg', 'RightUpLeg']);
  expect(share('LeftLeg')).toBeGreaterThan(0.4);
  expect(share('LeftUpLeg')).toBeGreaterThan(0.15);
  expect(share('RightUpLeg')).toBeGreaterThan(0.15);
});

it('is moved from afar: the skin of the tail stands far from the bones that carry it', () => {
  const heads = fox.binds.map((bind) => mat4.getTranslation(vec3.create(), bind));
  const childOf = (joint: number): number =>
    fox.joints.findIndex((node) => node.getParentNode() === fox.joints[joint]);
  let sum = 0;
  for (const v of tail)
    for (const [joint, weight] of fox.influences[v]!)
      sum += weight * distanceTo(fox.positions[v]!, heads[joint]!, heads[childOf(joint)]!);
  expect(sum / tail.length).toBeGreaterThan(0.2);
});

function distanceTo(p: vec3, a: vec3, b: vec3): number {
  const axis = vec3.subtract(vec3.create(), b, a);
  const along = vec3.dot(vec3.subtract(vec3.create(), p, a), axis) / vec3.squaredLength(axis);
  const foot = vec3.scaleAndAdd(vec3.create(), a, axis, Math.min(1, Math.max(0, along)));
  return vec3.distance(p, foot);
}

it('tears its tail in Walk, more than a twentieth of it, and leaves the body whole', () => {
  const own = new Set(tail);
  const torn = (ratios: number[]): number =>
    ratios.filter((ratio) => ratio > 1.5 || ratio < 0.67).length / ratios.length;
  const ofTail = stretchOf(fox, 'Walk', 24, (v) => own.has(v));
  expect(torn(ofTail)).toBeGreaterThan(0.05);
  expect(percentile(ofTail, 0.99)).toBeGreaterThan(1.6);
  expect(torn(stretchOf(fox, 'Walk', 24, (v) => !shells.has(v)))).toBeLessThan(0.002);
});
