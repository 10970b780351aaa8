/** What the vectors are for: each misreading of a rule, put into the input of its case, gives other values. */
import { expect, it } from 'vitest';
import { constrain } from '../../vectors/make/constraintLoop.js';
import type { Case, JointJson } from '../../vectors/make/model.js';
import { play } from '../../vectors/make/springLoop.js';
import { casesOf, fileNames } from './support.js';

const all = fileNames.flatMap((name) => casesOf(name));

type Input = Case['input'];
const joint = ({ gltf }: Input, j = 0): JointJson => gltf.extensions!.VRMC_springBone!.springs[0]!.joints[j]!;
const spring = ({ gltf }: Input): NonNullable<NonNullable<Input['gltf']['extensions']>['VRMC_springBone']> =>
  gltf.extensions!.VRMC_springBone!;
const old = ({ gltf }: Input): { gravityDir: { z: number }; dragForce: number } =>
  gltf.extensions!.VRM!.secondaryAnimation.boneGroups[0]!;

const misreadings: [string, misread: string, (input: Input) => void][] = [
  ['defaults', 'a default drag of 0.4', (input) => (joint(input).dragForce = 0.4)],
  ['gravity-only', 'gravity times dt twice', (input) => (joint(input).gravityPower! /= 60)],
  ['stiffness-only', 'stiffness per frame', (input) => (joint(input).stiffness! *= 60)],
  ['gravity-dir', 'gravity downward', (input) => delete joint(input).gravityDir],
  ['gravity-dir-not-unit', 'a unit gravityDir', (input) => (joint(input).gravityDir = [0.6, 0, -0.8])],
  ['chain-of-three', 'heads one frame late', (input) => input.motion.forEach((change) => change.frame++)],
  ['rest-axes', 'a rest without rotation', ({ gltf }) => delete gltf.nodes[2]!.rotation],
  ['last-joint', 'an end that swings', (input) => spring(input).springs[0]!.joints.push({ node: 4 })],
  ['skipped-node', 'a passed node without its bend', ({ gltf }) => delete gltf.nodes[2]!.rotation],
  [
    'skipped-node',
    'a passed node that swings',
    (input) => spring(input).springs[0]!.joints.splice(1, 0, { node: 2 }),
  ],
  ['center-moving', 'no center', (input) => delete spring(input).springs[0]!.center],
  ['center-turning', 'no center', (input) => delete spring(input).springs[0]!.center],
  ['center-walk', 'no center', (input) => delete spring(input).springs[0]!.center],
  ['walk', 'a center', (input) => (spring(input).springs[0]!.center = 0)],
  ['root-mirrored', 'no mirror', ({ gltf }) => delete gltf.nodes[0]!.scale],
  ['vrm0-gravity-z', 'a right-handed z', (input) => (old(input).gravityDir.z *= -1)],
  ['vrm0-leaf', 'another drag', (input) => (old(input).dragForce = 0.5)],
  ['sphere-hit-radius', 'no hitRadius', (input) => (joint(input).hitRadius = 0)],
  ['hit-radius-of-the-joint-above', "the next joint's radius", (input) => (joint(input).hitRadius = 0.3)],
  [
    'collider-of-another-group',
    'all colliders',
    (input) => (spring(input).colliderGroups![0]!.colliders = [0, 1]),
  ],
  ['sphere-out-of-reach', 'a radius too large', (input) => (joint(input).hitRadius = 0.04)],
  ['sphere-on-turned-node', 'an offset in the world', ({ gltf }) => delete gltf.nodes[3]!.rotation],
  ['plane-on-turned-node', 'a normal that does not turn', ({ gltf }) => delete gltf.nodes[3]!.rotation],
  ['extended-replaces-plain', 'the plain shape', (input) => delete spring(input).colliders![0]!.extensions],
  ['spring-behind-a-constraint', 'no constraint', ({ gltf }) => delete gltf.nodes[2]!.extensions],
];

it.each(misreadings)('%s notices %s', (name, _, misread) => {
  const { input, expected } = all.find((given) => given.name === name)!;
  const copy = structuredClone(input);
  misread(copy);
  const { positionsOf, rotationsOf, frames } = expected!;
  const watch = { positionsOf, rotationsOf, frames: frames.map(({ frame }) => frame) };
  const other = play(copy.gltf, copy.motion, watch, (tree) => constrain(copy.gltf, tree));
  const apart = other.frames.flatMap(({ positions }, k) =>
    positions.map((p, i) => Math.hypot(...p.map((x, c) => x - frames[k]!.positions[i]![c]!))),
  );
  // Far beyond any tolerance, single precision included.
  expect(Math.max(...apart)).toBeGreaterThan(1e-3);
});
