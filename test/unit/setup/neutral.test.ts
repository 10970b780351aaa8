/**
 * The neutral pose is the bind pose, whatever pose a file is saved in and whatever space its skins live in.
 */
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { recoverNeutral } from '../../../src/setup/neutral.js';
import { bindWorlds, largestDifference, makeAsset, numbers, randomQuat, turn } from './support/assets.js';
import type { NodeSpec, Triple } from './support/assets.js';

/** A random chain of joints with side branches; every joint is saved in some other pose. */
function posedBody(seed: number, count = 12): NodeSpec[] {
  const next = numbers(seed);
  const place = (): Triple => [next() - 0.5, next() - 0.5, next() - 0.5];
  const nodes: NodeSpec[] = [{ name: 'root', t: place(), r: randomQuat(next) }];
  for (let i = 1; i < count; i++) {
    const parent = nodes[Math.max(0, i - 1 - Math.floor(next() * 3))]!.name;
    const t = place();
    nodes.push({ name: `j${i}`, parent, t, r: randomQuat(next), saved: { t, r: randomQuat(next) } });
  }
  return nodes;
}

const joints = (nodes: NodeSpec[]): string[] => nodes.map(({ name }) => name);
const flat = (worlds: Matrix4[]): number[] => worlds.flatMap((world) => world.toArray());

describe('the neutral pose', () => {
  it('is the bind pose although every joint is saved in another', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const nodes = posedBody(seed);
      const neutral = recoverNeutral(makeAsset(nodes, [{ joints: joints(nodes) }]));
      expect(largestDifference(neutral.worlds, flat(bindWorlds(nodes)))).toBeLessThan(1e-13);
    }
  });

  it('does not depend on the space of the skin: units, axes, quantisation', () => {
    const nodes = posedBody(7);
    const expected = flat(bindWorlds(nodes));
    for (const scale of [0.01, 1 / 39.5, 100, 65535]) {
      const space = new Matrix4().compose(
        new Vector3(3, -2, 1).multiplyScalar(scale),
        new Quaternion(-Math.SQRT1_2, 0, 0, Math.SQRT1_2),
        new Vector3(scale, scale, scale),
      );
      const neutral = recoverNeutral(makeAsset(nodes, [{ joints: joints(nodes), space }]));
      expect(largestDifference(neutral.worlds, expected)).toBeLessThan(1e-11);
    }
  });

  it('keeps the world size of a scaled armature', () => {
    const scaled: Triple = [39.5, 39.5, 39.5];
    const nodes: NodeSpec[] = [
      { name: 'Armature', r: turn([1, 0, 0], -90), s: scaled },
      { name: 'hips', parent: 'Armature', t: [0, 0, 0.02] },
      { name: 'tail', parent: 'hips', t: [0, 0.01, 0], saved: { t: [0, 0.01, 0], r: turn([0, 0, 1], 40) } },
      { name: 'tip', parent: 'tail', t: [0, 0.01, 0] },
    ];
    const space = new Matrix4().makeScale(100, 100, 100);
    const neutral = recoverNeutral(makeAsset(nodes, [{ joints: ['hips', 'tail', 'tip'], space }]));
    expect(largestDifference(neutral.worlds, flat(bindWorlds(nodes)))).toBeLessThan(1e-12);
    expect(neutral.warnings.map(({ code, at }) => `${code} ${at}`)).toEqual([
      'saved-pose-differs tail',
      'scaled-armature Armature',
    ]);
  });

  it('takes both matrices from one skin when skins live in different spaces', () => {
    const nodes = posedBody(3);
    const all = joints(nodes);
    const skins = [
      { joints: all.slice(0, 5), space: new Matrix4().makeScale(23, 23, 23) },
      { joints: all, space: new Matrix4().makeScale(74, 74, 74).setPosition(5, 5, 5) },
    ];
    const neutral = recoverNeutral(makeAsset(nodes, skins));
    expect(largestDifference(neutral.worlds, flat(bindWorlds(nodes)))).toBeLessThan(1e-12);
    expect(neutral.warnings.filter(({ code }) => code === 'skins-disagree')).toEqual([]);
  });

  it('prefers the first skin in file order that holds joint and parent, and reports a disagreement above 1e-3', () => {
    const nodes: NodeSpec[] = [
      { name: 'a' },
      { name: 'b', parent: 'a', t: [0, 1, 0] },
      { name: 'c', parent: 'b', t: [0, 1, 0] },
    ];
    const codes = (off: number): string[] => {
      const binds = { c: new Matrix4().makeTranslation(off, 2, 0) };
      const neutral = recoverNeutral(
        makeAsset(nodes, [
          { joints: ['a', 'c'] },
          { joints: ['a', 'b', 'c'] },
          { joints: ['a', 'b', 'c'], binds },
        ]),
      );
      expect([...neutral.worlds.slice(32 + 12, 32 + 15)]).toEqual([0, 2, 0]);
      return neutral.warnings.map(({ code, at }) => `${code} ${at}`);
    };
    expect(codes(0.0009)).toEqual([]);
    expect(codes(0.002)).toEqual(['skins-disagree c']);
  });

  it('takes a joint whose parent is in no skin, and every node that is no joint, as saved', () => {
    const nodes: NodeSpec[] = [
      { name: 'top', t: [1, 2, 3], saved: { t: [9, 9, 9] } },
      { name: 'hips', parent: 'top', t: [0, 1, 0], saved: { t: [0, 1, 0], r: turn([0, 1, 0], 30) } },
      { name: 'tail', parent: 'hips', t: [0, 0, -1], saved: { t: [0, 0, -1], r: turn([1, 0, 0], 30) } },
      { name: 'tail_end', parent: 'tail', t: [0, 0, -1], saved: { t: [0, 0, -1], r: turn([1, 0, 0], 50) } },
    ];
    const neutral = recoverNeutral(makeAsset(nodes, [{ joints: ['hips', 'tail'] }]));
    expect([...neutral.sources]).toEqual([0, 0, 1, 0]);
    expect([...neutral.translations.slice(0, 3)]).toEqual([9, 9, 9]);
    expect([...neutral.rotations.slice(4, 8)]).toEqual(turn([0, 1, 0], 30));
    expect(largestDifference(neutral.rotations.slice(8, 12), [0, 0, 0, 1])).toBeLessThan(1e-15);
    expect([...neutral.rotations.slice(12)]).toEqual(turn([1, 0, 0], 50));
  });

  it('lets nodes between two joints keep what they have and still puts the joint where it was bound', () => {
    const nodes: NodeSpec[] = [
      { name: 'a', t: [1, 0, 0] },
      {
        name: 'helper',
        parent: 'a',
        t: [0, 1, 0],
        r: turn([1, 2, 3], 50),
        saved: { r: turn([0, 0, 1], 80) },
      },
      { name: 'b', parent: 'helper', t: [0, 1, 0], r: turn([3, 1, 0], 20), saved: { t: [0, 1, 0] } },
    ];
    const neutral = recoverNeutral(makeAsset(nodes, [{ joints: ['a', 'b'] }]));
    expect([...neutral.rotations.slice(4, 8)]).toEqual(turn([0, 0, 1], 80));
    expect(largestDifference(neutral.worlds.slice(32), bindWorlds(nodes)[2]!.toArray())).toBeLessThan(1e-14);
  });

  it('reaches over a joint of another skin to the nearest ancestor of its own', () => {
    const nodes: NodeSpec[] = [
      { name: 'hips' },
      { name: 'hat', parent: 'hips', t: [0, 1, 0], saved: { t: [0, 1, 0], r: turn([0, 0, 1], 45) } },
      { name: 'feather', parent: 'hat', t: [0, 1, 0], r: turn([1, 0, 0], 10), saved: { t: [5, 5, 5] } },
    ];
    const neutral = recoverNeutral(makeAsset(nodes, [{ joints: ['hips', 'feather'] }, { joints: ['hat'] }]));
    expect([...neutral.sources]).toEqual([0, 0, 1]);
    expect(largestDifference(neutral.worlds.slice(32), bindWorlds(nodes)[2]!.toArray())).toBeLessThan(1e-14);
  });

  it('takes float32 noise in a scale for the scale that was meant, and keeps a real one', () => {
    const noisy = (scale: number): Float64Array => {
      const nodes: NodeSpec[] = [
        { name: 'a' },
        { name: 'b', parent: 'a', t: [0, 1, 0], s: [scale, scale, scale] },
      ];
      return recoverNeutral(makeAsset(nodes, [{ joints: ['a', 'b'] }])).scales.slice(3);
    };
    expect([...noisy(1 + 3e-6)]).toEqual([1, 1, 1]);
    expect(largestDifference(noisy(1.001), [1.001, 1.001, 1.001])).toBeLessThan(1e-15);
  });

  it('uses the saved pose and says so where a skin says nothing or a matrix cannot be inverted', () => {
    const nodes: NodeSpec[] = [{ name: 'a' }, { name: 'b', parent: 'a', t: [0, 1, 0] }];
    const absent = makeAsset(nodes, [{ joints: ['a', 'b'] }]);
    absent.skins[0]!.inverseBinds.set([...new Matrix4().toArray(), ...new Matrix4().toArray()]);
    expect(recoverNeutral(absent).warnings.map(({ code }) => code)).toEqual(['no-bind']);
    const singular = makeAsset(nodes, [{ joints: ['a', 'b'] }]);
    singular.skins[0]!.inverseBinds.fill(0, 16, 32);
    const neutral = recoverNeutral(singular);
    expect(neutral.warnings.map(({ code, at }) => `${code} ${at}`)).toEqual(['singular-bind b']);
    expect([...neutral.translations]).toEqual([0, 0, 0, 0, 1, 0]);
    const poisoned = makeAsset(nodes, [{ joints: ['a', 'b'] }]);
    poisoned.skins[0]!.inverseBinds[20] = NaN;
    expect([...recoverNeutral(poisoned).worlds].every((value) => Number.isFinite(value))).toBe(true);
  });

  it('names the joints whose saved pose is off, worst first, and bones without length', () => {
    const nodes: NodeSpec[] = [
      { name: 'a' },
      { name: 'b', parent: 'a', saved: { r: turn([1, 1, 0], 0.4) } },
      { name: 'c', parent: 'b', t: [0, 1, 0], saved: { t: [0, 1, 0], r: turn([0, 1, 0], 28) } },
      { name: 'd', parent: 'c', t: [0, 1, 0], saved: { t: [0, 1, 0], r: turn([0, 1, 0], 170) } },
    ];
    const { warnings } = recoverNeutral(makeAsset(nodes, [{ joints: joints(nodes) }]));
    expect(warnings.map(({ code, at }) => `${code} ${at}`)).toEqual([
      'saved-pose-differs d',
      'saved-pose-differs c',
      'zero-length-bone b',
    ]);
    expect(warnings[1]!.message).toContain('28.0 degrees');
  });

  it('leaves the asset as it is and takes an empty one', () => {
    const nodes = posedBody(2);
    const asset = makeAsset(nodes, [{ joints: joints(nodes) }]);
    const before = structuredClone(asset);
    recoverNeutral(asset);
    expect(asset).toEqual(before);
    expect(recoverNeutral(makeAsset([])).worlds.length).toBe(0);
  });
});
