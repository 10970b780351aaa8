/** K29: what the three kinds of node constraints do where it is known in advance. */
import { describe, expect, it } from 'vitest';
import type { ConstraintDefinition } from '../../../src/index.js';
import { addConstraints, setConstraint, setPose, setRoot, step } from '../../../src/index.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import {
  angleOf,
  axisAngle,
  identity,
  qmul,
  qrot,
  rotationOf,
  toAxisAngle,
  unit,
} from '../../support/referenceMath.js';
import { aim, flat, plainRig, roll, rotation, shownRotations, worldOf, type Rig } from './support.js';

const deg = Math.PI / 180;
const x: V3 = [1, 0, 0];
const y: V3 = [0, 1, 0];
const z: V3 = [0, 0, 1];

/** Local rotations after a tick in which some bones were posed otherwise than at rest. */
function after(
  rig: Rig,
  constraints: ConstraintDefinition[],
  posed: Record<number, Q4>,
  moved: Record<number, V3> = {},
): Q4[] {
  const { world, character } = worldOf(rig, constraints);
  addConstraints(world, character);
  const rotations = rig.rotations.map((q, b) => posed[b] ?? q);
  const translations = rig.translations.map((t, b) => moved[b] ?? t);
  setPose(world, character, flat({ ...rig, rotations, translations }));
  step(world);
  return shownRotations(world, character);
}

/** Angle in degrees about an axis, signed, of a rotation that turns about nothing else. */
function angleAbout(q: Q4, axis: V3): number {
  const { axis: found, angleRad } = toAxisAngle(q);
  const along = found[0] * axis[0] + found[1] * axis[1] + found[2] * axis[2];
  if (angleRad > 1e-9) expect(Math.abs(along)).toBeCloseTo(1, 9);
  return (angleRad * Math.sign(along)) / deg;
}

const two = plainRig(
  [-1, -1],
  [
    [0, 0, 0],
    [1, 0, 0],
  ],
);

describe('K29: roll', () => {
  it.each([
    [30, 1, 30],
    [-75, 1, -75],
    [90, 0.5, 45],
    [179, 0.5, 89.5],
    [181, 0.5, -89.5], // the shorter way: 181 degrees are -179
    [181, 1, -179],
    [359, 0.25, -0.25],
    [120, 0, 0],
  ])('of %d degrees with weight %d turns by %d', (turn, weight, expected) => {
    for (const axis of [x, y, z]) {
      const shown = after(two, [roll(1, 0, axis, weight)], { 0: axisAngle(axis, turn * deg) });
      expect(angleAbout(shown[1]!, axis)).toBeCloseTo(expected, 10);
    }
  });

  it('takes nothing of what tilts the axis', () => {
    for (const tilt of [axisAngle([0, 1, 1], 1.1), axisAngle([0, -1, 0.3], 2.8)]) {
      const shown = after(two, [roll(1, 0, x)], { 0: qmul(tilt, axisAngle(x, 0.7)) });
      expect(angleAbout(shown[1]!, x)).toBeCloseTo(0.7 / deg, 10);
    }
  });

  it('stands at rest where the axis is turned over: nothing says how far that rolls', () => {
    const shown = after(two, [roll(1, 0, x)], { 0: [0, 0, 1, 0] });
    expect(shown[1]).toEqual(identity);
  });

  it('spreads the twist of a forearm over twist bones, whatever axes its rigger gave them', () => {
    // LowerArm with a Hand and two twist bones, as the specification draws it; the hand twists about the arm, +X.
    const rig = plainRig(
      [-1, 0, 0, 0],
      [
        [0, 1, 0],
        [0.3, 0, 0],
        [0.1, 0, 0],
        [0.2, 0, 0],
      ],
    );
    rig.rotations[1] = rotationOf(0.2, 0.7, 0.4);
    rig.rotations[2] = axisAngle(z, Math.PI / 2); // its -Y lies along the arm
    rig.rotations[3] = axisAngle(y, -Math.PI / 2); // its -Z lies along the arm
    const twist = axisAngle(x, 1.2);
    const shown = after(rig, [roll(2, 1, y, 0.3), roll(3, 1, z, 0.7)], { 1: qmul(twist, rig.rotations[1]) });
    expect(angleOf(shown[2]!, qmul(axisAngle(x, 0.3 * 1.2), rig.rotations[2]))).toBeLessThan(1e-12);
    expect(angleOf(shown[3]!, qmul(axisAngle(x, 0.7 * 1.2), rig.rotations[3]))).toBeLessThan(1e-12);
  });
});

describe('K29: rotation', () => {
  it('hands the turn over from frame to frame, all of it or a share', () => {
    const rig = plainRig([-1, -1], two.translations);
    rig.rotations = [rotationOf(0.1, 0.5, 0.9), rotationOf(0.8, 0.3, 0.6)];
    const axis = unit([1, 2, -2]);
    for (const weight of [0, 0.25, 0.5, 1]) {
      const shown = after(rig, [rotation(1, 0, weight)], { 0: qmul(rig.rotations[0]!, axisAngle(axis, 2)) });
      expect(angleOf(shown[1]!, qmul(rig.rotations[1]!, axisAngle(axis, 2 * weight)))).toBeLessThan(1e-12);
    }
  });
});

describe('K29: aim', () => {
  const at = (source: V3, axis: V3, weight = 1): Q4 =>
    after(two, [aim(1, 0, axis, weight)], {}, { 0: source })[1]!;

  it('points each of the six axes at the source by the shortest turn', () => {
    for (const axis of [x, y, z])
      for (const sign of [1, -1]) {
        const aims: V3 = [sign * axis[0], sign * axis[1], sign * axis[2]];
        const q = at([3, 2, -5], aims);
        const to = unit([2, 2, -5]);
        qrot(q, aims).forEach((v, c) => expect(v).toBeCloseTo(to[c]!, 12));
        // Shortest: it turns about an axis square to both.
        const { axis: about } = toAxisAngle(q);
        expect(about[0] * aims[0] + about[1] * aims[1] + about[2] * aims[2]).toBeCloseTo(0, 12);
      }
  });

  it('goes a share of the way', () => {
    expect(angleAbout(at([1, 4, 0], x, 0.5), z)).toBeCloseTo(45, 10);
    expect(angleAbout(at([1, 0, 4], x, 0.25), y)).toBeCloseTo(-22.5, 10);
  });

  it('stands at rest where the source stands in its own place', () => {
    expect(at([1, 0, 0], x)).toEqual(identity);
    expect(at([1 + 1e-15, 0, 0], y)).toEqual(identity); // nothing but rounding
  });

  it('makes a half turn, always the same one, where the source lies straight behind', () => {
    for (const axis of [x, y, z]) {
      const behind: V3 = [1 - 2 * axis[0], -2 * axis[1], -2 * axis[2]];
      const q = at(behind, axis);
      qrot(q, axis).forEach((v, c) => expect(v).toBeCloseTo(-axis[c]!, 12));
      expect(at(behind, axis)).toEqual(q);
      expect(toAxisAngle(at(behind, axis, 0.5)).angleRad / deg).toBeCloseTo(90, 10);
    }
  });

  it('follows a source that moves with the bones above it', () => {
    const rig = plainRig(
      [-1, 0, 1, 0],
      [
        [0, 1, 0],
        [0, 1, 0],
        [0, 2, 0],
        [1, 1, 0],
      ],
    );
    // Bone 2 swings from above to the side, to (2, 2, 0): straight ahead of bone 3 at (1, 2, 0).
    const shown = after(rig, [aim(3, 2, y)], { 1: axisAngle(z, -Math.PI / 2) });
    expect(angleAbout(shown[3]!, z)).toBeCloseTo(-90, 10);
  });
});

describe('K22, K29: weight', () => {
  it('0 is rest to the last bit, whatever the pose asks of the bone', () => {
    const rig = plainRig([-1, -1], two.translations);
    rig.rotations = [identity, [0.6, 0, 0, 0.8]];
    for (const constraint of [roll(1, 0, x, 0), aim(1, 0, x, 0), rotation(1, 0, 0)])
      expect(after(rig, [constraint], { 0: axisAngle(x, 1), 1: axisAngle(y, 1) })[1]).toEqual([
        0.6, 0, 0, 0.8,
      ]);
  });

  it('changes at the next tick, also of a character that stands still', () => {
    const { world, character } = worldOf(two);
    const [entity] = addConstraints(world, character, [rotation(1, 0)]);
    setPose(world, character, flat({ ...two, rotations: [axisAngle(z, 1), identity] }));
    step(world);
    step(world);
    for (const weight of [0.5, 0, 1]) {
      setConstraint(world, entity!, { weight });
      step(world);
      expect(angleOf(shownRotations(world, character)[1]!, axisAngle(z, weight))).toBeLessThan(1e-12);
    }
    setConstraint(world, entity!, {});
    step(world);
    expect(angleOf(shownRotations(world, character)[1]!, axisAngle(z, 1))).toBeLessThan(1e-12);
  });

  it('ramps without a pop', () => {
    const { world, character } = worldOf(two);
    const [entity] = addConstraints(world, character, [rotation(1, 0, 0)]);
    setPose(world, character, flat({ ...two, rotations: [axisAngle(z, 3), identity] }));
    step(world);
    let before = shownRotations(world, character)[1]!;
    for (let k = 1; k <= 36; k++) {
      setConstraint(world, entity!, { weight: k / 36 });
      step(world);
      const now = shownRotations(world, character)[1]!;
      expect(angleOf(before, now)).toBeCloseTo(3 / 36, 10);
      before = now;
    }
  });
});

it('K29: rest is the pose of the file: there every kind leaves the bone where it stands', () => {
  const rig = plainRig(
    [-1, 0, 0],
    [
      [0, 0, 0],
      [0, 1, 0],
      [0, 3, 0],
    ],
  );
  rig.rotations = [rotationOf(0.3, 0.1, 0.8), axisAngle(y, 0.4), rotationOf(0.5, 0.9, 0.2)];
  for (const constraint of [roll(1, 2, x), rotation(1, 2), aim(1, 2, y)])
    expect(angleOf(after(rig, [constraint], {})[1]!, rig.rotations[1]!)).toBeLessThan(1e-15);
});

it('K29: where the character stands changes no bit, nor does a mirrored or stretched root', () => {
  const rig = plainRig(
    [-1, 0, 0, 2],
    [
      [0, 1, 0],
      [0.2, 1, 0.1],
      [0.1, 0.5, 0.3],
      [0.7, 0.2, 0.4],
    ],
  );
  const constraints = [aim(1, 3, z), roll(3, 2, x)];
  const run = (root: Parameters<typeof setRoot>[2]): Q4[] => {
    const { world, character } = worldOf(rig, constraints);
    addConstraints(world, character);
    const rotations = rig.rotations.map((_, b) => rotationOf(b / 7, b / 5, b / 3));
    setPose(world, character, flat({ ...rig, rotations }));
    setRoot(world, character, root);
    step(world);
    return shownRotations(world, character);
  };
  const expected = run({});
  expect(run({ position: [100_000, 3, -7], rotation: rotationOf(0.4, 0.2, 0.1) })).toEqual(expected);
  expect(run({ scale: [-1, 1, 1] })).toEqual(expected);
  expect(run({ scale: [3, 0.5, 2] })).toEqual(expected);
});
