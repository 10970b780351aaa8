import { expect, it } from 'vitest';
import { addCollider, rowOf, step } from '../../../src/index.js';
import { makeScene, makeTail, plain, tipsOf } from '../../support/chains.js';

/** A character that stands still and whose tail sleeps. */
function asleep(): ReturnType<typeof makeScene> {
  const scene = makeScene(makeTail({ legs: 1 }), plain);
  for (let i = 0; i < 200; i++) step(scene.world);
  return scene;
}

it('a collider that comes to a bone that nothing hung from stands there in its first tick', () => {
  const { world, character, tail } = asleep();
  const collider = addCollider(world, {
    character,
    bone: tail.bones.legs[0]!,
    shape: { kind: 'sphere', offset: [0, 0, 0], radius: 0.05 },
  });
  step(world);
  const row = rowOf(world, 'collider', collider);
  expect([...world.views.collider.pose.subarray(row * 6, row * 6 + 3)]).toEqual([0.1, 0.6, 0]);
});

it('a collider that comes to a bone of a sleeping chain stands there, and pushes what lies in it', () => {
  const scene = asleep();
  const { world, character, tail } = scene;
  const collider = addCollider(world, {
    character,
    bone: tail.bones.links[1]!,
    shape: { kind: 'sphere', offset: [0, -0.5, 0.01], radius: 0.1 },
  });
  const before = tipsOf(scene);
  step(world);
  const row = rowOf(world, 'collider', collider);
  const [x, y, z] = world.views.collider.pose.subarray(row * 6, row * 6 + 3);
  expect(x).toBeCloseTo(0, 12);
  expect(y).toBeCloseTo(0.3, 12);
  expect(z).toBeCloseTo(0.01, 12);
  expect(tipsOf(scene)).not.toEqual(before);
});
