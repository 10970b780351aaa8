/**
 * The solver and @pixiv/three-vrm-springbone on the same skeletons with the same colliders, and how they are timed beside
 * each other: rounds are interleaved and rotated; quoted are the median of the per-round ratios and the quietest
 * round's nanoseconds of processor time.
 */
import {
  VRMSpringBoneCollider,
  VRMSpringBoneColliderShapeCapsule,
  VRMSpringBoneColliderShapeSphere,
  VRMSpringBoneJoint,
  VRMSpringBoneManager,
} from '@pixiv/three-vrm-springbone';
import { Bone, Group, Quaternion, Vector3, type Object3D } from 'three';
import {
  addChains,
  addCharacter,
  addCollider,
  createWorld,
  setRoot,
  step,
  type ColliderShape,
  type World,
} from '../src/index.js';
import { crowdAsset, crowdChains } from './crowd.js';

/** Chains per character, and links per chain. */
export const chains = 12;
const links = 6;
const frame = 1 / 60;
/** What both springs have. */
const values = { stiffness: 1, gravityPower: 0.2, dragForce: 0.4 };

/** One contender: runs one step at a time. */
export interface Contender {
  readonly step: (t: number) => void;
  readonly links: number;
}

/** How ours is set up. */
export interface Setup {
  /** VRM's law and tips only, as the peer does, or the spring with whole segments. */
  law: 'vrm' | 'spring';
  /** Number of colliders. */
  colliders: number;
}

/** Ours. */
export function ours(characters: number, { law, colliders }: Setup): Contender & { world: World } {
  const world = createWorld();
  const asset = crowdAsset(chains, links);
  const handles: number[] = [];
  for (let c = 0; c < characters; c++) {
    const character = addCharacter(world, asset, { frame: { up: [0, 1, 0], forward: [0, 0, 1] } });
    const definitions = crowdChains(chains, links);
    if (law === 'vrm')
      for (const chain of definitions)
        chain.joints = chain.bones.map((bone) => ({
          ...values,
          bone,
          gravityDir: [0, -1, 0],
          hitRadius: 0.02,
        }));
    addChains(world, character, { gravity: 1, radius: 0.02, chains: definitions });
    for (const shape of bodyShapes(colliders)) addCollider(world, { character, bone: 0, shape });
    handles.push(character);
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

/** The peer, as its loader leaves it: bones of the scene graph, and one manager per character. */
export function threeVrm(characters: number, colliders: number): Contender {
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
    const group = { colliders: bodyShapes(colliders).map(theirCollider) };
    for (const collider of group.colliders) bones[0]!.add(collider as unknown as Object3D);
    for (let chain = 0; chain < chains; chain++)
      for (let l = 0; l < links; l++) {
        const at = 1 + chain * (links + 1) + l;
        const settings = { ...values, gravityDir: new Vector3(0, -1, 0), hitRadius: 0.02 };
        manager.addJoint(
          new VRMSpringBoneJoint(bones[at]!, bones[at + 1]!, settings, colliders > 0 ? [group] : []),
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

function theirCollider(shape: ColliderShape): VRMSpringBoneCollider {
  const offset = new Vector3(...shape.offset);
  if (shape.kind === 'capsule')
    return new VRMSpringBoneCollider(
      new VRMSpringBoneColliderShapeCapsule({
        radius: shape.radius,
        offset,
        tail: new Vector3(...shape.tail),
      }),
    );
  if (shape.kind === 'plane') throw new Error('the bodies of the benchmarks have no planes');
  return new VRMSpringBoneCollider(new VRMSpringBoneColliderShapeSphere({ radius: shape.radius, offset }));
}

/** Balls and capsules of a body around the hair, nearest first: 8 are head, neck, shoulders, chest; the rest out of reach. */
function bodyShapes(count: number): ColliderShape[] {
  const ball = (x: number, y: number, z: number, radius: number): ColliderShape => ({
    kind: 'sphere',
    offset: [x, y, z],
    radius,
    inside: false,
  });
  const bar = (a: [number, number, number], b: [number, number, number], radius: number): ColliderShape => ({
    kind: 'capsule',
    offset: a,
    tail: b,
    radius,
    tailRadius: radius,
    inside: false,
  });
  return [
    ball(0, 0.04, 0, 0.09),
    bar([0, -0.05, 0], [0, -0.16, 0], 0.05),
    bar([-0.18, -0.22, 0], [0.18, -0.22, 0], 0.06),
    bar([0, -0.25, 0.02], [0, -0.5, 0.02], 0.13),
    ball(-0.09, -0.3, 0.09, 0.08),
    ball(0.09, -0.3, 0.09, 0.08),
    bar([-0.2, -0.22, 0], [-0.28, -0.5, 0], 0.05),
    bar([0.2, -0.22, 0], [0.28, -0.5, 0], 0.05),
    bar([-0.28, -0.5, 0], [-0.3, -0.75, 0], 0.04),
    bar([0.28, -0.5, 0], [0.3, -0.75, 0], 0.04),
    ball(-0.3, -0.8, 0, 0.05),
    ball(0.3, -0.8, 0, 0.05),
    bar([-0.1, -0.75, 0], [-0.1, -1.1, 0], 0.08),
    bar([0.1, -0.75, 0], [0.1, -1.1, 0], 0.08),
    bar([-0.1, -1.1, 0], [-0.1, -1.5, 0], 0.06),
    bar([0.1, -1.1, 0], [0.1, -1.5, 0], 0.06),
  ].slice(0, count);
}

/** Processor time of this process: other programs on the machine disturb it less than the clock on the wall. */
export function cpuNanoseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/** Nanoseconds per link and step. */
export function time(contender: Contender, steps: number, start: number): number {
  const begin = cpuNanoseconds();
  for (let i = 0; i < steps; i++) contender.step(start + i * frame);
  return (cpuNanoseconds() - begin) / steps / contender.links;
}

const median = (list: number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!;

/** Times contenders beside each other: nanoseconds of the quietest round each, and how many times faster the first is. */
export function beside(
  contenders: Contender[],
  steps: number,
  rounds: number,
): { ns: number[]; ratios: number[] } {
  const times: number[][] = contenders.map((contender) => {
    time(contender, Math.max(steps, 200), 0);
    return [];
  });
  for (let round = 0; round < rounds; round++)
    for (let k = 0; k < contenders.length; k++) {
      const which = (k + round) % contenders.length;
      times[which]!.push(time(contenders[which]!, steps, round * 10));
    }
  return {
    ns: times.map((list) => Math.min(...list)),
    ratios: times.map((list) => median(list.map((ns, i) => ns / times[0]![i]!))),
  };
}
