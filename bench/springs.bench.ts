/**
 * The solver beside @pixiv/three-vrm-springbone on the same skeletons, in one process: 1, 10, 100 characters with 12
 * chains of 6 links, no colliders, the root turning so that everything moves. Rounds are interleaved and rotated;
 * quoted are the median of the per-round ratios and the quietest round's nanoseconds.
 */
import { VRMSpringBoneJoint, VRMSpringBoneManager } from '@pixiv/three-vrm-springbone';
import { Bone, Group, Quaternion, Vector3, type Object3D } from 'three';
import { addCharacter, addChains, createWorld, setRoot, step, type World } from '../src/index.js';
import { crowdAsset, crowdChains } from './crowd.js';

const chains = 12;
const links = 6;
const frame = 1 / 60;

/** One contender: runs one step at a time. */
interface Contender {
  readonly step: (t: number) => void;
  readonly links: number;
}

function ours(characters: number): Contender & { world: World } {
  const world = createWorld();
  const asset = crowdAsset(chains, links);
  const handles: number[] = [];
  for (let c = 0; c < characters; c++) {
    const handle = addCharacter(world, asset, { frame: { up: [0, 1, 0], forward: [0, 0, 1] } });
    addChains(world, handle, { gravity: 1, chains: crowdChains(chains, links) });
    handles.push(handle);
  }
  const rotation: [number, number, number, number] = [0, 0, 0, 1];
  return {
    world,
    links: characters * chains * links,
    step(t) {
      const half = 0.5 * Math.sin(t * 3);
      rotation[1] = Math.sin(half);
      rotation[3] = Math.cos(half);
      for (const handle of handles) setRoot(world, handle, { rotation });
      step(world);
    },
  };
}

function threeVrm(characters: number): Contender {
  // As its loader leaves it: bones of the scene graph, and one manager per character.
  const managers: VRMSpringBoneManager[] = [];
  const roots: Object3D[] = [];
  const asset = crowdAsset(chains, links);
  for (let c = 0; c < characters; c++) {
    const root = new Group();
    const manager = new VRMSpringBoneManager();
    const bones: Object3D[] = [];
    const { skeleton } = asset;
    for (let b = 0; b < skeleton.count; b++) {
      const bone = new Bone();
      bone.name = skeleton.names[b]!;
      bone.position.fromArray(skeleton.translations, b * 3);
      (skeleton.parents[b]! < 0 ? root : bones[skeleton.parents[b]!]!).add(bone);
      bones.push(bone);
    }
    for (let chain = 0; chain < chains; chain++)
      for (let l = 0; l < links; l++) {
        const at = 1 + chain * (links + 1) + l;
        manager.addJoint(
          new VRMSpringBoneJoint(bones[at]!, bones[at + 1]!, {
            stiffness: 1,
            gravityPower: 0.2,
            gravityDir: new Vector3(0, -1, 0),
            dragForce: 0.4,
            hitRadius: 0,
          }),
        );
      }
    root.updateWorldMatrix(false, true);
    roots.push(root);
    manager.setInitState();
    managers.push(manager);
  }
  const rotation = new Quaternion();
  const up = new Vector3(0, 1, 0);
  return {
    links: characters * chains * links,
    step(t) {
      rotation.setFromAxisAngle(up, Math.sin(t * 3));
      for (const root of roots) {
        root.quaternion.copy(rotation);
        root.updateWorldMatrix(false, true);
      }
      for (const manager of managers) manager.update(frame);
    },
  };
}

const median = (list: number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!;

/** Processor time of this process: other programs on the machine disturb it less than the clock on the wall. */
function cpuNanoseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

function time(contender: Contender, steps: number, start: number): number {
  const begin = cpuNanoseconds();
  for (let i = 0; i < steps; i++) contender.step(start + i * frame);
  return (cpuNanoseconds() - begin) / steps / contender.links;
}

console.log(
  'ns per link per step (quietest round), times faster than three-vrm 3.5.5 (median of round ratios)',
);
console.log('characters   ours   three-vrm   per step   per 60 Hz frame at 120 ticks');
for (const characters of [1, 10, 100, 1000]) {
  const us = ours(characters);
  const peer = characters <= 100 ? threeVrm(characters) : undefined;
  const steps = Math.max(1, Math.round(4000 / characters));
  time(us, Math.max(steps, 200), 0);
  if (peer) time(peer, Math.max(steps, 60), 0);
  const mine: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < 15; round++) {
    const t = round * 10;
    if (round % 2 === 0) mine.push(time(us, steps, t));
    if (peer) theirs.push(time(peer, steps, t));
    if (round % 2 === 1) mine.push(time(us, steps, t));
  }
  const ratio = peer ? median(mine.map((ns, i) => theirs[i]! / ns)) : NaN;
  console.log(
    String(characters).padStart(10),
    Math.min(...mine)
      .toFixed(0)
      .padStart(6),
    (peer ? Math.min(...theirs).toFixed(0) : '-').padStart(11),
    (peer ? `${ratio.toFixed(1)}x` : '-').padStart(10),
    (peer ? `${(ratio / 2).toFixed(1)}x` : '-').padStart(12),
  );
}

// Asleep: the same crowd without motion.
const awake = ours(100);
const perAwake = time(awake, 100, 0);
for (let i = 0; i < 3000; i++) step(awake.world);
const begin = cpuNanoseconds();
for (let i = 0; i < 500; i++) step(awake.world);
const perAsleep = (cpuNanoseconds() - begin) / 500 / awake.links;
console.log(
  `asleep: ${perAsleep.toFixed(2)} ns per link, ${((100 * perAsleep) / perAwake).toFixed(1)} % of awake`,
);
