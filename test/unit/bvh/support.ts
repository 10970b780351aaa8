/** What the tests of the BVH reader share: a small file, what was read in short, and what must hold for any text. */
import { expect } from 'vitest';
import { FollowthroughError } from '../../../src/asset/errors.js';
import type { Bvh } from '../../../src/io/bvh/bvh.js';
import { readBvh, type ReadBvhOptions } from '../../../src/io/bvh/readBvh.js';

/** Lines 1 to 6 of a file: one joint of two channels. */
export const ONE_JOINT = 'HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 0\n  CHANNELS 2 Xrotation Yrotation\n}\n';

/** MOTION as exporters write it; the frames begin three lines further on. */
export const motion = (frames: string, count: number | string = 2, time: number | string = 0.5): string =>
  `MOTION\nFrames: ${count}\nFrame Time: ${time}\n${frames}\n`;

/** What was read, in a form that fits a line of a table. */
export interface Reading {
  bvh: Bvh;
  names: string[];
  parents: number[];
  /** Per joint, `1 2 3`. */
  offsets: string[];
  /** Per joint: channels without a blank between them, `XpYpZpZrXrYr`. */
  channels: string[];
  /** The numbers of the frames, `1 2 | 3 4`. */
  rows: string;
  codes: string[];
}

/** Reads a text that must be readable. */
export function read(data: string | Uint8Array | ArrayBuffer, options: ReadBvhOptions = {}): Reading {
  const bvh = readBvh(data, options);
  wellFormed(bvh);
  const { joints, frames, frameCount, channelCount } = bvh;
  return {
    bvh,
    names: joints.map(({ name }) => name),
    parents: joints.map(({ parent }) => parent),
    offsets: joints.map(({ offset }) => offset.join(' ')),
    channels: joints.map(({ channels }) => channels.map((one) => one.slice(0, 2)).join('')),
    rows: Array.from({ length: frameCount }, (_, f) =>
      frames.subarray(f * channelCount, (f + 1) * channelCount).join(' '),
    ).join(' | '),
    codes: bvh.warnings.map(({ code }) => code),
  };
}

/** The message of the refusal, '' for a text that was read; anything but a FollowthroughError escapes. */
export function outcome(data: string | Uint8Array, options: ReadBvhOptions = {}): string {
  try {
    wellFormed(readBvh(data, { name: 'f.bvh', ...options }));
    return '';
  } catch (error) {
    if (!(error instanceof FollowthroughError)) throw error;
    expect(error.code).toBe('invalid-file');
    expect(error.message).toMatch(/^f\.bvh: line [1-9]\d*: expected [^\r\n]+$/);
    expect(error.message.length).toBeLessThanOrEqual(300);
    return error.message;
  }
}

/** What users of the data rely on without looking. No `expect` per number: this runs on a hundred thousand joints. */
function wellFormed({ joints, channelCount, frameCount, frameTime, frames, warnings }: Bvh): void {
  const problems: string[] = [];
  // Which joint each number of a frame belongs to.
  const owners: number[] = Array.from({ length: channelCount }, () => -1);
  joints.forEach(({ name, parent, offset, firstChannel, channels: own, ends }, j) => {
    if (!(parent >= -1 && parent < j)) problems.push(`${name}: parent ${parent} of joint ${j}`);
    for (const place of [offset, ...ends.map((end) => end.offset)])
      if (place.length !== 3 || !place.every(Number.isFinite)) problems.push(`${name}: OFFSET ${place}`);
    if (new Set(own).size !== own.length) problems.push(`${name}: a channel twice`);
    own.forEach((_, c) => {
      if (owners[firstChannel + c] !== -1) problems.push(`${name}: channel ${firstChannel + c}`);
      owners[firstChannel + c] = j;
    });
  });
  if (joints.length === 0) problems.push('no joint');
  if (new Set(joints.map(({ name }) => name)).size !== joints.length) problems.push('a name twice');
  if (owners.includes(-1)) problems.push('a number of nobody');
  if (frames.length !== frameCount * channelCount) problems.push(`${frames.length} numbers`);
  if (!frames.every(Number.isFinite)) problems.push('a number that is none');
  if (!(frameTime > 0 && frameTime < Infinity)) problems.push(`frame time ${frameTime}`);
  if (warnings.some(({ message }) => message === '' || /[\r\n]/.test(message))) problems.push('a warning');
  expect(problems.slice(0, 5)).toEqual([]);
}
