/** A mirrored scenario gives the mirrored state to the last bit. */
import { describe, expect, it } from 'vitest';
import { addFloor, setRoot, step } from '../../../src/index.js';
import type { Tail, TailSpec } from '../../support/chains.js';
import {
  contactsOf,
  makeScene,
  makeTail,
  plain,
  radians,
  tipsOf,
  velocitiesOf,
} from '../../support/chains.js';
import { mirrored, mirroredTurn, poseHips, wander } from '../../support/poses.js';
import type { Q4, V3 } from '../../support/referenceMath.js';

/** The tail's mirror image across x = 0: positions and bone axes. */
function mirrorTail(tail: Tail): Tail {
  const { skeleton, skins } = tail.asset;
  const translations = skeleton.translations.map((x, i) => (i % 3 === 0 ? -x : x));
  const rotations = skeleton.rotations.map((x, i) => (i % 4 === 1 || i % 4 === 2 ? -x : x));
  // S M S with S = diag(-1, 1, 1): an entry changes sign when exactly one of its indices is x.
  const inverseBinds = skins[0]!.inverseBinds.map((x, i) => (((i % 16) % 4 === 0) !== i % 16 < 4 ? -x : x));
  return {
    ...tail,
    asset: {
      ...tail.asset,
      skeleton: { ...skeleton, translations, rotations },
      skins: [{ ...skins[0]!, inverseBinds }],
    },
  };
}

const bent: TailSpec = {
  directions: [
    [0.3, -1, -0.4],
    [0.5, -0.8, -0.5],
    [-0.2, -0.3, -1],
    [0.1, 0.2, -1],
    [0.6, 0.1, -0.7],
  ],
  hips: [0.25, 1, 0.125],
};

describe('mirror', () => {
  for (const axes of [undefined, 3, 11]) {
    for (const curve of [0, 0.5, 1]) {
      it(`symmetry is exact: ${axes === undefined ? 'plain axes' : `axes of seed ${axes}`}, restCurve ${curve}`, () => {
        const tail = makeTail(axes === undefined ? bent : { ...bent, axes });
        const options = {
          ...plain,
          carry: radians(50),
          restCurve: curve,
          gravity: 1,
          air: 0.5,
          inertia: 0.8,
          inertiaRotation: 0.7,
          keepOut: true,
          floor: true,
        };
        const left = makeScene(tail, options);
        const right = makeScene(mirrorTail(tail), options);
        addFloor(left.world, { point: [0, 0.5, 0], normal: [0.3, 1, 0.1] });
        addFloor(right.world, { point: [0, 0.5, 0], normal: [-0.3, 1, 0.1] });
        let touched = 0;
        for (let k = 0; k < 600; k++) {
          const { move, turn } = wander(k / 120);
          setRoot(left.world, left.character, { position: move, rotation: turn });
          setRoot(right.world, right.character, { position: mirrored(move), rotation: mirroredTurn(turn) });
          step(left.world);
          step(right.world);
          const tips = tipsOf(right);
          const velocities = velocitiesOf(right);
          tipsOf(left).forEach((tip, i) => expectSame(mirrored(tip), tips[i]!));
          velocitiesOf(left).forEach((v, i) => expectSame(mirrored(v), velocities[i]!));
          touched += contactsOf(left).filter(Boolean).length;
        }
        expect(touched).toBeGreaterThan(0);
      });
    }
  }

  it('keeps a tail that hangs in the middle plane there, whatever the plane does', () => {
    const centred = makeScene(makeTail({ links: 5 }), {
      ...plain,
      gravity: 1,
      carry: radians(50),
      floor: true,
    });
    addFloor(centred.world, { point: [0, 0.4, 0], normal: [0, 1, 0.2] });
    for (let k = 0; k < 600; k++) {
      poseHips(centred, pitch(0.6 * Math.sin(k / 30)), [0, 0.1 * Math.sin(k / 20), 0]);
      step(centred.world);
      for (const tip of tipsOf(centred)) expect(tip[0] === 0).toBe(true);
    }
  });
});

function pitch(angleRad: number): Q4 {
  return [Math.sin(angleRad / 2), 0, 0, Math.cos(angleRad / 2)];
}

/** Equal under ===: plus and minus zero are alike. */
function expectSame(a: V3, b: V3): void {
  expect(a[0] === b[0] && a[1] === b[1] && a[2] === b[2] ? '' : `${a.join()} is not ${b.join()}`).toBe('');
}
