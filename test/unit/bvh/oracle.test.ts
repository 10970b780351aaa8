/**
 * Second opinion on real files: three's BVHLoader reads the same texts. Names, parents, offsets and tips must be the
 * same, and the world transforms of every joint that a naive walk makes of our numbers those that three shows.
 * three adds position channels to OFFSET, keeps the frames that are announced and no others, and ends a name at the
 * first blank; its tracks are of 32 bits.
 */
import { readFileSync } from 'node:fs';
import { Vector3, type Bone } from 'three';
import { BVHLoader, type BVH } from 'three/addons/loaders/BVHLoader.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { channelAxis, isRotation, type Bvh } from '../../../src/io/bvh/bvh.js';
import { shared, sharedNames } from '../../support/shared.js';
import { read } from './support.js';

/** Of the skeleton's size; rotations are of size 1. */
const CLOSE = 1e-4;

/** Frames that are there and not announced: three leaves them out. */
const UNANNOUNCED: { [file: string]: number } = { 'bvh/assimp_Boxing_Toes.bvh': 1 };

const files: string[] = ['bvh', 'derived'].flatMap((folder) =>
  sharedNames(folder, '.bvh').map((name) => `${folder}/${name}`),
);

const textOf = (file: string): string => readFileSync(`${shared}/${file}`, 'utf8');

const isEnd = (bone: Bone): boolean => bone.name === 'ENDSITE';
/** The joints of three, in its order, which is that of the file. */
const bonesOf = ({ skeleton }: BVH): Bone[] => skeleton.bones.filter((bone) => !isEnd(bone));
const tipsOf = (bone: Bone): Bone[] => (bone.children as Bone[]).filter(isEnd);

/** Rotation about one axis by degrees, written out: nothing of three in it. Rows, then columns. */
function turn(axis: number, degrees: number): number[][] {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
  const rows = [0, 1, 2].map((i) => [0, 1, 2].map((j) => (i !== j ? 0 : i === axis ? 1 : c)));
  rows[a]![b] = -s;
  rows[b]![a] = s;
  return rows;
}

const times = (a: number[][], b: number[][]): number[][] =>
  a.map((row) => [0, 1, 2].map((j) => row[0]! * b[0]![j]! + row[1]! * b[1]![j]! + row[2]! * b[2]![j]!));
const move = (at: World, by: readonly number[]): number[] =>
  at.rotation.map((row, i) => at.place[i]! + row[0]! * by[0]! + row[1]! * by[1]! + row[2]! * by[2]!);

const gap = (place: number[], { matrixWorld }: Bone): number =>
  new Vector3(...place).distanceTo(new Vector3().setFromMatrixPosition(matrixWorld));

interface World {
  rotation: number[][];
  place: number[];
}

/** World transform of every joint: channels from left to right, positions added to OFFSET. */
function worldsOf({ joints, frames, channelCount }: Bvh, frame: number): World[] {
  const worlds: World[] = [];
  for (const { parent, offset, channels, firstChannel } of joints) {
    const by: number[] = [...offset];
    let rotation = turn(0, 0);
    channels.forEach((channel, c) => {
      const value = frames[frame * channelCount + firstChannel + c]!;
      if (isRotation(channel)) rotation = times(rotation, turn(channelAxis(channel), value));
      else by[channelAxis(channel)]! += value;
    });
    const above = worlds[parent] ?? { rotation: turn(0, 0), place: [0, 0, 0] };
    worlds.push({ rotation: times(above.rotation, rotation), place: move(above, by) });
  }
  return worlds;
}

/** Poses three's bones as its clip has them at a frame: two tracks per joint, in the order of the joints. */
function pose(theirs: BVH, frame: number): void {
  bonesOf(theirs).forEach((bone, j) => {
    const [positions, rotations] = [theirs.clip.tracks[2 * j]!, theirs.clip.tracks[2 * j + 1]!];
    expect([positions.name, rotations.name]).toEqual([`${bone.name}.position`, `${bone.name}.quaternion`]);
    bone.position.fromArray(positions.values, 3 * frame);
    bone.quaternion.fromArray(rotations.values, 4 * frame);
  });
  theirs.skeleton.bones[0]!.updateMatrixWorld(true);
}

/** Longest way from a root to a joint or tip with all rotations left out. */
function sizeOf({ joints }: Bvh): number {
  const reach: number[] = [];
  let size = 0;
  for (const { parent, offset, ends } of joints) {
    const at = parent < 0 ? 0 : reach[parent]! + Math.hypot(...offset);
    reach.push(at);
    size = Math.max(size, at, ...ends.map((end) => at + Math.hypot(...end.offset)));
  }
  return size;
}

describe.skipIf(!shared)('three reads the same', () => {
  // What three complains of it has not understood.
  beforeEach(() => {
    for (const kind of ['error', 'warn'] as const)
      vi.spyOn(console, kind).mockImplementation((...words) => {
        throw new Error(words.join(' '));
      });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('all files are there', () => {
    expect(files.length).toBeGreaterThanOrEqual(22);
  });

  test.each(files)('%s', (file) => {
    const text = textOf(file);
    const { bvh, names, parents, offsets } = read(text);
    const theirs = new BVHLoader().parse(text);
    const bones = bonesOf(theirs);
    expect(names.map((name) => name.split(' ')[0])).toEqual(bones.map(({ name }) => name));
    expect(parents).toEqual(bones.map(({ parent }) => bones.indexOf(parent as Bone)));
    // As text, where 0 and -0 are the same.
    const plain = (bone: Bone): string => bone.position.toArray().join(' ');
    expect(offsets).toEqual(bones.map(plain));
    const tips = bvh.joints.map(({ ends }) => ends.map(({ offset }) => offset.join(' ')));
    expect(tips).toEqual(bones.map((bone) => tipsOf(bone).map(plain)));

    const { times: moments } = theirs.clip.tracks[0]!;
    expect(moments.length).toBe(bvh.frameCount - (UNANNOUNCED[file] ?? 0));
    if (moments.length > 1) expect(moments[1]).toBe(Math.fround(bvh.frameTime));

    const size = sizeOf(bvh);
    expect(size).toBeGreaterThan(0);
    const last = moments.length - 1;
    for (const frame of new Set([0, 1, 0.2, 0.4, 0.6, 0.8].map((part) => Math.floor(part * last)))) {
      pose(theirs, frame);
      let [far, turned] = [0, 0];
      worldsOf(bvh, frame).forEach((world, j) => {
        const bone = bones[j]!;
        const e = bone.matrixWorld.elements;
        far = Math.max(far, gap(world.place, bone));
        tipsOf(bone).forEach((tip, t) => {
          far = Math.max(far, gap(move(world, bvh.joints[j]!.ends[t]!.offset), tip));
        });
        world.rotation.forEach((row, i) =>
          row.forEach((value, k) => (turned = Math.max(turned, Math.abs(value - e[4 * k + i]!)))),
        );
      });
      expect(far / size, `places in frame ${frame}`).toBeLessThan(CLOSE);
      expect(turned, `rotations in frame ${frame}`).toBeLessThan(CLOSE);
    }
  });

  test.each(files)('%s: every number of every frame, as a plain split gives it', (file) => {
    const [, head, rest] = /^([^]*?Frame Time:\s*\S+)([^]*)$/.exec(textOf(file))!;
    const { bvh, codes } = read(head + rest!);
    expect(bvh.frames).toEqual(Float64Array.from(rest!.trim().split(/\s+/), Number));
    expect(bvh.frameTime).toBe(Number(head!.split(/\s+/).at(-1)));
    expect(codes).toEqual(file in UNANNOUNCED ? ['frame-count'] : []);
  });
});
