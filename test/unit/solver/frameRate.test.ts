/** The frame rate is the caller's business: it changes when a tick is looked at, never what the tick does. */
import { describe, expect, it } from 'vitest';
import { advance, play, step } from '../../../src/index.js';
import type { Scene, SceneOptions } from '../../support/chains.js';
import { jointsOf, makeScene, makeTail, motionBits, plain } from '../../support/chains.js';
import { hipsPathClip, poseHips, swayClip } from '../../support/poses.js';
import type { V3 } from '../../support/referenceMath.js';
import { axisAngle, len, seeded, sub } from '../../support/referenceMath.js';

const settings: SceneOptions = { ...plain, gravity: 1, air: 0.6, keepOut: true };

function swayingScene(): Scene {
  const scene = makeScene(
    makeTail({ links: 5, axes: 3, clips: ({ hips }) => [swayClip(hips, [0.2, 1, 0.3], 0.6, 0.9)] }),
    settings,
  );
  play(scene.world, scene.character, 'Sway');
  return scene;
}

/** Bits of the motion after each tick, up to `ticks`, of a run by single steps. */
function stepBits(ticks: number): string[] {
  const { world } = swayingScene();
  const bits = [motionBits(world)];
  for (let tick = 1; tick <= ticks; tick++) {
    step(world);
    bits.push(motionBits(world));
  }
  return bits;
}

const jitter = seeded(5);
const rates: [string, () => number][] = [
  ...[24, 30, 60, 90, 144, 240].map((fps): [string, () => number] => [`${fps} fps`, () => 1 / fps]),
  ['jittered frames of 8 to 40 ms', () => 0.008 + 0.032 * jitter()],
];

describe('clips the library plays', () => {
  const expected = stepBits(600);

  it.each(rates)('give bit-identical states at equal ticks at %s', (_, frame) => {
    const { world } = swayingScene();
    let frames = 0;
    let ticks = 0;
    while (world.tick < 560) {
      ticks += advance(world, frame());
      frames++;
      expect(world.tick).toBe(ticks);
      expect(motionBits(world) === expected[world.tick], `tick ${world.tick}`).toBe(true);
    }
    expect(frames).toBeGreaterThan(80);
    expect(world.report.droppedTicks).toBe(0);
  });
});

/** Tip of a tail whose hips sway in place, as rendered at the end of each frame. */
function renderedPath(fps: number, seconds: number): { t: number; tip: V3 }[] {
  const scene = makeScene(makeTail({ links: 4 }), settings);
  const path: { t: number; tip: V3 }[] = [];
  for (let frame = 0; frame <= seconds * fps; frame++) {
    const t = frame / fps;
    poseHips(scene, axisAngle([0.3, 1, 0.5], 0.5 * Math.sin(2 * Math.PI * 0.8 * t)), [
      0.1 * Math.sin(5 * t),
      0,
      0,
    ]);
    if (frame > 0) advance(scene.world, 1 / fps);
    else step(scene.world);
    path.push({ t, tip: jointsOf(scene).at(-1)! });
  }
  return path;
}

/** The path at a time, between its samples. */
function sample(path: { t: number; tip: V3 }[], t: number): V3 {
  const k = Math.min(path.length - 2, Math.max(0, Math.floor((t * (path.length - 1)) / path.at(-1)!.t)));
  const a = path[k]!;
  const b = path[k + 1]!;
  const f = (t - a.t) / (b.t - a.t);
  return [0, 1, 2].map((c) => a.tip[c]! + f * (b.tip[c]! - a.tip[c]!)) as V3;
}

describe('poses the caller gives', () => {
  const fine = renderedPath(240, 6);

  it.each([24, 30, 60, 90, 144])('lead the tip along the path of 240 fps at %i fps', (fps) => {
    const path = renderedPath(fps, 6);
    let worst = 0;
    for (const { t, tip } of path) {
      if (t < 1 || t > 5.5) continue;
      worst = Math.max(worst, len(sub(tip, sample(fine, t))) / 0.8);
    }
    console.log(`caller poses at ${fps} fps: tip path within ${(100 * worst).toFixed(3)}% of the length`);
    expect(worst).toBeLessThan(0.02);
  });
});

describe('rendering at 144 Hz over 120 ticks', () => {
  it('repeats no step and doubles none', () => {
    const speed = 1.2;
    const scene = makeScene(
      makeTail({
        links: 4,
        clips: (bones) => [
          hipsPathClip(
            { bones },
            [
              { t: 0, position: [0, 1, 0] },
              { t: 20, position: [speed * 20, 1, 0] },
            ],
            'Glide',
          ),
        ],
      }),
      settings,
    );
    play(scene.world, scene.character, 'Glide', { loop: false });
    for (let frame = 0; frame < 144 * 8; frame++) advance(scene.world, 1 / 144);
    let last = jointsOf(scene);
    for (let frame = 0; frame < 144 * 2; frame++) {
      advance(scene.world, 1 / 144);
      const joints = jointsOf(scene);
      joints.forEach((joint, i) => {
        const way = len(sub(joint, last[i]!));
        expect(Math.abs(way / (speed / 144) - 1)).toBeLessThan(0.01);
      });
      last = joints;
    }
  });
});
