/**
 * The bind pose of a character in world space, written apart from src/ so that a fault there cannot hide here. A skin
 * is taken to the world by its uppermost joint (saved world x inverse bind), further skins through a joint they
 * share with one that is placed already; bones that no skin holds stand by their saved transform below their parent.
 */
import { mat4, type quat } from 'gl-matrix';
import type { Asset } from '../../../src/index.js';
import type { V3 } from '../referenceMath.js';

export interface BindPose {
  /** Skin space to world, 16 per skin. */
  skinToWorld: Float64Array[];
  /** Bind matrices in the world, per bone. */
  worlds: Float64Array[];
  /** Heads of the bones in the world. */
  heads: V3[];
  /** 1 for bones that some skin holds. */
  isJoint: Uint8Array;
}

export function bindPose(asset: Asset): BindPose {
  const { skeleton, skins } = asset;
  const saved: Float64Array[] = [];
  for (let b = 0; b < skeleton.count; b++) saved.push(below(saved, asset, b));
  const bindOf: (Float64Array | undefined)[] = Array.from({ length: skeleton.count });
  const skinToWorld: Float64Array[] = [];
  for (const skin of skins) {
    let joint = skin.joints.findIndex((bone) => bindOf[bone] !== undefined);
    let known = bindOf[skin.joints[joint]!];
    if (known === undefined) {
      joint = skin.joints.indexOf(Math.min(...skin.joints));
      known = saved[skin.joints[joint]!]!;
    }
    const map = new Float64Array(16);
    mat4.multiply(map, known, skin.inverseBinds.subarray(16 * joint, 16 * joint + 16));
    skinToWorld.push(map);
    skin.joints.forEach((bone, j) => {
      if (bindOf[bone] !== undefined) return;
      const bind = new Float64Array(16);
      if (mat4.invert(bind, skin.inverseBinds.subarray(16 * j, 16 * j + 16)) === null) return;
      bindOf[bone] = mat4.multiply(bind, map, bind) as Float64Array;
    });
  }
  const worlds: Float64Array[] = [];
  for (let b = 0; b < skeleton.count; b++) worlds.push(bindOf[b] ?? below(worlds, asset, b));
  const isJoint = new Uint8Array(skeleton.count);
  for (const skin of skins) for (const bone of skin.joints) isJoint[bone] = 1;
  return { skinToWorld, worlds, heads: worlds.map((m): V3 => [m[12]!, m[13]!, m[14]!]), isJoint };
}

/** World matrix of a bone by its saved transform under the given world of its parent. */
function below(worlds: Float64Array[], { skeleton }: Asset, b: number): Float64Array {
  const world = new Float64Array(16);
  mat4.fromRotationTranslationScale(
    world,
    skeleton.rotations.subarray(4 * b, 4 * b + 4) as quat,
    skeleton.translations.subarray(3 * b, 3 * b + 3),
    skeleton.scales.subarray(3 * b, 3 * b + 3),
  );
  const parent = skeleton.parents[b]!;
  return parent < 0 ? world : (mat4.multiply(world, worlds[parent]!, world) as Float64Array);
}

/** A point taken through an affine matrix. */
export function transformed(matrix: ArrayLike<number>, [x, y, z]: V3): V3 {
  const at = (r: number): number =>
    matrix[r]! * x + matrix[4 + r]! * y + matrix[8 + r]! * z + matrix[12 + r]!;
  return [at(0), at(1), at(2)];
}

/** Vertices of a skinned mesh in the world, bind pose. */
export function worldVertices(asset: Asset, pose: BindPose, mesh: number): V3[] {
  const { positions, skin } = asset.meshes[mesh]!;
  return Array.from({ length: positions.length / 3 }, (_, v) =>
    transformed(pose.skinToWorld[skin]!, [positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!]),
  );
}

/** Extent of all skinned vertices: low and high corner of the box, its diagonal, its height along Y. */
export function skinBox(asset: Asset): { low: V3; high: V3; diagonal: number; height: number } {
  const pose = bindPose(asset);
  const low: V3 = [Infinity, Infinity, Infinity];
  const high: V3 = [-Infinity, -Infinity, -Infinity];
  asset.meshes.forEach(({ skin }, m) => {
    if (skin < 0) return;
    for (const p of worldVertices(asset, pose, m))
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k]!, p[k]!);
        high[k] = Math.max(high[k]!, p[k]!);
      }
  });
  const diagonal = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  return { low, high, diagonal, height: high[1] - low[1] };
}
