/**
 * Shapes of colliders, after VRMC_springBone 1.0 and VRMC_springBone_extended_collider 1.0. An extended shape replaces
 * the plain one beside it, which is only a stand-in (a point far away, a sphere of 1000 m below a plane); where the
 * extended shape cannot be used, the plain one is.
 */
import type { ColliderShape } from '../../asset/secondary.js';
import { normalize3 } from '../../math/vec3.js';
import type { JsonObject } from '../gltf/json.js';
import { flagIn, isReadableVersion, numberIn, objectIn, report, vectorIn } from './reading.js';
import type { Vector, VrmReading } from './reading.js';

/** Name of the extension that adds planes and shapes that hold things inside. */
export const EXTENDED = 'VRMC_springBone_extended_collider';

const ORIGIN: Readonly<Vector> = [0, 0, 0];
const FORWARD: Readonly<Vector> = [0, 0, 1];
/** By how much the length of a normal may miss 1 without a report: rounding by hand. */
const NORMAL_NOISE = 1e-4;
/** The three shapes; the examples of the extended collider's specification misspell the last. */
const KINDS = ['sphere', 'capsule', 'plane', 'palne'] as const;

/** The shape of a collider; undefined, and reported, when it has none that can be used. */
export function readShape(
  reading: VrmReading,
  collider: JsonObject,
  place: string,
): ColliderShape | undefined {
  const extensions = objectIn(collider, 'extensions', place) ?? {};
  const extended = objectIn(extensions, EXTENDED, `${place}/extensions`);
  const at = `${place}/extensions/${EXTENDED}`;
  if (extended && isReadableVersion(reading, extended, at, EXTENDED)) {
    const holder = objectIn(extended, 'shape', at);
    const shape = holder && shapeIn(reading, holder, `${at}/shape`, true);
    if (shape) return shape;
    if (holder) report(reading, 'vrm-shape', `${at}/shape`, 'cannot be used; the plain shape is read');
  }
  const holder = objectIn(collider, 'shape', place);
  const shape = holder && shapeIn(reading, holder, `${place}/shape`, false);
  if (!shape) report(reading, 'vrm-shape', place, 'the collider has no shape that can be used; left out');
  return shape;
}

function shapeIn(
  reading: VrmReading,
  holder: JsonObject,
  place: string,
  isExtended: boolean,
): ColliderShape | undefined {
  const kinds = KINDS.slice(0, isExtended ? 4 : 2).filter(
    (kind) => objectIn(holder, kind, place) !== undefined,
  );
  const kind = kinds[0];
  if (kind === undefined) return undefined;
  if (kinds.length > 1)
    report(reading, 'vrm-shape', place, `${kinds.join(' and ')} at once; ${kind} is read`);
  if (kind === 'palne') report(reading, 'vrm-shape', place, "'palne' is read as plane");
  const shape = objectIn(holder, kind, place)!;
  const at = `${place}/${kind}`;
  const offset = vectorIn(reading, shape, 'offset', at, ORIGIN);
  if (kind === 'plane' || kind === 'palne') {
    const normal = normalIn(reading, shape, at);
    return offset && normal && { kind: 'plane', offset, normal };
  }
  const radius = numberIn(reading, shape, 'radius', at, { missing: 0, min: 0 });
  const inside = isExtended && flagIn(shape, 'inside', at);
  const tail = kind === 'sphere' ? offset : vectorIn(reading, shape, 'tail', at, ORIGIN);
  if (!offset || !tail) return undefined;
  // A capsule without length is a sphere, and has no direction to divide by.
  if (offset.every((value, k) => value === tail[k])) return { kind: 'sphere', offset, radius, inside };
  return { kind: 'capsule', offset, tail, radius, tailRadius: radius, inside };
}

function normalIn(reading: VrmReading, plane: JsonObject, place: string): Vector | undefined {
  const normal = vectorIn(reading, plane, 'normal', place, FORWARD);
  if (!normal) return undefined;
  const length = normalize3(normal, 0, normal, 0);
  const found = `has the length ${length}`;
  if (length === 0) report(reading, 'vrm-shape', `${place}/normal`, 'has no direction');
  else if (Math.abs(length - 1) > NORMAL_NOISE)
    report(reading, 'vrm-shape', `${place}/normal`, `${found}; made unit`);
  return length === 0 ? undefined : normal;
}
