/**
 * Animations -> clips. Only what moves bones is kept: translation, rotation and scale of nodes. Morph weights
 * and KHR_animation_pointer channels are passed over.
 */
import type { Clip, Interpolation, Track, TrackPath } from '../../asset/asset.js';
import type { Warning } from '../../asset/errors.js';
import type { AccessorReader, Decoded } from './accessors.js';
import { fittingNodes, readBakedTag } from './bakedTag.js';
import { isReadPath, type GltfFile } from './gltfFile.js';
import { indexAt, objectAt, objectsAt, refuse, stringAt, type JsonObject } from './json.js';

const FLOAT = 5126;
const INTERPOLATIONS: Readonly<Record<string, Interpolation>> = {
  STEP: 'step',
  LINEAR: 'linear',
  CUBICSPLINE: 'cubic',
};

/** Reads the animations in file order. */
export function readClips(
  file: GltfFile,
  boneOfNode: Int32Array,
  read: AccessorReader,
  warnings: Warning[],
): Clip[] {
  return file.animations.map((animation, a) => {
    const place = `/animations/${a}`;
    const name = stringAt(animation, 'name', place) || `#${a}`;
    const samplers = objectsAt(animation, 'samplers', place);
    // Keyed by what is moved: of several channels for one property the last one counts, as in most engines.
    const tracks = new Map<string, Track>();
    objectsAt(animation, 'channels', place).forEach((channel, c) => {
      const track = readChannel(file, samplers, channel, place, c, boneOfNode, read);
      if (track === 'no keys')
        warnings.push({
          code: 'track-without-keys',
          message: `${place}/channels/${c}: its key times have no data; left out`,
          at: name,
        });
      if (!track || track === 'no keys') return;
      const key = `${track.bone} ${track.path}`;
      if (tracks.delete(key))
        warnings.push({
          code: 'duplicate-channel',
          message: `${place}/channels/${c}: the same property is animated twice; the last channel counts`,
          at: name,
        });
      tracks.set(key, track);
    });
    const list = [...tracks.values()];
    let duration = 0;
    for (const { times } of list) duration = Math.max(duration, times.at(-1)!);
    const bakedBones = readBakedBones(animation, list, boneOfNode);
    return { name, index: a, duration, tracks: list, bakedBones };
  });
}

function readChannel(
  file: GltfFile,
  samplers: readonly JsonObject[],
  channel: JsonObject,
  animation: string,
  c: number,
  boneOfNode: Int32Array,
  read: AccessorReader,
): Track | 'no keys' | undefined {
  const place = `${animation}/channels/${c}`;
  const target = objectAt(channel, 'target', place) ?? refuse(`${place}/target`, 'is missing');
  const path = stringAt(target, 'path', `${place}/target`);
  const node = indexAt(target, 'node', `${place}/target`, file.nodes.length);
  if (node < 0 || !isReadPath(path)) return undefined;
  const s = indexAt(channel, 'sampler', place, samplers.length);
  if (s < 0) return refuse(`${place}/sampler`, 'is missing');
  const sampler = readSampler(file, samplers[s]!, `${animation}/samplers/${s}`, path, read);
  if (!sampler) return 'no keys';
  return { bone: boneOfNode[node]!, path, ...sampler };
}

function readSampler(
  file: GltfFile,
  sampler: JsonObject,
  place: string,
  path: TrackPath,
  read: AccessorReader,
): Pick<Track, 'interpolation' | 'times' | 'values'> | undefined {
  const written = stringAt(sampler, 'interpolation', place) ?? 'LINEAR';
  const interpolation = Object.hasOwn(INTERPOLATIONS, written) ? INTERPOLATIONS[written] : undefined;
  if (!interpolation) return refuse(`${place}/interpolation`, 'expected STEP, LINEAR or CUBICSPLINE');
  const accessor = (key: string): Decoded => {
    const index = indexAt(sampler, key, place, file.accessors.length);
    return index < 0 ? refuse(`${place}/${key}`, 'is missing') : read(index);
  };
  const input = accessor('input');
  const output = accessor('output');
  if (input.width !== 1 || input.componentType !== FLOAT)
    refuse(`${place}/input`, 'expected SCALAR of floats');
  // An accessor may come without data and then is all zeros: legal, but no sequence of keys.
  if (input.empty && input.count > 1) return undefined;
  checkTimes(input.values, `${place}/input`);
  const width = path === 'rotation' ? 4 : 3;
  if (output.width !== width) refuse(`${place}/output`, `expected VEC${width} for a ${path}`);
  if (output.componentType !== FLOAT && !output.normalized)
    refuse(`${place}/output`, 'expected floats or normalised integers');
  const needed = input.count * (interpolation === 'cubic' ? 3 : 1);
  if (output.count !== needed)
    refuse(
      `${place}/output`,
      `${output.count} elements where ${needed} are expected for ${input.count} keys`,
    );
  if (!output.values.every(Number.isFinite)) refuse(`${place}/output`, 'holds a value that is not finite');
  return { interpolation, times: input.values, values: output.values };
}

function checkTimes(times: Float64Array, place: string): void {
  let last = -1;
  for (let i = 0; i < times.length; i++) {
    const time = times[i]!;
    if (!(time >= 0 && time < Infinity)) refuse(place, `key ${i} stands at ${time} s, expected 0 or more`);
    if (time <= last) refuse(place, `key ${i} at ${time} s does not come after the one at ${last} s`);
    last = time;
  }
}

function readBakedBones(animation: JsonObject, tracks: readonly Track[], boneOfNode: Int32Array): number[] {
  const nodes = fittingNodes(readBakedTag(animation), (node) => {
    const bone = boneOfNode[node];
    const track = tracks.find((one) => one.bone === bone && one.path === 'rotation');
    if (track?.interpolation !== 'linear') return undefined;
    return { node, times: Float32Array.from(track.times), values: Float32Array.from(track.values) };
  });
  return nodes.map((node) => boneOfNode[node]!);
}
