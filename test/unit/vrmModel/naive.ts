/**
 * VRM's spring bone algorithm as its specification describes it, naive: world space, one joint after the other from
 * root to leaf with fresh heads, one frame at a time, no colliders.
 */
import type { SpringJoint } from '../../../src/index.js';
import {
  add,
  len,
  mul,
  qmul,
  qrot,
  sub,
  swing,
  unit,
  type Q4,
  type V3,
} from '../../support/referenceMath.js';

export interface NaiveJoint {
  /** Rotation in the parent at rest. */
  local: Q4;
  /** Way to the next joint in the joint's own frame at rest. */
  tail: V3;
  values: Pick<SpringJoint, 'stiffness' | 'gravityPower' | 'gravityDir' | 'dragForce'>;
  current: V3;
  previous: V3;
}

/** The joints at rest under an attachment. */
export function restJoints(
  head: V3,
  parent: Q4,
  joints: Pick<NaiveJoint, 'local' | 'tail' | 'values'>[],
): NaiveJoint[] {
  let at = head;
  let rotation = parent;
  return joints.map((joint) => {
    rotation = qmul(rotation, joint.local);
    at = add(at, qrot(rotation, joint.tail));
    return { ...joint, current: at, previous: at };
  });
}

/** One frame of 1/60 s. */
export function frame(head: V3, parent: Q4, joints: NaiveJoint[]): void {
  let at = head;
  let rotation = parent;
  for (const joint of joints) {
    const { stiffness, gravityPower, gravityDir, dragForce } = joint.values;
    const rest = qmul(rotation, joint.local);
    const axis = unit(joint.tail);
    const inertia = mul(sub(joint.current, joint.previous), 1 - dragForce);
    const pull = mul(qrot(rest, axis), stiffness / 60);
    const gravity = mul(gravityDir, gravityPower / 60);
    const next = add(add(add(joint.current, inertia), pull), gravity);
    const direction = unit(sub(next, at));
    joint.previous = joint.current;
    joint.current = add(at, mul(direction, len(joint.tail)));
    rotation = qmul(swing(qrot(rest, axis), direction), rest);
    at = joint.current;
  }
}
