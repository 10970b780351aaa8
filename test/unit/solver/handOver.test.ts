/** What moves a chain changes: clip to solver, off to on, another rest, a clip that wraps. The tail goes on from what is shown. */
import { describe, expect, it } from 'vitest';
import {
  enableChain,
  play,
  rowOf,
  setChain,
  setPose,
  setRoot,
  step,
  stop,
  teleport,
} from '../../../src/index.js';
import { chainState } from '../../../src/components/codes.js';
import type { Scene } from '../../support/chains.js';
import {
  directionsOf,
  down,
  jointsOf,
  makeScene,
  makeTail,
  plain,
  run,
  runAlong,
  tipsOf,
} from '../../support/chains.js';
import { clipOf, poseHips, wagAndSway, wagClip } from '../../support/poses.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { angleBetween, axisAngle, cross, identity, qmul, unit } from '../../support/referenceMath.js';

function asleep({ world, chain }: Scene): boolean {
  return world.views.chain.status[rowOf(world, 'chain', chain)] === chainState.asleep;
}

describe('a sleeping chain whose rest is the animated pose', () => {
  const options = { ...plain, owner: 'auto', restPose: 'animated' } as const;

  it('wakes when the clip moves the tail and nothing else', () => {
    const tail = makeTail({ links: 3, clips: (bones) => [wagClip(bones, 2)] });
    const scene = makeScene(tail, options);
    play(scene.world, scene.character, 'Wag', { loop: false });
    run(scene, 200);
    const before = directionsOf(scene)[1]!;
    let most = 0;
    run(scene, 120, undefined, () => {
      most = Math.max(most, angleBetween(directionsOf(scene)[1]!, before));
    });
    expect(most).toBeGreaterThan(0.1);
  });

  it('wakes when a clip that moves only the tail begins to play', () => {
    const scene = makeScene(makeTail({ links: 3, clips: wagAndSway }), options);
    run(scene, 240);
    expect(asleep(scene)).toBe(true);
    play(scene.world, scene.character, 'Wag');
    let most = 0;
    run(scene, 120, undefined, () => {
      most = Math.max(most, angleBetween(directionsOf(scene)[1]!, down));
    });
    expect(most).toBeGreaterThan(0.1);
  });

  it('and setPose that turns only its bones', () => {
    const scene = makeScene(makeTail({ links: 3 }), options);
    run(scene, 240);
    expect(asleep(scene)).toBe(true);
    const rotations = scene.tail.asset.skeleton.rotations.slice();
    rotations.set(axisAngle([0, 0, 1], 0.5), 4 * scene.tail.bones.links[1]!);
    setPose(scene.world, scene.character, { rotations });
    run(scene, 600);
    expect(angleBetween(directionsOf(scene)[1]!, down)).toBeGreaterThan(0.4);
  });
});

describe('owner', () => {
  it('hands a tail from a clip that moves it to one that does not without a jump', () => {
    const scene = makeScene(makeTail({ links: 3, clips: wagAndSway }), { ...plain, owner: 'auto' });
    play(scene.world, scene.character, 'Wag');
    run(scene, 150); // a quarter: the tail stands out by 0.6
    const before = directionsOf(scene);
    expect(angleBetween(before[1]!, down)).toBeGreaterThan(0.5);
    play(scene.world, scene.character, 'Sway', { speed: 0.01 });
    step(scene.world);
    directionsOf(scene).forEach((d, i) => expect(angleBetween(d, before[i]!)).toBeLessThan(0.1));
  });

  it('keeps the motion of a tail when a clip is played and replaced between two ticks', () => {
    const scenes = [0, 1].map(() =>
      makeScene(makeTail({ links: 3, clips: wagAndSway }), { ...plain, owner: 'auto', air: 1 }),
    );
    for (const scene of scenes) {
      runAlong(scene, 1, (t) => [1.4 * t, 0, 0]);
      expect(angleBetween(directionsOf(scene)[0]!, down)).toBeGreaterThan(0.05);
    }
    play(scenes[1]!.world, scenes[1]!.character, 'Wag');
    for (const scene of scenes) play(scene.world, scene.character, 'Sway');
    for (const scene of scenes) step(scene.world);
    expect(tipsOf(scenes[1]!)).toEqual(tipsOf(scenes[0]!));
  });

  it('is decided anew when restPose changes', () => {
    const scene = makeScene(makeTail({ links: 3, clips: wagAndSway }), { ...plain, owner: 'auto' });
    play(scene.world, scene.character, 'Wag');
    step(scene.world);
    const row = rowOf(scene.world, 'chain', scene.chain);
    expect(scene.world.views.chain.clipOwned[row]).toBe(1);
    setChain(scene.world, scene.chain, { restPose: 'animated' });
    expect(scene.world.views.chain.clipOwned[row]).toBe(0);
    setChain(scene.world, scene.chain, { restPose: 'bind' });
    expect(scene.world.views.chain.clipOwned[row]).toBe(1);
  });

  it('of a chain that starts while its body moves evenly: air 0 bends nothing', () => {
    const scene = makeScene(makeTail({ links: 3 }), { ...plain, air: 0 });
    enableChain(scene.world, scene.chain, false);
    const path = (t: number): V3 => [5 * t, 0, 0];
    runAlong(scene, 1, path);
    enableChain(scene.world, scene.chain, true);
    let most = 0;
    runAlong(
      scene,
      1,
      (t) => path(1 + t),
      () => {
        for (const d of directionsOf(scene)) most = Math.max(most, angleBetween(d, down));
      },
    );
    expect(most).toBeLessThan(1e-6);
  });

  it('of a chain handed over in the tick after a teleport feels nothing of the jump', () => {
    const scene = makeScene(makeTail({ links: 3 }), { ...plain, air: 1 });
    enableChain(scene.world, scene.chain, false);
    run(scene, 10);
    teleport(scene.world, scene.character);
    setRoot(scene.world, scene.character, { position: [10, 0, 0] });
    step(scene.world);
    enableChain(scene.world, scene.chain, true);
    let most = 0;
    run(scene, 60, undefined, () => {
      for (const d of directionsOf(scene)) most = Math.max(most, angleBetween(d, down));
    });
    expect(most).toBeLessThan(0.01);
  });
});

describe('a chain that starts from a pose with twist', () => {
  it('begins in the directions that are shown', () => {
    const scene = makeScene(makeTail({ links: 4 }), { ...plain, limit: Infinity });
    enableChain(scene.world, scene.chain, false);
    const rotations = scene.tail.asset.skeleton.rotations.slice();
    for (const bone of scene.tail.bones.links)
      rotations.set(qmul(axisAngle([0, 1, 0], 1), axisAngle([1, 0, 0], 0.4)), 4 * bone);
    setPose(scene.world, scene.character, { rotations });
    run(scene, 2);
    const shown = directionsOf(scene);
    enableChain(scene.world, scene.chain, true);
    step(scene.world);
    directionsOf(scene).forEach((d, i) => expect(angleBetween(d, shown[i]!)).toBeLessThan(0.02));
  });
});

describe('a clip with root motion', () => {
  it.each([0.3, 0.7, 1.4])('of %f m per loop does not whip the tail where it wraps', (way) => {
    const tail = makeTail({
      links: 4,
      clips: ({ hips }) => [
        clipOf('Run', [
          {
            bone: hips,
            path: 'translation',
            interpolation: 'linear',
            times: Float64Array.of(0, 0.5),
            values: Float64Array.of(0, 1, 0, way, 1, 0),
          },
        ]),
      ],
    });
    const scene = makeScene(tail, plain);
    play(scene.world, scene.character, 'Run');
    run(scene, 600);
    let before = directionsOf(scene);
    let most = 0;
    run(scene, 120, undefined, () => {
      const now = directionsOf(scene);
      now.forEach((d, i) => (most = Math.max(most, angleBetween(d, before[i]!))));
      before = now;
    });
    expect(most).toBeLessThan(0.02);
  });
});

describe('stop', () => {
  it('leaves a character alone that the game poses', () => {
    const scene = makeScene(makeTail({ links: 2 }), plain);
    poseHips(scene, identity, [0.3, 0, 0]);
    step(scene.world);
    stop(scene.world, scene.character);
    step(scene.world);
    const stopped = jointsOf(scene)[0]!;
    setRoot(scene.world, scene.character, {});
    step(scene.world);
    expect(jointsOf(scene)[0]).toEqual(stopped);
  });
});

describe('a chain that starts from what is shown', () => {
  it('begins in the bends that are shown, whatever the axes', () => {
    for (const axes of [1, 2, 3]) {
      const scene = makeScene(makeTail({ links: 4, axes }), { ...plain, limit: Infinity });
      enableChain(scene.world, scene.chain, false);
      const rotations = scene.tail.asset.skeleton.rotations.slice();
      scene.tail.bones.links.forEach((bone, i) => {
        const bind = [...rotations.subarray(4 * bone, 4 * bone + 4)] as unknown as Q4;
        // About an axis square to the link: a swing without twist.
        const axis = cross(scene.tail.bind.offsets[i]!, [1, i, 0.5]);
        rotations.set(qmul(bind, axisAngle(unit(axis), 0.4)), 4 * bone);
      });
      setPose(scene.world, scene.character, { rotations });
      run(scene, 2);
      const shown = directionsOf(scene);
      expect(angleBetween(shown[3]!, down)).toBeGreaterThan(0.1);
      enableChain(scene.world, scene.chain, true);
      step(scene.world);
      directionsOf(scene).forEach((d, i) => expect(angleBetween(d, shown[i]!)).toBeLessThan(0.01));
    }
  });

  it('after a first tick without it feels nothing of where it was added', () => {
    const scene = makeScene(makeTail({ links: 3 }), { ...plain, air: 1, position: [50, 0, 3] });
    enableChain(scene.world, scene.chain, false);
    step(scene.world);
    enableChain(scene.world, scene.chain, true);
    run(scene, 30, undefined, () => {
      for (const d of directionsOf(scene)) expect(angleBetween(d, down)).toBeLessThan(1e-6);
    });
  });
});
