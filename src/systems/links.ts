/**
 * Stage 3, the rules of a link: springIntegrate, bendCouple, contact, in this order, then the length. They stand in
 * one loop with local variables because that is what makes them fast: the same rules as functions over shared
 * registers took three times as long (docs/solver.md gives each rule and its source under the same names).
 *
 * The walk carries C_i, the anatomical frame as turned by the bends above: rest target h + l C_i u_i, bend
 * q_i = swing(u_i, C_i^-1 d), next frame C_(i+1) = C_i q_i. Bends are thus compared in a frame where lateral means
 * the same on every link, whatever the axes of the rig.
 *
 * Only + - * / sqrt, minima as comparisons, nothing allocated.
 */
import { restFrame } from '../components/codes.js';
import type { Views } from '../components/stores.js';
import { measureLink } from './attachment.js';
import { contact, touches } from './contact.js';
import {
  baseFrame,
  checkSum,
  halfTurnAxis,
  headPoint,
  calmLinks,
  linkLength,
  mirrorSign,
  referenceVelocity,
  restDirection,
  rootPoint,
  scaleNow,
  tickSeconds,
  tipDirection,
  tipVelocity,
  uniformScale,
} from './link.js';

/** Square of the largest turn per tick, radians, that counts as no motion; nobody sees what is left to settle. */
const stillSquare = 1e-11 * 1e-11;

/**
 * Takes every link of the chain in `row` through one tick. Reads what attachment.ts and inertia.ts
 * found and the gathered surfaces; writes the particles, `checkSum` and `calmLinks`.
 *
 * @param fresh - the chain began in this tick: its coupling targets have no velocity yet
 */
export function walkLinks(views: Views, row: number, fresh: boolean): void {
  const { chain, particle } = views;
  const { position, velocity, bend, couplingTarget, direction, length } = particle;
  const { xx, xv, vx, vv, weightTarget, weightCoupling, weightCouplingVelocity, weightAcceleration } =
    particle;
  const count = chain.count[row]!;
  const first = chain.first[row]!;
  const stride = chain.stride[row]!;
  const coupled = count > 1 && chain.coupling[row]! > 0;
  const fromAttachment = chain.restFrame[row] === restFrame.attachment;
  const cosLimit = chain.limitCosine[row]!;
  const sinLimit = chain.limitSine[row]!;
  const h = tickSeconds[0]!;
  const rate = 1 / h;
  const side = mirrorSign[0]!;
  const scale = scaleNow[0]!;
  const uniform = uniformScale[0] === 1;
  const size = scale * views.character.unit[chain.character[row]!]!;
  const gx = side * size * chain.acceleration[row * 3]!;
  const gy = size * chain.acceleration[row * 3 + 1]!;
  const gz = size * chain.acceleration[row * 3 + 2]!;
  const rx = referenceVelocity[0]!;
  const ry = referenceVelocity[1]!;
  const rz = referenceVelocity[2]!;
  // C_0 and C_i as columns.
  const b0 = baseFrame[0]!;
  const b1 = baseFrame[1]!;
  const b2 = baseFrame[2]!;
  const b3 = baseFrame[3]!;
  const b4 = baseFrame[4]!;
  const b5 = baseFrame[5]!;
  const b6 = baseFrame[6]!;
  const b7 = baseFrame[7]!;
  const b8 = baseFrame[8]!;
  let c0 = b0;
  let c1 = b1;
  let c2 = b2;
  let c3 = b3;
  let c4 = b4;
  let c5 = b5;
  let c6 = b6;
  let c7 = b7;
  let c8 = b8;
  let hx = rootPoint[0]!;
  let hy = rootPoint[1]!;
  let hz = rootPoint[2]!;
  // Bend of the link above in the last tick; above the first link stands the unbent attachment.
  let ax = 0;
  let ay = 0;
  let az = 0;
  let aw = 1;
  let grounded = false;
  let check = 0;
  let calm = 1;
  for (let i = 0, p = first; i < count; i++, p += stride) {
    const p3 = p * 3;
    const p4 = p * 4;
    let l = scale * length[p]!;
    if (!uniform) {
      measureLink(views, row, p);
      l = linkLength[0]!;
    }
    const ux = direction[p3]!;
    const uy = direction[p3 + 1]!;
    const uz = direction[p3 + 2]!;
    const qx = bend[p4]!;
    const qy = bend[p4 + 1]!;
    const qz = bend[p4 + 2]!;
    const qw = bend[p4 + 3]!;

    // --- Rest direction. Below a floor contact the attachment's frame counts, else the bend at the floor would lift
    // the rest of the tail off it.
    let tx: number;
    let ty: number;
    let tz: number;
    if (fromAttachment || grounded) {
      tx = b0 * ux + b3 * uy + b6 * uz;
      ty = b1 * ux + b4 * uy + b7 * uz;
      tz = b2 * ux + b5 * uy + b8 * uz;
    } else {
      tx = c0 * ux + c3 * uy + c6 * uz;
      ty = c1 * ux + c4 * uy + c7 * uz;
      tz = c2 * ux + c5 * uy + c8 * uz;
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
      let x = ax;
      let y = ay;
      let z = az;
      let w = aw;
      if (i + 1 < count) {
        const n4 = p4 + 4 * stride;
        x += bend[n4]!;
        y += bend[n4 + 1]!;
        z += bend[n4 + 2]!;
        w += bend[n4 + 3]!;
      }
      // The rest direction turned by it; 2 / |q|^2 in the rotation formula saves the root of normalising.
      const square = x * x + y * y + z * z + w * w;
      const twice = square > 1e-24 ? 2 / square : 0;
      const sx = y * uz - z * uy;
      const sy = z * ux - x * uz;
      const sz = x * uy - y * ux;
      const ex = ux + twice * (w * sx + (y * sz - z * sy));
      const ey = uy + twice * (w * sy + (z * sx - x * sz));
      const ez = uz + twice * (w * sz + (x * sy - y * sx));
      mx = l * (c0 * ex + c3 * ey + c6 * ez);
      my = l * (c1 * ex + c4 * ey + c7 * ez);
      mz = l * (c2 * ex + c5 * ey + c8 * ez);
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
    const wt = weightTarget[p]! * l;
    const wm = weightCoupling[p]!;
    const wk = weightCouplingVelocity[p]!;
    const wg = weightAcceleration[p]!;
    const ex = wt * tx + wm * mx + wk * kx + wg * gx;
    const ey = wt * ty + wm * my + wk * ky + wg * gy;
    const ez = wt * tz + wm * mz + wk * kz + wg * gz;
    const ox = side * position[p3]! - hx + rx * h - ex;
    const oy = position[p3 + 1]! - hy + ry * h - ey;
    const oz = position[p3 + 2]! - hz + rz * h - ez;
    const sx = side * velocity[p3]! - rx;
    const sy = velocity[p3 + 1]! - ry;
    const sz = velocity[p3 + 2]! - rz;
    const pxx = xx[p]!;
    const pxv = xv[p]!;
    const pvx = vx[p]!;
    const pvv = vv[p]!;
    let dx = ex + pxx * ox + pxv * sx;
    let dy = ey + pxx * oy + pxv * sy;
    let dz = ez + pxx * oz + pxv * sz;
    // Velocity as seen from the reference motion.
    let wx = pvx * ox + pvv * sx;
    let wy = pvx * oy + pvv * sy;
    let wz = pvx * oz + pvv * sz;
    const reach = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (reach > 1e-9 * l) {
      const n = 1 / reach;
      dx *= n;
      dy *= n;
      dz *= n;
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
    if (cosine < cosLimit) {
      let vx0 = fx - cosine * ux;
      let vy0 = fy - cosine * uy;
      let vz0 = fz - cosine * uz;
      let n = Math.sqrt(vx0 * vx0 + vy0 * vy0 + vz0 * vz0);
      if (n < 1e-12) {
        findHalfTurnAxis(direction, bend, p);
        vx0 = halfTurnAxis[1]! * uz - halfTurnAxis[2]! * uy;
        vy0 = halfTurnAxis[2]! * ux - halfTurnAxis[0]! * uz;
        vz0 = halfTurnAxis[0]! * uy - halfTurnAxis[1]! * ux;
        n = 1;
      }
      n = sinLimit / n;
      fx = cosLimit * ux + n * vx0;
      fy = cosLimit * uy + n * vy0;
      fz = cosLimit * uz + n * vz0;
      cosine = cosLimit;
      const lx = c0 * fx + c3 * fy + c6 * fz;
      const ly = c1 * fx + c4 * fy + c7 * fz;
      const lz = c2 * fx + c5 * fy + c8 * fz;
      const along = dx * lx + dy * ly + dz * lz;
      const outX = dx - along * lx;
      const outY = dy - along * ly;
      const outZ = dz - along * lz;
      const square = outX * outX + outY * outY + outZ * outZ;
      const outward = wx * outX + wy * outY + wz * outZ;
      if (outward > 0 && square > 0) {
        wx -= (outward / square) * outX;
        wy -= (outward / square) * outY;
        wz -= (outward / square) * outZ;
      }
      dx = lx;
      dy = ly;
      dz = lz;
    }

    // --- contact
    linkLength[0] = l;
    headPoint[0] = hx;
    headPoint[1] = hy;
    headPoint[2] = hz;
    tipDirection[0] = dx;
    tipDirection[1] = dy;
    tipDirection[2] = dz;
    let onFloor = 0;
    if (touches()) {
      restDirection[0] = tx;
      restDirection[1] = ty;
      restDirection[2] = tz;
      tipVelocity[0] = rx + wx;
      tipVelocity[1] = ry + wy;
      tipVelocity[2] = rz + wz;
      if (contact()) {
        grounded = true;
        onFloor = 1;
      }
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
    particle.contact[p] = onFloor;

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

    // --- Length: the tip stands on its link, no velocity leads along it.
    const radial = wx * dx + wy * dy + wz * dz;
    const vx1 = rx + (wx - radial * dx);
    const vy1 = ry + (wy - radial * dy);
    const vz1 = rz + (wz - radial * dz);
    hx += l * dx;
    hy += l * dy;
    hz += l * dz;
    const wayX = hx - side * position[p3]!;
    const wayY = hy - position[p3 + 1]!;
    const wayZ = hz - position[p3 + 2]!;
    if (wayX * wayX + wayY * wayY + wayZ * wayZ > stillSquare * l * l) calm = 0;
    position[p3] = side * hx;
    position[p3 + 1] = hy;
    position[p3 + 2] = hz;
    velocity[p3] = side * vx1;
    velocity[p3 + 1] = vy1;
    velocity[p3 + 2] = vz1;
    bend[p4] = qx1;
    bend[p4 + 1] = qy1;
    bend[p4 + 2] = qz1;
    bend[p4 + 3] = qw1;
    check += hx + hy + hz + vx1 + vy1 + vz1 + qx1 + qy1 + qz1 + qw1;
    ax = qx;
    ay = qy;
    az = qz;
    aw = qw;

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
    const n0 = c0 * r0 + c3 * r1 + c6 * r2;
    const n1 = c1 * r0 + c4 * r1 + c7 * r2;
    const n2 = c2 * r0 + c5 * r1 + c8 * r2;
    const n3 = c0 * r3 + c3 * r4 + c6 * r5;
    const n4 = c1 * r3 + c4 * r4 + c7 * r5;
    const n5 = c2 * r3 + c5 * r4 + c8 * r5;
    const n6 = c0 * r6 + c3 * r7 + c6 * r8;
    const n7 = c1 * r6 + c4 * r7 + c7 * r8;
    const n8 = c2 * r6 + c5 * r7 + c8 * r8;
    c0 = n0;
    c1 = n1;
    c2 = n2;
    c3 = n3;
    c4 = n4;
    c5 = n5;
    c6 = n6;
    c7 = n7;
    c8 = n8;
  }
  checkSum[0] = check;
  calmLinks[0] = calm;
}

/**
 * Writes `halfTurnAxis`: the axis of half a turn of link `p`, where the shortest rotation is not defined: the axis of the last
 * bend, else the lateral axis (which a mirrored character mirrors), made square to the rest direction.
 */
function findHalfTurnAxis(direction: Float64Array, bend: Float64Array, p: number): void {
  const ux = direction[p * 3]!;
  const uy = direction[p * 3 + 1]!;
  const uz = direction[p * 3 + 2]!;
  let x = bend[p * 4]!;
  let y = bend[p * 4 + 1]!;
  let z = bend[p * 4 + 2]!;
  for (let attempt = 0; attempt < 3; attempt++) {
    const along = x * ux + y * uy + z * uz;
    x -= along * ux;
    y -= along * uy;
    z -= along * uz;
    const square = x * x + y * y + z * z;
    if (square > 1e-12) {
      const n = 1 / Math.sqrt(square);
      halfTurnAxis[0] = x * n;
      halfTurnAxis[1] = y * n;
      halfTurnAxis[2] = z * n;
      return;
    }
    x = attempt === 0 ? 1 : 0;
    y = 0;
    z = attempt === 0 ? 0 : 1;
  }
}
