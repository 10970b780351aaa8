/** Frames and ticks do not coincide: what the game gives once arrives, what is read is where things stand. */
import { describe, expect, it } from 'vitest';
import type { Pose } from '../../../src/index.js';
import { advance, readPose, rowOf, setRoot, teleport, warmUp } from '../../../src/index.js';
import type { Scene } from '../../support/chains.js';
import { makeScene, makeTail, originsOf, plain } from '../../support/chains.js';
import { poseHips } from '../../support/poses.js';
import type { V3 } from '../../support/referenceMath.js';
import { identity } from '../../support/referenceMath.js';

function rootOf(scene: Scene, pose: Pose = scene.pose): V3 {
  const { worlds } = readPose(scene.world, scene.character, pose);
  return [worlds[12]!, worlds[13]!, worlds[14]!];
}

describe('a root or pose given once', () => {
  it('arrives, although the frame it was given in ran no tick', () => {
    const scene = makeScene(makeTail({ links: 2 }), plain);
    advance(scene.world, 1 / 60);
    setRoot(scene.world, scene.character, { position: [0.3, 0, 0] });
    expect(advance(scene.world, 1 / 1000)).toBe(0);
    for (let k = 0; k < 60; k++) advance(scene.world, 1 / 60);
    expect(rootOf(scene)[0]).toBe(0.3);
  });

  it('arrives whole, although no tick fell on the end of its frame', () => {
    const scene = makeScene(makeTail({ links: 2 }), plain);
    advance(scene.world, 1 / 100);
    setRoot(scene.world, scene.character, { position: [0.3, 0, 0] });
    advance(scene.world, 1 / 100);
    for (let k = 0; k < 60; k++) advance(scene.world, 1 / 100);
    expect(rootOf(scene)[0]).toBe(0.3);
  });

  it('and a pose does', () => {
    const scene = makeScene(makeTail({ links: 2 }), plain);
    advance(scene.world, 1 / 100);
    poseHips(scene, identity, [0.3, 0, 0]);
    advance(scene.world, 1 / 1000);
    for (let k = 0; k < 60; k++) advance(scene.world, 1 / 100);
    expect(originsOf(scene, [scene.tail.bones.hips])[0]![0]).toBeCloseTo(0.3, 12);
  });
});

describe('what is read', () => {
  it('of a character before its first tick stands where it was added', () => {
    const scene = makeScene(makeTail({ links: 2 }), { ...plain, position: [50, 0, 3] });
    expect(rootOf(scene)).toEqual([50, 0, 3]);
  });

  it('in the first frame of a character does not slide in from the origin', () => {
    const scene = makeScene(makeTail({ links: 2 }), { ...plain, position: [50, 0, 3] });
    advance(scene.world, 1.5 / 120);
    expect(rootOf(scene)).toEqual([50, 0, 3]);
  });

  it('in a frame without a tick after warmUp is the pose that was warmed up', () => {
    const scene = makeScene(makeTail({ links: 2 }), { ...plain, position: [50, 0, 3] });
    warmUp(scene.world, 120);
    expect(advance(scene.world, 0.5 / 120)).toBe(0);
    expect(rootOf(scene)).toEqual([50, 0, 3]);
  });

  it('in the frame of a teleport is no place between', () => {
    const scene = makeScene(makeTail({ links: 2 }), plain);
    advance(scene.world, 1 / 60);
    teleport(scene.world, scene.character);
    setRoot(scene.world, scene.character, { position: [50, 0, 3] });
    advance(scene.world, 1.5 / 120);
    expect([0, 50]).toContain(rootOf(scene)[0]);
  });
});

describe('a hitch', () => {
  it('with poses of the game ends at the pose given last', () => {
    const s = makeScene(makeTail({ links: 2 }), { ...plain, teleport: 'none' });
    advance(s.world, 1 / 60);
    setRoot(s.world, s.character, { position: [0.3, 0, 0] });
    expect(advance(s.world, 1)).toBe(8);
    expect(s.world.report.droppedTicks).toBe(112);
    // The character's root stands in the row before its first bone.
    const root = s.world.views.character.firstBone[rowOf(s.world, 'character', s.character)]! - 1;
    expect(s.world.views.bone.poseTranslation[3 * root]).toBe(0.3);
  });
});

describe('a jump between two frames', () => {
  it.each([
    ['none', 150],
    ['keep', 0],
  ] as const)('with policy %s is felt at %f m/s', (policy, expected) => {
    const s = makeScene(makeTail({ links: 2 }), { ...plain, teleport: policy });
    advance(s.world, 1 / 30);
    setRoot(s.world, s.character, { position: [5, 0, 0] });
    advance(s.world, 1 / 30); // four ticks: spread over them, or taken at once and kept
    const row = rowOf(s.world, 'chain', s.chain);
    expect(s.world.views.chain.lastPoint[3 * row]).toBe(5);
    expect(s.world.views.chain.lastVelocity[3 * row]).toBeCloseTo(expected, 6);
  });

  it('is taken at once when it is flagged, however small', () => {
    const s = makeScene(makeTail({ links: 2 }), plain);
    advance(s.world, 1 / 30);
    teleport(s.world, s.character);
    setRoot(s.world, s.character, { position: [0.3, 0, 0] });
    advance(s.world, 1 / 30);
    expect(s.world.views.chain.lastVelocity[3 * rowOf(s.world, 'chain', s.chain)]).toBe(0);
  });
});
