/**
 * What contact makes of the velocity of a link, against the rules of docs/solver.md written a second time. The
 * registers are set as the walk sets them, one link and one tick at a time.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { addFloor } from '../../../src/index.js';
import { addSurface, clearSurfaces, contact, touches } from '../../../src/systems/contact.js';
import {
  baseFrame,
  feltVelocity,
  fastestFloor,
  floorClearance,
  floorDecay,
  headPoint,
  linkLength,
  mirrorSign,
  referenceVelocity,
  restDirection,
  rootPoint,
  tipDirection,
  tipVelocity,
} from '../../../src/systems/registers.js';
import { back, makeScene, makeTail, plain, run } from '../../support/chains.js';
import type { V3 } from '../../support/referenceMath.js';
import { add, axisAngle, dot, len, mul, qrot, seeded, sub, unit } from '../../support/referenceMath.js';

interface Plane {
  point: V3;
  normal: V3;
  velocity: V3;
}

const zero: V3 = [0, 0, 0];
const length = 0.2;
const decay = Math.exp(-8 / 120);

/** A frame that is turned, so that no axis is one of the world's. */
const turn = axisAngle([2, -1, 1], 0.8);
const lateral = qrot(turn, [1, 0, 0]);
const up = qrot(turn, [0, 1, 0]);
const forward = qrot(turn, [0, 0, 1]);

beforeEach(() => {
  baseFrame.set([...lateral, ...up, ...forward]);
  restDirection.set(mul(up, -1));
  headPoint.set(zero);
  rootPoint.set(zero);
  referenceVelocity.set(zero);
  feltVelocity.set(zero);
  linkLength[0] = length;
  mirrorSign[0] = 1;
  floorClearance[0] = 0;
  fastestFloor[0] = Infinity;
  floorDecay[0] = decay;
});

const read = (a: Float64Array): V3 => [a[0]!, a[1]!, a[2]!];

/** One link in contact: its candidate direction and velocity become the direction and velocity returned. */
function touch(
  floors: readonly Plane[],
  keepOut: boolean,
  d: V3,
  v: V3,
): { inside: boolean; onFloor: boolean; d: V3; v: V3 } {
  const columns = {
    id: new Uint32Array(floors.length).fill(1),
    eid: new Uint32Array(floors.length),
    point: new Float64Array(floors.flatMap(({ point }) => point)),
    normal: new Float64Array(floors.flatMap(({ normal }) => normal)),
    lastPoint: new Float64Array(floors.flatMap(({ point }) => point)),
    velocity: new Float64Array(floors.flatMap(({ velocity }) => velocity)),
  };
  clearSurfaces(keepOut);
  floors.forEach((_, f) => expect(addSurface(columns, f)).toBe(true));
  tipDirection.set(d);
  tipVelocity.set(v);
  const inside = touches(true);
  const onFloor = contact(true);
  return { inside, onFloor, d: read(tipDirection), v: read(tipVelocity) };
}

/** The floor under the head whose rim the direction `on` lies on: contact turns nothing, or next to nothing. */
const floorThrough = (on: V3, normal: V3, velocity: V3 = zero): Plane => ({
  point: mul(on, length),
  normal,
  velocity,
});

/** A little deeper than `on`, square to it, so that a cap is violated. */
const deeper = (on: V3, normal: V3): V3 => unit(sub(on, mul(sub(normal, mul(on, dot(on, normal))), 1e-3)));

const near = (a: V3, b: V3, within = 1e-12): void => expect(len(sub(a, b))).toBeLessThan(within);

/** A random unit vector; `random` as of `seeded`. */
function direction(random: () => number): V3 {
  for (;;) {
    const v: V3 = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
    if (len(v) < 1 && len(v) > 0.1) return unit(v);
  }
}

/** A surface that holds the link at d, with outward normal n and its velocity: what it does to v. */
function stopped(v: V3, d: V3, n: V3, surface: V3): V3 {
  const way = sub(n, mul(d, dot(n, d)));
  const m = unit(way);
  const bound = Math.min(0, dot(surface, m));
  return add(v, mul(m, Math.max(0, bound - dot(v, m))));
}

function slid(v: V3, n: V3, surface: V3): V3 {
  const along = sub(surface, mul(n, Math.max(0, dot(surface, n))));
  return add(along, mul(sub(v, along), decay));
}

const noRadial = (v: V3, d: V3): V3 => sub(v, mul(d, dot(sub(v, read(referenceVelocity)), d)));

describe('the velocity of a link on a floor', () => {
  it('follows a floor that moves away, and only as fast', () => {
    const d = lateral;
    const away = mul(up, -0.5);
    const hit = touch([floorThrough(d, up, away)], false, deeper(d, up), mul(up, -2));
    expect(hit).toMatchObject({ inside: true, onFloor: true });
    near(hit.d, d);
    near(hit.v, away);
    // Slower than the floor: nothing to stop, the damping alone draws it along.
    const slow = touch([floorThrough(d, up, away)], false, deeper(d, up), mul(up, -0.1));
    near(slow.v, mul(up, -0.5 + 0.4 * decay));
  });

  it('ends at nothing on a floor that rises, however fast it rises', () => {
    const random = seeded(31);
    for (let i = 0; i < 200; i++) {
      const n = direction(random);
      const d = direction(random);
      const rise = 5 * random();
      const v = mul(direction(random), 3 * random());
      const still = touch([floorThrough(d, n)], false, deeper(d, n), v);
      const rising = touch([floorThrough(d, n, mul(n, rise))], false, deeper(d, n), v);
      expect(rising).toEqual({ ...still, v: rising.v });
      near(rising.v, still.v);
      expect(dot(rising.v, sub(n, mul(rising.d, dot(n, rising.d))))).toBeGreaterThan(-1e-12);
    }
    // What goes up goes on, damped, and is not lifted.
    const hit = touch([floorThrough(lateral, up, mul(up, 4))], false, deeper(lateral, up), mul(up, 1));
    near(hit.v, mul(up, decay));
  });

  it('nears that of a floor that moves sideways by exp(-8 h) per tick', () => {
    const d = lateral;
    const belt = mul(forward, 0.7);
    let v = mul(forward, -0.4);
    for (let k = 1; k <= 240; k++) {
      v = touch([floorThrough(d, up, belt)], false, deeper(d, up), v).v;
      near(v, mul(forward, 0.7 - 1.1 * Math.exp((-8 * k) / 120)));
    }
  });

  it('has the decay of the tick rate of the world', () => {
    for (const tickRate of [30, 60, 120, 240]) {
      const scene = makeScene(makeTail({ links: 1, direction: back }), { ...plain, tickRate });
      addFloor(scene.world, { point: [0, -9, 0] });
      run(scene, 1);
      expect(floorDecay[0]).toBeCloseTo(Math.exp(-8 / tickRate), 15);
    }
  });

  it('gets no rise from a floor that moves sideways and up', () => {
    const belt = add(mul(forward, 0.7), mul(up, 3));
    const hit = touch([floorThrough(lateral, up, belt)], false, deeper(lateral, up), mul(up, -1));
    near(hit.v, mul(forward, 0.7 * (1 - decay)));
  });

  it('loses what leads along the link as seen from the reference motion', () => {
    const reference: V3 = [0.3, -0.2, 0.5];
    referenceVelocity.set(reference);
    const v: V3 = [1, 2, -1];
    const hit = touch([], true, mul(forward, -1), v);
    expect(hit).toMatchObject({ inside: false, onFloor: false });
    near(hit.v, noRadial(v, hit.d));
    expect(dot(sub(hit.v, reference), hit.d)).toBeCloseTo(0, 12);
  });

  it('obeys the rules for any floor, link and motion', () => {
    const random = seeded(1234);
    for (let i = 0; i < 500; i++) {
      const n = direction(random);
      const d = direction(random);
      const surface = mul(direction(random), 2 * random());
      const v = mul(direction(random), 3 * random());
      referenceVelocity.set(mul(direction(random), random()));
      feltVelocity.set(mul(direction(random), random()));
      const hit = touch([floorThrough(d, n, surface)], false, deeper(d, n), v);
      near(hit.d, d, 1e-9);
      near(hit.v, slid(stopped(noRadial(v, hit.d), hit.d, n, surface), n, surface), 1e-9);
    }
  });

  /** The nearest velocity that leads into neither: with none, one or both of them held, whatever is allowed and nearest. */
  function stoppedByBoth(v: V3, d: V3, planes: { normal: V3; velocity: V3 }[]): V3 {
    const holds = planes.map(({ normal, velocity }) => {
      const way = unit(sub(normal, mul(d, dot(normal, d))));
      return { way, least: Math.min(0, dot(velocity, way)) };
    });
    const [a, b] = holds as [(typeof holds)[0], (typeof holds)[0]];
    const c = dot(a.way, b.way);
    const [p, q] = holds.map(({ way, least }) => least - dot(v, way)) as [number, number];
    const pushes = [
      [0, 0],
      [p, 0],
      [0, q],
      [(p - c * q) / (1 - c * c), (q - c * p) / (1 - c * c)],
    ];
    const moved = pushes
      .map(([x, y]) => add(v, add(mul(a.way, x!), mul(b.way, y!))))
      .filter((to) => holds.every(({ way, least }) => dot(to, way) > least - 1e-9));
    return moved.toSorted((x, y) => len(sub(x, v)) - len(sub(y, v)))[0]!;
  }

  it('obeys both floors where two meet', () => {
    const random = seeded(77);
    let both = 0;
    for (let i = 0; i < 500; i++) {
      const [a, b, d] = [direction(random), direction(random), direction(random)];
      const planes = [a, b].map((n) => floorThrough(d, n, mul(direction(random), random())));
      const v = mul(direction(random), 3 * random());
      // Deep in both: the way out is where they meet, unless the rim of one alone is nearer.
      const hit = touch(planes, false, deeper(deeper(d, a), b), v);
      if (len(sub(hit.d, d)) > 1e-9) continue;
      both++;
      let expected = stoppedByBoth(noRadial(v, hit.d), hit.d, planes);
      for (const p of planes) expected = slid(expected, p.normal, p.velocity);
      near(hit.v, expected, 1e-6);
    }
    expect(both).toBeGreaterThan(100);
  });
});

describe('the velocity of a link at the keep-out plane', () => {
  const d = mul(up, -1);
  const inward = unit(add(d, mul(forward, 1e-3)));

  it('loses only what leads forward', () => {
    const hit = touch([], true, inward, add(mul(lateral, 0.4), mul(forward, 1.5)));
    expect(hit).toMatchObject({ inside: true, onFloor: false });
    near(hit.d, d);
    near(hit.v, mul(lateral, 0.4));
    const outward = add(mul(lateral, -0.4), mul(forward, -1.5));
    near(touch([], true, inward, outward).v, outward);
  });

  it('may follow the plane forward', () => {
    feltVelocity.set(add(mul(forward, 0.6), mul(lateral, 9)));
    near(
      touch([], true, inward, add(mul(lateral, 0.4), mul(forward, 1.5))).v,
      add(mul(lateral, 0.4), mul(forward, 0.6)),
    );
    near(touch([], true, inward, mul(forward, 0.5)).v, mul(forward, 0.5));
  });

  it('is not pushed by the plane backward', () => {
    feltVelocity.set(add(mul(forward, -3), mul(up, 2)));
    near(touch([], true, inward, add(mul(lateral, 0.4), mul(forward, 1.5))).v, mul(lateral, 0.4));
    near(touch([], true, inward, mul(forward, -0.2)).v, mul(forward, -0.2));
  });

  it('is what the rules say in every direction', () => {
    const random = seeded(8);
    for (let i = 0; i < 500; i++) {
      const across = direction(random);
      const on = unit(sub(across, mul(forward, dot(across, forward))));
      const v = mul(direction(random), 3 * random());
      feltVelocity.set(mul(direction(random), 2 * random()));
      referenceVelocity.set(mul(direction(random), random()));
      const hit = touch([], true, unit(add(on, mul(forward, random()))), v);
      near(hit.d, on);
      near(hit.v, stopped(noRadial(v, on), on, mul(forward, -1), read(feltVelocity)));
    }
  });

  it('is that of the floor where the floor leaves no way behind the plane', () => {
    // The head is farther in front than the link is long, and the floor is above it.
    headPoint.set(mul(forward, 0.3));
    const on = add(mul(up, 0.6), mul(lateral, 0.8));
    const belt = mul(forward, 0.5);
    const floor: Plane = { point: mul(up, 0.6 * length), normal: up, velocity: belt };
    const v = add(mul(up, -1), mul(forward, 2));
    const hit = touch([floor], true, lateral, v);
    expect(hit.onFloor).toBe(true);
    near(hit.d, on);
    near(hit.v, slid(stopped(noRadial(v, on), on, up, belt), up, belt));
  });
});

describe('surfaces', () => {
  it('lie the clearance above their plane', () => {
    floorClearance[0] = 0.05;
    const floor: Plane = { point: mul(up, -0.1), normal: up, velocity: zero };
    const hit = touch([floor], false, mul(up, -1), zero);
    expect(dot(hit.d, up) * length).toBeCloseTo(-0.05, 12);
    clearSurfaces(false);
    expect(touch([floor], false, lateral, zero).inside).toBe(false);
  });

  it('are mirrored with the chain', () => {
    const mirror = ([x, y, z]: V3): V3 => [-x, y, z];
    const random = seeded(64);
    for (let i = 0; i < 100; i++) {
      const n = direction(random);
      const d = direction(random);
      const v = mul(direction(random), 2);
      const floor = floorThrough(d, n, direction(random));
      mirrorSign[0] = 1;
      const seen = touch([floor], false, deeper(d, n), v);
      mirrorSign[0] = -1;
      const mirrored = touch([floor], false, mirror(deeper(d, n)), mirror(v));
      near(mirrored.d, mirror(seen.d), 1e-9);
      near(mirrored.v, mirror(seen.v), 1e-6);
    }
  });
});
