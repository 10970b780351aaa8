/** Floors where the other tests look less closely: speed and length on slopes, every count of links coming off a floor. */
import { describe, expect, it } from 'vitest';
import { addFloor, setRoot, step } from '../../../src/index.js';
import type { Scene, SceneOptions } from '../../support/chains.js';
import {
  back,
  contactsOf,
  down,
  lengthFault,
  makeScene,
  makeTail,
  plain,
  radians,
  tipsOf,
  velocitiesOf,
} from '../../support/chains.js';
import { smooth } from '../../support/poses.js';
import type { V3 } from '../../support/referenceMath.js';
import { dot, len, sub, unit } from '../../support/referenceMath.js';

const clearance = 0.025;
const counts = [1, 2, 4, 6, 8];
const heights = [0.1, 0.2, 0.3, 0.5];
const bound: SceneOptions = { ...plain, gravity: 1, keepOut: true, floor: true };
const shapes: [string, V3, SceneOptions][] = [
  ['hanging, carried', down, { ...bound, carry: radians(50), restCurve: 0 }],
  ['level, carried', back, { ...bound, carry: radians(50), restCurve: 0 }],
  ['hanging', down, bound],
  ['slanting', [0, -1, -1], bound],
];

/** Brings the hips from 1 m to a height within two seconds. */
function lowerTo(scene: Scene, height: number, tick: number): V3 {
  const y = (height - 1) * smooth(tick / 240);
  if (tick <= 240) setRoot(scene.world, scene.character, { position: [0, y, 0] });
  return [0, 1 + y, 0];
}

describe('a floor that falls by 20 degrees to the front or to the back', () => {
  const tilt = radians(20);
  for (const [name, direction, options] of shapes) {
    for (const links of counts) {
      it.each([-1, 1])(`holds a tail that is ${name} at every height (${links} links, side %i)`, (side) => {
        const normal = unit([0, Math.cos(tilt), side * Math.sin(tilt)]);
        for (const height of heights) {
          const scene = makeScene(makeTail({ links, direction }), options);
          addFloor(scene.world, { normal });
          let from: V3[] = [];
          const worst = { depth: -1, fault: 0, drift: 0, speed: 0 };
          for (let tick = 1; tick <= 22 * 120; tick++) {
            const head = lowerTo(scene, height, tick);
            step(scene.world);
            const tips = tipsOf(scene);
            worst.depth = Math.max(worst.depth, ...tips.map((tip) => clearance - dot(tip, normal)));
            worst.fault = Math.max(worst.fault, lengthFault(scene, head));
            if (tick === 12 * 120) from = tips;
            if (tick < 12 * 120) continue;
            worst.drift = Math.max(worst.drift, ...tips.map((tip, i) => len(sub(tip, from[i]!))));
            const contacts = contactsOf(scene);
            velocitiesOf(scene).forEach((v, i) => {
              if (!contacts[i]) worst.speed = Math.max(worst.speed, len(v));
            });
          }
          expect(worst.depth, `depth at ${height}`).toBeLessThan(1e-6);
          expect(worst.fault, `length at ${height}`).toBeLessThanOrEqual(1);
          expect(worst.drift, `drift at ${height}`).toBeLessThan(1e-6);
          expect(worst.speed, `speed at ${height}`).toBeLessThan(1e-6);
        }
      });
    }
  }
});

describe('hips that rise', () => {
  it.each(counts)('let no tip go faster than the hips themselves, from every height (%i links)', (links) => {
    for (const height of heights) {
      const scene = makeScene(makeTail({ links }), shapes[0]![2]);
      addFloor(scene.world);
      for (let tick = 1; tick <= 12 * 120; tick++) {
        lowerTo(scene, height, tick);
        step(scene.world);
      }
      let fastest = 0;
      for (let tick = 1; tick <= 480; tick++) {
        const y = (height - 1) * (1 - smooth(tick / 120));
        setRoot(scene.world, scene.character, { position: [0, y, 0] });
        step(scene.world);
        fastest = Math.max(fastest, ...velocitiesOf(scene).map(len));
      }
      // Least-jerk motion peaks at 1.875 times its mean speed.
      expect(fastest, `from ${height}`).toBeLessThan(1.875 * (1 - height));
    }
  });
});
