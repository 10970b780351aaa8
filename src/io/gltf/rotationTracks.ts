/**
 * Setting rotation channels of an animation in a patch: what a bake writes. Keys that are already there leave
 * the file as it is; keys of an earlier bake are overwritten in place where they fit and nobody shares them;
 * else new accessors are appended (old ones stay, unreferenced, since no index may move).
 */
import { FollowthroughError } from '../../asset/errors.js';
import { decomposeMat4 } from '../../math/mat4.js';
import { fittingNodes, hashTracks, readBakedTag, writeBakedTag, type RotationTrack } from './bakedTag.js';
import { indexAt, memberOf, numbersAt, objectAt, objectsAt, type JsonObject } from './json.js';
import { countReferences, type References } from './references.js';
import {
  appendAccessor,
  boundsOf,
  bytesOf,
  itemOf,
  listOf,
  overwriteView,
  viewBytes,
  type GltfPatch,
  type PatchType,
} from './patch.js';

/** What became of the tracks. */
export interface SetTracksResult {
  /** Tracks whose keys were there already. */
  unchanged: number;
  /** Accessors whose bytes were overwritten in place. */
  overwritten: number;
  /** Accessors appended to the file. */
  appended: number;
}

/**
 * Replaces or adds the rotation channels of the given nodes in one animation, with linear interpolation, and
 * marks them as baked. Other channels, samplers and accessors are not touched, nor is the order of anything.
 *
 * @param animation - index of the animation in the file
 * @param tracks - one per node; times in seconds, strictly ascending from 0 or later, unit quaternions
 * @throws FollowthroughError `invalid-argument` when an index or the keys are out of order
 */
export function setRotationTracks(
  patch: GltfPatch,
  animation: number,
  tracks: readonly RotationTrack[],
): SetTracksResult {
  const json = objectsAt(patch.json, 'animations', '')[animation];
  if (!json)
    throw new FollowthroughError('invalid-argument', `animation: the file has no index ${animation}`);
  const nodes = objectsAt(patch.json, 'nodes', '');
  for (const track of tracks) checkTrack(track, nodes.length);
  const target: Target = {
    patch,
    json,
    place: `/animations/${animation}`,
    inputs: new Map(),
    references: undefined,
  };
  const stored = (node: number): RotationTrack | undefined => storedTrack(target, node);
  const baked = new Set(fittingNodes(readBakedTag(json), stored));
  const result: SetTracksResult = { unchanged: 0, overwritten: 0, appended: 0 };
  for (const track of tracks) {
    const old = stored(track.node);
    if (old && sameKeys(old.times, track.times) && sameKeys(old.values, track.values)) result.unchanged++;
    else {
      setTrack(target, track, baked.has(track.node), result);
      separateMatrix(nodes[track.node]!, `/nodes/${track.node}`);
    }
  }
  if (result.unchanged < tracks.length) {
    for (const { node } of tracks) baked.add(node);
    const all = [...baked].toSorted((a, b) => a - b);
    writeBakedTag(json, { nodes: all, hash: hashTracks(all.map((node) => stored(node)!)) });
  }
  return result;
}

interface Target {
  patch: GltfPatch;
  json: JsonObject;
  place: string;
  /** Accessors with key times that were appended by this call, for tracks with the same times. */
  inputs: Map<string, number>;
  /** Counted when the first accessor might be overwritten. */
  references: References | undefined;
}

function checkTrack({ node, times, values }: RotationTrack, nodes: number): void {
  const fail = (problem: string): never => {
    throw new FollowthroughError('invalid-argument', `track of node ${node}: ${problem}`);
  };
  if (!Number.isInteger(node) || node < 0 || node >= nodes) fail('no such node in the file');
  if (times.length === 0 || values.length !== times.length * 4)
    fail(`${values.length} values where four are expected for each of ${times.length} keys`);
  for (let i = 0; i < times.length; i++)
    if (!(times[i]! > (i > 0 ? times[i - 1]! : -1) && times[i]! >= 0 && times[i]! < Infinity))
      fail(`key ${i} at ${times[i]} s is not after the one before`);
  if (!values.every(Number.isFinite)) fail('holds a value that is not finite');
}

function sameKeys(a: Float32Array, b: Float32Array): boolean {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

/** The channel that turns a node, the last one if there are several (as when loading). */
function rotationChannel({ json, place }: Target, node: number): JsonObject | undefined {
  return objectsAt(json, 'channels', place).findLast((channel) => {
    const target = objectAt(channel, 'target', place);
    return target?.['node'] === node && target['path'] === 'rotation';
  });
}

/** The linear float32 keys of a node, undefined when its channel is of another kind or cannot be read here. */
function storedTrack(target: Target, node: number): RotationTrack | undefined {
  const { patch, json, place } = target;
  const channel = rotationChannel(target, node);
  const sampler = channel && objectsAt(json, 'samplers', place)[channel['sampler'] as number];
  if (!sampler || (sampler['interpolation'] ?? 'LINEAR') !== 'LINEAR') return undefined;
  const times = storedFloats(patch, sampler['input'], 'SCALAR', 1);
  const values = storedFloats(patch, sampler['output'], 'VEC4', 4);
  return times && values ? { node, times, values } : undefined;
}

/** The view behind a plain accessor: floats, tightly packed, from the start of the view, nothing sparse. */
function plainView(patch: GltfPatch, accessor: unknown, type: PatchType): JsonObject | undefined {
  const found = itemOf(patch, 'accessors', accessor);
  if (!found || found['type'] !== type || found['componentType'] !== 5126) return undefined;
  if (found['sparse'] !== undefined || found['bufferView'] === undefined) return undefined;
  return itemOf(patch, 'bufferViews', found['bufferView']);
}

function storedFloats(
  patch: GltfPatch,
  accessor: unknown,
  type: PatchType,
  width: number,
): Float32Array | undefined {
  const view = plainView(patch, accessor, type);
  if (!view || (view['byteStride'] ?? width * 4) !== width * 4) return undefined;
  const json = itemOf(patch, 'accessors', accessor)!;
  const place = viewBytes(patch, json['bufferView'] as number);
  const offset = (json['byteOffset'] ?? 0) as number;
  const count = (json['count'] as number) * width;
  if (!place || !(offset + count * 4 <= place.bytes.length)) return undefined;
  const bytes = new DataView(place.bytes.buffer, place.bytes.byteOffset, place.bytes.byteLength);
  const floats = new Float32Array(count);
  for (let i = 0; i < count; i++) floats[i] = bytes.getFloat32(offset + i * 4, true);
  return floats;
}

function setTrack(target: Target, track: RotationTrack, ours: boolean, result: SetTracksResult): void {
  const { patch, json, place } = target;
  const samplers = listOf(json, 'samplers', place);
  const channel = rotationChannel(target, track.node);
  const index = channel ? indexAt(channel, 'sampler', place, samplers.length) : -1;
  const old = samplers[index];
  const alone = old !== undefined && countUses(json, place, index) === 1;
  const reuse = ours && alone;
  const input = storeTimes(target, reuse ? old['input'] : undefined, track.times, result);
  const output =
    reuse && overwrite(target, old['output'], track.values, 'VEC4', result)
      ? (old['output'] as number)
      : append(patch, track.values, 'VEC4', result);
  if (alone) {
    old['input'] = input;
    old['output'] = output;
    if (memberOf(old, 'interpolation') !== undefined) old['interpolation'] = 'LINEAR';
    return;
  }
  samplers.push({ input, output, interpolation: 'LINEAR' });
  if (channel) channel['sampler'] = samplers.length - 1;
  else
    listOf(json, 'channels', place).push({
      sampler: samplers.length - 1,
      target: { node: track.node, path: 'rotation' },
    });
}

function countUses(json: JsonObject, place: string, sampler: number): number {
  return objectsAt(json, 'channels', place).filter((channel) => channel['sampler'] === sampler).length;
}

/** Times are shared by all tracks that have the same, so they are kept or appended, overwritten only when alone. */
function storeTimes(target: Target, old: unknown, times: Float32Array, result: SetTracksResult): number {
  const { patch, inputs } = target;
  const stored = old === undefined ? undefined : storedFloats(patch, old, 'SCALAR', 1);
  if (stored && sameKeys(stored, times)) return old as number;
  const key = times.join();
  const known = inputs.get(key);
  if (known !== undefined) return known;
  const kept = old !== undefined && overwrite(target, old, times, 'SCALAR', result);
  const accessor = kept ? (old as number) : append(patch, times, 'SCALAR', result);
  inputs.set(key, accessor);
  return accessor;
}

function append(patch: GltfPatch, data: Float32Array, type: PatchType, result: SetTracksResult): number {
  result.appended++;
  return appendAccessor(patch, data, type, type === 'SCALAR');
}

/** Overwrites an accessor if it and its view are used once, are plain, and long enough. */
function overwrite(
  target: Target,
  accessor: unknown,
  data: Float32Array,
  type: PatchType,
  result: SetTracksResult,
): boolean {
  const { patch } = target;
  const view = plainView(patch, accessor, type);
  const json = itemOf(patch, 'accessors', accessor);
  if (!view || !json || (json['byteOffset'] ?? 0) !== 0 || view['byteStride'] !== undefined) return false;
  const index = json['bufferView'] as number;
  const place = viewBytes(patch, index);
  if (!place?.writable || data.byteLength > place.bytes.length) return false;
  target.references ??= countReferences(patch.json);
  const { accessors, bufferViews } = target.references;
  if (accessors.get(accessor as number) !== 1 || bufferViews.get(index) !== 1) return false;
  overwriteView(patch, index, bytesOf(data));
  json['count'] = type === 'SCALAR' ? data.length : data.length / 4;
  if (type === 'SCALAR' || json['min'] !== undefined || json['max'] !== undefined)
    Object.assign(json, boundsOf(data, type === 'SCALAR' ? 1 : 4));
  result.overwritten++;
  return true;
}

/** An animated node must not have a matrix; its parts give the same transform. */
export function separateMatrix(node: JsonObject, place: string): void {
  const matrix = numbersAt(node, 'matrix', place, 16);
  if (!matrix) return;
  const translation = [0, 0, 0];
  const rotation = [0, 0, 0, 1];
  const scale = [1, 1, 1];
  decomposeMat4(translation, 0, rotation, 0, scale, 0, matrix, 0);
  delete node['matrix'];
  Object.assign(node, { translation, rotation, scale });
}
