/** Colliders that cross a link within a tick: none is missed, none pulls it to the other side. */
import { describe, expect, it } from 'vitest';
import { addCollider, setCollider, setRoot, step, type ColliderShape } from '../../../src/index.js';
import { makeScene, makeTail, run, tipOf } from '../../support/chains.js';
import { add, len, mul, sub, type V3 } from '../../support/referenceMath.js';

const length = 0.2;
const tail = makeTail({ links: 1, length, hips: [0, 1, 0] });
const options = { floor: false, keepOut: false, limit: Infinity, radius: 0.01, teleport: 'none' } as const;

type Moving = (centre: V3) => ColliderShape;
const ball: Moving = (centre) => ({ kind: 'sphere', offset: centre, radius: 0.05, inside: false });
const half: V3 = [0.02, 0.06, 0.03];
const tapered: Moving = (centre) => ({
  kind: 'capsule',
  offset: sub(centre, half),
  tail: add(centre, half),
  radius: 0.05,
  tailRadius: 0.03,
  inside: false,
});

/** Depth of the link in a shape, by sampling; the link's own radius counted. */
function depth(shape: ColliderShape, head: V3, tip: V3): number {
  if (shape.kind === 'plane') return 0;
  const ends = shape.kind === 'capsule' ? [shape.offset, shape.tail] : [shape.offset, shape.offset];
  const tailRadius = shape.kind === 'capsule' ? shape.tailRadius : shape.radius;
  let worst = -Infinity;
  for (let s = 0; s <= 40; s++)
    for (let u = 0; u <= 40; u++) {
      const centre = add(mul(ends[0]!, 1 - s / 40), mul(ends[1]!, s / 40));
      const radius = (1 - s / 40) * shape.radius + (s / 40) * tailRadius + options.radius;
      const point = add(mul(head, 1 - u / 40), mul(tip, u / 40));
      worst = Math.max(worst, radius - len(sub(point, centre)));
    }
  return worst;
}

interface Crossing {
  /** Where the shape's centre meets the plane of the link: below the head, and beside the link. */
  below: number;
  beside: number;
  /** Part of a tick by which the path is shifted. */
  phase: number;
}

/** Largest distance of the tip from its rest, and largest depth at the end of a tick. */
function cross(
  shape: Moving,
  speed: number,
  { below, beside, phase }: Crossing,
  tickRate: number,
): { deflection: number; deepest: number } {
  const scene = makeScene(tail, { ...options, tickRate });
  const at = (k: number): V3 => [-0.35 + (speed * k) / tickRate, 1 - below, beside];
  const shift = (phase * tickRate) / 120;
  const collider = addCollider(scene.world, { shape: shape(at(-shift)) });
  run(scene, 2);
  const rest: V3 = [0, 1 - length, 0];
  let deflection = 0;
  let deepest = 0;
  const ticks = Math.ceil((0.7 / speed) * tickRate + shift);
  for (let k = 1; k <= ticks; k++) {
    const now = shape(at(k - shift));
    setCollider(scene.world, collider, now);
    step(scene.world);
    const tip = tipOf(scene);
    deflection = Math.max(deflection, len(sub(tip, rest)));
    if (tickRate === 120) deepest = Math.max(deepest, depth(now, [0, 1, 0], tip));
  }
  return { deflection, deepest };
}

const crossings = Array.from({ length: 20 }, (_, i): Crossing => ({
  below: 0.08 + 0.006 * i,
  beside: 0.004 * ((i * 7) % 11) - 0.02,
  phase: ((i * 13) % 20) / 20,
}));

// No shape passes over the head itself: there it could not be got out of.
describe.each([
  ['ball', ball, 0],
  ['tapered capsule', tapered, 0.045],
] as const)('a %s', (_, shape, lower) => {
  it.each([1, 3, 6, 12, 24])(
    'that crosses a link at %i m/s turns it as a run of 20,000 ticks does',
    (speed) => {
      for (const { below, ...others } of crossings) {
        const crossing = { ...others, below: below + lower };
        const fine = cross(shape, speed, crossing, 20_000).deflection;
        const { deflection, deepest } = cross(shape, speed, crossing, 120);
        const what = JSON.stringify({ crossing, fine, deflection });
        expect(fine, what).toBeGreaterThan(0.01);
        expect(Math.abs(deflection / fine - 1), what).toBeLessThan(0.12);
        expect(deepest, what).toBeLessThan(1e-6);
      }
    },
  );
});

describe('a sweep', () => {
  it('is not moved by what head and collider do together', () => {
    const tips = [0, 30].map((speed) => {
      const scene = makeScene(tail, { ...options, air: 0 });
      // On the hips and at rest against the link.
      addCollider(scene.world, {
        character: scene.character,
        bone: tail.bones.hips,
        shape: { kind: 'sphere', offset: [0.05, -0.15, 0], radius: 0.05, inside: false },
      });
      run(scene, 240);
      let position: V3 = [0, 0, 0];
      for (let k = 1; k <= 120; k++) {
        position = [0, 0, (speed * k) / 120];
        setRoot(scene.world, scene.character, { position });
        step(scene.world);
      }
      return sub(tipOf(scene), position);
    });
    // Across the motion nothing differs; along it the chain lags when it starts.
    expect(Math.abs(tips[0]![0] - tips[1]![0])).toBeLessThan(0.02);
  });

  it('does not depend on the order of the colliders', () => {
    const bits = [false, true].map((turned) => {
      const scene = makeScene(tail, options);
      const paths: [Moving, V3, V3][] = [
        [ball, [-0.3, 0.88, 0.01], [12, 0, 0]],
        [tapered, [0.32, 0.86, 0], [-9, 0.5, 0]],
        [ball, [0, 0.85, -0.4], [0, 0, 15]],
      ];
      const moving = (turned ? paths.toReversed() : paths).map(([shape, from, velocity]) => ({
        shape,
        from,
        velocity,
        collider: addCollider(scene.world, { shape: shape(from) }),
      }));
      let tips = '';
      run(scene, 2);
      for (let k = 1; k <= 12; k++) {
        for (const { shape, from, velocity, collider } of moving)
          setCollider(scene.world, collider, shape(add(from, mul(velocity, k / 120))));
        step(scene.world);
        tips += `${tipOf(scene).join(' ')}\n`;
      }
      return tips;
    });
    expect(bits[0]).toBe(bits[1]);
  });

  it('leaves alone what was set down elsewhere: a collider that leaps over the link does not touch it', () => {
    const scene = makeScene(tail, options);
    const collider = addCollider(scene.world, { shape: ball([-1, 0.9, 0]) });
    run(scene, 2);
    setCollider(scene.world, collider, ball([1, 0.9, 0]));
    run(scene, 2);
    expect(len(sub(tipOf(scene), [0, 1 - length, 0]))).toBeLessThan(1e-9);
  });

  it('a link that swings fast into a thin collider stops at it', () => {
    const scene = makeScene(makeTail({ links: 1, length: 0.4, hips: [0, 1, 0] }), {
      ...options,
      frequency: 30,
      damping: 0.2,
    });
    const thin: ColliderShape = {
      kind: 'capsule',
      offset: [0.1, 0.65, -0.3],
      tail: [0.1, 0.65, 0.3],
      radius: 0.002,
      tailRadius: 0.002,
      inside: false,
    };
    addCollider(scene.world, { shape: thin });
    run(scene, 2);
    // The root turns by 50 degrees in a tick: the link would pass the bar.
    const angle = (50 * Math.PI) / 180;
    setRoot(scene.world, scene.character, {
      rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
      position: [Math.sin(angle), 1 - Math.cos(angle), 0],
    });
    run(scene, 60, undefined, () => expect(tipOf(scene)[0]).toBeLessThan(0.12));
  });
});
