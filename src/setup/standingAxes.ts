/**
 * The axes on which a character was modelled. What is read from joints is good to some degrees only (legs slant,
 * shoulders hang), while files stand their characters straight along an axis: a direction close to an axis is that
 * axis, exactly, which also keeps mirrored characters mirrored to the last bit.
 */
import type { Asset } from '../asset/asset.js';
import { decomposeMat4, multiplyMat4 } from '../math/mat4.js';
import { rotateVec3 } from '../math/quat.js';
import { dot3 } from '../math/vec3.js';
import type { Neutral } from './neutralPose.js';

/** Three unit axes, 9 numbers. */
type Axes = Float64Array;

/** Cosine of 30 degrees: knees and spines bend that far in a body that stands upright. */
const NEAR = 0.8660254037844387;
const WORLD: readonly number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/**
 * The world's axes, or those of skin space as the neutral pose holds it, whichever lie nearer to the body. They differ
 * when a file is saved in a pose that tilts the root joint: the neutral pose then stands tilted as a whole, since
 * nothing but its saved transform says where a root joint belongs.
 *
 * @param up - up of the body as read
 * @param lateral - lateral of the body as read
 */
export function standingAxes(asset: Asset, neutral: Neutral, up: Float64Array, lateral: Float64Array): Axes {
  const world = Float64Array.from(WORLD);
  const skin = skinAxes(asset, neutral);
  if (skin === undefined) return world;
  const fit = (axes: Axes): number => nearest(axes, up).cosine + nearest(axes, lateral).cosine;
  return fit(skin) > fit(world) + 1e-3 ? skin : world;
}

/**
 * The signed axis within 30 degrees of a unit vector.
 *
 * @returns undefined when none is that near
 */
export function nearAxis(axes: Axes, direction: Float64Array): Float64Array | undefined {
  const { index, cosine, sign } = nearest(axes, direction);
  if (cosine < NEAR) return undefined;
  return Float64Array.from([0, 1, 2], (k) => 0 + sign * axes[3 * index + k]!);
}

function nearest(axes: Axes, direction: Float64Array): { index: number; cosine: number; sign: number } {
  let best = { index: 0, cosine: -1, sign: 1 };
  for (let index = 0; index < 3; index++) {
    const dot = dot3(axes, 3 * index, direction, 0);
    if (Math.abs(dot) > best.cosine) best = { index, cosine: Math.abs(dot), sign: dot < 0 ? -1 : 1 };
  }
  return best;
}

/** Axes of skin space in the neutral world: rotation of W_root^0 x inverse bind for the first root joint of a skin. */
function skinAxes(asset: Asset, neutral: Neutral): Axes | undefined {
  const matrix = new Float64Array(16);
  const translation = new Float64Array(3);
  const rotation = new Float64Array(4);
  const scale = new Float64Array(3);
  for (const skin of asset.skins) {
    const joint = skin.joints.findIndex((bone) => neutral.sources[bone] === 0);
    if (joint < 0) continue;
    multiplyMat4(matrix, 0, neutral.worlds, 16 * skin.joints[joint]!, skin.inverseBinds, 16 * joint);
    decomposeMat4(translation, 0, rotation, 0, scale, 0, matrix, 0);
    const axes = new Float64Array(9);
    for (let k = 0; k < 3; k++) rotateVec3(axes, 3 * k, rotation, 0, WORLD as number[], 3 * k);
    return axes;
  }
  return undefined;
}
