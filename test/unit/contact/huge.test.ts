import { expect, it } from 'vitest';
import { addCollider, step } from '../../../src/index.js';
import { makeScene, makeTail, plain, tipsOf } from '../../support/chains.js';

it.each([1e9, 1e20, 1e40, 1e300])('a jam of colliders of %d m takes no longer than any other', (radius) => {
  const scene = makeScene(makeTail({ links: 3 }), plain);
  for (const [x, z] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const)
    addCollider(scene.world, {
      shape: { kind: 'capsule', offset: [x * 0.5, 0, z], tail: [x, 1, 0.25], radius, tailRadius: radius / 2 },
    });
  const started = performance.now();
  for (let i = 0; i < 20; i++) step(scene.world);
  expect(performance.now() - started).toBeLessThan(5000);
  for (const tip of tipsOf(scene)) expect(tip.every((value) => Number.isFinite(value))).toBe(true);
});
