/**
 * A second implementation of the solver for one chain: slow, readable, in the parent-frame form in which the
 * rules are written down (rest, spring with elastic coupling, inertia, bend limit, planes). The kernel in src
 * works in a common frame with cached constants; the two must agree.
 */
import type { Q4, V3 } from './referenceMath.js';
import {
  add,
  angleBetween,
  axisAngle,
  cross,
  dot,
  identity,
  len,
  mul,
  qinv,
  qmul,
  qrot,
  slerp,
  sub,
  swing,
  toAxisAngle,
  unit,
} from './referenceMath.js';
import { projectOut } from './referencePlanes.js';

/** The chain at bind, per link. */
export interface ReferenceBind {
  /** Rotation whose columns are the character's lateral, up and forward. */
  frame: Q4;
  /** World rotation of the attachment at bind. */
  attachment: Q4;
  /** Local rotation of bone i at bind. */
  locals: Q4[];
  /** Head of the next bone (or the end) in the frame of bone i. */
  offsets: V3[];
  /** World length of link i. */
  lengths: number[];
}

/** What the rest rules make of it. */
export interface ReferenceRest {
  bind: ReferenceBind;
  /** A_0 .. A_N. */
  frames: Q4[];
  /** Rest direction in the anatomical frame. */
  u: V3[];
  /** Rest direction in the frame of the parent. */
  r: V3[];
  /** Authored direction in the frame of the parent. */
  dir: V3[];
}

export interface ReferenceOptions {
  tickRate: number;
  frequency: number;
  tipRatio: number;
  damping: number;
  coupling: number;
  limit: number;
  gravity: number;
  air: number;
  inertia: number;
  inertiaRotation: number;
  maxSpeed: number;
  maxTurn: number;
  restFrame: 'parent' | 'attachment';
  keepOut: boolean;
  clearance: number;
  floors: { point: V3; normal: V3 }[];
  /** Scale of the attachment now over that at bind. */
  scale: number;
}

export const tailOptions: ReferenceOptions = {
  tickRate: 120,
  frequency: 0.9,
  tipRatio: 0.5,
  damping: 0.65,
  coupling: 12,
  limit: Math.PI / 6,
  gravity: 0,
  air: 0.25,
  inertia: 1,
  inertiaRotation: 1,
  maxSpeed: Infinity,
  maxTurn: Infinity,
  restFrame: 'parent',
  keepOut: true,
  clearance: 0.025,
  floors: [],
  scale: 1,
};

export interface ReferenceState {
  started: boolean;
  /** Last pose of the attachment point and of the attachment's rotation. */
  head: V3;
  rotation: Q4;
  /** Tips, velocities, bends, coupling targets and floor contacts per link. */
  tips: V3[];
  velocities: V3[];
  bends: Q4[];
  targets: V3[];
  contacts: boolean[];
  /** World rotation of the bone of each link. */
  bones: Q4[];
}

export function referenceRest(bind: ReferenceBind, carryRad: number, restCurve: number): ReferenceRest {
  const n = bind.locals.length;
  const dir = bind.offsets.map((offset, i) => unit(qrot(bind.locals[i]!, offset)));
  const first = qmul(qinv(bind.frame), bind.attachment);
  const authored: V3[] = [];
  let unswung = first;
  for (let i = 0; i < n; i++) {
    authored.push(qrot(unswung, dir[i]!));
    unswung = qmul(unswung, bind.locals[i]!);
  }
  const flat: V3 = [0, authored[0]![1], authored[0]![2]];
  const c: V3 = len(flat) < 1e-9 ? [0, -1, 0] : unit(flat);
  const frames: Q4[] = [first];
  const u: V3[] = [];
  const r: V3[] = [];
  for (let i = 0; i < n; i++) {
    const curve = slerp(identity, swing(c, authored[i]!), restCurve);
    u.push(qrot(axisAngle([1, 0, 0], (carryRad * (i + 1)) / n), qrot(curve, c)));
    r.push(qrot(qinv(frames[i]!), u[i]!));
    frames.push(qmul(qmul(frames[i]!, swing(dir[i]!, r[i]!)), bind.locals[i]!));
  }
  return { bind, frames, u, r, dir };
}

export function referenceState(rest: ReferenceRest): ReferenceState {
  const zero = rest.u.map((): V3 => [0, 0, 0]);
  return {
    started: false,
    head: [0, 0, 0],
    rotation: identity,
    tips: [...zero],
    velocities: [...zero],
    bends: rest.u.map((): Q4 => identity),
    targets: [...zero],
    contacts: rest.u.map(() => false),
    bones: rest.u.map((): Q4 => identity),
  };
}

/** The exact solution of x'' = -w^2 x - 2 z w x' over h, as a 2 x 2 matrix xx, xv, vx, vv. */
export function closedForm(w: number, z: number, h: number): [number, number, number, number] {
  const decay = z * w;
  const under = w * w - decay * decay;
  if (Math.abs(under) < 1e-14 * w * w) {
    const e = Math.exp(-decay * h);
    return [e * (1 + decay * h), e * h, -e * decay * decay * h, e * (1 - decay * h)];
  }
  if (under > 0) {
    const wd = Math.sqrt(under);
    const e = Math.exp(-decay * h);
    const c = Math.cos(wd * h);
    const s = Math.sin(wd * h) / wd;
    return [e * (c + decay * s), e * s, -e * w * w * s, e * (c - decay * s)];
  }
  const root = Math.sqrt(-under);
  if (root * h < 1) {
    // Near critical damping the two decays below would cancel.
    const e = Math.exp(-decay * h);
    const c = Math.cosh(root * h);
    const s = Math.sinh(root * h) / root;
    return [e * (c + decay * s), e * s, -e * w * w * s, e * (c - decay * s)];
  }
  const fast = -decay - root;
  const slow = (w * w) / fast;
  const a = Math.exp(slow * h);
  const b = Math.exp(fast * h);
  const gap = slow - fast;
  return [(slow * b - fast * a) / gap, (a - b) / gap, (w * w * (b - a)) / gap, (slow * a - fast * b) / gap];
}

/** Angular frequency of link i: linear from the root to `tipRatio` of it at the tip. */
function angularFrequency(options: ReferenceOptions, i: number, n: number): number {
  const t = n === 1 ? 0 : i / (n - 1);
  return 2 * Math.PI * options.frequency * (1 + (options.tipRatio - 1) * t);
}

/** Places the chain at rest under this attachment. */
function referenceReset(
  rest: ReferenceRest,
  options: ReferenceOptions,
  state: ReferenceState,
  head: V3,
  rotation: Q4,
): void {
  const common = qmul(rotation, qinv(rest.frames[0]!));
  let at = head;
  for (let i = 0; i < rest.u.length; i++) {
    at = add(at, mul(qrot(common, rest.u[i]!), rest.bind.lengths[i]! * options.scale));
    state.tips[i] = at;
    state.velocities[i] = [0, 0, 0];
    state.bends[i] = identity;
  }
  state.head = head;
  state.rotation = rotation;
  state.started = false;
}

/** Moves the whole state rigidly with the share of the attachment's motion that is not felt. */
function carryUnfelt(options: ReferenceOptions, state: ReferenceState, head: V3, rotation: Q4): void {
  const shift = sub(head, state.head);
  const turn = qmul(rotation, qinv(state.rotation));
  const speed = (len(shift) * options.inertia) / (1 / options.tickRate);
  const { axis, angleRad } = toAxisAngle(turn);
  const rate = angleRad * options.inertiaRotation * options.tickRate;
  const felt =
    options.inertia *
    (speed > options.maxSpeed * options.scale ? (options.maxSpeed * options.scale) / speed : 1);
  const feltTurn = options.inertiaRotation * (rate > options.maxTurn ? options.maxTurn / rate : 1);
  const moved = mul(shift, 1 - felt);
  const turned = axisAngle(axis, angleRad * (1 - feltTurn));
  const move = (p: V3): V3 => add(add(state.head, moved), qrot(turned, sub(p, state.head)));
  state.tips = state.tips.map(move);
  state.targets = state.targets.map(move);
  state.velocities = state.velocities.map((v) => qrot(turned, v));
  state.head = add(state.head, moved);
}

/** The mean of the neighbours' bends of the last tick, undefined for a single link. */
function neighbourMean(bends: Q4[], i: number): Q4 | undefined {
  const n = bends.length;
  if (n === 1) return undefined;
  if (i === n - 1) return bends[n - 2];
  return slerp(i === 0 ? identity : bends[i - 1]!, bends[i + 1]!, 0.5);
}

/** One tick of the chain under an attachment point (head of the first bone) and the attachment's world rotation. */
export function referenceTick(
  rest: ReferenceRest,
  options: ReferenceOptions,
  state: ReferenceState,
  head: V3,
  rotation: Q4,
): void {
  const n = rest.u.length;
  const h = 1 / options.tickRate;
  const first = !state.started;
  if (first) referenceReset(rest, options, state, head, rotation);
  else carryUnfelt(options, state, head, rotation);
  const vAtt: V3 = first ? [0, 0, 0] : mul(sub(head, state.head), options.tickRate);
  const vRef = mul(vAtt, 1 - options.air);
  const common = qmul(rotation, qinv(rest.frames[0]!));
  const forward = qrot(common, [0, 0, 1]);
  const old = [...state.bends];
  let at = head;
  let parent = rotation;
  let lying = false;
  for (let i = 0; i < n; i++) {
    const l = rest.bind.lengths[i]! * options.scale;
    const A = rest.frames[i]!;
    const w = angularFrequency(options, i, n);
    const mean = neighbourMean(old, i);
    const k = mean === undefined ? 0 : options.coupling;
    const kappa = 2 * options.damping * w * k;
    const restParent = qrot(parent, rest.r[i]!);
    const toRest = lying || options.restFrame === 'attachment' ? qrot(common, rest.u[i]!) : restParent;
    const T = add(at, mul(toRest, l));
    const local = mean === undefined ? rest.r[i]! : qrot(qmul(qmul(qinv(A), mean), A), rest.r[i]!);
    const M = add(at, mul(qrot(parent, local), l));
    const dM: V3 = first ? [0, 0, 0] : mul(sub(M, state.targets[i]!), options.tickRate);
    state.targets[i] = M;
    const we = Math.sqrt(w * w + kappa);
    const ze = (2 * options.damping * w + k) / (2 * we);
    const g: V3 = [0, -options.gravity * options.scale, 0];
    const pull = add(add(mul(T, w * w), mul(M, kappa)), add(mul(sub(dM, vRef), k), g));
    const E = mul(pull, 1 / (we * we));
    const [xx, xv, vx, vv] = closedForm(we, ze, h);
    const x = sub(add(state.tips[i]!, mul(vRef, h)), E);
    const dv = sub(state.velocities[i]!, vRef);
    const free = add(E, add(mul(x, xx), mul(dv, xv)));
    let v = add(vRef, add(mul(x, vx), mul(dv, vv)));
    let d = unit(sub(free, at));
    const bend = angleBetween(restParent, d);
    if (bend > options.limit) {
      const limited = qrot(axisAngle(cross(restParent, d), options.limit), restParent);
      const outward = unit(sub(d, mul(limited, dot(d, limited))));
      const out = dot(sub(v, vRef), outward);
      if (out > 0) v = sub(v, mul(outward, out));
      d = limited;
    }
    const planes = options.floors.map(({ point, normal }) => ({
      normal: unit(normal),
      least: (dot(sub(point, at), unit(normal)) + options.clearance * options.scale) / l,
      rank: 0,
    }));
    if (options.keepOut) {
      planes.push({ normal: mul(forward, -1), least: dot(sub(at, head), forward) / l, rank: 1 });
    }
    const contact = projectOut(planes, d, [restParent, mul(forward, -1), qrot(common, [1, 0, 0])]);
    d = contact.direction;
    v = sub(v, mul(d, dot(sub(v, vRef), d)));
    for (const { normal, rank } of contact.active) {
      // Only the part of the normal square to the link can be moved along. Floors stand still here; the keep-out
      // plane moves with the attachment and may be followed away.
      const m = unit(sub(normal, mul(d, dot(normal, d))));
      const least = rank === 0 ? 0 : Math.min(0, dot(vAtt, m));
      v = add(v, mul(m, Math.max(0, least - dot(v, m))));
      if (rank === 0) v = mul(v, Math.exp(-8 * h));
    }
    v = sub(v, mul(d, dot(sub(v, vRef), d)));
    const onFloor = contact.active.some((plane) => plane.rank === 0);
    state.contacts[i] = onFloor;
    lying = lying || onFloor;
    const bendLocal = swing(rest.r[i]!, qrot(qinv(parent), d));
    state.bends[i] = qmul(qmul(A, bendLocal), qinv(A));
    state.velocities[i] = v;
    at = add(at, mul(d, l));
    state.tips[i] = at;
    parent = qmul(qmul(qmul(parent, bendLocal), swing(rest.dir[i]!, rest.r[i]!)), rest.bind.locals[i]!);
    state.bones[i] = parent;
  }
  state.head = head;
  state.rotation = rotation;
  state.started = true;
}
