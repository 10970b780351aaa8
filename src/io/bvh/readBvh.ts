/** `readBvh`: the text of a BVH file in, {@link Bvh} out. What is tolerated, and what is said of it: docs/bvh.md. */
import { FollowthroughError, type Warning } from '../../asset/errors.js';
import { asBytes } from '../gltf/load.js';
import type { Bvh, BvhJoint } from './bvh.js';
import { createNotes } from './notes.js';
import { readHierarchy } from './readHierarchy.js';
import { readMotion } from './readMotion.js';
import { numberReader } from './readNumbers.js';
import { openWords } from './words.js';

/** How to read a file. */
export interface ReadBvhOptions {
  /** Name for messages. Default `bvh`. */
  name?: string;
  /** Frames per second that count instead of the file's frame time; needed where that is 0. */
  fps?: number;
}

/**
 * Reads a BVH file: its joints and the numbers of its frames as they stand there. Lines may be broken anywhere, names
 * may hold blanks and colons, roots may be several, orders of rotation may differ per joint.
 *
 * @param data - text, or bytes in UTF-8 (or UTF-16 with its mark)
 * @returns the file; what was repaired or guessed stands in `warnings`
 * @throws FollowthroughError `invalid-file` with name and line; `invalid-argument` for options out of range
 *
 * @example
 * const walk = readBvh(await readFile('walk.bvh'), { name: 'walk.bvh' });
 * console.log(walk.joints.map((joint) => joint.name), walk.frameCount * walk.frameTime, 'seconds');
 */
export function readBvh(data: string | Uint8Array | ArrayBuffer, options: ReadBvhOptions = {}): Bvh {
  const { name = 'bvh', fps } = options;
  if (fps !== undefined && !(fps > 0 && fps < Infinity && 1 / fps < Infinity))
    throw new FollowthroughError('invalid-argument', 'fps: expected a number above 0');
  const warnings: Warning[] = [];
  const words = openWords(typeof data === 'string' ? data : decode(asBytes(data)), name);
  const notes = createNotes(words);
  const numbers = numberReader(words, notes);
  const { joints, channelCount } = readHierarchy(words, numbers, notes);
  const motion = readMotion(words, numbers, channelCount, fps, warnings);
  warnings.push(...notes.report());
  uniqueNames(joints, warnings);
  return { name, joints, channelCount, ...motion, warnings };
}

function decode(bytes: Uint8Array): string {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(wide).decode(bytes);
}

/** Names are what tracks, maps and files of other programs know a joint by. */
function uniqueNames(joints: BvhJoint[], warnings: Warning[]): void {
  const taken = new Set(joints.map(({ name }) => name));
  const counts = new Map<string, number>();
  for (const joint of joints) {
    const { name } = joint;
    let count = counts.get(name);
    if (count === undefined) {
      counts.set(name, 1);
      continue;
    }
    do count++;
    while (taken.has(`${name}#${count}`));
    counts.set(name, count);
    joint.name = `${name}#${count}`;
    taken.add(joint.name);
    warnings.push({
      code: 'duplicate-name',
      message: `a second joint ${name} is called ${joint.name}`,
      at: name,
    });
  }
}
