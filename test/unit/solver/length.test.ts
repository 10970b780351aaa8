/** Links keep their length at every tick, at every scale, anywhere in the world. */
import { describe, expect, it } from 'vitest';
import { addFloor, setRoot, step } from '../../../src/index.js';
import { lengthFault, makeScene, makeTail, plain, radians, run, tipsOf } from '../../support/chains.js';
import { poseHips, wander } from '../../support/poses.js';
import type { V3 } from '../../support/referenceMath.js';
import { add, len, mul, qrot, sub } from '../../support/referenceMath.js';

const places: [string, V3][] = [
  ['at the origin', [0, 0, 0]],
  ['1 km out', [1000, 0, -700]],
  ['100 km out', [100_000, 0, 100_000]],
];

describe('length', () => {
  for (const scale of [0.01, 0.1, 1, 10, 100]) {
    for (const [name, place] of places) {
      it.each([1, 4, 8])(`holds to 1e-12 m or 4 ulp at scale ${scale}, ${name} (%i links)`, (links) => {
        const scene = makeScene(makeTail({ links, axes: 7 }), {
          ...plain,
          carry: radians(50),
          gravity: 1,
          keepOut: true,
          floor: true,
          position: place,
          scale: [scale, scale, scale],
        });
        addFloor(scene.world, { point: [0, 0.45 * scale, 0] });
        run(
          scene,
          600,
          (tick) => {
            const { move, turn } = wander(tick / 120);
            poseHips(scene, turn);
            setRoot(scene.world, scene.character, { position: add(place, mul(move, scale)) });
          },
          () => {
            const { move } = wander((scene.world.tick - 1) / 120);
            const head = add(add(place, mul(move, scale)), [0, scale, 0]);
            expect(lengthFault(scene, head, scale)).toBeLessThanOrEqual(1);
          },
        );
      });
    }
  }

  it('lets a tail swing 100 km out as it does at the origin, to 1e-6', () => {
    const far: V3 = [100_000, 0, 100_000];
    const here = makeScene(makeTail({ links: 6 }), { ...plain, gravity: 1, air: 1 });
    const there = makeScene(makeTail({ links: 6 }), { ...plain, gravity: 1, air: 1, position: far });
    for (let k = 0; k < 1200; k++) {
      const { move, turn } = wander(k / 120);
      setRoot(here.world, here.character, { position: move, rotation: turn });
      setRoot(there.world, there.character, { position: add(move, far), rotation: turn });
      step(here.world);
      step(there.world);
      const tips = tipsOf(there);
      tipsOf(here).forEach((tip, i) => expect(len(sub(sub(tips[i]!, far), tip))).toBeLessThan(1e-6));
    }
  });

  it('is the length at bind times the scale of the root, turned or not', () => {
    const turn = wander(0.7).turn;
    const scene = makeScene(makeTail({ links: 3 }), { ...plain, rotation: turn, scale: [2.5, 2.5, 2.5] });
    run(scene, 10);
    expect(lengthFault(scene, mul(qrot(turn, [0, 1, 0]), 2.5), 2.5)).toBeLessThan(1000);
    const tips = tipsOf(scene);
    expect(len(sub(tips[1]!, tips[0]!))).toBeCloseTo((2.5 * 0.8) / 3, 12);
  });
});
