/**
 * Chains: adding one takes particles from the pool and computes what its links need every tick, the rest shape
 * (docs/solver.md, "Rest") and the propagator of each link.
 */
import { FollowthroughError, type ChainDefinition } from '../asset/index.js';
import { freeRows, takeRows } from '../components/arena.js';
import { chainModel, chainState, movedPart, restPose, startRule } from '../components/codes.js';
import { composeMat4, conjugateQuat, invertMat4, rotateVec3, transformDirection } from '../math/index.js';
import { meanColumnLength, neutralColumns, orthonormalise } from './columns3.js';
import { faultOfJoints, writeCoefficients } from './chainCoefficients.js';
import { checkDefinition } from './chainLinks.js';
import { withTip } from './chainTip.js';
import { chainRest, type ChainRest } from './chainRest.js';
import { chainDefaults, checkOptions, writeOptions, type ChainOptions } from './chainOptions.js';
import { findChains } from './findChains.js';
import { applyOwner, wake, wakePressed } from './owner.js';
import type { Rig } from './rig.js';
import { takeShownBends } from './shownBends.js';
import { addRow, changeStructure, removeRow, rowOf, rowsOfCharacter, warn, type World } from './world.js';

/** Options of {@link addChains}. */
export interface AddChainsOptions extends ChainOptions {
  /** Which chains; default every tail that {@link findChains} sees. */
  chains?: readonly ChainDefinition[] | undefined;
}

/**
 * Adds chains to a character.
 *
 * @returns their bitECS entities, in the order of the definitions; a definition whose bones another chain already
 * holds is left out with a warning
 * @throws FollowthroughError `unknown-entity`, `invalid-argument` for an option out of range, `unknown-name`
 * @example
 * const [tail] = addChains(world, fox, { damping: 0.5 });
 */
export function addChains(world: World, character: number, options: AddChainsOptions = {}): number[] {
  const row = rowOf(world, 'character', character);
  const { chains, ...given } = options;
  checkOptions(given);
  const rig = world.rigs[world.views.character.rig[row]!]!;
  const held = heldBones(world, row);
  const added: number[] = [];
  for (const definition of chains ?? findChains(rig.asset)) {
    checkDefinition(rig.asset, definition);
    const entity = addChain(world, row, rig, withTip(rig.asset, rig.neutral, definition), given, held);
    if (entity !== undefined) added.push(entity);
  }
  applyOwner(world, row);
  return added;
}

function addChain(
  world: World,
  character: number,
  rig: Rig,
  definition: ChainDefinition,
  given: ChainOptions,
  held: Set<number>,
): number | undefined {
  const taken = definition.bones.find((bone) => held.has(bone));
  if (taken !== undefined) {
    const name = rig.asset.skeleton.names[taken]!;
    warn(world, {
      code: 'bone-in-two-chains',
      message: `bone ${name} already belongs to a chain`,
      at: definition.name,
    });
    return undefined;
  }
  const usual = chainDefaults(definition);
  checkModel(definition, given.model ?? usual.model);
  const carry = given.carry ?? usual.carry;
  const restCurve = given.restCurve ?? usual.restCurve;
  const rest = chainRest(rig.asset, rig.neutral, rig.frame, definition, { carry, restCurve });
  for (const warning of rest.warnings) warn(world, warning);
  if (rest.count === 0) return undefined;

  const { row, eid, id } = addRow(world, 'chain');
  const first = takeRows(world.arena, world.views, 'particle', rest.count, id);
  const { chain } = world.views;
  const firstBone = world.views.character.firstBone[character]!;
  chain.character[row] = character;
  chain.attachment[row] = firstBone + definition.attachment; // -1: the root row
  chain.center[row] = definition.center === undefined ? -1 : firstBone + definition.center;
  chain.first[row] = first;
  chain.count[row] = rest.count;
  chain.stride[row] = 1;
  chain.status[row] = chainState.awake;
  chain.start[row] = startRule.rest;
  const lengthMetres = rest.lengths.reduce((sum, l) => sum + l, 0) / world.views.character.unit[character]!;
  const defaults = chainDefaults(definition, { lengthMetres, links: rest.count });
  writeOptions(chain, row, { ...defaults, keepOut: !rest.crossesKeepOut, ...given });
  world.definitions.set(id, definition);
  world.views.character.moved[character] = movedPart.bones;
  writeRest(world, row, rig, definition, rest);
  writeCoefficients(world, row);
  changeStructure(world);
  for (const bone of rest.bones) held.add(bone);
  warnOfLowDamping(world, row, definition.name);
  return eid;
}

/** @throws FollowthroughError `invalid-argument` when the VRM model is asked for without its joints */
function checkModel({ name, joints, bones }: ChainDefinition, model: ChainOptions['model']): void {
  if (model !== 'vrm') return;
  const fault = faultOfJoints(joints, bones.length);
  if (fault !== undefined)
    throw new FollowthroughError('invalid-argument', `chain ${name}: model vrm with ${fault}`);
}

/** Asset bones that the chains of a character hold. */
function heldBones(world: World, character: number): Set<number> {
  const { chain, particle } = world.views;
  const first = world.views.character.firstBone[character]!;
  const held = new Set<number>();
  for (const row of rowsOfCharacter(world, 'chain', character))
    for (let k = 0; k < chain.count[row]!; k++)
      held.add(particle.bone[chain.first[row]! + k * chain.stride[row]!]! - first);
  return held;
}

const inverse = new Float64Array(4);

/** Writes the rest shape into the particles. */
function writeRest(world: World, row: number, rig: Rig, definition: ChainDefinition, rest: ChainRest): void {
  const { chain, particle } = world.views;
  const firstBone = world.views.character.firstBone[chain.character[row]!]!;
  let length = 0;
  for (let k = 0; k < rest.count && k < chain.count[row]!; k++) {
    const p = chain.first[row]! + k * chain.stride[row]!;
    length += rest.lengths[k]!;
    particle.bone[p] = firstBone + rest.bones[k]!;
    particle.length[p] = rest.lengths[k]!;
    particle.direction.set(rest.directions.subarray(3 * k, 3 * k + 3), p * 3);
    particle.frameBefore.set(rest.framesBefore.subarray(4 * k, 4 * k + 4), p * 4);
    particle.frameAfter.set(rest.frames.subarray(4 * k + 4, 4 * k + 8), p * 4);
    conjugateQuat(inverse, 0, rest.frames, 4 * k + 4);
    rotateVec3(particle.boneDirection, p * 3, inverse, 0, rest.directions, 3 * k);
    if (chain.start[row] === startRule.rest) particle.bend[p * 4 + 3] = 1;
  }
  chain.restLength[row] = length;
  writeInverseRotation(chain.anatomical, row * 9, rest.frames);
  writeSpans(world, row, rig, definition.attachment);
}

/** Columns of the attachment's neutral world transform, x mirrored when it mirrors, and the rotation in them. */
const columns = new Float64Array(9);
const rotation = new Float64Array(9);

/**
 * Writes what lengths are measured by: the attachment's neutral scale, and each rest link in the attachment bone's own
 * coordinates, so that whatever the transform does later stretches it as it stretches the bone.
 */
function writeSpans(world: World, row: number, rig: Rig, attachment: number): void {
  const { chain, particle } = world.views;
  neutralColumns(columns, rig.neutral.worlds, attachment);
  chain.neutralScale[row] = meanColumnLength(columns);
  orthonormalise(rotation, columns);
  const matrix = Float64Array.of(...[0, 3, 6].flatMap((c) => [...columns.subarray(c, c + 3), 0]), 0, 0, 0, 1);
  const inverseMatrix = new Float64Array(16);
  invertMat4(inverseMatrix, 0, matrix, 0);
  const f = chain.anatomical.subarray(row * 9, row * 9 + 9);
  const own = new Float64Array(3);
  const span = new Float64Array(3);
  for (let k = 0; k < chain.count[row]!; k++) {
    const p = chain.first[row]! + k * chain.stride[row]!;
    const u = particle.direction.subarray(p * 3, p * 3 + 3);
    for (let r = 0; r < 3; r++) own[r] = f[r]! * u[0]! + f[r + 3]! * u[1]! + f[r + 6]! * u[2]!;
    for (let r = 0; r < 3; r++)
      span[r] =
        particle.length[p]! *
        (rotation[r]! * own[0]! + rotation[r + 3]! * own[1]! + rotation[r + 6]! * own[2]!);
    transformDirection(particle.localSpan, p * 3, inverseMatrix, 0, span, 0);
  }
}

/** Writes the inverse of the unit quaternion at the start of `frames` as a 3x3 matrix in columns. */
function writeInverseRotation(out: Float64Array, at: number, frames: Float64Array): void {
  const matrix = new Float64Array(16);
  conjugateQuat(inverse, 0, frames, 0);
  composeMat4(matrix, 0, [0, 0, 0], 0, inverse, 0, [1, 1, 1], 0);
  for (let c = 0; c < 3; c++) out.set(matrix.subarray(4 * c, 4 * c + 3), at + 3 * c);
}

/** A weakly damped chain of many links feeds its own swing: measured below a ratio of 0.2 on more than 3 links. */
function warnOfLowDamping(world: World, row: number, name: string): void {
  const { chain } = world.views;
  if (chain.model[row] === chainModel.spring && chain.damping[row]! < 0.2 && chain.count[row]! > 3)
    warn(world, {
      code: 'low-damping',
      message: `damping ${chain.damping[row]} on ${chain.count[row]} links may swing by itself; 0.2 or more settles`,
      at: name,
    });
}

/** Options that decide which chains stay out of each other, and how far. */
const pairing = ['groups', 'chainMask', 'radius', 'model', 'carry', 'restCurve'] as const;

/**
 * Changes options of a chain; those left out stay. Wakes it.
 *
 * @throws FollowthroughError `unknown-entity`, `invalid-argument`, `unknown-name`
 */
export function setChain(world: World, entity: number, options: ChainOptions): void {
  const row = rowOf(world, 'chain', entity);
  checkOptions(options);
  const { chain, character } = world.views;
  const wasAnimated = chain.restPose[row] === restPose.animated;
  const definition = world.definitions.get(chain.id[row]!)!;
  checkModel(definition, options.model);
  writeOptions(chain, row, options);
  world.structure++;
  const rig = world.rigs[character.rig[chain.character[row]!]!]!;
  if (options.carry !== undefined || options.restCurve !== undefined || wasAnimated) {
    const shape = { carry: chain.carry[row]!, restCurve: chain.restCurve[row]! };
    writeRest(world, row, rig, definition, chainRest(rig.asset, rig.neutral, rig.frame, definition, shape));
  }
  writeCoefficients(world, row);
  // Pairs of chains are part of the order, with how far they are apart at rest.
  const meets = options.chainMask !== undefined || world.order?.meeting !== undefined;
  if (meets && pairing.some((name) => options[name] !== undefined)) {
    changeStructure(world);
    wakePressed(world, chain.character[row]!);
  }
  wake(world.views, row);
  character.moved[chain.character[row]!] = movedPart.bones;
  if (options.owner !== undefined || options.restPose !== undefined) applyOwner(world, chain.character[row]!);
  warnOfLowDamping(world, row, definition.name);
}

/** Returns a chain to its rest shape without velocity at the next tick; also clears a fault. */
export function resetChain(world: World, entity: number): void {
  const row = rowOf(world, 'chain', entity);
  const { chain } = world.views;
  chain.start[row] = startRule.rest;
  if (chain.status[row] !== chainState.disabled) chain.status[row] = chainState.awake;
  chain.stillTicks[row] = 0;
}

/** Stops or restarts a chain; while it is off its bones show the animated pose, and it restarts from what is shown. */
export function enableChain(world: World, entity: number, enabled: boolean): void {
  const row = rowOf(world, 'chain', entity);
  const { chain } = world.views;
  if (enabled === (chain.status[row] !== chainState.disabled)) return;
  chain.status[row] = enabled ? chainState.awake : chainState.disabled;
  chain.stillTicks[row] = 0;
  if (enabled && chain.start[row] === startRule.shown) takeShownBends(world.views, row);
  world.views.character.moved[chain.character[row]!] = movedPart.bones;
}

/** Entities of a character's chains, in the order they were added. */
export function chainsOf(world: World, character: number): number[] {
  const row = rowOf(world, 'character', character);
  return rowsOfCharacter(world, 'chain', row).map((chain) => world.views.chain.eid[chain]!);
}

/** Removes a chain; its bones show the animated pose again. */
export function removeChain(world: World, entity: number): void {
  const row = rowOf(world, 'chain', entity);
  world.views.character.moved[world.views.chain.character[row]!] = movedPart.bones;
  removeChainRow(world, row);
}

/** Removes the chain in a row. */
export function removeChainRow(world: World, row: number): void {
  const { chain } = world.views;
  wakePressed(world, chain.character[row]!);
  world.definitions.delete(chain.id[row]!);
  freeRows(
    world.arena,
    world.views,
    'particle',
    chain.first[row]!,
    (chain.count[row]! - 1) * chain.stride[row]! + 1,
  );
  removeRow(world, 'chain', row);
  changeStructure(world);
}
