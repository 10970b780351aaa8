/**
 * The rejects before the gap tests change no bit (docs/solver.md, "Colliders"): random scenes beside the same library with
 * every collider looked at by every link.
 */
import { expect, it, vi } from 'vitest';
import type * as Library from '../../../src/index.js';
import type { ColliderShape } from '../../../src/index.js';
import { axisAngle, seeded, type V3 } from '../../support/referenceMath.js';
import { strands } from '../../support/strands.js';

/** Positions and velocities of all links tick by tick. */
function run(F: typeof Library, seed: number): Float64Array[] {
  const rnd = seeded(seed);
  const pick = <T>(...o: T[]): T => o[Math.floor(rnd() * o.length)]!;
  const r = (a: number, b: number) => a + (b - a) * rnd();
  const rate = pick(120, 120, 60, 45, 30, 144);
  const world = F.createWorld({ tickRate: rate });
  const chars: number[] = [];
  const vrm = rnd() < 0.4;
  const roots: V3[] = Array.from({ length: 4 }, () => [r(-0.1, 0.1), r(-0.05, 0.05), r(-0.1, 0.1)]);
  const { asset, chains } = strands(roots);
  const scale: V3 = pick<V3>([1, 1, 1], [1, 1, 1], [-1, 1, 1], [1, 1.5, 0.7], [2, 2, 2], [-1, 0.5, 1.3]);
  for (let c = 0; c < 2; c++) {
    const ch = F.addCharacter(world, asset, { frame: { up: [0, 1, 0], forward: [0, 0, 1] } });
    chars.push(ch);
    F.addChains(world, ch, {
      floor: false,
      keepOut: rnd() < 0.2,
      radius: r(0, 0.03),
      contactPart: pick('tip', 'segment'),
      inertia: pick(1, 1, 0.5),
      inertiaRotation: pick(1, 1, 0.3),
      maxSpeed: pick(Infinity, 2),
      air: r(0, 1),
      teleport: pick('keep', 'none', 'reset'),
      chainMask: pick(0, 1),
      gravity: vrm ? 0 : r(0, 5),
      chains: chains.map((d) =>
        vrm
          ? {
              ...d,
              joints: d.bones.map((bone) => ({
                bone,
                hitRadius: r(0, 0.03),
                stiffness: r(0, 2),
                gravityPower: r(0, 1),
                gravityDir: [0, -1, 0] as V3,
                dragForce: r(0, 0.8),
              })),
              ...(rnd() < 0.3 ? { center: 0 } : {}),
            }
          : d,
      ),
    });
  }
  const n = pick(1, 4, 12, 20);
  const cols: number[] = [];
  const shape = (): ColliderShape => {
    const offset: V3 = [r(-0.3, 0.3), r(0.4, 1.1), r(-0.3, 0.3)];
    const k = rnd();
    if (k < 0.35) return { kind: 'sphere', offset, radius: r(0, 0.12), inside: false };
    if (k < 0.85)
      return {
        kind: 'capsule',
        offset,
        tail: [offset[0] + r(-0.3, 0.3), offset[1] + r(-0.3, 0.3), offset[2] + r(-0.3, 0.3)],
        radius: r(0, 0.1),
        tailRadius: r(0, 0.1),
        inside: false,
      };
    if (k < 0.92) return { kind: 'plane', offset: [0, r(0.4, 0.8), 0], normal: [r(-1, 1), 1, r(-1, 1)] };
    if (k < 0.96) return { kind: 'sphere', offset: [0, 0.9, 0], radius: r(0.6, 1), inside: true };
    return {
      kind: 'capsule',
      offset: [0, 0.9, 0],
      tail: [0, 0.4, 0],
      radius: r(0.5, 1),
      tailRadius: r(0.5, 1),
      inside: true,
    };
  };
  for (let i = 0; i < n; i++)
    cols.push(
      F.addCollider(
        world,
        rnd() < 0.5
          ? { shape: shape() }
          : { shape: shape(), character: pick(...chars), bone: pick(0, 0, 4, 6, 9) },
      ),
    );
  const bits: Float64Array[] = [];
  const amp = r(0, 1),
    fast = r(1, 20),
    spin = r(0, 4);
  for (let k = 0; k < 60; k++) {
    const t = k / rate;
    chars.forEach((ch, c) => {
      const jump = k > 0 && rnd() < 0.01;
      if (jump && rnd() < 0.5) F.teleport(world, ch);
      const position: V3 = [
        amp * Math.sin(fast * t) + (jump ? 1 : 0) + c * 0.3,
        0,
        amp * Math.cos(0.7 * fast * t),
      ];
      F.setRoot(world, ch, { position, rotation: axisAngle([0.3, 1, 0.2], spin * Math.sin(3 * t)), scale });
    });
    if (rnd() < 0.3) {
      F.setCollider(world, cols[Math.floor(rnd() * cols.length)]!, shape());
    }
    F.step(world);
    bits.push(world.views.particle.position.slice(), world.views.particle.velocity.slice());
  }
  return bits;
}

it('change no bit in random scenes', async () => {
  const whole = await import('../../../src/index.js');
  vi.resetModules();
  vi.doMock('../../../src/systems/colliderPicks.js', async (original) => ({
    ...(await original<object>()),
    meetsBall: () => true,
    isPicked: () => false,
  }));
  const plain = await import('../../../src/index.js');
  vi.doUnmock('../../../src/systems/colliderPicks.js');
  expect(plain.step).not.toBe(whole.step);
  for (let seed = 1; seed <= 16; seed++) {
    const [a, b] = [run(whole, seed), run(plain, seed)];
    a.forEach((column, k) => {
      if (!Buffer.from(column.buffer).equals(Buffer.from(b[k]!.buffer)))
        expect.fail(`seed ${seed}, tick ${k >> 1}: other bits`);
    });
  }
}, 60_000);
