/** One simulated pass: loops that close, root motion that goes on, one-shots that begin at rest. */
import { describe, expect, test } from 'vitest';
import type { Clip, Track } from '../../../src/index.js';
import { type PassOptions, simulatePass } from '../../../src/measure/clipPass.js';
import { back, makeTail } from '../../support/chains.js';
import { type Q4, qmul } from '../../support/referenceMath.js';
import { axisAngle, radians } from './support/angles.js';

const tail = makeTail({ links: 4, length: 0.8, direction: back });
const { hips, root } = tail.bones;

/** A track with a key at every n-th of the duration. */
function track(
  bone: number,
  path: Track['path'],
  duration: number,
  n: number,
  at: (u: number) => number[],
): Track {
  const shares = Array.from({ length: n + 1 }, (_, k) => k / n);
  return {
    bone,
    path,
    interpolation: 'linear',
    times: Float64Array.from(shares, (u) => u * duration),
    values: Float64Array.from(shares.flatMap(at)),
  };
}

const clip = (duration: number, ...tracks: Track[]): Clip => ({
  name: 'clip',
  index: 0,
  duration,
  tracks,
  bakedBones: [],
});
const sway = (duration: number): Track =>
  track(hips, 'rotation', duration, 24, (u) => axisAngle([0, 1, 0], 0.3 * Math.sin(2 * Math.PI * u)));

const simulate = (c: Clip, options: PassOptions = {}, chainOptions = {}) =>
  simulatePass(tail.asset, c, [{ definition: tail.definition, options: chainOptions }], options);

/** Angle of the local rotation of bone b at a tick against the bind pose, degrees. */
function bendDeg(pass: ReturnType<typeof simulate>, tick: number, b: number): number {
  const q = [
    ...pass.rotations.subarray(4 * (tick * pass.bones.length + b), 4 * (tick * pass.bones.length + b) + 4),
  ] as Q4;
  const bind = tail.bind.locals[b]!;
  const turn = qmul([-bind[0], -bind[1], -bind[2], bind[3]], q);
  return (2 * Math.atan2(Math.hypot(turn[0], turn[1], turn[2]), Math.abs(turn[3])) * 180) / Math.PI;
}

describe('ticks', () => {
  test.each([
    [1, 120, 120],
    [0.7083, 120, 85],
    [0.001, 120, 1],
    [1, 30, 30],
  ])('a clip of %f s at %i per second takes %i', (duration, tickRate, ticks) => {
    const pass = simulate(clip(duration, sway(duration)), { tickRate, maxWarmup: 0 });
    expect(pass.ticks).toBe(ticks);
    expect(pass.ticks * pass.tickSeconds).toBeCloseTo(duration, 12);
    expect(pass.rotations.length).toBe((ticks + 1) * 4 * 4);
  });
});

describe('a loop', () => {
  test('closes in angle and in speed, and moves in between', () => {
    const pass = simulate(clip(1, sway(1)));
    expect(pass).toMatchObject({ loop: true, converged: true });
    expect(pass.seamDeg!).toBeLessThanOrEqual(1e-4);
    expect(pass.seamVelocityDeg!).toBeLessThanOrEqual(1e-2);
    expect(Math.max(...[0, 30, 60, 90].map((k) => bendDeg(pass, k, 0)))).toBeGreaterThan(3);
  });

  test('does not depend on how long the warm-up was, once closed', () => {
    const short = simulate(clip(0.5, sway(0.5)));
    // The same motion twice in one clip: the pass is twice as long, its halves alike.
    const twice = clip(
      1,
      track(hips, 'rotation', 1, 48, (u) => axisAngle([0, 1, 0], 0.3 * Math.sin(4 * Math.PI * u))),
    );
    const long = simulate(twice);
    for (const k of [0, 17, 42, 60])
      for (let b = 0; b < 4; b++) expect(bendDeg(long, k + 60, b)).toBeCloseTo(bendDeg(short, k, b), 2);
  });

  test('that is cut short says so', () => {
    const pass = simulate(clip(1, sway(1)), { maxWarmup: 0 });
    expect(pass).toMatchObject({ loop: true, converged: false, passes: 1 });
    expect(pass.seamDeg!).toBeGreaterThan(1);
    expect(pass.seamVelocityDeg).toBeNull();
  });
});

describe('root motion', () => {
  const walk = clip(
    1,
    track(root, 'translation', 1, 4, (u) => [0, 0, 1.4 * u]),
  );

  test('at constant speed without air bends nothing, from pass to pass', () => {
    const pass = simulate(walk, {}, { air: 0 });
    expect(pass).toMatchObject({ loop: true, converged: true });
    for (let k = 0; k <= pass.ticks; k += 10)
      for (let b = 0; b < 4; b++) expect(bendDeg(pass, k, b)).toBeLessThan(1e-6);
  });

  test('with air the tail lags evenly', () => {
    const pass = simulate(
      clip(
        1,
        track(root, 'translation', 1, 4, (u) => [1.4 * u, 0, 0]),
      ),
      {},
      { air: 1 },
    );
    expect(bendDeg(pass, 0, 0)).toBeGreaterThan(5);
    for (let k = 0; k <= pass.ticks; k += 10) expect(bendDeg(pass, k, 0)).toBeCloseTo(bendDeg(pass, 0, 0), 3);
  });
});

describe('a one-shot', () => {
  const fall = clip(
    1,
    track(hips, 'rotation', 1, 10, (u) => axisAngle([1, 0, 0], -1.2 * u)),
  );

  test('begins at rest in the first pose and ends in motion', () => {
    const pass = simulate(fall);
    expect(pass).toMatchObject({ loop: false, passes: null, converged: null, seamDeg: null });
    for (let b = 0; b < 4; b++) expect(bendDeg(pass, 0, b)).toBeLessThan(1e-4);
    expect(bendDeg(pass, pass.ticks, 0)).toBeGreaterThan(3);
    expect(pass.warnings).toEqual([]);
  });

  test('whose tail does not come to rest in time is reported', () => {
    const pass = simulate(fall, { maxWarmup: 0.1 }, { gravity: 3 });
    expect(pass.warnings.map((w) => w.code)).toContain('not-at-rest');
  });

  test('that almost loops is pointed out', () => {
    const nearly = clip(
      1,
      track(hips, 'rotation', 1, 10, (u) => axisAngle([1, 0, 0], radians(2) * u)),
    );
    expect(simulate(nearly).warnings.map((w) => w.code)).toEqual(['almost-a-loop']);
  });

  test('of no length is one pose at rest', () => {
    const pass = simulate({ ...fall, duration: 0 });
    expect(pass.ticks).toBe(0);
    expect(pass.rotations.length).toBe(16);
  });
});

test('a floor holds the tail up', () => {
  const still = clip(
    1,
    track(hips, 'translation', 1, 2, () => [0, 0.1, 0]),
  );
  const free = simulate(still, {}, { gravity: 5 });
  const onFloor = simulate(still, { floor: 0 }, { gravity: 5 });
  expect(bendDeg(onFloor, 0, 0)).toBeLessThan(bendDeg(free, 0, 0) - 1);
});

test('a clip that pulls chain bones apart is reported: simulated links keep their length', () => {
  const pull = clip(
    1,
    track(tail.bones.links[2]!, 'translation', 1, 2, (u) => [0, 0, -0.2 - 0.02 * Math.sin(Math.PI * u)]),
  );
  const { warnings } = simulate(pull);
  expect(warnings).toEqual([expect.objectContaining({ code: 'chain-bone-translated', at: 'clip' })]);
  expect(warnings[0]!.message).toContain('Tail_3 by 10.0%');
});
