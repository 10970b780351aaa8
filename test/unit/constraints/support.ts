/**
 * Rigs without skins for the tests of node constraints, and a second implementation of the rules: the pseudo-code of
 * the VRMC_node_constraint 1.0 specification, in world space, met by recursion, with gl-matrix and plain trigonometry.
 */
import { mat4, vec3 } from 'gl-matrix';
import type { Asset, ConstraintDefinition, World } from '../../../src/index.js';
import { addCharacter, createWorld, rowOf } from '../../../src/index.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import {
  angleBetween,
  identity,
  len,
  qinv,
  qmul,
  qrot,
  slerp,
  sub,
  swing,
} from '../../support/referenceMath.js';

/** Local transforms of all bones. */
export interface Locals {
  translations: V3[];
  rotations: Q4[];
  scales: V3[];
}

/** A skeleton with the pose of its file. */
export interface Rig extends Locals {
  parents: number[];
}

export const frame: { up: V3; forward: V3 } = { up: [0, 1, 0], forward: [0, 0, 1] };

/** A rig whose bones stand without rotation at these places in their parents. */
export function plainRig(parents: number[], translations: V3[]): Rig {
  return {
    parents,
    translations,
    rotations: parents.map((): Q4 => identity),
    scales: parents.map((): V3 => [1, 1, 1]),
  };
}

export function assetOf(rig: Rig, constraints: ConstraintDefinition[] = []): Asset {
  const { parents } = rig;
  return {
    name: 'rig',
    skeleton: {
      count: parents.length,
      names: parents.map((_, i) => `bone${i}`),
      parents: Int32Array.from(parents),
      nodes: Int32Array.from(parents.keys()),
      ...flat(rig),
    },
    skins: [],
    meshes: [],
    clips: [],
    secondary: { source: 'vrm-1', colliders: [], groups: [], springs: [], constraints, humanoid: {} },
    warnings: [],
  };
}

/** Local transforms as `setPose` wants them. */
export function flat({ translations, rotations, scales }: Locals): {
  translations: Float64Array;
  rotations: Float64Array;
  scales: Float64Array;
} {
  return {
    translations: Float64Array.from(translations.flat()),
    rotations: Float64Array.from(rotations.flat()),
    scales: Float64Array.from(scales.flat()),
  };
}

/** A world with one character of the rig. */
export function worldOf(rig: Rig, constraints?: ConstraintDefinition[]): { world: World; character: number } {
  const world = createWorld();
  return { world, character: addCharacter(world, assetOf(rig, constraints), { frame }) };
}

/** Local rotations that a character shows. */
export function shownRotations(world: World, character: number): Q4[] {
  return rotationsIn(world, character, world.views.bone.localRotation);
}

/** Local rotations of a character's bones in a column. */
export function rotationsIn(world: World, character: number, column: Float64Array): Q4[] {
  const row = rowOf(world, 'character', character);
  const first = world.views.character.firstBone[row]!;
  return Array.from(
    { length: world.views.character.boneCount[row]! },
    (_, k): Q4 => [...column.subarray((first + k) * 4, (first + k) * 4 + 4)] as unknown as Q4,
  );
}

export function roll(bone: number, source: number, axis: V3, weight = 1): ConstraintDefinition {
  return { bone, source, kind: 'roll', axis, weight };
}

export function aim(bone: number, source: number, axis: V3, weight = 1): ConstraintDefinition {
  return { bone, source, kind: 'aim', axis, weight };
}

export function rotation(bone: number, source: number, weight = 1): ConstraintDefinition {
  return { bone, source, kind: 'rotation', axis: [0, 1, 0], weight };
}

/** What the second implementation found. */
export interface Naive {
  /** Local rotations of all bones. */
  rotations: Q4[];
  /** Some result hangs on a choice that the specification leaves open, or on rounding. */
  open: boolean;
  /** Bones whose constraint depends on itself. */
  frozen: number[];
}

/** Every bone that a constraint looks at: its source; an aim also at all bones above the source and above its own. */
function looksAt(rig: Rig, { bone, source, kind }: ConstraintDefinition): number[] {
  const above = (b: number): number[] =>
    rig.parents[b]! < 0 ? [] : [rig.parents[b]!, ...above(rig.parents[b]!)];
  return kind === 'aim' ? [source, ...above(source), ...above(bone)] : [source];
}

/** Bones whose constraint looks at itself by way of others: closure of a table (Warshall). */
function cyclic(rig: Rig, constraints: readonly ConstraintDefinition[]): number[] {
  const n = rig.parents.length;
  const table = Array.from({ length: n }, () => Array<boolean>(n).fill(false));
  for (const c of constraints) for (const b of looksAt(rig, c)) table[c.bone]![b] = true;
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) if (table[i]![k]! && table[k]![j]!) table[i]![j] = true;
  return constraints.map(({ bone }) => bone).filter((bone) => table[bone]![bone]!);
}

/** Evaluates constraints on a pose. Scales above an aim must be uniform and positive. */
export function naive(rig: Rig, constraints: readonly ConstraintDefinition[], pose: Locals): Naive {
  const frozen = cyclic(rig, constraints);
  const rotations = pose.rotations.map((q): Q4 => [...q]);
  const done = new Set<number>();
  let open = false;

  const worldMatrix = (b: number): mat4 => {
    const own = mat4.fromRotationTranslationScale(
      Array<number>(16) as unknown as mat4,
      rotations[b]!,
      pose.translations[b]!,
      pose.scales[b]!,
    );
    const parent = rig.parents[b]!;
    return parent < 0 ? own : mat4.multiply(own, worldMatrix(parent), own);
  };
  const place = (b: number): V3 =>
    vec3.transformMat4([0, 0, 0] as vec3, [0, 0, 0], worldMatrix(b)) as unknown as V3;
  const worldTurn = (b: number): Q4 => (b < 0 ? identity : qmul(worldTurn(rig.parents[b]!), rotations[b]!));

  const wanted = ({ bone, source, kind, axis }: ConstraintDefinition): Q4 => {
    const rest = rig.rotations[bone]!;
    const sourceRest = rig.rotations[source]!;
    const turn = qmul(qinv(sourceRest), rotations[source]!);
    if (kind === 'rotation') return qmul(rest, turn);
    if (kind === 'roll') {
      const inParent = qmul(qmul(sourceRest, turn), qinv(sourceRest));
      const own = qmul(qmul(qinv(rest), inParent), rest);
      const to = qrot(own, axis);
      if (angleBetween(axis, to) > Math.PI - 1e-3) open = true;
      return qmul(qmul(rest, qinv(swing(axis, to))), own);
    }
    const parent = worldTurn(rig.parents[bone]!);
    const from = qrot(qmul(parent, rest), axis);
    const to = sub(place(source), place(bone));
    if (len(to) < 1e-6) {
      if (len(to) > 1e-14) open = true;
      return rest;
    }
    if (angleBetween(from, to) > Math.PI - 1e-3) open = true;
    const direction: V3 = [to[0] / len(to), to[1] / len(to), to[2] / len(to)];
    return qmul(qmul(qmul(qinv(parent), swing(from, direction)), parent), rest);
  };

  const meet = (c: ConstraintDefinition): void => {
    if (done.has(c.bone)) return;
    done.add(c.bone);
    if (frozen.includes(c.bone)) {
      rotations[c.bone] = rig.rotations[c.bone]!;
      return;
    }
    for (const b of looksAt(rig, c)) for (const other of constraints) if (other.bone === b) meet(other);
    const rest = rig.rotations[c.bone]!;
    const target = wanted(c);
    // Half a turn away both ways are as short.
    const agree = Math.abs(rest.reduce((sum, x, i) => sum + x * target[i]!, 0));
    if (agree < 1e-6 && c.weight > 0 && c.weight < 1) open = true;
    rotations[c.bone] = slerp(rest, target, c.weight);
  };
  // Frozen bones stand before anything looks at them.
  for (const c of constraints) if (frozen.includes(c.bone)) meet(c);
  for (const c of constraints) meet(c);
  return { rotations, open, frozen };
}
