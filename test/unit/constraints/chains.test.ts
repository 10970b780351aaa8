/** K19, K29: what hangs from a constrained bone feels it in the same tick; what a chain itself turns stays the chain's. */
import { expect, it } from 'vitest';
import type { ConstraintDefinition, World } from '../../../src/index.js';
import {
  addConstraints,
  advance,
  createWorld,
  setChain,
  setPose,
  setRoot,
  step,
} from '../../../src/index.js';
import { makeScene, makeTail, motionBits, plain, type Scene } from '../../support/chains.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { angleOf, axisAngle, qmul } from '../../support/referenceMath.js';
import { aim, roll, rotation, rotationsIn, shownRotations } from './support.js';

/** A character whose hips, from which the tail hangs, can follow its legs' rotation. */
const tail = makeTail({ links: 4, axes: 3, legs: 2 });
const [leg, otherLeg] = tail.bones.legs as [number, number];
const { hips } = tail.bones;
const options = { ...plain, air: 0.5, gravity: 1 };

/** Rotations at which some bones are turned from the file's pose. */
function posed(turns: Record<number, Q4>): Float64Array {
  const rotations = tail.asset.skeleton.rotations.slice();
  for (const [b, turn] of Object.entries(turns)) {
    const rest = [...rotations.subarray(4 * Number(b), 4 * Number(b) + 4)] as unknown as Q4;
    rotations.set(qmul(rest, turn), 4 * Number(b));
  }
  return rotations;
}

function sceneWith(constraints: ConstraintDefinition[], world: World = createWorld()): Scene {
  const scene = makeScene(tail, options, world);
  addConstraints(scene.world, scene.character, constraints);
  return scene;
}

const wag = (k: number): Q4 => axisAngle([0, 1, 0.4], Math.sin(k / 15));

it('a tail swings from a constrained hip as from one that the game poses so', () => {
  const constrained = sceneWith([rotation(hips, leg, 0.7)]);
  const given = sceneWith([]);
  for (let k = 0; k < 200; k++) {
    setPose(constrained.world, constrained.character, { rotations: posed({ [leg]: wag(k) }) });
    step(constrained.world);
    const { bone } = constrained.world.views;
    const pose = rotationsIn(constrained.world, constrained.character, bone.poseRotation);
    expect(
      angleOf(pose[hips]!, qmul(restOf(hips), axisAngle([0, 1, 0.4], 0.7 * Math.sin(k / 15)))),
    ).toBeLessThan(1e-12);
    setPose(given.world, given.character, { rotations: Float64Array.from(pose.flat()) });
    step(given.world);
    expect(motionBits(given.world) === motionBits(constrained.world), `tick ${k}`).toBe(true);
  }
});

function restOf(b: number): Q4 {
  return [...tail.asset.skeleton.rotations.subarray(4 * b, 4 * b + 4)] as unknown as Q4;
}

it('K3: frames of real time see no teleport where only the constraint turns the hip', () => {
  // The game poses the hip as in the file all the time; the constraint holds it half a turn away from that.
  const scene = sceneWith([rotation(hips, leg)]);
  const turn = axisAngle([0, 1, 0], 3);
  setPose(scene.world, scene.character, { rotations: posed({ [leg]: turn }) });
  step(scene.world);
  const start = scene.world.report.teleports;
  for (let k = 0; k < 60; k++) {
    setPose(scene.world, scene.character, { rotations: posed({ [leg]: qmul(turn, wag(k / 4)) }) });
    setRoot(scene.world, scene.character, { position: [k / 100, 0, 0] });
    advance(scene.world, 1 / 60);
  }
  expect(scene.world.report.teleports).toBe(start);
  // A frame of one and a half ticks: its tick stands two thirds of the way, as nothing jumped.
  const at = 3 * (scene.world.views.character.firstBone[0]! - 1);
  const { poseTranslation } = scene.world.views.bone;
  expect(poseTranslation[at]).toBeCloseTo(0.59, 12);
  setRoot(scene.world, scene.character, { position: [0.62, 0, 0] });
  setPose(scene.world, scene.character, { rotations: posed({ [leg]: qmul(turn, wag(59 / 4)) }) });
  advance(scene.world, 1.5 / 120);
  expect(poseTranslation[at]).toBeCloseTo(0.61, 12);
  advance(scene.world, 0.5 / 120);
  // And a jump of the source is one, taken at once instead of being spread over the frame's ticks.
  setPose(scene.world, scene.character, { rotations: posed({}) });
  advance(scene.world, 1 / 60);
  advance(scene.world, 1 / 60);
  expect(scene.world.report.teleports).toBe(start + 1);
});

it('a source that a chain turns is seen as the pose has it, before the chain', () => {
  const [first] = tail.bones.links as [number];
  const scene = sceneWith([rotation(leg, first)]);
  for (let k = 0; k < 60; k++) {
    setRoot(scene.world, scene.character, { position: [Math.sin(k / 9), 0, 0] });
    step(scene.world);
  }
  const shown = shownRotations(scene.world, scene.character);
  expect(angleOf(shown[first]!, restOf(first))).toBeGreaterThan(0.01);
  expect(angleOf(shown[leg]!, restOf(leg))).toBeLessThan(1e-12);
});

it('an aim under a chain, or at its end, sees the pose too', () => {
  const [, , third] = tail.bones.links as number[];
  const axis: V3 = [0, 0, 1];
  const aims = [aim(otherLeg, tail.bones.end, axis), aim(tail.bones.end, leg, axis)];
  const moving = sceneWith(aims);
  const still = sceneWith(aims);
  step(still.world);
  for (let k = 0; k < 60; k++) {
    setRoot(moving.world, moving.character, { position: [Math.sin(k / 9), 0, 0] });
    step(moving.world);
  }
  const shown = shownRotations(moving.world, moving.character);
  expect(angleOf(shown[third!]!, shownRotations(still.world, still.character)[third!]!)).toBeGreaterThan(
    0.01,
  );
  for (const b of [otherLeg, tail.bones.end])
    expect(shown[b]).toEqual(shownRotations(still.world, still.character)[b]);
});

it('K22: a bone of a chain that is constrained shows the chain, and the constraint as its weight fades', () => {
  const [first] = tail.bones.links as [number];
  const constrained = sceneWith([roll(first, leg, [0, 1, 0]), rotation(tail.bones.links[1]!, leg)]);
  const bare = sceneWith([]);
  const rotations = posed({ [leg]: axisAngle([0.2, 1, 0], 1) });
  for (const { world, character } of [constrained, bare]) {
    setPose(world, character, { rotations });
    step(world);
  }
  expect(motionBits(constrained.world) === motionBits(bare.world)).toBe(true);
  const second = tail.bones.links[1]!;
  expect(shownRotations(constrained.world, constrained.character)[second]).toEqual(
    shownRotations(bare.world, bare.character)[second],
  );
  setChain(constrained.world, constrained.chain, { weight: 0 });
  step(constrained.world);
  const turned = qmul(restOf(second), axisAngle([0.2, 1, 0], 1));
  expect(angleOf(shownRotations(constrained.world, constrained.character)[second]!, turned)).toBeLessThan(
    1e-12,
  );
});

it('a world without constraints holds no row of them', () => {
  const { world } = makeScene(tail, options);
  step(world);
  expect(world.arena.capacity.constraint).toBe(0);
  expect(world.order!.constraints).toHaveLength(0);
});
