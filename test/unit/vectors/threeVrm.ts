/**
 * Runs a spring case of test/vectors in @pixiv/three-vrm-springbone: its loader plugin over plain objects, one per node, and
 * an update of 1/60 s per frame.
 */
import { VRMSpringBoneLoaderPlugin } from '@pixiv/three-vrm-springbone';
import { Object3D } from 'three';
import type { Case } from '../../vectors/make/model.js';
import { lastFrame, type Frame } from './support.js';

export async function playInThreeVrm(given: Case): Promise<Frame[]> {
  const { gltf, motion } = given.input;
  const objects = gltf.nodes.map(({ translation, rotation, scale }) => {
    const object = new Object3D();
    object.position.fromArray(translation ?? [0, 0, 0]);
    object.quaternion.fromArray(rotation ?? [0, 0, 0, 1]);
    object.scale.fromArray(scale ?? [1, 1, 1]);
    return object;
  });
  const scene = new Object3D();
  gltf.nodes.forEach(({ children = [] }, n) => children.forEach((child) => objects[n]!.add(objects[child]!)));
  for (const root of gltf.scenes[0]!.nodes) scene.add(objects[root]!);
  scene.updateMatrixWorld();
  const userData: { vrmSpringBoneManager?: { update: (delta: number) => void } } = {};
  const parser = { json: gltf, getDependencies: () => Promise.resolve(objects) };
  await new VRMSpringBoneLoaderPlugin(parser).afterRoot({ parser, scene, userData });
  const frames: Frame[] = [];
  for (let frame = 1; frame <= lastFrame(given); frame++) {
    for (const { node, translation, rotation } of motion.filter((change) => change.frame === frame)) {
      if (translation) objects[node]!.position.fromArray(translation);
      if (rotation) objects[node]!.quaternion.fromArray(rotation);
    }
    scene.updateMatrixWorld();
    userData.vrmSpringBoneManager!.update(1 / 60);
    scene.updateMatrixWorld();
    frames.push({
      positions: objects.map(({ matrixWorld: { elements: m } }) => [m[12]!, m[13]!, m[14]!]),
      rotations: objects.map(({ quaternion: q }) => [q.x, q.y, q.z, q.w]),
    });
  }
  return frames;
}
