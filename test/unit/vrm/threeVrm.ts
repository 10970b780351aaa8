/**
 * What @pixiv/three-vrm-springbone makes of the same file: its loader plugin over plain objects, one per node, so that
 * no meshes, textures or DOM are needed.
 */
import { VRMSpringBoneLoaderPlugin } from '@pixiv/three-vrm-springbone';
import { Matrix4, Object3D } from 'three';
import type { Vector3 } from 'three';
import type { Json } from '../../support/gltfBuilder.js';

/** What is looked at of a joint of three-vrm. */
interface TheirJoint {
  bone: Object3D;
  child: Object3D | null;
  center: Object3D | null;
  settings: Omit<OracleJoint['settings'], 'gravityDir'> & { gravityDir: Vector3 };
  colliderGroups: { colliders: { parent: Object3D; shape: Json }[] }[];
  _initialLocalChildPosition: Vector3;
}

/** A joint that three-vrm made, by node indices. */
export interface OracleJoint {
  /** Node that turns. */
  node: number;
  /** Node at its end, -1 for the end it makes up. */
  child: number;
  /** Its end in the space of the node, 3 numbers. */
  tail: number[];
  /** Its values. */
  settings: {
    hitRadius: number;
    stiffness: number;
    gravityPower: number;
    gravityDir: number[];
    dragForce: number;
  };
  /** Node of its center, -1 for none. */
  center: number;
  /** Its colliders: node and shape, three-vrm's own members. */
  colliders: { node: number; shape: Json }[];
}

/** Joints in the order in which three-vrm adds them; undefined when it reads none. */
export async function threeVrm(json: Json): Promise<OracleJoint[] | undefined> {
  const nodes = (json['nodes'] as Json[]).map((node, n) => {
    const object = new Object3D();
    object.userData['node'] = n;
    if (node['matrix'])
      new Matrix4().fromArray(node['matrix']).decompose(object.position, object.quaternion, object.scale);
    if (node['translation']) object.position.fromArray(node['translation']);
    if (node['rotation']) object.quaternion.fromArray(node['rotation']);
    if (node['scale']) object.scale.fromArray(node['scale']);
    return object;
  });
  const scene = new Object3D();
  const children = (json['nodes'] as Json[]).map((node) => (node['children'] ?? []) as number[]);
  children.forEach((list, n) => list.forEach((child) => nodes[n]!.add(nodes[child]!)));
  for (const object of nodes) if (!object.parent) scene.add(object);
  const parser = { json, getDependencies: () => Promise.resolve(nodes) };
  const gltf = { parser, scene, userData: {} as Json };
  await new VRMSpringBoneLoaderPlugin(parser).afterRoot(gltf);
  const manager = gltf.userData['vrmSpringBoneManager'] as { joints: Set<TheirJoint> } | null;
  return manager ? [...manager.joints].map(plain) : undefined;
}

function plain(joint: TheirJoint): OracleJoint {
  const { hitRadius, stiffness, gravityPower, gravityDir, dragForce } = joint.settings;
  const index = (object: Object3D | null): number => (object?.userData['node'] as number | undefined) ?? -1;
  return {
    node: index(joint.bone),
    child: index(joint.child),
    tail: joint._initialLocalChildPosition.toArray(),
    settings: { hitRadius, stiffness, gravityPower, gravityDir: gravityDir.toArray(), dragForce },
    center: index(joint.center),
    colliders: joint.colliderGroups.flatMap(({ colliders }) =>
      colliders.map((collider) => ({ node: index(collider.parent), shape: { ...collider.shape } })),
    ),
  };
}
