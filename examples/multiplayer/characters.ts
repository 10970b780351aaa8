/**
 * The character of the example: a small body with a tail of eight links and four strands of hair of six, made here so that
 * server and clients have the very same without a file. Its bones are named as the rig pass names them, so that
 * `addChains` finds the chains. No mesh: a server needs none.
 */
import type { Asset, Clip, Skeleton, Track } from 'followthrough';
import { axisAngle, IDENTITY, X, Y, Z, type Quat, type Vec3 } from '../characters/linear.js';

/** Clips by their place in the asset. */
export const clipIndex = { idle: 0, walk: 1 } as const;

/** Makes the character; equal bits in every process, since no engine's `Math.sin` is in it. */
export function makeCharacter(): Asset {
  return {
    name: 'walker',
    skeleton: skeletonOf(joints()),
    skins: [],
    meshes: [],
    clips: [bobbing('Idle', clipIndex.idle, 3, 0.01, 3), bobbing('Walk', clipIndex.walk, 0.8, 0.035, 8)],
    warnings: [],
  };
}

interface Joint {
  name: string;
  /** Index of the parent, -1 at the top. */
  parent: number;
  /** Place in the frame of the parent, metres. */
  offset: Vec3;
}

/** Parents first; all stand unturned and face +Z. */
function joints(): Joint[] {
  const all: Joint[] = [
    { name: 'Hips', parent: -1, offset: [0, 0.95, 0] },
    { name: 'Spine', parent: 0, offset: [0, 0.25, 0] },
    { name: 'Head', parent: 1, offset: [0, 0.4, 0] },
  ];
  const addChain = (word: string, links: number, parent: number, from: Vec3, link: Vec3): void => {
    for (let i = 0; i <= links; i++)
      all.push({
        name: `${word}_${i < links ? i + 1 : 'End'}`,
        parent: i === 0 ? parent : all.length - 1,
        offset: i === 0 ? from : link,
      });
  };
  addChain('Tail', 8, 0, [0, 0, -0.125], [0, -0.0625, -0.03125]);
  for (const [i, x] of [-0.09375, -0.03125, 0.03125, 0.09375].entries())
    addChain(`Hair${i === 0 ? '' : i + 1}`, 6, 2, [x, 0.125, -0.0625], [0, -0.0625, -0.0078125]);
  return all;
}

function skeletonOf(list: readonly Joint[]): Skeleton {
  return {
    count: list.length,
    names: list.map(({ name }) => name),
    parents: Int32Array.from(list, ({ parent }) => parent),
    nodes: Int32Array.from(list, (_, i) => i),
    translations: Float64Array.from(list.flatMap(({ offset }) => [...offset])),
    rotations: Float64Array.from(list.flatMap(() => [...IDENTITY])),
    scales: new Float64Array(3 * list.length).fill(1),
  };
}

const keysPerSecond = 30;

/** Hips that bob and roll, a spine that holds against it, a head that nods. */
function bobbing(name: string, index: number, seconds: number, bob: number, degrees: number): Clip {
  const keys = Math.round(seconds * keysPerSecond);
  const times = Float64Array.from({ length: keys + 1 }, (_, key) => key / keysPerSecond);
  const track = (bone: number, path: Track['path'], value: (phaseDeg: number) => Vec3 | Quat): Track => ({
    bone,
    path,
    interpolation: 'linear',
    times,
    // The last key is the first again.
    values: Float64Array.from([...times.keys()].flatMap((key) => [...value((360 * (key % keys)) / keys)])),
  });
  return {
    name,
    index,
    duration: times[keys]!,
    tracks: [
      track(0, 'translation', (phase) => [0, 0.95 + bob * sine(2 * phase), 0]),
      track(0, 'rotation', (phase) => axisAngle(Z, degrees * sine(phase))),
      track(1, 'rotation', (phase) => axisAngle(Y, -degrees * sine(phase))),
      track(2, 'rotation', (phase) => axisAngle(X, (degrees / 2) * sine(2 * phase))),
    ],
    bakedBones: [],
  };
}

const sine = (degrees: number): number => axisAngle(X, 2 * degrees)[0];
