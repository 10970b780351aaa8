/**
 * VRM springs at the frame rate of the renderer: ours give the same bits at equal ticks whatever it is, and the motion of a
 * 60 Hz frame; three-vrm 3.5.5, whose step is the frame, moves otherwise at every rate. Its figures are printed, and held so
 * that a change of either side is seen (one joint: beyond that it reads stale matrices).
 */
import { VRMSpringBoneJoint, VRMSpringBoneManager } from '@pixiv/three-vrm-springbone';
import { Object3D, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { addCollider, advance, play, setRoot, step } from '../../../src/index.js';
import { makeScene, motionBits, tipsOf, type Scene } from '../../support/chains.js';
import { swayClip } from '../../support/poses.js';
import { angleBetween, axisAngle, sub, type Q4, type V3 } from '../../support/referenceMath.js';
import { plain, vrmTail } from './support.js';

const rates = [24, 30, 60, 72, 90, 120, 144];

describe('bits at equal ticks', () => {
  function swaying(links: number): Scene {
    const spec = {
      links,
      length: 0.1 * links,
      axes: 4,
      clips: ({ hips }: { hips: number }) => [swayClip(hips, [0.2, 1, 0.3], 1, 0.5)],
    };
    const scene = makeScene(vrmTail(spec, [{ ...plain, gravityPower: 0.1 }]), {});
    play(scene.world, scene.character, 'Sway');
    addCollider(scene.world, {
      character: scene.character,
      bone: scene.tail.bones.hips,
      shape: { kind: 'sphere', offset: [0, -0.08, 0.05], radius: 0.06, inside: false },
    });
    return scene;
  }

  it.each([1, 3])('%i links, rendered at 24 to 144 frames a second', (links) => {
    const one = swaying(links);
    const expected = [motionBits(one.world)];
    for (let tick = 0; tick < 480; tick++) {
      step(one.world);
      expected.push(motionBits(one.world));
    }
    for (const fps of rates) {
      const { world } = swaying(links);
      while (world.tick < 460) {
        advance(world, 1 / fps);
        expect(motionBits(world) === expected[world.tick], `${fps} fps, tick ${world.tick}`).toBe(true);
      }
    }
  });
});

const turned = Math.PI / 3;
const turn: Q4 = axisAngle([1, 0, 0], turned);
const rest: V3 = [0, -Math.cos(turned), -Math.sin(turned)];
const link = 0.1;

interface Snap {
  /** Farthest beyond the rest, degrees. */
  overshoot: number;
  /** Seconds until it stays within 2% of the snap. */
  settled: number;
}

/** What a 60 degree snap of the parent makes of one joint, from its tip per frame. */
function judge(fps: number, tips: V3[]): Snap {
  const result = { overshoot: 0, settled: 0 };
  tips.forEach((tip, k) => {
    const angle = angleBetween(tip, rest);
    if (Math.atan2(-tip[2], -tip[1]) > turned)
      result.overshoot = Math.max(result.overshoot, (180 / Math.PI) * angle);
    if (angle > 0.02 * turned) result.settled = (k + 1) / fps;
  });
  return result;
}

function theirs(fps: number): Snap {
  const root = new Object3D();
  const bone = new Object3D();
  const end = new Object3D();
  end.position.set(0, -link, 0);
  root.add(bone);
  bone.add(end);
  const manager = new VRMSpringBoneManager();
  const { stiffness, gravityPower, dragForce } = plain;
  const gravityDir = new Vector3(0, -1, 0);
  manager.addJoint(
    new VRMSpringBoneJoint(bone, end, { hitRadius: 0, stiffness, gravityPower, gravityDir, dragForce }),
  );
  root.updateWorldMatrix(false, true);
  manager.setInitState();
  root.quaternion.copy(new Quaternion(...turn));
  root.updateWorldMatrix(false, true);
  return judge(
    fps,
    Array.from({ length: 4 * fps }, () => {
      manager.update(1 / fps);
      root.updateWorldMatrix(false, true);
      return end.getWorldPosition(new Vector3()).toArray();
    }),
  );
}

/** Ours, looked at after each frame: the last tick that has run. */
function ours(fps: number): Snap {
  const hips: V3 = [0, 0, 0];
  const scene = makeScene(vrmTail({ links: 1, length: link, hips }, [plain]), {
    teleport: 'none',
    floor: false,
  });
  step(scene.world);
  setRoot(scene.world, scene.character, { rotation: turn });
  step(scene.world);
  return judge(
    fps,
    Array.from({ length: 4 * fps }, () => {
      advance(scene.world, 1 / fps);
      return sub(tipsOf(scene)[0]!, hips);
    }),
  );
}

describe('a snap of 60 degrees, stiffness 1, drag 0.4, a link of 0.1 m', () => {
  const all = rates.map((fps) => ({ fps, ours: ours(fps), theirs: theirs(fps) }));
  const spread = (values: number[]): number => Math.max(...values) / Math.min(...values);

  it('is one motion at every frame rate, where three-vrm has one for each', () => {
    console.log('fps: overshoot in degrees and settling time in s of ours, of three-vrm 3.5.5');
    for (const { fps, ours: a, theirs: b } of all)
      console.log(
        `${fps}: ${a.overshoot.toFixed(2)} ${a.settled.toFixed(3)}, ${b.overshoot.toFixed(2)} ${b.settled.toFixed(3)}`,
      );
    // Ours differ by when they are looked at: up to a frame.
    for (const { fps, ours: a } of all) {
      expect(Math.abs(a.settled - all[2]!.ours.settled)).toBeLessThan(1 / fps + 1 / 60 + 1e-9);
      expect(a.overshoot).toBeGreaterThan(0.85 * all[5]!.ours.overshoot);
      expect(a.overshoot).toBeLessThan(1.001 * all[5]!.ours.overshoot);
    }
    // At 60 frames both are the specification's frame.
    expect(all[2]!.theirs.overshoot / all[5]!.ours.overshoot).toBeCloseTo(1, 1);
    expect(spread(all.map(({ theirs: b }) => b.settled))).toBeGreaterThan(2);
  });
});
