/** K22: weight fades between the animated pose and the simulated one. */
import { describe, expect, it } from 'vitest';
import {
  addCharacter,
  createPose,
  createWorld,
  play,
  readPose,
  setChain,
  setRoot,
  step,
} from '../../../src/index.js';
import type { Scene } from '../../support/chains.js';
import {
  degrees,
  jointsOf,
  localRotationsOf,
  makeScene,
  makeTail,
  motionBits,
  plain,
} from '../../support/chains.js';
import { clipOf, poseHips, wander } from '../../support/poses.js';
import { angleOf, axisAngle, len, sub } from '../../support/referenceMath.js';

const options = { ...plain, air: 1, gravity: 1 };

function move(scene: Scene, tick: number): void {
  const { move: position, turn } = wander(tick / 120);
  poseHips(scene, turn);
  setRoot(scene.world, scene.character, { position });
}

describe('K22: weight', () => {
  it('0 shows the animated pose to the last bit', () => {
    const tail = makeTail({ links: 4, axes: 6 });
    const scene = makeScene(tail, { ...options, weight: 0 });
    // The same character without any chain shows what the game animated.
    const bare = createWorld();
    const character = addCharacter(bare, tail.asset, { frame: { up: [0, 1, 0], forward: [0, 0, 1] } });
    const pose = createPose(bare, character);
    for (let tick = 0; tick < 240; tick++) {
      move(scene, tick);
      move({ ...scene, world: bare, character }, tick);
      step(scene.world);
      step(bare);
      readPose(scene.world, scene.character, scene.pose);
      readPose(bare, character, pose);
      expect([...scene.pose.rotations]).toEqual([...pose.rotations]);
      expect([...scene.pose.translations]).toEqual([...pose.translations]);
      expect([...scene.pose.worlds]).toEqual([...pose.worlds]);
    }
  });

  it('0 shows the keys of a clip that moves the tail to the last bit', () => {
    const make = (): ReturnType<typeof makeTail> =>
      makeTail({
        links: 3,
        clips: ({ links }) => [
          clipOf('Wag', [
            {
              bone: links[1]!,
              path: 'rotation',
              interpolation: 'linear',
              times: Float64Array.of(0, 0.5, 1),
              values: Float64Array.from([0, 0.5, 0].flatMap((a) => axisAngle([0, 0, 1], a))),
            },
          ]),
        ],
      });
    const scene = makeScene(make(), { ...options, weight: 0, owner: 'solver' });
    const bare = createWorld();
    const character = addCharacter(bare, make().asset, { frame: { up: [0, 1, 0], forward: [0, 0, 1] } });
    const pose = createPose(bare, character);
    play(scene.world, scene.character, 'Wag');
    play(bare, character, 'Wag');
    for (let tick = 0; tick < 240; tick++) {
      step(scene.world);
      step(bare);
      expect([...readPose(scene.world, scene.character, scene.pose).rotations]).toEqual([
        ...readPose(bare, character, pose).rotations,
      ]);
    }
  });

  it('1 is what the solver says: the written joints are the tips', () => {
    const scene = makeScene(makeTail({ links: 4, axes: 6 }), { ...options, weight: 1 });
    const other = makeScene(makeTail({ links: 4, axes: 6 }), options);
    for (let tick = 0; tick < 240; tick++) {
      move(scene, tick);
      move(other, tick);
      step(scene.world);
      step(other.world);
      expect(jointsOf(scene)).toEqual(jointsOf(other));
    }
  });

  it.each([0, 0.1, 0.5, 0.9, 1])(
    '%d keeps every bone attached and leaves the motion itself alone',
    (weight) => {
      const scene = makeScene(makeTail({ links: 4, axes: 6 }), { ...options, weight });
      const full = makeScene(makeTail({ links: 4, axes: 6 }), options);
      for (let tick = 0; tick < 240; tick++) {
        move(scene, tick);
        move(full, tick);
        step(scene.world);
        step(full.world);
        expect(motionBits(scene.world)).toBe(motionBits(full.world));
        const joints = jointsOf(scene);
        for (let i = 1; i < joints.length; i++)
          expect(len(sub(joints[i]!, joints[i - 1]!))).toBeCloseTo(0.2, 9);
      }
    },
  );

  it('ramped within 0.3 s pops nowhere', () => {
    for (const [from, to] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const scene = makeScene(makeTail({ links: 4 }), { ...plain, air: 1, weight: from });
      const position = (tick: number): [number, number, number] => [(1.4 * tick) / 120, 0, 0];
      let tick = 0;
      for (; tick < 480; tick++) {
        setRoot(scene.world, scene.character, { position: position(tick) });
        step(scene.world);
      }
      let last = localRotationsOf(scene, scene.tail.bones.links);
      for (let k = 1; k <= 36; k++, tick++) {
        setChain(scene.world, scene.chain, { weight: from + ((to - from) * k) / 36 });
        setRoot(scene.world, scene.character, { position: position(tick) });
        step(scene.world);
        const now = localRotationsOf(scene, scene.tail.bones.links);
        now.forEach((q, i) => expect(degrees(angleOf(q, last[i]!))).toBeLessThan(2));
        last = now;
      }
    }
  });
});
