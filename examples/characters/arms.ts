/**
 * Arms: from the bind pose (held out to the side) down along the body, swung about the shoulder, bent at the elbow
 * so that the hand comes forward.
 */
import { axisAngle, cross, multiply, normalize, sub, X, Z, type Vec3 } from './linear.js';
import type { Rig, Side } from './humanoidRig.js';
import { headOf, type Turns } from './legs.js';

/** Lowers an arm, then pitches it (back > 0), and bends its elbow; in degrees. */
export function bendArm(
  rig: Rig,
  turns: Turns,
  side: Side,
  lowerDeg: number,
  pitchDeg: number,
  elbowDeg: number,
): void {
  const down = side === 'Left' ? -lowerDeg : lowerDeg;
  const share = 0.15;
  turns.set(`${side}Shoulder`, axisAngle(Z, down * share));
  turns.set(`${side}Arm`, multiply(axisAngle(X, pitchDeg), axisAngle(Z, down * (1 - share))));
  const forearm = sub(headOf(rig, `${side}Hand`), headOf(rig, `${side}ForeArm`));
  turns.set(`${side}ForeArm`, axisAngle(elbowAxis(forearm), elbowDeg));
  turns.set(`${side}Hand`, axisAngle(elbowAxis(forearm), Math.min(12, elbowDeg * 0.2)));
}

/** About this axis the forearm turns towards the front. */
const elbowAxis = (forearm: Vec3): Vec3 => normalize(cross(forearm, Z));
