/**
 * An independent player: three loads a GLB and its AnimationMixer plays a clip. What it shows at a time is what a
 * renderer shows.
 */
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

export interface ThreePlayer {
  /** Local rotation of a node at a time of the clip, x y z w. */
  rotationAt: (clip: number, node: number, time: number) => number[];
}

/** Loads a file; textures are left out, since Node has no pictures. */
export async function threePlayer(bytes: Uint8Array): Promise<ThreePlayer> {
  const loader = new GLTFLoader();
  loader.register(() => ({ name: 'no-textures', loadTexture: async () => new THREE.Texture() }) as never);
  const gltf = await loader.parseAsync(bytes.slice().buffer as ArrayBuffer, '');
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const nodes = new Map<number, THREE.Object3D>();
  for (const [object, { nodes: index }] of gltf.parser.associations as Map<
    THREE.Object3D,
    { nodes?: number }
  >)
    if (index !== undefined && object instanceof THREE.Object3D && !nodes.has(index))
      nodes.set(index, object);
  let playing = -1;
  let shown = NaN;
  return {
    rotationAt: (clip, node, time) => {
      if (clip !== playing) {
        mixer.stopAllAction();
        const action = mixer.clipAction(gltf.animations[clip]!);
        // The end of the clip is to be seen, not the start again.
        action.setLoop(THREE.LoopOnce, 1);
        action.clampWhenFinished = true;
        action.play();
        playing = clip;
        shown = NaN;
      }
      if (time !== shown) {
        const action = mixer.clipAction(gltf.animations[clip]!);
        action.paused = false;
        action.enabled = true;
        mixer.setTime(time);
        shown = time;
      }
      return nodes.get(node)!.quaternion.toArray();
    },
  };
}

/** Angle between two rotations in degrees, by the cross product's length: accurate near zero. */
export function angleDeg(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [ax, ay, az, aw] = [-a[0]!, -a[1]!, -a[2]!, a[3]!];
  const [bx, by, bz, bw] = [b[0]!, b[1]!, b[2]!, b[3]!];
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by + ay * bw + az * bx - ax * bz;
  const z = aw * bz + az * bw + ax * by - ay * bx;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  return (2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w)) * 180) / Math.PI;
}
