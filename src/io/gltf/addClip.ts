/** Adding an animation to a file in a patch: what a retargeted clip is written with. */
import type { Clip, Skeleton, Track } from '../../asset/asset.js';
import { FollowthroughError } from '../../asset/errors.js';
import { memberOf, objectsAt } from './json.js';
import { appendAccessor, listOf, type GltfPatch } from './patch.js';
import { separateMatrix } from './rotationTracks.js';

const INTERPOLATIONS = { step: 'STEP', linear: 'LINEAR', cubic: 'CUBICSPLINE' } as const;

/**
 * Appends a clip as a new animation, in float32. Nothing that was there changes, but for nodes with a matrix, which get
 * the translation, rotation and scale of it, as animated nodes must.
 *
 * @param skeleton - of the same file: says which node a bone is
 * @param clip - tracks with at least one key; times from 0 on
 * @returns index of the animation
 * @throws FollowthroughError `invalid-argument` for a name that the file has already, times before 0 or out of order, and
 * a clip without tracks
 *
 * @example
 * const patch = await openPatch(bytes);
 * addClip(patch, fox.skeleton, retargetClip(calibration, motion, 0));
 * await writeFile('fox-walks.glb', writePatch(patch));
 */
export function addClip(patch: GltfPatch, skeleton: Skeleton, clip: Clip): number {
  const animations = objectsAt(patch.json, 'animations', '');
  if (animations.some((animation) => memberOf(animation, 'name') === clip.name))
    throw new FollowthroughError(
      'invalid-argument',
      `clip '${clip.name}': the file has one of that name already`,
    );
  if (clip.tracks.length === 0)
    throw new FollowthroughError('invalid-argument', `clip '${clip.name}': moves no bone`);
  for (const track of clip.tracks) checkTrack(track, clip.name, skeleton);
  const nodes = objectsAt(patch.json, 'nodes', '');
  const inputs = new Map<string, number>();
  const samplers = clip.tracks.map(({ times, values, interpolation, path }) => {
    const key = times.join();
    const input = inputs.get(key) ?? appendAccessor(patch, Float32Array.from(times), 'SCALAR', true);
    inputs.set(key, input);
    const output = appendAccessor(patch, Float32Array.from(values), path === 'rotation' ? 'VEC4' : 'VEC3');
    return { input, interpolation: INTERPOLATIONS[interpolation], output };
  });
  const channels = clip.tracks.map(({ bone, path }, sampler) => {
    const node = skeleton.nodes[bone]!;
    separateMatrix(nodes[node]!, `/nodes/${node}`);
    return { sampler, target: { node, path } };
  });
  listOf(patch.json, 'animations', '').push({ name: clip.name, samplers, channels });
  return animations.length;
}

function checkTrack({ bone, times }: Track, clip: string, { names }: Skeleton): void {
  const fail = (problem: string): never => {
    throw new FollowthroughError(
      'invalid-argument',
      `clip '${clip}', ${names[bone] ?? `bone ${bone}`}: ${problem}`,
    );
  };
  if (names[bone] === undefined) fail('there is no such bone');
  if (times.length === 0) fail('a track has no key');
  let before = -1;
  for (const time of Float32Array.from(times)) {
    if (!(time >= 0 && time < Infinity)) fail(`a key at ${time} s, expected times from 0 on`);
    if (!(time > before)) fail(`a key at ${time} s follows one at ${before} s (as float32)`);
    before = time;
  }
}
