/** Random chains among random colliders that move, for property tests of contact; nothing here knows how it is solved. */
import fc from 'fast-check';
import {
  addCollider,
  type ChainOptions,
  type ColliderShape,
  createWorld,
  setCollider,
  setRoot,
  step,
} from '../../src/index.js';
import { makeScene, makeTail, type Scene, tipsOf } from './chains.js';
import { type Felt, type Link, linkGap } from './contactGaps.js';
import { add, axisAngle, len, mul, qmul, qrot, type Q4, sub, unit, type V3 } from './referenceMath.js';

/** A collider on a path: to and fro along a way, in step with the root. */
export interface MovingShape {
  shape: ColliderShape;
  way: V3;
  rate: number;
}

/** A chain among colliders and how both move. */
export interface ContactCase {
  directions: V3[];
  length: number;
  options: ChainOptions;
  shapes: MovingShape[];
  sway: V3;
  turn: V3;
  rate: number;
}

const hips: V3 = [0, 1, 0];

/** Mostly evenly spread, now and then at an end of the range or next to nothing. */
const number = (min: number, max: number): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.noBias(fc.nat(1_000_000)).map((i) => min + ((max - min) * i) / 1_000_000) },
    { weight: 1, arbitrary: fc.double({ min, max, noNaN: true, noDefaultInfinity: true }) },
  );
const vector = (size: number): fc.Arbitrary<V3> =>
  fc.tuple(number(-size, size), number(-size, size), number(-size, size));
const directions = vector(1).filter((d) => len(d) > 0.2);
/** Where a chain of a metre that hangs from the hips can be. */
const place = vector(1).map((v) => add(hips, v));

const solid: fc.Arbitrary<ColliderShape> = fc.oneof(
  fc.record({
    kind: fc.constant('sphere' as const),
    offset: place,
    radius: fc.oneof(fc.constant(0), number(0.001, 0.4)),
    inside: fc.constant(false),
  }),
  fc
    .record({ offset: place, way: vector(0.8), radius: number(0, 0.3), tailRadius: number(0, 0.3) })
    .map(({ offset, way, radius, tailRadius }) => ({
      kind: 'capsule' as const,
      offset,
      tail: add(offset, way),
      radius,
      tailRadius,
      inside: false,
    })),
);

const open: fc.Arbitrary<ColliderShape> = fc.oneof(
  fc.record({ kind: fc.constant('plane' as const), offset: place, normal: directions }),
  fc.record({
    kind: fc.constant('sphere' as const),
    offset: place,
    radius: number(0.3, 3),
    inside: fc.constant(true),
  }),
);

/**
 * Cases; `withOpen` adds planes and spheres from inside, which may leave no direction free.
 *
 * @param fastest - rate of motions: 1 is a swing of half a metre in about two seconds
 */
export function contactCases(withOpen: boolean, fastest: number): fc.Arbitrary<ContactCase> {
  return fc.record({
    directions: fc.array(directions, { minLength: 1, maxLength: 6 }),
    length: number(0.1, 1),
    options: fc.record({
      frequency: number(0.2, 6),
      tipRatio: number(0.3, 1.5),
      damping: number(0.2, 1.5),
      coupling: fc.oneof(fc.constant(0), number(0.1, 30)),
      limit: fc.oneof(fc.constant(Infinity), number(0.2, 1.5)),
      gravity: number(0, 10),
      air: number(0, 1),
      radius: fc.oneof(fc.constant(0), number(0.001, 0.05)),
      contactPart: fc.constantFrom('tip' as const, 'segment' as const),
      inertia: fc.oneof(fc.constant(1), number(0, 1)),
    }),
    shapes: fc.array(
      fc.record({
        shape: withOpen ? fc.oneof({ weight: 3, arbitrary: solid }, open) : solid,
        way: fc.oneof(fc.constant<V3>([0, 0, 0]), vector(0.5)),
        rate: number(0.2, fastest),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    sway: vector(0.5),
    turn: vector(1.5),
    rate: number(0.2, fastest),
  });
}

/** The root at a tick. */
export function rootAt({ sway, turn, rate }: ContactCase, tick: number): { position: V3; rotation: Q4 } {
  const t = (tick / 120) * rate * 3;
  return {
    position: [sway[0] * Math.sin(t), sway[1] * Math.sin(1.3 * t), sway[2] * Math.sin(0.7 * t)],
    rotation: qmul(
      axisAngle([0, 1, 0], turn[1] * Math.sin(0.9 * t)),
      axisAngle([1, 0, 0.3], turn[0] * Math.sin(1.1 * t)),
    ),
  };
}

/** A shape at a tick. */
export function shapeAt({ shape, way, rate }: MovingShape, tick: number): ColliderShape {
  const off = mul(way, Math.sin((tick / 120) * rate * 3));
  return shape.kind === 'capsule'
    ? { ...shape, offset: add(shape.offset, off), tail: add(shape.tail, off) }
    : { ...shape, offset: add(shape.offset, off) };
}

/** A case in a world. */
export interface Running {
  scene: Scene;
  tick: () => void;
}

/**
 * Puts a case into a world.
 *
 * @param order - the order in which its colliders are added
 * @param more - colliders added between them
 */
export function start(given: ContactCase, order: readonly number[], more: ColliderShape[] = []): Running {
  const { options } = given;
  const scene = makeScene(
    makeTail({ directions: given.directions, length: given.length, hips }),
    {
      ...options,
      owner: 'solver',
      floor: false,
      keepOut: false,
      carry: 0,
      restCurve: 1,
      ...rootAt(given, 0),
    },
    createWorld(),
  );
  const { world } = scene;
  const entities = order.map((i, n) => {
    const decoy = more[n];
    if (decoy) addCollider(world, { shape: decoy });
    return addCollider(world, { shape: shapeAt(given.shapes[i]!, 0) });
  });
  for (const decoy of more.slice(order.length)) addCollider(world, { shape: decoy });
  let now = 0;
  return {
    scene,
    tick: () => {
      setRoot(world, scene.character, rootAt(given, now));
      order.forEach((i, n) => setCollider(world, entities[n]!, shapeAt(given.shapes[i]!, now)));
      step(world);
      now++;
    },
  };
}

/** The links as they stand after a tick, each with what it feels. */
export function linksOf(
  given: ContactCase,
  { scene }: Running,
  tick: number,
): { link: Link; felt: Felt[]; direction: V3 }[] {
  const { position, rotation } = rootAt(given, tick);
  const { radius = 0, contactPart } = given.options;
  const shapes = given.shapes.map((one) => shapeAt(one, tick));
  let head = add(position, qrot(rotation, hips));
  return tipsOf(scene).map((tip, i) => {
    const link: Link = { head, length: scene.tail.bind.lengths[i]!, radius };
    // A shape that holds the head of the first link is felt at its tip only.
    const felt = shapes.map((shape): Felt => {
      const holds = i === 0 && shape.kind !== 'plane' && linkGap(shape, head, head, radius, true) < 0;
      return { shape, tipOnly: contactPart === 'tip' || holds };
    });
    const direction = unit(sub(tip, head));
    head = tip;
    return { link, felt, direction };
  });
}

/** Head of the first link at a tick. */
export function headAt(given: ContactCase, tick: number): V3 {
  const { position, rotation } = rootAt(given, tick);
  return add(position, qrot(rotation, hips));
}
