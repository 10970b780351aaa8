/**
 * A scene with everything in it (clips, given poses, constraints, floors, colliders, VRM chains with and without a centre,
 * chains against chains, wind, scale, mirror, teleport, branches of options) for tests that run it in another process:
 * the golden hash and the heap.
 */
import {
  addChains,
  addCharacter,
  addCollider,
  addConstraints,
  addFloor,
  createWorld,
  play,
  resetChain,
  setChain,
  setFloor,
  setPose,
  setRoot,
  setWind,
  step,
} from '../../src/index.js';
import type { World } from '../../src/index.js';
import type { Scene } from './chains.js';
import { makeScene, makeTail } from './chains.js';
import { swayClip } from './poses.js';
import type { V3 } from './referenceMath.js';
import { seeded } from './referenceMath.js';
import { strands } from './strands.js';

export interface MixedScene {
  world: World;
  /** Runs the next tick with its inputs. */
  tick: () => void;
}

/** Builds the scene; the inputs of every tick are fixed numbers without any Math function whose bits may differ. */
export function mixedScene(characters: number): MixedScene {
  const world = createWorld();
  const scenes: Scene[] = [];
  for (let i = 0; i < characters; i++) {
    const tail = makeTail({
      links: 1 + (i % 8),
      direction: [0.25 * (i % 3), -1, -0.5 * (i % 2)],
      armature: i % 4 === 0 ? 0.01 : 1,
      legs: i % 4 === 3 ? 1 : 0,
      clips: ({ hips }) => [swayClip(hips, [0, 1, 0], 0.5, 1)],
    });
    // The clip's keys come from Math.sin: round them to numbers that every engine computes alike.
    for (const track of tail.asset.clips[0]!.tracks)
      track.values = track.values.map((x) => Math.round(x * 1024) / 1024);
    const size = i % 5 === 3 ? 2.5 : 1;
    if (i % 5 === 2) {
      tail.definition.joints = tail.bones.links.map((bone, k) => ({
        bone,
        stiffness: k % 4 === 3 ? 0 : 1.5 - k / 8,
        gravityPower: 0.25,
        gravityDir: [0, -1, 0],
        dragForce: [0.4, 1, 0.75][k % 3]!,
        hitRadius: 0.02,
      }));
      if (i % 10 === 2) tail.definition.center = tail.bones.root;
    }
    const scene = makeScene(
      tail,
      {
        carry: 0.25 * (i % 4),
        restCurve: (i % 3) / 2,
        gravity: i % 2,
        air: (i % 5) / 4,
        coupling: i % 6 === 5 ? 0 : 12,
        inertia: i % 7 === 6 ? 0.5 : 1,
        inertiaRotation: i % 7 === 5 ? 0.5 : 1,
        limit: i % 9 === 8 ? Infinity : 0.5,
        maxTurn: i % 11 === 10 ? 2 : Infinity,
        restFrame: i % 6 === 4 ? 'attachment' : 'parent',
        owner: 'solver',
        weight: i % 10 === 9 ? 0.5 : 1,
      },
      world,
    );
    setRoot(world, scene.character, { position: [i, 0, 0], scale: [i % 6 === 2 ? -size : size, size, size] });
    if (i % 3 === 0) play(world, scene.character, 'Sway');
    const [leg] = tail.bones.legs;
    if (leg !== undefined)
      addConstraints(world, scene.character, [
        { bone: leg, source: tail.bones.hips, kind: 'roll', axis: [0, 1, 0], weight: 0.75 },
      ]);
    // Hips are bone 2 in these characters.
    const on = { character: scene.character, bone: 2 };
    if (i % 4 === 1)
      addCollider(world, {
        ...on,
        shape: {
          kind: 'capsule',
          offset: [-0.25, -0.25, 0.0625],
          tail: [0.25, -0.375, -0.0625],
          radius: 0.0625,
          tailRadius: 0.125,
          inside: false,
        },
      });
    if (i % 4 === 2)
      addCollider(world, {
        ...on,
        shape: { kind: 'sphere', offset: [0, -0.375, -0.125], radius: 0.125, inside: false },
      });
    if (i % 8 === 3)
      addCollider(world, {
        ...on,
        shape: { kind: 'sphere', offset: [0, -0.25, 0], radius: 0.75, inside: true },
      });
    scenes.push(scene);
  }
  const twins = strands([
    [-0.03125, 0, 0],
    [0.03125, 0, 0.0078125],
  ]);
  const twinHead = addCharacter(world, twins.asset, { position: [-4, 1, 0] });
  addChains(world, twinHead, { chains: twins.chains, chainMask: 1, air: 0.75 });
  setWind(world, { velocity: [1, 0.25, -0.5], gusts: 0.5, sway: 0.25, gustSeconds: 0.5, seed: 11 });
  const floor = addFloor(world, { point: [0, 0.25, 0] });
  addFloor(world, { point: [0, 0, 0], normal: [0.25, 1, 0.125] });
  const random = seeded(9);
  const noise = Float64Array.from({ length: 8192 }, () => random() - 0.5);
  // Inputs are made up front, so that a tick allocates nothing of its own.
  const roots: V3[] = scenes.map((_, i) => [i + 0.25, 0.125, 0.125]);
  const rootInputs = roots.map((position) => ({ position }));
  const poses = scenes.map(({ tail }) => ({ rotations: tail.asset.skeleton.rotations.slice() }));
  const floorInput = { point: [0, 0.25, 0] as V3 };
  const weak = { weight: 0.25, damping: 0.5 };
  let count = 0;
  let next = 0;
  const tick = (): void => {
    for (let i = 0; i < scenes.length; i++) {
      const { character } = scenes[i]!;
      const root = roots[i]!;
      next = (next + 4) & 8191;
      root[0] += noise[next]! / 16;
      root[1] += noise[next + 1]! / 64;
      root[2] += noise[next + 2]! / 16;
      setRoot(world, character, rootInputs[i]!);
      if (i % 3 === 1) {
        const { rotations } = poses[i]!;
        const s = noise[next + 3]! / 4;
        rotations[8] = s;
        rotations[11] = Math.sqrt(1 - s * s);
        setPose(world, character, poses[i]!);
      }
    }
    if (count === 90) for (const position of roots) position[2] += 5;
    if (count === 150) resetChain(world, scenes[0]!.chain);
    if (count === 160) setChain(world, scenes.at(-1)!.chain, weak);
    floorInput.point[1] = 0.25 + (count % 64) / 256;
    setFloor(world, floor, floorInput);
    step(world);
    count++;
  };
  return { world, tick };
}
