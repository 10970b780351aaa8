/**
 * What VRMC_springBone 1.0 can say of springs and colliders, in the very form in which it is read back. One thing has no
 * word in it: a capsule with two radii.
 */
import { FollowthroughError, type Warning } from '../../asset/errors.js';
import type {
  ColliderDefinition,
  ColliderShape,
  SecondaryMotion,
  SpringJoint,
} from '../../asset/secondary.js';
import { distance3 } from '../../math/vec3.js';
import { oneLine } from '../gltf/json.js';
import type { Vector } from './reading.js';
import { writableUnit } from './unitVector.js';

type FittedMark = NonNullable<ColliderDefinition['fitted']>;

/** What the extension holds of secondary motion. */
export type SpringMotion = Pick<SecondaryMotion, 'colliders' | 'groups' | 'springs'>;

/**
 * A copy of springs and colliders as the extension can hold them: names where there are none, -0 as 0, and in place of a
 * capsule with two radii the smallest capsule that holds it, or, inside out, the largest that it holds: what was kept
 * out or in stays so. (Where one of its balls holds the other it is that ball, exactly.)
 *
 * @param boneCount - bones of the character
 * @param warnings - receives `vrm-capsule`
 * @throws FollowthroughError `invalid-argument` for a bone that does not exist and a direction that is not unit
 */
export function expressible(secondary: SpringMotion, boneCount: number, warnings: Warning[]): SpringMotion {
  const bone = (index: number, place: string, least: number): number => {
    if (Number.isInteger(index) && index >= least && index < boneCount) return index;
    return wrong(place, `there is no bone ${index}`);
  };
  for (const key of ['colliders', 'groups', 'springs'] as const)
    if (!Array.isArray(secondary?.[key])) wrong(key, 'expected a list, as loadVrm gives it');
  return {
    colliders: secondary.colliders.map(({ bone: carrier, shape, fitted }, c) => ({
      bone: bone(carrier, `colliders/${c}`, 0),
      shape: plainShape(shape, `colliders/${c}/shape`, warnings),
      ...(fitted && { fitted: plainMark(fitted, `colliders/${c}/fitted`) }),
    })),
    groups: secondary.groups.map(({ name, colliders }, g) => ({
      name: name || `group${g}`,
      colliders: [...colliders],
    })),
    springs: secondary.springs.map(({ name, joints, end, endOffset, groups, center }, s) => ({
      name: name || `spring${s}`,
      joints: joints.map((joint, j) => plainJoint(joint, bone, `springs/${s}/joints/${j}`)),
      ...(end < 0 && endOffset
        ? { end: -1, endOffset: positive(endOffset) }
        : { end: bone(end, `springs/${s}/end`, 0), endOffset: undefined }),
      groups: [...groups],
      center: bone(center, `springs/${s}/center`, -1),
    })),
  };
}

/** Refuses what was given. */
function wrong(place: string, problem: string): never {
  throw new FollowthroughError('invalid-argument', oneLine(`secondary/${place}: ${problem}`));
}

function plainJoint(
  { bone, hitRadius, stiffness, gravityPower, gravityDir, dragForce }: SpringJoint,
  checked: (index: number, place: string, least: number) => number,
  place: string,
): SpringJoint {
  return {
    bone: checked(bone, `${place}/bone`, 0),
    hitRadius: hitRadius + 0,
    stiffness: stiffness + 0,
    gravityPower: gravityPower + 0,
    gravityDir: direction(gravityDir, `${place}/gravityDir`),
    dragForce: dragForce + 0,
  };
}

function plainShape(shape: ColliderShape, place: string, warnings: Warning[]): ColliderShape {
  const offset = positive(shape.offset);
  switch (shape.kind) {
    case 'plane':
      return { kind: 'plane', offset, normal: direction(shape.normal, `${place}/normal`) };
    case 'sphere':
      return { kind: 'sphere', offset, radius: shape.radius + 0, inside: shape.inside };
    case 'capsule':
      break;
    default:
      return wrong(place, 'expected a sphere, a capsule or a plane');
  }
  const { radius, tailRadius, inside } = shape;
  const tail = positive(shape.tail);
  if (Math.abs(radius - tailRadius) >= distance3(offset, 0, tail, 0))
    return radius < tailRadius
      ? { kind: 'sphere', offset: tail, radius: tailRadius + 0, inside }
      : { kind: 'sphere', offset, radius: radius + 0, inside };
  const one = (inside ? Math.min(radius, tailRadius) : Math.max(radius, tailRadius)) + 0;
  if (radius !== tailRadius)
    warnings.push({
      code: 'vrm-capsule',
      message: oneLine(
        `${place}: a capsule with the radii ${radius} and ${tailRadius}, VRM knows one; written with ${one}`,
      ),
      at: place,
    });
  return { kind: 'capsule', offset, tail, radius: one, tailRadius: one, inside };
}

/** A mark in the form in which it is read; radii as the shape has them. */
function plainMark(fitted: FittedMark, place: string): FittedMark {
  if ('made' in fitted) return { made: true };
  const { radii } = fitted;
  const isRadius = (radius: unknown): boolean =>
    typeof radius === 'number' && radius >= 0 && radius < Infinity;
  if (!Array.isArray(radii) || radii.length < 1 || radii.length > 2 || !radii.every(isRadius))
    return wrong(place, 'expected one or two radii from 0');
  return { radii: [Math.max(...radii) + 0] };
}

function direction(vector: Vector, place: string): Vector {
  const unit = writableUnit(vector);
  return unit ? unit.read : wrong(place, `(${vector.join(', ')}) is not unit`);
}

/** JSON has -0, but the reader takes it for 0. */
function positive([x, y, z]: Vector): Vector {
  return [x + 0, y + 0, z + 0];
}
