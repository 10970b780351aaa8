/**
 * Tuned values of springs: data in, data out, for `addSprings(world, avatar, { secondary })` to look at and
 * `writeSprings` to keep.
 */
import { FollowthroughError } from '../../asset/errors.js';
import type { SecondaryMotion, SpringDefinition, SpringJoint } from '../../asset/secondary.js';
import { normalize3 } from '../../math/vec3.js';
import { describe, oneLine } from '../gltf/json.js';

/** Values to set in springs; what is not named stays. */
export interface SpringEdit {
  /** Name of the springs, or the index of one; default all. */
  spring?: string | number;
  /** Radius that is tested, metres at bind scale, >= 0: of all joints, or of each from root to tip. */
  hitRadius?: number | readonly number[];
  /** Pull towards the rest direction, >= 0: of all joints, or of each. */
  stiffness?: number | readonly number[];
  /** Size of the gravity, >= 0: of all joints, or of each. */
  gravityPower?: number | readonly number[];
  /** Direction of the gravity of all joints, world space, of any length above 0. */
  gravityDir?: readonly [number, number, number];
  /** Share of the motion lost per 60 Hz frame, 0..1: of all joints, or of each. */
  dragForce?: number | readonly number[];
}

/** Largest value of each number. */
const LARGEST = {
  hitRadius: Number.MAX_VALUE,
  stiffness: Number.MAX_VALUE,
  gravityPower: Number.MAX_VALUE,
  dragForce: 1,
} as const;
const NUMBERS = ['hitRadius', 'stiffness', 'gravityPower', 'dragForce'] as const;

/**
 * Sets values of springs.
 *
 * @param secondary - what the file says; not changed
 * @param edits - one after the other, later ones over earlier ones
 * @returns a copy with the values; what they do not touch is shared
 * @throws FollowthroughError `unknown-name` for a spring that is not there, `invalid-argument` for a number out of range,
 * a list that is not as long as the joints of its spring, a direction of length 0, and an edit without such a name
 * @example
 * tuneSprings(secondary, { dragForce: 0.6 }, { spring: 'Skirt', stiffness: [1, 0.8, 0.6] });
 */
export function tuneSprings(secondary: SecondaryMotion, ...edits: readonly SpringEdit[]): SecondaryMotion {
  let { springs } = secondary;
  edits.forEach((edit, e) => {
    for (const key of Object.keys(edit))
      if (key !== 'spring' && key !== 'gravityDir' && !Object.hasOwn(LARGEST, key))
        wrong(`edits/${e}/${key}`, `is no value of a spring, expected ${NUMBERS.join(', ')} or gravityDir`);
    const { spring } = edit;
    const isMeant = (definition: SpringDefinition, index: number): boolean =>
      spring === undefined || spring === (typeof spring === 'number' ? index : definition.name);
    if (spring !== undefined && !springs.some(isMeant))
      throw new FollowthroughError(
        'unknown-name',
        oneLine(`edits/${e}/spring: there is no spring ${describe(spring)}`),
      );
    springs = springs.map((definition, index) =>
      isMeant(definition, index) ? tuned(definition, edit, `edits/${e}`) : definition,
    );
  });
  return { ...secondary, springs };
}

function tuned(spring: SpringDefinition, edit: SpringEdit, place: string): SpringDefinition {
  const gravityDir = edit.gravityDir && unit(edit.gravityDir, place);
  const joints = spring.joints.map((joint, j) => {
    const values: Partial<SpringJoint> = {};
    for (const key of NUMBERS) {
      const value = edit[key];
      if (value === undefined) continue;
      if (typeof value !== 'number' && value.length !== spring.joints.length)
        wrong(
          `${place}/${key}`,
          `${value.length} numbers for the ${spring.joints.length} joints of '${spring.name}'`,
        );
      values[key] = ranged(typeof value === 'number' ? value : value[j], LARGEST[key], `${place}/${key}`);
    }
    const [x, y, z] = gravityDir ?? joint.gravityDir;
    return { ...joint, ...values, gravityDir: [x, y, z] as SpringJoint['gravityDir'] };
  });
  return { ...spring, joints };
}

function ranged(value: unknown, largest: number, place: string): number {
  if (typeof value === 'number' && value >= 0 && value <= largest) return value;
  return wrong(place, `${describe(value)}, expected a number ${largest === 1 ? 'from 0 to 1' : 'from 0'}`);
}

function unit(direction: readonly [number, number, number], place: string): SpringJoint['gravityDir'] {
  const found: SpringJoint['gravityDir'] = [0, 0, 0];
  if (normalize3(found, 0, [...direction], 0) > 0) return found;
  return wrong(`${place}/gravityDir`, `(${direction.join(', ')}) has no direction`);
}

function wrong(place: string, problem: string): never {
  throw new FollowthroughError('invalid-argument', oneLine(`${place}: ${problem}`));
}
