/** The MOTION of a BVH file: what its head announces and the numbers that are really there. */
import type { Warning } from '../../asset/errors.js';
import type { NumberReader } from './readNumbers.js';
import { readCount } from './readHierarchy.js';
import { lineAt, nextWord, refuseWord, type Words } from './words.js';

/** Frames of a file. */
export interface Motion {
  /** Number of whole frames. */
  frameCount: number;
  /** Seconds between frames. */
  frameTime: number;
  /** Numbers of all frames. */
  frames: Float64Array;
}

const frameCountHead = /\s*frames\s*:?\s*/iy;
const frameTimeHead = /\s*frame\s*time\s*:?\s*/iy;

/**
 * Reads MOTION to the end of the file. Frames count as they are there: a line may be broken anywhere.
 *
 * @param channelCount - numbers per frame
 * @param fps - frames per second that count instead of the file's
 * @throws FollowthroughError `invalid-file` with the line where something else was expected
 */
export function readMotion(
  words: Words,
  numbers: NumberReader,
  channelCount: number,
  fps: number | undefined,
  warnings: Warning[],
): Motion {
  const none = { frameCount: 0, frameTime: 1 / (fps ?? 30), frames: new Float64Array(0) };
  // A skeleton without MOTION is one of a bind pose.
  if (nextWord(words) === '') return none;
  let declared: number | undefined;
  let seconds: number | undefined;
  for (;;) {
    if (skip(words, frameCountHead)) declared = readCount(words, numbers, 'a whole number of frames from 0');
    else if (skip(words, frameTimeHead)) seconds = readFrameTime(words, numbers, fps);
    else break;
  }
  if (declared === undefined) refuseWord(words, nextWord(words), 'Frames: and a number');
  // Without frames it does not matter how far apart they are.
  const frameTime = fps === undefined ? (seconds ?? 0) : 1 / fps;
  if (declared > 0 && seconds === undefined && fps === undefined)
    refuseWord(words, nextWord(words), 'Frame Time: and seconds');
  if (declared > 0 && !(frameTime > 0))
    numbers.refuse('a frame time above 0 seconds (the option fps gives another)');
  const values = readValues(words, numbers, declared * channelCount, warnings);
  if (channelCount === 0 && declared > 0)
    warnings.push({
      code: 'no-channels',
      message: `${declared} frames of no channels are left out`,
      at: 'MOTION',
    });
  const frameCount = channelCount === 0 ? 0 : Math.floor(values.length / channelCount);
  if (values.length !== declared * channelCount) {
    const rest = values.length - frameCount * channelCount;
    const partial = rest === 0 ? '' : `; ${rest} numbers of one more, of ${channelCount}, are left out`;
    warnings.push({
      code: frameCount < declared ? 'truncated' : 'frame-count',
      message: `${declared} frames are announced and ${frameCount} are there${partial}`,
      at: 'MOTION',
    });
  }
  return {
    frameCount,
    frameTime: frameTime > 0 ? frameTime : none.frameTime,
    frames: values.slice(0, frameCount * channelCount),
  };
}

function skip(words: Words, head: RegExp): boolean {
  head.lastIndex = words.at;
  const found = head.exec(words.text);
  if (found !== null) words.at = head.lastIndex;
  return found !== null;
}

/** 0 where the file has none that makes sense: whether that matters is seen later. */
function readFrameTime(words: Words, numbers: NumberReader, fps: number | undefined): number {
  const seconds = numbers.tryNext();
  if (seconds === undefined) {
    if (fps === undefined) refuseWord(words, nextWord(words), 'a frame time above 0 seconds');
    nextWord(words);
    return 0;
  }
  numbers.end('one number of seconds');
  return seconds < Infinity ? seconds : 0;
}

/**
 * All numbers that follow. Memory grows with what is there, never with what is announced.
 *
 * @param expected - how many are announced: words behind them are left out, before them they refuse the file
 */
function readValues(
  words: Words,
  numbers: NumberReader,
  expected: number,
  warnings: Warning[],
): Float64Array {
  let values = new Float64Array(1024);
  let count = 0;
  for (;;) {
    const value = numbers.tryNext();
    if (value === undefined) break;
    if (!Number.isFinite(value)) numbers.refuse('a number that fits 64 bits');
    if (count === values.length) {
      const more = new Float64Array(2 * count);
      more.set(values);
      values = more;
    }
    values[count++] = value;
  }
  const word = nextWord(words);
  if (word !== '') {
    if (count < expected) refuseWord(words, word, 'a number');
    warnings.push({
      code: 'trailing-text',
      message: 'words behind the last frame are left out',
      at: `line ${lineAt(words, words.at)}`,
    });
  }
  return values.subarray(0, count);
}
