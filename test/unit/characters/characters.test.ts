/** What both demo characters promise: a sound file, a humanoid that stands and moves like one, clips that close. */
import { mat4, quat, vec3 } from 'gl-matrix';
import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { foxWithTailGlb } from '../../../examples/characters/fox.js';
import { mouseGlb } from '../../../examples/characters/mouse.js';
import {
  bodyStretch,
  clipOf,
  percentile,
  pieces,
  pose,
  readCharacter,
  skinned,
  weightOn,
} from './skinnedCharacter.js';

const CLIPS = ['Walk', 'Sprint', 'Crouch', 'BackFlip', 'Idle'];
const SAMPLES = 24;
const phases = Array.from({ length: SAMPLES }, (_, i) => i / SAMPLES);

describe.each([
  ['the fox', foxWithTailGlb, 1.9],
  ['the mouse', mouseGlb, 1.2],
] as const)('%s', async (_, make, height) => {
  const bytes = await make();
  const character = await readCharacter(bytes);
  const { document, joints, positions, influences, welded } = character;
  const joint = (name: string) => joints.find((node) => node.getName() === `mixamorig:${name}`)!;
  const head = (name: string): vec3 => vec3.clone(joint(name).getWorldTranslation() as vec3);
  const bodyVertices = positions.flatMap((__, v) => (weightOn(character, v, 'Tail_') === 0 ? [v] : []));

  it('has the same bytes at every call', async () => {
    expect(Buffer.compare(await make(), bytes)).toBe(0);
  });

  it('passes the validator without an error or a warning', async () => {
    const { issues } = await validateBytes(bytes);
    expect(issues.messages).toEqual([]);
  });

  it('has the 22 body bones of a Mixamo skeleton', () => {
    const side = 'Shoulder Arm ForeArm Hand UpLeg Leg Foot ToeBase'.split(' ');
    const expected = [
      ...'Hips Spine Spine1 Spine2 Neck Head'.split(' '),
      ...side.map((name) => `Left${name}`),
      ...side.map((name) => `Right${name}`),
    ];
    const names = joints.map((node) => node.getName()).filter((name) => !name.startsWith('Tail_'));
    expect(names.filter((name) => !name.endsWith('_End')).toSorted()).toEqual(
      expected.map((name) => `mixamorig:${name}`).toSorted(),
    );
  });

  it('stands on the floor at its height, its left at +X, its nose and toes at +Z', () => {
    const ys = bodyVertices.map((v) => positions[v]![1]);
    expect(Math.min(...ys)).toBeCloseTo(0, 3);
    expect(Math.abs(Math.max(...ys) - height)).toBeLessThan(0.03);
    const bind = (name: string): vec3 =>
      mat4.getTranslation(vec3.create(), character.binds[joints.indexOf(joint(name))]!);
    expect(bind('LeftHand')[0]).toBeGreaterThan(0.1);
    expect(bind('RightHand')[0]).toBeCloseTo(-bind('LeftHand')[0], 6);
    expect(bind('LeftToeBase')[2]).toBeGreaterThan(bind('LeftFoot')[2] + 0.05);
  });

  it('splits vertices at seams like an export', () => {
    expect(positions.length).toBeGreaterThan(1.2 * new Set(welded).size);
  });

  it('has one connected body and at most four normalised weights per vertex', () => {
    const [body] = pieces(character);
    expect(body!.length).toBeGreaterThan(5000);
    expect(body!.length).toBeLessThan(12_000);
    const reached = new Set(body!.flatMap((v) => influences[v]!.map(([bone]) => joints[bone]!.getName())));
    expect([...reached].filter((name) => name.startsWith('mixamorig:'))).toHaveLength(22);
    for (const list of influences) {
      expect(list.length).toBeLessThanOrEqual(4);
      expect(list.reduce((sum, [, weight]) => sum + weight, 0)).toBeCloseTo(1, 6);
    }
  });

  it('has the five clips, which leave the tail alone and end as they begin', () => {
    const clips = document.getRoot().listAnimations();
    expect(clips.map((clip) => clip.getName())).toEqual(CLIPS);
    for (const channel of clips.flatMap((clip) => clip.listChannels())) {
      expect(channel.getTargetNode()!.getName()).toMatch(/^mixamorig:/);
      const output = channel.getSampler()!.getOutput()!;
      expect(output.getElement(output.getCount() - 1, [])).toEqual(output.getElement(0, []));
    }
  });

  it('turns its hips by at least 5 degrees to both sides when it walks', () => {
    const yaws = phases.map((phase) => {
      pose(clipOf(character, 'Walk'), phase);
      const across = vec3.subtract(vec3.create(), head('LeftUpLeg'), head('RightUpLeg'));
      return (Math.atan2(-across[2], across[0]) * 180) / Math.PI;
    });
    expect(Math.max(...yaws)).toBeGreaterThan(5);
    expect(Math.min(...yaws)).toBeLessThan(-5);
  });

  it('turns once over backwards in the back flip, in steps that a quaternion track can follow', () => {
    const output = clipOf(character, 'BackFlip')
      .listChannels()
      .find((channel) => channel.getTargetPath() === 'rotation' && channel.getTargetNode() === joint('Hips'))!
      .getSampler()!
      .getOutput()!;
    let total = 0;
    for (let key = 1; key < output.getCount(); key++) {
      const [a, b] = [output.getElement(key - 1, []) as quat, output.getElement(key, []) as quat];
      const step = quat.multiply(quat.create(), b, quat.conjugate(quat.create(), a));
      if (step[3] < 0) quat.scale(step, step, -1);
      const angle = (2 * Math.atan2(step[0], step[3]) * 180) / Math.PI;
      expect(Math.abs(angle)).toBeLessThan(60);
      total += angle;
    }
    expect(total).toBeCloseTo(-360, 2);
  });

  it.each(['Walk', 'Crouch', 'Idle'])('keeps a foot on the floor and no skin under it in %s', (name) => {
    for (const phase of phases) {
      pose(clipOf(character, name), phase);
      const now = skinned(character);
      expect(Math.abs(Math.min(...bodyVertices.map((v) => now[v]![1])))).toBeLessThan(0.006);
    }
  });

  it('leaves the floor in Sprint and BackFlip and never sinks into it by a centimetre', () => {
    for (const name of ['Sprint', 'BackFlip']) {
      const lowest = phases.map((phase) => {
        pose(clipOf(character, name), phase);
        const now = skinned(character);
        return Math.min(...bodyVertices.map((v) => now[v]![1]));
      });
      expect(Math.min(...lowest)).toBeGreaterThan(-0.01);
      expect(Math.max(...lowest)).toBeGreaterThan(0.005);
    }
  });

  it.each(CLIPS)('bends knees and elbows forward only, in %s', (name) => {
    for (const phase of phases) {
      pose(clipOf(character, name), phase);
      // forward of the pelvis, of the chest: bind forward carried by the bone
      const forward = (bone: string): vec3 => carried(bone, [0, 0, 1]);
      for (const side of ['Left', 'Right']) {
        const knee = outOfLine(head(`${side}UpLeg`), head(`${side}Leg`), head(`${side}Foot`));
        expect(vec3.dot(knee, forward('Hips'))).toBeGreaterThan(0);
        const elbow = outOfLine(head(`${side}Arm`), head(`${side}ForeArm`), head(`${side}Hand`));
        expect(vec3.dot(elbow, forward(`${side}Arm`))).toBeLessThan(0.002);
      }
    }
  });

  /** Where a direction of the bind pose points now, fixed to a bone. */
  function carried(bone: string, direction: vec3): vec3 {
    const index = joints.indexOf(joint(bone));
    const matrix = mat4.multiply(
      mat4.create(),
      joint(bone).getWorldMatrix() as mat4,
      character.inverseBinds[index]!,
    );
    return vec3.transformQuat(vec3.create(), direction, mat4.getRotation(quat.create(), matrix));
  }

  it.each(['Walk', 'Sprint', 'Crouch'])('stretches its skin like a real body in %s', (name) => {
    const ratios = bodyStretch(character, name, SAMPLES);
    expect(percentile(ratios, 0.99)).toBeGreaterThan(1.1);
    expect(percentile(ratios, 0.99)).toBeLessThan(1.5);
  });
});

/** From the line through `a` and `c` to `b`, at right angles. */
function outOfLine(a: vec3, b: vec3, c: vec3): vec3 {
  const axis = vec3.normalize(vec3.create(), vec3.subtract(vec3.create(), c, a));
  const reach = vec3.subtract(vec3.create(), b, a);
  return vec3.scaleAndAdd(vec3.create(), reach, axis, -vec3.dot(reach, axis));
}
