/**
 * One file with all clips baked, from one file per baked clip. A bake changes one animation, appends accessors with buffer
 * views and bytes, and leaves every other index where it was (docs/files.md): so what was appended is put one behind the
 * other, and numbers that point there are moved. The result says what a bake of all clips at once says; when the JSON
 * of the file is compact already, byte for byte.
 */
import { type Glb, type GltfJson, parseGlb, writeGlb } from './glb.js';

/** A baked clip. */
export interface BakedClip {
  /** Its index. */
  clip: number;
  /** The file with this clip baked. */
  bytes: Uint8Array;
}

/**
 * Merges baked clips of one file.
 *
 * @param original - the file that all of them were baked from
 * @param baked - in the order of the clips
 */
export function mergeClips(original: Uint8Array, baked: readonly BakedClip[]): Uint8Array {
  if (baked.length === 0) return original;
  const base = parseGlb(original);
  if (base.bin.length === 0) throw new Error('expected a file with its buffer inside');
  const merged: Glb = { json: structuredClone(base.json), bin: base.bin.slice() };
  for (const { clip, bytes } of baked) addClip(merged, base, clip, parseGlb(bytes));
  return writeGlb(merged);
}

function addClip(merged: Glb, base: Glb, clip: number, part: Glb): void {
  const { json } = merged;
  const count = (key: 'accessors' | 'bufferViews'): number => base.json[key]?.length ?? 0;
  const accessors = (json.accessors ??= []);
  const views = (json.bufferViews ??= []);
  const newAccessors = (part.json.accessors ?? []).slice(count('accessors'));
  const newViews = (part.json.bufferViews ?? []).slice(count('bufferViews'));
  const newBytes = Math.min(part.bin.length, ...newViews.map(({ byteOffset = 0 }) => byteOffset));
  const move = {
    accessors: accessors.length - count('accessors'),
    views: views.length - count('bufferViews'),
    bytes: merged.bin.length - newBytes,
  };
  for (const accessor of newAccessors)
    accessors.push({ ...accessor, bufferView: accessor.bufferView! + move.views });
  for (const view of newViews) views.push({ ...view, byteOffset: (view.byteOffset ?? 0) + move.bytes });

  const animation = structuredClone(part.json.animations![clip]!);
  const moved = (accessor: number): number =>
    accessor < count('accessors') ? accessor : accessor + move.accessors;
  for (const sampler of animation.samplers)
    Object.assign(sampler, { input: moved(sampler.input), output: moved(sampler.output) });
  json.animations![clip] = animation;

  // Keys of an earlier bake are overwritten where they stand; a matrix that is animated now is taken apart.
  for (const key of ['accessors', 'nodes'] as const) takeChanges(json, base.json, part.json, key);
  for (let i = 0; i < base.bin.length; i++) if (part.bin[i] !== base.bin[i]) merged.bin[i] = part.bin[i]!;
  merged.bin = joined(merged.bin, part.bin.subarray(newBytes));
  json.buffers![0]!.byteLength = merged.bin.length;
}

function takeChanges(into: GltfJson, base: GltfJson, part: GltfJson, key: 'accessors' | 'nodes'): void {
  base[key]?.forEach((before, i) => {
    const after = part[key]![i]!;
    if (JSON.stringify(after) !== JSON.stringify(before)) into[key]![i] = after;
  });
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
