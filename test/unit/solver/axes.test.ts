/** Bone axes mean nothing: the same tail under bones that are turned at random moves alike. */
import { describe, expect, it } from 'vitest';
import { addFloor, setRoot, step } from '../../../src/index.js';
import type { TailSpec } from '../../support/chains.js';
import { jointsOf, makeScene, makeTail, plain, radians, tipsOf } from '../../support/chains.js';
import { wander } from '../../support/poses.js';
import { len, sub } from '../../support/referenceMath.js';

const specs: [string, TailSpec][] = [
  ['a straight tail', { links: 4 }],
  [
    'a tail bent to one side',
    {
      directions: [
        [0.2, -1, -0.2],
        [0.6, -0.6, -0.5],
        [0.3, 0, -1],
        [-0.3, 0.2, -1],
      ],
    },
  ],
];

describe('bone axes', () => {
  for (const [name, spec] of specs) {
    for (const restFrame of ['parent', 'attachment'] as const) {
      it.each([1, 2, 3, 4, 5, 6])(
        `turned at random leave the motion of ${name} (${restFrame}) as it is, seed %i`,
        (axes) => {
          const options = {
            ...plain,
            carry: radians(50),
            restCurve: 0.6,
            gravity: 1,
            air: 0.6,
            inertiaRotation: 0.5,
            keepOut: true,
            floor: true,
            restFrame,
          };
          const straight = makeScene(makeTail(spec), options);
          const turned = makeScene(makeTail({ ...spec, axes }), options);
          for (const { world } of [straight, turned]) addFloor(world, { point: [0, 0.5, 0] });
          for (let k = 0; k < 480; k++) {
            const { move, turn } = wander(k / 120);
            for (const { world, character } of [straight, turned]) {
              setRoot(world, character, { position: move, rotation: turn });
              step(world);
            }
            const tips = tipsOf(turned);
            tipsOf(straight).forEach((tip, i) => expect(len(sub(tip, tips[i]!))).toBeLessThan(1e-12));
          }
          const joints = jointsOf(turned);
          jointsOf(straight).forEach((p, i) => expect(len(sub(p, joints[i]!))).toBeLessThan(1e-12));
        },
      );
    }
  }

  it('and the scale of the armature leave the motion as it is', () => {
    const options = { ...plain, carry: radians(50), gravity: 1, air: 0.6 };
    const straight = makeScene(makeTail({ links: 4 }), options);
    const turned = makeScene(makeTail({ links: 4, axes: 9, armature: 0.01 }), options);
    for (let k = 0; k < 480; k++) {
      const { move, turn } = wander(k / 120);
      for (const { world, character } of [straight, turned]) {
        setRoot(world, character, { position: move, rotation: turn });
        step(world);
      }
      const tips = tipsOf(turned);
      tipsOf(straight).forEach((tip, i) => expect(len(sub(tip, tips[i]!))).toBeLessThan(1e-12));
    }
  });
});
