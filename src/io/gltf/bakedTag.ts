/**
 * The mark on an animation that says which rotation channels this library baked (`extras.followthrough.baked`),
 * with a hash of their keys: a channel that was edited since no longer fits it and is the artist's again.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { isObject, memberOf, type JsonObject } from './json.js';

/** Rotation keys of one node, as float32 like in the file. */
export interface RotationTrack {
  /** Index of the node in the file. */
  node: number;
  /** Key times in seconds, ascending. */
  times: Float32Array;
  /** Unit quaternions x, y, z, w, four per key. */
  values: Float32Array;
}

/** What the mark holds. */
export interface BakedTag {
  /** Nodes whose rotation channels were baked, ascending. */
  nodes: number[];
  /** First 16 hexadecimal digits of SHA-256 over the keys. */
  hash: string;
}

/**
 * Hash over nodes and keys: per track node and number of keys as uint32, times and values as float32, all
 * little-endian, in the given order.
 */
export function hashTracks(tracks: readonly RotationTrack[]): string {
  let size = 0;
  for (const { times, values } of tracks) size += 8 + (times.length + values.length) * 4;
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { node, times, values } of tracks) {
    view.setUint32(at, node, true);
    view.setUint32(at + 4, times.length, true);
    at += 8;
    for (const list of [times, values])
      for (let i = 0; i < list.length; i++, at += 4) view.setFloat32(at, list[i]!, true);
  }
  return Array.from(sha256(bytes).subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Reads the mark of an animation, undefined when it has none or a malformed one. */
export function readBakedTag(animation: JsonObject): BakedTag | undefined {
  const extras = memberOf(animation, 'extras');
  const ours = isObject(extras) ? memberOf(extras, 'followthrough') : undefined;
  const baked = isObject(ours) ? memberOf(ours, 'baked') : undefined;
  if (!isObject(baked)) return undefined;
  const { nodes, hash } = baked;
  if (typeof hash !== 'string' || !Array.isArray(nodes)) return undefined;
  return nodes.every((node) => Number.isInteger(node)) ? { nodes: nodes as number[], hash } : undefined;
}

/** Sets the mark; extras that are no object are somebody else's and stay, then the mark is left out. */
export function writeBakedTag(animation: JsonObject, tag: BakedTag): void {
  const extras = memberOf(animation, 'extras');
  if (extras !== undefined && !isObject(extras)) return;
  const ours = extras && memberOf(extras, 'followthrough');
  animation['extras'] = { ...extras, followthrough: { ...(isObject(ours) ? ours : undefined), baked: tag } };
}

/** The nodes of a mark if its hash fits the tracks that `trackOf` gives, else none. */
export function fittingNodes(
  tag: BakedTag | undefined,
  trackOf: (node: number) => RotationTrack | undefined,
): number[] {
  if (!tag) return [];
  const tracks = tag.nodes.map(trackOf).filter((track) => track !== undefined);
  return tracks.length === tag.nodes.length && hashTracks(tracks) === tag.hash ? tag.nodes : [];
}
