/**
 * What a renderer shows of a written file: three loads it, takes the bind pose, and skins.
 */
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { expect } from 'vitest';
import type { Asset, MeshPrimitive } from '../../../../src/asset/asset.js';
import type { RigPlan } from '../../../../src/rig/plan.js';
import { recoverNeutral } from '../../../../src/setup/neutral.js';
import { modelSize } from '../../../../src/setup/neutralPose.js';

/** Where a vertex stands in the bind pose: the weighted sum of joint world x inverse bind x position, weights at sum 1. */
function bindPosition(
  asset: Asset,
  worlds: Float64Array,
  mesh: MeshPrimitive,
  vertex: number,
): THREE.Vector3 {
  const skin = asset.skins[mesh.skin]!;
  const point = new THREE.Vector3();
  let sum = 0;
  for (let k = vertex * mesh.influences; k < (vertex + 1) * mesh.influences; k++) {
    const weight = mesh.weights[k]!;
    if (weight === 0) continue;
    const joint = mesh.joints[k]!;
    const matrix = new THREE.Matrix4()
      .fromArray(worlds, 16 * skin.joints[joint]!)
      .multiply(new THREE.Matrix4().fromArray(skin.inverseBinds, 16 * joint));
    point.addScaledVector(
      new THREE.Vector3().fromArray(mesh.positions, 3 * vertex).applyMatrix4(matrix),
      weight,
    );
    sum += weight;
  }
  return point.divideScalar(sum);
}

/** Loads a file in three; textures are left out, since Node has no pictures. */
async function loadThree(
  bytes: Uint8Array,
): Promise<{ nodes: THREE.Object3D[]; meshes: Map<string, THREE.SkinnedMesh>; scene: THREE.Object3D }> {
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  loader.register(() => ({ name: 'no-textures', loadTexture: async () => new THREE.Texture() }) as never);
  const gltf = await loader.parseAsync(bytes.slice().buffer as ArrayBuffer, '');
  const count = (gltf.parser.json as { nodes: unknown[] }).nodes.length;
  const nodes = await Promise.all(
    Array.from(
      { length: count },
      (_, node) => gltf.parser.getDependency('node', node) as Promise<THREE.Object3D>,
    ),
  );
  const meshes = new Map<string, THREE.SkinnedMesh>();
  gltf.scene.traverse((object) => {
    // A mesh with weights on a node without a skin has no skeleton.
    if (!(object instanceof THREE.SkinnedMesh) || !(object.skeleton as unknown)) return;
    const at = gltf.parser.associations.get(object) as { meshes: number; primitives: number };
    meshes.set(`${at.meshes} ${at.primitives}`, object);
  });
  return { nodes, meshes, scene: gltf.scene };
}

/**
 * In the bind pose all changed vertices stand where they stood, as far as the joints of the file agree on that, and
 * exactly where the attachment puts them; and when the first new bone turns, those that hang on
 * new bones alone turn about its head.
 */
export async function expectSameSkin(
  bytes: Uint8Array,
  asset: Asset,
  plan: RigPlan,
  noise = 1e-5,
): Promise<void> {
  const neutral = recoverNeutral(asset);
  const size = modelSize(neutral);
  const { nodes, meshes, scene } = await loadThree(bytes);
  for (let bone = 0; bone < asset.skeleton.count; bone++) {
    const node = nodes[asset.skeleton.nodes[bone]!]!;
    node.position.fromArray(neutral.translations, 3 * bone);
    node.quaternion.fromArray(neutral.rotations, 4 * bone);
    node.scale.fromArray(neutral.scales, 3 * bone);
  }
  scene.updateMatrixWorld(true);
  const vertices = plan.influences.flatMap((change) => {
    const step = Math.max(1, Math.floor(change.vertices.length / 200));
    return [...change.vertices.keys()].filter((v) => v % step === 0).map((v) => ({ change, v }));
  });
  const shown = ({ change, v }: (typeof vertices)[number]): THREE.Vector3 => {
    const { mesh, primitive } = asset.meshes[change.mesh]!;
    const object = meshes.get(`${mesh} ${primitive}`)!;
    return object
      .applyBoneTransform(
        change.vertices[v]!,
        new THREE.Vector3().fromBufferAttribute(
          object.geometry.getAttribute('position'),
          change.vertices[v]!,
        ),
      )
      .applyMatrix4(object.matrixWorld);
  };
  const before = vertices.map(({ change, v }) =>
    bindPosition(asset, neutral.worlds, asset.meshes[change.mesh]!, change.vertices[v]!),
  );
  const [bone] = plan.bones;
  let off = 0;
  vertices.forEach((vertex, i) => (off = Math.max(off, shown(vertex).distanceTo(before[i]!))));
  expect(off / size).toBeLessThan(noise);
  off = 0;
  vertices.forEach((vertex, i) => {
    const { positions, skin } = asset.meshes[vertex.change.mesh]!;
    const joint = asset.skins[skin]!.joints.indexOf(bone!.attachment);
    if (joint < 0) return;
    before[i] = new THREE.Vector3()
      .fromArray(positions, 3 * vertex.change.vertices[vertex.v]!)
      .applyMatrix4(new THREE.Matrix4().fromArray(asset.skins[skin]!.inverseBinds, 16 * joint))
      .applyMatrix4(new THREE.Matrix4().fromArray(neutral.worlds, 16 * bone!.attachment));
    off = Math.max(off, shown(vertex).distanceTo(before[i]));
  });
  expect(off / size).toBeLessThan(1e-5);

  const turned = nodes[asset.skeleton.count]!;
  turned.quaternion.setFromAxisAngle(new THREE.Vector3(0.6, 0, 0.8), 0.9);
  const parent = new THREE.Matrix4().fromArray(neutral.worlds, 16 * bone!.attachment);
  const local = new THREE.Matrix4().compose(
    new THREE.Vector3(...bone!.translation),
    turned.quaternion,
    new THREE.Vector3(1, 1, 1),
  );
  const back = new THREE.Matrix4().makeTranslation(
    ...(bone!.translation.map((x) => -x) as [number, number, number]),
  );
  const turn = parent.clone().multiply(local).multiply(back).multiply(parent.clone().invert());
  scene.updateMatrixWorld(true);
  off = 0;
  let checked = 0;
  vertices.forEach((vertex, i) => {
    const { change, v } = vertex;
    for (let k = 0; k < change.influences; k++) {
      const at = v * change.influences + k;
      if (change.weights[at] !== 0 && change.bones[at]! < asset.skeleton.count) return;
    }
    checked++;
    off = Math.max(off, shown(vertex).distanceTo(before[i]!.applyMatrix4(turn)));
  });
  expect(checked).toBeGreaterThan(0);
  expect(off / size).toBeLessThan(1e-5);
}
