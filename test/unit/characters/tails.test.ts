/** The tails of the demo characters: the fox's as a tail pass would rig it, the mouse's with the faults of real files. */
import { mat4, quat, vec3 } from 'gl-matrix';
import { describe, expect, it } from 'vitest';
import { foxWithTailGlb } from '../../../examples/characters/fox.js';
import { mouseGlb } from '../../../examples/characters/mouse.js';
import { pieces, readCharacter, weightOn, type SkinnedCharacter } from './skinnedCharacter.js';

const fox = await readCharacter(await foxWithTailGlb());
const mouse = await readCharacter(await mouseGlb());

/** Joint numbers of the tail, root first. */
const tailJoints = ({ joints }: SkinnedCharacter): number[] =>
  joints.flatMap((node, i) => (/^Tail_\d$/.test(node.getName()) ? [i] : []));
const headOf = ({ binds }: SkinnedCharacter, joint: number): vec3 =>
  mat4.getTranslation(vec3.create(), binds[joint]!);
const rotationOf = (matrix: mat4): quat => mat4.getRotation(quat.create(), matrix);
const angleDeg = (a: quat, b: quat): number => {
  const d = quat.multiply(quat.create(), quat.conjugate(quat.create(), a), b);
  return (2 * Math.atan2(Math.hypot(d[0], d[1], d[2]), Math.abs(d[3])) * 180) / Math.PI;
};
const names = (character: SkinnedCharacter): string[] =>
  character.joints.map((node) => node.getName()).filter((name) => name.startsWith('Tail_'));

describe("the fox's tail", () => {
  it('has four links and an end under the hips, all with their bind rotation', () => {
    expect(names(fox)).toEqual(['Tail_1', 'Tail_2', 'Tail_3', 'Tail_4', 'Tail_End']);
    const hips = fox.joints.findIndex((node) => node.getName() === 'mixamorig:Hips');
    let parent = fox.joints[hips]!;
    for (const name of names(fox)) {
      const node = fox.joints.find((each) => each.getName() === name)!;
      expect(node.getParentNode()).toBe(parent);
      expect(node.getRotation()).toEqual([0, 0, 0, 1]);
      expect(node.getScale()).toEqual([1, 1, 1]);
      expect(
        angleDeg(rotationOf(fox.binds[fox.joints.indexOf(node)]!), rotationOf(fox.binds[hips]!)),
      ).toBeLessThan(1e-3);
      parent = node;
    }
  });

  it('hangs down behind the legs, about 0.8 m long', () => {
    const heads = names(fox).map((name) =>
      headOf(
        fox,
        fox.joints.findIndex((node) => node.getName() === name),
      ),
    );
    const length = heads.slice(1).reduce((sum, head, i) => sum + vec3.distance(heads[i]!, head), 0);
    expect(length).toBeGreaterThan(0.75);
    expect(length).toBeLessThan(0.85);
    for (let i = 1; i < heads.length; i++) {
      expect(heads[i]![1]).toBeLessThan(heads[i - 1]![1]);
      expect(heads[i]![0]).toBeCloseTo(0, 6);
      expect(heads[i]![2]).toBeLessThan(-0.1);
    }
  });

  it('is two shells of at least 1,500 vertices in all, not welded to each other or to the body', () => {
    const shells = pieces(fox).filter((piece) => piece.some((v) => weightOn(fox, v, 'Tail_') > 0.9));
    expect(shells).toHaveLength(2);
    expect(shells[0]!.length + shells[1]!.length).toBeGreaterThanOrEqual(1500);
    for (const shell of shells) expect(shell.length).toBeGreaterThan(500);
  });

  it('is held by one bone in the middle of a segment and by two halves at a joint', () => {
    const bones = tailJoints(fox);
    const links = bones.map((bone) => headOf(fox, bone));
    const end = fox.joints.findIndex((node) => node.getName() === 'Tail_End');
    links.push(headOf(fox, end));
    const checked = { middles: 0, joints: 0 };
    fox.positions.forEach((p, v) => {
      if (weightOn(fox, v, 'Tail_') === 0) return;
      const weight = (bone: number): number =>
        fox.influences[v]!.reduce((sum, [joint, w]) => sum + (joint === bone ? w : 0), 0);
      bones.forEach((bone, k) => {
        const axis = vec3.subtract(vec3.create(), links[k + 1]!, links[k]!);
        const f = vec3.dot(vec3.subtract(vec3.create(), p, links[k]!), axis) / vec3.squaredLength(axis);
        if (Math.abs(f - 0.5) < 0.15) {
          expect(weight(bone)).toBeGreaterThan(0.99);
          checked.middles++;
        }
        if (k > 0 && Math.abs(f) < 0.02) {
          expect(weight(bone)).toBeGreaterThan(0.35);
          expect(weight(bones[k - 1]!)).toBeGreaterThan(0.35);
          checked.joints++;
        }
      });
    });
    expect(checked.middles).toBeGreaterThan(300);
    expect(checked.joints).toBeGreaterThan(50);
    expect(fox.influences.flat().some(([joint]) => joint === end)).toBe(false);
  });

  it('is saved in its bind pose', () => {
    fox.joints.forEach((node, i) => {
      const product = mat4.multiply(mat4.create(), node.getWorldMatrix() as mat4, fox.inverseBinds[i]!);
      expect(mat4.equals(product, mat4.create())).toBe(true);
    });
  });
});

describe("the mouse's tail", () => {
  const bones = tailJoints(mouse);

  it('has eight links, each the child of the one before, and no end bone', () => {
    expect(names(mouse)).toEqual(Array.from({ length: 8 }, (_, i) => `Tail_${i + 1}`));
    let parent = mouse.joints.find((node) => node.getName() === 'mixamorig:Hips')!;
    for (const bone of bones) {
      expect(mouse.joints[bone]!.getParentNode()).toBe(parent);
      parent = mouse.joints[bone]!;
    }
  });

  it('lies on the floor with its last third and bends to its left', () => {
    const skin = mouse.positions.filter(
      (_, v) => weightOn(mouse, v, 'Tail_8') + weightOn(mouse, v, 'Tail_7') > 0.9,
    );
    const ys = skin.map((p) => p[1]);
    expect(Math.min(...ys)).toBeGreaterThan(0.015);
    expect(Math.max(...ys)).toBeLessThan(0.055);
    expect(Math.max(...skin.map((p) => p[0]))).toBeGreaterThan(0.3);
    expect(headOf(mouse, bones[0]!)[0]).toBeCloseTo(0, 6);
  });

  it('is saved 28 degrees off its bind pose at the last joint and nowhere else', () => {
    mouse.joints.forEach((node, i) => {
      const off = angleDeg(rotationOf(node.getWorldMatrix() as mat4), rotationOf(mouse.binds[i]!));
      expect(off).toBeCloseTo(node.getName() === 'Tail_8' ? 28 : 0, 3);
    });
  });

  it("has a last bone whose frame is turned against its parent's", () => {
    const [before, last] = bones.slice(-2).map((bone) => rotationOf(mouse.binds[bone]!)) as [quat, quat];
    expect(angleDeg(before, last)).toBeGreaterThan(45);
  });
});
