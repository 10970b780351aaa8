/**
 * Nodes -> skeleton: every node of the file is a bone, whether a skin names it or not. Matrices are decomposed
 * with src/math, since the numbers enter a world.
 */
import type { Skeleton } from '../../asset/asset.js';
import type { Warning } from '../../asset/errors.js';
import { decomposeMat4 } from '../../math/mat4.js';
import { normalizeQuat } from '../../math/quat.js';
import { asInteger, listAt, numbersAt, refuse, stringAt, type JsonObject } from './json.js';

/** A skeleton and the way from the file's node indices to its bones. */
export interface Nodes {
  skeleton: Skeleton;
  /** Bone of each node of the file. */
  boneOfNode: Int32Array;
}

/**
 * Reads all nodes. Bones keep the order of the file, but a parent that stands behind its child is moved
 * before it.
 *
 * @throws FollowthroughError `invalid-file` for a node with two parents or one that is its own ancestor
 */
export function readSkeleton(nodes: readonly JsonObject[], warnings: Warning[]): Nodes {
  const count = nodes.length;
  const parentNode = readParents(nodes);
  const order = parentsFirst(parentNode);
  const boneOfNode = new Int32Array(count);
  order.forEach((node, bone) => (boneOfNode[node] = bone));
  const skeleton: Skeleton = {
    count,
    names: [],
    parents: new Int32Array(count),
    nodes: order,
    translations: new Float64Array(count * 3),
    rotations: new Float64Array(count * 4),
    scales: new Float64Array(count * 3).fill(1),
  };
  for (let bone = 0; bone < count; bone++) {
    const node = order[bone]!;
    const above = parentNode[node]!;
    skeleton.parents[bone] = above < 0 ? -1 : boneOfNode[above]!;
    skeleton.names.push(stringAt(nodes[node]!, 'name', `/nodes/${node}`) || `node${node}`);
    readTransform(nodes[node]!, node, skeleton, bone, warnings);
  }
  return { skeleton, boneOfNode };
}

function readParents(nodes: readonly JsonObject[]): Int32Array {
  const parents = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, n) => {
    listAt(node, 'children', `/nodes/${n}`).forEach((value, c) => {
      const place = `/nodes/${n}/children/${c}`;
      const child = asInteger(value, place, 0, nodes.length - 1);
      if (parents[child]! >= 0)
        refuse(place, `node ${child} already hangs on node ${parents[child]}, expected one parent`);
      parents[child] = n;
    });
  });
  return parents;
}

function parentsFirst(parents: Int32Array): Int32Array {
  const count = parents.length;
  const order = new Int32Array(count);
  const state = new Uint8Array(count); // 1: on the way up, 2: placed
  const way: number[] = [];
  let placed = 0;
  for (let start = 0; start < count; start++) {
    for (let node = start; node >= 0 && state[node] !== 2; node = parents[node]!) {
      if (state[node] === 1) refuse(`/nodes/${node}`, 'is its own ancestor, expected a tree');
      state[node] = 1;
      way.push(node);
    }
    while (way.length > 0) {
      const node = way.pop()!;
      state[node] = 2;
      order[placed++] = node;
    }
  }
  return order;
}

function readTransform(
  json: JsonObject,
  node: number,
  skeleton: Skeleton,
  bone: number,
  warnings: Warning[],
): void {
  const place = `/nodes/${node}`;
  const { translations, rotations, scales } = skeleton;
  const matrix = numbersAt(json, 'matrix', place, 16);
  if (matrix) {
    decomposeMat4(translations, bone * 3, rotations, bone * 4, scales, bone * 3, matrix, 0);
    return;
  }
  const translation = numbersAt(json, 'translation', place, 3);
  if (translation) translations.set(translation, bone * 3);
  const scale = numbersAt(json, 'scale', place, 3);
  if (scale) scales.set(scale, bone * 3);
  const rotation = numbersAt(json, 'rotation', place, 4) ?? [0, 0, 0, 1];
  normalizeQuat(rotations, bone * 4, rotation, 0);
  if (rotation.every((value) => value === 0))
    warnings.push({
      code: 'zero-rotation',
      message: `${place}/rotation: 0, 0, 0, 0 is no rotation; read as none`,
      at: skeleton.names[bone]!,
    });
}
