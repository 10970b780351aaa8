/** Where a collider stands in the bind pose, by the inverse bind matrices alone: written apart from the library. */
import { mat4, vec3 } from 'gl-matrix';
import type { Asset, ColliderDefinition } from '../../../src/index.js';
import type { V3 } from '../../support/referenceMath.js';

/** Ends and radii, world; both ends are one for a ball. */
export function worldShape(
  asset: Asset,
  { bone, shape }: ColliderDefinition,
): { a: V3; b: V3; ra: number; rb: number } {
  if (shape.kind === 'plane') throw new Error('a plane has no ends');
  const [skin] = asset.skins;
  const joint = skin!.joints.indexOf(bone);
  const bind = [...skin!.inverseBinds.subarray(16 * joint, 16 * joint + 16)] as unknown as mat4;
  const world = mat4.invert([...bind] as unknown as mat4, bind)!;
  const at = (point: V3): V3 => [...vec3.transformMat4([0, 0, 0], point, world)] as V3;
  const scale = Math.hypot(world[0], world[1], world[2]);
  const isCapsule = shape.kind === 'capsule';
  return {
    a: at(shape.offset),
    b: at(isCapsule ? shape.tail : shape.offset),
    ra: scale * shape.radius,
    rb: scale * (isCapsule ? shape.tailRadius : shape.radius),
  };
}
