/**
 * Stage 3, the rules of a link: springIntegrate with the target of bendCouple, the bend limit, contact, then the
 * length. All but contact stand in one function with local variables: as functions over shared registers they took three
 * times as long. The loop over the links stands outside of it: V8 left the function that held both uncompiled in one
 * run of five, at a quarter of the speed. docs/solver.md gives each rule and its source under the same names.
 *
 * The walk carries C_i, the anatomical frame as turned by the bends above: rest target h + l C_i u_i, bend
 * q_i = swing(u_i, C_i^-1 d), next frame C_(i+1) = C_i q_i. Bends are thus compared in a frame where lateral means
 * the same on every link, whatever the axes of the rig. Only + - * / sqrt, minima as comparisons, nothing allocated.
 */
import { chainModel, restFrame } from '../components/codes.js';
import type { Columns } from '../components/field.js';
import type { Particle } from '../components/particle.js';
import type { Views } from '../components/stores.js';
import type { Meeting } from '../setup/meeting.js';
import { measureLink } from './attachment.js';
import { hasColliders } from './colliderList.js';
import { pickColliders } from './colliderPicks.js';
import { takePlanes } from './chainPlanes.js';
import { contact, touches } from './contact.js';
import { findHalfTurnAxis } from './halfTurn.js';
import { keepLink } from './sweep.js';
import {
  baseFrame,
  checkSum,
  halfTurnAxis,
  headPoint,
  calmLinks,
  linkLength,
  linkRadius,
  mirrorSign,
  referenceVelocity,
  restDirection,
  rootPoint,
  scaleNow,
  tickSeconds,
  tipDirection,
  tipVelocity,
  uniformScale,
} from './registers.js';
import { addWind } from './wind.js';

/** Square of the largest turn per tick, radians, that counts as no motion; nobody sees what is left to settle. */
const stillSquare = 1e-11 * 1e-11;

/** C_(i+1) as columns: what the link just walked hands to the next. */
const frame = new Float64Array(9);
/** Bend of the link above in the last tick; above the first link stands the unbent attachment. */
const bendAbove = new Float64Array(4);
/** Acceleration in solver space at the chain's size. */
const acceleration = new Float64Array(3);
/** A metre of the chain's size in solver space. */
const size = new Float64Array(1);
/** Cosine and sine of the bend limit. */
const bendLimit = new Float64Array(2);

/**
 * Takes every link of the chain in `row` through one tick. Reads what attachment.ts and inertia.ts found and the
 * gathered surfaces; writes the particles, `checkSum` and `calmLinks`.
 *
 * @param fresh - the chain began in this tick: its coupling targets have no velocity yet
 * @param meeting - planes that keep its links out of other chains
 */
export function walkLinks(views: Views, row: number, fresh: boolean, meeting: Meeting | undefined): void {
  const { chain, particle } = views;
  const metre = scaleNow[0]! * views.character.unit[chain.character[row]!]!;
  size[0] = metre;
  const isVrm = chain.model[row] === chainModel.vrm;
  for (let k = 0; k < 3; k++) acceleration[k] = isVrm ? 0 : metre * chain.acceleration[row * 3 + k]!;
  acceleration[0] = mirrorSign[0]! * acceleration[0]!;
  addWind(views, row, acceleration);
  bendLimit[0] = chain.limitCosine[row]!;
  bendLimit[1] = chain.limitSine[row]!;
  for (let k = 0; k < 3; k++) headPoint[k] = rootPoint[k]!;
  bendAbove.fill(0, 0, 3);
  bendAbove[3] = 1;
  checkSum[0] = 0;
  calmLinks[0] = 1;
  const count = chain.count[row]!;
  const stride = chain.stride[row]!;
  const coupled = count > 1 && chain.coupling[row]! > 0 && !isVrm;
  const withColliders = hasColliders();
  if (withColliders) pickColliders(particle, chain.first[row]!, count, stride);
  // Below a floor contact the attachment's frame counts, else the bend at the floor would lift the rest of the tail.
  let fromBase = chain.restFrame[row] === restFrame.attachment && !isVrm;
  for (let i = 0, p = chain.first[row]!; i < count; i++, p += stride) {
    if (uniformScale[0] === 1) linkLength[0] = scaleNow[0]! * particle.length[p]!;
    else measureLink(views, p);
    if (withColliders) {
      linkRadius[0] = scaleNow[0]! * particle.radius[p]!;
      keepLink(particle.position, p * 3, i === 0);
    }
    const below = i + 1 < count ? p + stride : -1;
    takePlanes(particle, meeting, p, below);
    const parent = i === 0 ? baseFrame : frame;
    if (walkLink(particle, p, below, parent, fromBase, coupled, fresh, isVrm)) fromBase = true;
  }
}

/**
 * One link of one tick.
 *
 * @param p - row of its particle
 * @param below - row of the next particle, -1 at the tip
 * @param parent - C_i: the anatomical frame as the bends above have turned it; C_(i+1) is left in `frame`
 * @param fromBase - the rest direction is measured in the attachment's frame, not in that of the link above
 * @param isVrm - VRM's law: the same linear step with gravity of its own, and inertia holds the whole displacement
 * @returns true when a floor holds the link
 */
function walkLink(
  particle: Columns<typeof Particle>,
  p: number,
  below: number,
  parent: Float64Array,
  fromBase: boolean,
  coupled: boolean,
  fresh: boolean,
  isVrm: boolean,
): boolean {
  const { position, velocity, bend, couplingTarget, direction, propagator, weights } = particle;
  const p3 = p * 3;
  const p4 = p * 4;
  const h = tickSeconds[0]!;
  const rate = tickSeconds[1]!;
  const side = mirrorSign[0]!;
  const l = linkLength[0]!;
  const hx = headPoint[0]!;
  const hy = headPoint[1]!;
  const hz = headPoint[2]!;
  const rx = referenceVelocity[0]!;
  const ry = referenceVelocity[1]!;
  const rz = referenceVelocity[2]!;
  const c0 = parent[0]!;
  const c1 = parent[1]!;
  const c2 = parent[2]!;
  const c3 = parent[3]!;
  const c4 = parent[4]!;
  const c5 = parent[5]!;
  const c6 = parent[6]!;
  const c7 = parent[7]!;
  const c8 = parent[8]!;
  const ux = direction[p3]!;
  const uy = direction[p3 + 1]!;
  const uz = direction[p3 + 2]!;

  // --- Rest direction.
  let tx = c0 * ux + c3 * uy + c6 * uz;
  let ty = c1 * ux + c4 * uy + c7 * uz;
  let tz = c2 * ux + c5 * uy + c8 * uz;
  if (fromBase) {
    tx = baseFrame[0]! * ux + baseFrame[3]! * uy + baseFrame[6]! * uz;
    ty = baseFrame[1]! * ux + baseFrame[4]! * uy + baseFrame[7]! * uz;
    tz = baseFrame[2]! * ux + baseFrame[5]! * uy + baseFrame[8]! * uz;
  }

  // --- bendCouple: where the neighbours' bends want the tip (m, from the head), and how fast that place moves.
  let mx = 0;
  let my = 0;
  let mz = 0;
  let kx = 0;
  let ky = 0;
  let kz = 0;
  if (coupled) {
    // Mean of two swings half way: the direction of their sum. At the tip there is only the link above.
    let x = bendAbove[0]!;
    let y = bendAbove[1]!;
    let z = bendAbove[2]!;
    let w = bendAbove[3]!;
    if (below >= 0) {
      const n4 = below * 4;
      x += bend[n4]!;
      y += bend[n4 + 1]!;
      z += bend[n4 + 2]!;
      w += bend[n4 + 3]!;
    }
    // The rest direction turned by it; 2 / |q|^2 in the rotation formula saves the root of normalising.
    const square = x * x + y * y + z * z + w * w;
    const twice = square > 1e-24 ? 2 / square : 0;
    const crossX = y * uz - z * uy;
    const crossY = z * ux - x * uz;
    const crossZ = x * uy - y * ux;
    const bentX = ux + twice * (w * crossX + (y * crossZ - z * crossY));
    const bentY = uy + twice * (w * crossY + (z * crossX - x * crossZ));
    const bentZ = uz + twice * (w * crossZ + (x * crossY - y * crossX));
    mx = l * (c0 * bentX + c3 * bentY + c6 * bentZ);
    my = l * (c1 * bentX + c4 * bentY + c7 * bentZ);
    mz = l * (c2 * bentX + c5 * bentY + c8 * bentZ);
    const px = hx + mx;
    const py = hy + my;
    const pz = hz + mz;
    if (!fresh) {
      kx = (px - side * couplingTarget[p3]!) * rate - rx;
      ky = (py - couplingTarget[p3 + 1]!) * rate - ry;
      kz = (pz - couplingTarget[p3 + 2]!) * rate - rz;
    }
    couplingTarget[p3] = side * px;
    couplingTarget[p3 + 1] = py;
    couplingTarget[p3 + 2] = pz;
  }

  // --- springIntegrate: rest target, coupling target and acceleration make one centre; the exact propagator takes
  // the offset from it over the tick. All from the head, so that far from the origin no precision is lost.
  const wt = weights[p4]! * l;
  const wm = weights[p4 + 1]!;
  const wk = weights[p4 + 2]!;
  const wg = weights[p4 + 3]!;
  let centreX = wt * tx + wm * mx + wk * kx + wg * acceleration[0]!;
  let centreY = wt * ty + wm * my + wk * ky + wg * acceleration[1]!;
  let centreZ = wt * tz + wm * mz + wk * kz + wg * acceleration[2]!;
  if (isVrm) {
    centreX += l * side * particle.pull[p3]!;
    centreY += l * particle.pull[p3 + 1]!;
    centreZ += l * particle.pull[p3 + 2]!;
  }
  const ox = side * position[p3]! - hx + rx * h - centreX;
  const oy = position[p3 + 1]! - hy + ry * h - centreY;
  const oz = position[p3 + 2]! - hz + rz * h - centreZ;
  let relX = side * velocity[p3]! - rx;
  let relY = velocity[p3 + 1]! - ry;
  let relZ = velocity[p3 + 2]! - rz;
  if (isVrm) {
    relX += size[0]! * side * particle.kick[p3]!;
    relY += size[0]! * particle.kick[p3 + 1]!;
    relZ += size[0]! * particle.kick[p3 + 2]!;
  }
  const pxx = propagator[p4]!;
  const pxv = propagator[p4 + 1]!;
  const pvx = propagator[p4 + 2]!;
  const pvv = propagator[p4 + 3]!;
  let dx = centreX + pxx * ox + pxv * relX;
  let dy = centreY + pxx * oy + pxv * relY;
  let dz = centreZ + pxx * oz + pxv * relZ;
  // Velocity as seen from the reference motion.
  let wx = pvx * ox + pvv * relX;
  let wy = pvx * oy + pvv * relY;
  let wz = pvx * oz + pvv * relZ;
  const reach = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (reach > 1e-9 * l) {
    const n = 1 / reach;
    dx *= n;
    dy *= n;
    dz *= n;
    if (isVrm) {
      // The displacement that VRM's inertia holds is the one after the length.
      const held = particle.hold[p]! * (l - reach);
      wx += held * dx;
      wy += held * dy;
      wz += held * dz;
    }
  } else {
    dx = tx;
    dy = ty;
    dz = tz;
  }

  // --- Bend limit: same axis, exactly the limit; what of the velocity pushes beyond it is removed.
  let fx = c0 * dx + c1 * dy + c2 * dz;
  let fy = c3 * dx + c4 * dy + c5 * dz;
  let fz = c6 * dx + c7 * dy + c8 * dz;
  let cosine = ux * fx + uy * fy + uz * fz;
  if (cosine < bendLimit[0]!) {
    const cosLimit = bendLimit[0]!;
    const sinLimit = bendLimit[1]!;
    // e: square to the rest direction, toward the bend, in the anatomical frame.
    let sideX = fx - cosine * ux;
    let sideY = fy - cosine * uy;
    let sideZ = fz - cosine * uz;
    let n = Math.sqrt(sideX * sideX + sideY * sideY + sideZ * sideZ);
    if (n < 1e-12) {
      findHalfTurnAxis(direction, bend, p);
      sideX = halfTurnAxis[1]! * uz - halfTurnAxis[2]! * uy;
      sideY = halfTurnAxis[2]! * ux - halfTurnAxis[0]! * uz;
      sideZ = halfTurnAxis[0]! * uy - halfTurnAxis[1]! * ux;
      n = 1;
    }
    sideX /= n;
    sideY /= n;
    sideZ /= n;
    fx = cosLimit * ux + sinLimit * sideX;
    fy = cosLimit * uy + sinLimit * sideY;
    fz = cosLimit * uz + sinLimit * sideZ;
    cosine = cosLimit;
    dx = c0 * fx + c3 * fy + c6 * fz;
    dy = c1 * fx + c4 * fy + c7 * fz;
    dz = c2 * fx + c5 * fy + c8 * fz;
    // The way beyond the limit, square to the limited direction.
    const bx = cosLimit * sideX - sinLimit * ux;
    const by = cosLimit * sideY - sinLimit * uy;
    const bz = cosLimit * sideZ - sinLimit * uz;
    const outX = c0 * bx + c3 * by + c6 * bz;
    const outY = c1 * bx + c4 * by + c7 * bz;
    const outZ = c2 * bx + c5 * by + c8 * bz;
    const outward = wx * outX + wy * outY + wz * outZ;
    if (outward > 0) {
      wx -= outward * outX;
      wy -= outward * outY;
      wz -= outward * outZ;
    }
  }

  // --- contact
  tipDirection[0] = dx;
  tipDirection[1] = dy;
  tipDirection[2] = dz;
  let onFloor = false;
  if (touches(parent === baseFrame)) {
    restDirection[0] = tx;
    restDirection[1] = ty;
    restDirection[2] = tz;
    tipVelocity[0] = rx + wx;
    tipVelocity[1] = ry + wy;
    tipVelocity[2] = rz + wz;
    onFloor = contact(parent === baseFrame);
    dx = tipDirection[0]!;
    dy = tipDirection[1]!;
    dz = tipDirection[2]!;
    wx = tipVelocity[0]! - rx;
    wy = tipVelocity[1]! - ry;
    wz = tipVelocity[2]! - rz;
    fx = c0 * dx + c1 * dy + c2 * dz;
    fy = c3 * dx + c4 * dy + c5 * dz;
    fz = c6 * dx + c7 * dy + c8 * dz;
    cosine = ux * fx + uy * fy + uz * fz;
  }
  particle.contact[p] = onFloor ? 1 : 0;

  // --- Bend of this tick: the swing from rest to the direction found.
  let qx1 = uy * fz - uz * fy;
  let qy1 = uz * fx - ux * fz;
  let qz1 = ux * fy - uy * fx;
  let qw1 = 1 + cosine;
  if (qw1 < 1e-12) {
    findHalfTurnAxis(direction, bend, p);
    qx1 = halfTurnAxis[0]!;
    qy1 = halfTurnAxis[1]!;
    qz1 = halfTurnAxis[2]!;
    qw1 = 0;
  } else {
    const n = 1 / Math.sqrt(qx1 * qx1 + qy1 * qy1 + qz1 * qz1 + qw1 * qw1);
    qx1 *= n;
    qy1 *= n;
    qz1 *= n;
    qw1 *= n;
  }

  // --- Length: the tip stands on its link, no velocity leads along it, but VRM's displacement is the chord.
  const radial = isVrm ? 0 : wx * dx + wy * dy + wz * dz;
  const vx1 = rx + (wx - radial * dx);
  const vy1 = ry + (wy - radial * dy);
  const vz1 = rz + (wz - radial * dz);
  const x = hx + l * dx;
  const y = hy + l * dy;
  const z = hz + l * dz;
  const wayX = x - side * position[p3]!;
  const wayY = y - position[p3 + 1]!;
  const wayZ = z - position[p3 + 2]!;
  if (wayX * wayX + wayY * wayY + wayZ * wayZ > stillSquare * l * l) calmLinks[0] = 0;
  position[p3] = side * x;
  position[p3 + 1] = y;
  position[p3 + 2] = z;
  velocity[p3] = side * vx1;
  velocity[p3 + 1] = vy1;
  velocity[p3 + 2] = vz1;
  headPoint[0] = x;
  headPoint[1] = y;
  headPoint[2] = z;
  bendAbove[0] = bend[p4]!;
  bendAbove[1] = bend[p4 + 1]!;
  bendAbove[2] = bend[p4 + 2]!;
  bendAbove[3] = bend[p4 + 3]!;
  bend[p4] = qx1;
  bend[p4 + 1] = qy1;
  bend[p4 + 2] = qz1;
  bend[p4 + 3] = qw1;
  checkSum[0] = checkSum[0]! + (x + y + z + vx1 + vy1 + vz1 + qx1 + qy1 + qz1 + qw1);

  // --- C_(i+1) = C_i q_i
  const x2 = qx1 + qx1;
  const y2 = qy1 + qy1;
  const z2 = qz1 + qz1;
  const r0 = 1 - (qy1 * y2 + qz1 * z2);
  const r1 = qx1 * y2 + qw1 * z2;
  const r2 = qx1 * z2 - qw1 * y2;
  const r3 = qx1 * y2 - qw1 * z2;
  const r4 = 1 - (qx1 * x2 + qz1 * z2);
  const r5 = qy1 * z2 + qw1 * x2;
  const r6 = qx1 * z2 + qw1 * y2;
  const r7 = qy1 * z2 - qw1 * x2;
  const r8 = 1 - (qx1 * x2 + qy1 * y2);
  frame[0] = c0 * r0 + c3 * r1 + c6 * r2;
  frame[1] = c1 * r0 + c4 * r1 + c7 * r2;
  frame[2] = c2 * r0 + c5 * r1 + c8 * r2;
  frame[3] = c0 * r3 + c3 * r4 + c6 * r5;
  frame[4] = c1 * r3 + c4 * r4 + c7 * r5;
  frame[5] = c2 * r3 + c5 * r4 + c8 * r5;
  frame[6] = c0 * r6 + c3 * r7 + c6 * r8;
  frame[7] = c1 * r6 + c4 * r7 + c7 * r8;
  frame[8] = c2 * r6 + c5 * r7 + c8 * r8;
  return onFloor;
}
