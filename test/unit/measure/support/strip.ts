/**
 * A strip of quads along -z: hips, then a tail of straight links, weights fully on one bone per ring, or shared half
 * and half at the rings that lie on a joint. Stretch under a moved or turned bone is then a matter of school maths.
 */
import type { Asset, ChainDefinition, Clip, Track } from '../../../../src/index.js';
import { assetOf } from '../../../support/chains.js';
import { identity, type Q4, type V3 } from '../../../support/referenceMath.js';

export interface Strip {
  asset: Asset;
  tail: ChainDefinition;
  /** Bones: hips, Tail_1, Tail_2. */
  bones: { hips: number; first: number; second: number };
}

export interface StripOptions {
  /** Factor on mesh coordinates (undone by the inverse bind matrices): skin space in other units. */
  meshUnits?: number;
  /** Scale of the armature node. */
  armature?: number;
  /** Weights of the ring at the joint between Tail_1 and Tail_2. */
  jointWeights?: [number, number];
  /** Splits every vertex as an exporter does at a seam. */
  seams?: boolean;
  clips?: Clip[];
}

/**
 * Rings stand at z = +1, 0.5 (hips), -0.5 (Tail_1), -1 (joint) and -1.5 (Tail_2); the strip is 0.2 wide. Hips at the
 * origin, Tail_1 at the origin too far for a collar: its head is z = 0, Tail_2's is z = -1, the tip is z = -2.
 */
export function makeStrip(options: StripOptions = {}): Strip {
  const { meshUnits = 1, armature = 1, jointWeights = [0.5, 0.5], seams = false } = options;
  const names = ['Root', 'Armature', 'Hips', 'Tail_1', 'Tail_2', 'Tail_End'];
  const parents = [-1, 0, 1, 2, 3, 4];
  const heads: V3[] = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, -1],
    [0, 0, -2],
  ];
  const rotations: Q4[] = names.map(() => identity);
  const asset = assetOf(names, parents, heads, rotations, armature);
  const skin = asset.skins[0]!;
  // inverse bind x (1 / meshUnits): mesh coordinates are meshUnits times larger.
  for (let j = 0; j < names.length; j++)
    for (let k = 0; k < 12; k++) skin.inverseBinds[16 * j + k]! /= meshUnits;

  const rings: { z: number; weights: [bone: number, weight: number][] }[] = [
    { z: 1, weights: [[2, 1]] },
    { z: 0.5, weights: [[2, 1]] },
    { z: -0.5, weights: [[3, 1]] },
    {
      z: -1,
      weights: [
        [3, jointWeights[0]],
        [4, jointWeights[1]],
      ],
    },
    { z: -1.5, weights: [[4, 1]] },
  ];
  const corner = (ring: number, side: number): number => 2 * ring + side;
  const faces: number[] = [];
  for (let r = 0; r + 1 < rings.length; r++)
    faces.push(
      corner(r, 0),
      corner(r, 1),
      corner(r + 1, 0),
      corner(r, 1),
      corner(r + 1, 1),
      corner(r + 1, 0),
    );
  // With seams every triangle has vertices of its own.
  const order = seams ? faces : rings.flatMap((_, r) => [corner(r, 0), corner(r, 1)]);
  const indices = seams ? faces.map((_, i) => i) : faces;
  asset.meshes = [
    {
      name: 'strip0',
      mesh: 0,
      primitive: 0,
      material: '',
      bone: 0,
      skin: 0,
      positions: Float64Array.from(
        order.flatMap((v) => [v % 2 === 0 ? -0.1 : 0.1, 0, rings[v >> 1]!.z].map((x) => x * meshUnits)),
      ),
      indices: Uint32Array.from(indices),
      influences: 4,
      joints: Uint16Array.from(order.flatMap((v) => four(rings[v >> 1]!.weights.map(([bone]) => bone)))),
      weights: Float64Array.from(
        order.flatMap((v) => four(rings[v >> 1]!.weights.map(([, weight]) => weight))),
      ),
    },
  ];
  asset.clips = options.clips ?? [];
  const tail: ChainDefinition = { name: 'Tail_1', attachment: 2, bones: [3, 4], end: 5, origin: 'artist' };
  return { asset, tail, bones: { hips: 2, first: 3, second: 4 } };
}

function four(values: number[]): number[] {
  return [...values, 0, 0, 0, 0].slice(0, 4);
}

/** A clip with one linear track from one value to another in a second. */
export function moveClip(bone: number, path: Track['path'], from: number[], to: number[]): Clip {
  const track: Track = {
    bone,
    path,
    interpolation: 'linear',
    times: Float64Array.of(0, 1),
    values: Float64Array.from([...from, ...to]),
  };
  return { name: 'Move', index: 0, duration: 1, tracks: [track], bakedBones: [] };
}
