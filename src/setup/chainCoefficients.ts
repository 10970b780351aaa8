/**
 * What each link of a chain needs per tick, from the chain's options: the bend limit, the caps of what is felt, and per
 * link the propagator with the weights of the centre it swings about (docs/solver.md, "Spring", "VRM model").
 */
import type { SpringJoint } from '../asset/index.js';
import { chainModel } from '../components/codes.js';
import { cos, normalize3, sin } from '../math/index.js';
import { propagator } from './propagator.js';
import { vrmRate, vrmTransition } from './vrmFrame.js';
import type { World } from './world.js';

/** Writes the constants of the chain in a row. */
export function writeCoefficients(world: World, row: number): void {
  const { chain } = world.views;
  const limit = chain.limit[row]!;
  const isVrm = chain.model[row] === chainModel.vrm;
  const hasLimit = limit < Math.PI && !isVrm;
  chain.limitCosine[row] = hasLimit ? cos(limit) : -2;
  chain.limitSine[row] = hasLimit ? sin(limit) : 0;
  const whole = chain.inertia[row] === 1 && chain.inertiaRotation[row] === 1;
  chain.feelsAll[row] = whole && chain.maxSpeed[row] === Infinity && chain.maxTurn[row] === Infinity ? 1 : 0;
  const feltTurn = chain.maxTurn[row]! / world.tickRate;
  const fastestTurn = feltTurn / chain.inertiaRotation[row]!;
  chain.maxTurnCosine[row] = fastestTurn < Math.PI ? cos(fastestTurn / 2) : -2;
  chain.feltTurn[row * 2] = fastestTurn < Math.PI ? cos(feltTurn / 2) : 0;
  chain.feltTurn[row * 2 + 1] = fastestTurn < Math.PI ? sin(feltTurn / 2) : 0;
  if (isVrm) writeVrmLinks(world, row);
  else writeSpringLinks(world, row);
}

/**
 * The coupled spring. With w the link's angular frequency, z the damping ratio and k the coupling rate, spring and
 * coupling are one oscillator: w_e^2 = w^2 + 2 z w k, 2 z_e w_e = 2 z w + k.
 */
function writeSpringLinks(world: World, row: number): void {
  const { chain, particle, character } = world.views;
  const count = chain.count[row]!;
  const z = chain.damping[row]!;
  const k = count > 1 ? chain.coupling[row]! : 0;
  const metre = character.unit[chain.character[row]!]!;
  for (let i = 0; i < count; i++) {
    const p = chain.first[row]! + i * chain.stride[row]!;
    const along = count > 1 ? i / (count - 1) : 0;
    const w = 2 * Math.PI * chain.frequency[row]! * (1 + (chain.tipRatio[row]! - 1) * along);
    const kappa = 2 * z * w * k;
    const square = w * w + kappa;
    const effective = Math.sqrt(square);
    propagator(effective, (2 * z * w + k) / (2 * effective), 1 / world.tickRate, particle.propagator, p * 4);
    particle.weights[p * 4] = (w * w) / square;
    particle.weights[p * 4 + 1] = kappa / square;
    particle.weights[p * 4 + 2] = k / square;
    particle.weights[p * 4 + 3] = 1 / square;
    particle.radius[p] = chain.radius[row]! * metre;
    particle.pull.fill(0, p * 3, p * 3 + 3);
    particle.kick.fill(0, p * 3, p * 3 + 3);
    particle.hold[p] = 0;
  }
}

/** VRM's law: gravity bends the rest direction where there is stiffness, and is a kick per step where there is none. */
function writeVrmLinks(world: World, row: number): void {
  const { chain, particle, character } = world.views;
  const owner = chain.character[row]!;
  const metre = character.unit[owner]!;
  const definition = world.definitions.get(chain.id[row]!)!;
  const h = 1 / (world.tickRate * world.vrmSteps);
  for (let i = 0; i < chain.count[row]!; i++) {
    const p = chain.first[row]! + i * chain.stride[row]!;
    const bone = particle.bone[p]! - character.firstBone[owner]!;
    const joint = definition.joints![definition.bones.indexOf(bone)]!;
    const length = particle.length[p]! / metre;
    vrmTransition(length, joint.stiffness, joint.dragForce, h, particle.propagator, p * 4);
    // The last is what wind leans: in lengths, shared among the links, less for stiff ones.
    const share = particle.length[p]! / chain.restLength[row]!;
    const yielding = joint.stiffness > softest ? joint.stiffness : softest;
    particle.weights.set([1, 0, 0, (length * share) / yielding], p * 4);
    gravity.set(joint.gravityDir);
    normalize3(gravity, 0, gravity, 0);
    const stiff = joint.stiffness > limp;
    for (let k = 0; k < 3; k++) {
      const g = joint.gravityPower * gravity[k]!;
      particle.pull[p * 3 + k] = stiff ? g / joint.stiffness : 0;
      // A frame adds g / 60 to the displacement, which is the velocity over 60.
      particle.kick[p * 3 + k] = stiff ? 0 : vrmRate * h * g;
    }
    particle.hold[p] = vrmRate * (1 - joint.dragForce);
    // Like the radii of colliders it stands in the space of a bone, whatever scales that.
    particle.radius[p] = joint.hitRadius * chain.neutralScale[row]!;
  }
}

/** Softer joints lean no farther in the wind. */
const softest = 0.25;
/** Stiffness below which the centre of what pulls lies so far out that digits are lost. */
const limp = 1e-6;
const gravity = new Float64Array(3);

/** Why a list of joints is not one per bone with values in range, else undefined. */
export function faultOfJoints(joints: readonly SpringJoint[] | undefined, count: number): string | undefined {
  if (joints === undefined || joints.length !== count)
    return `${joints?.length ?? 0} joints, expected one for each of ${count} bones`;
  for (const [i, { stiffness, gravityPower, gravityDir, dragForce, hitRadius }] of joints.entries()) {
    for (const [name, value] of Object.entries({ stiffness, gravityPower, hitRadius }))
      if (!(value >= 0 && value < Infinity))
        return `joint ${i}: ${name} is ${value}, expected a number, 0 or more`;
    if (!(dragForce >= 0 && dragForce <= 1)) return `joint ${i}: dragForce is ${dragForce}, expected 0 to 1`;
    if (!gravityDir.every((value) => Number.isFinite(value)))
      return `joint ${i}: gravityDir is ${String(gravityDir)}, expected three numbers`;
  }
  return undefined;
}
