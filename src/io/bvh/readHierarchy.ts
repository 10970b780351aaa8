/**
 * The HIERARCHY of a BVH file: roots and joints, however the lines are broken. Blocks are walked with a stack of our own,
 * so that no depth of nesting can end the program.
 */
import { channelNames, type BvhChannel, type BvhEnd, type BvhJoint } from './bvh.js';
import type { Notes } from './notes.js';
import type { NumberReader } from './readNumbers.js';
import { nextWord, peekWord, refuseWord, restOfLine, type Words } from './words.js';

/** The skeleton of a file. */
export interface Hierarchy {
  /** Depth first. */
  joints: BvhJoint[];
  /** Numbers per frame. */
  channelCount: number;
}

/** A block that is open: a joint, or an End Site of one. */
interface Block {
  joint: number;
  end: BvhEnd | undefined;
}

/**
 * Reads up to MOTION, which stays to be read, or to the end of the file.
 *
 * @throws FollowthroughError `invalid-file` with the line where something else was expected
 */
export function readHierarchy(words: Words, numbers: NumberReader, notes: Notes): Hierarchy {
  const joints: BvhJoint[] = [];
  const open: Block[] = [];
  let channelCount = 0;
  if (peekWord(words).toUpperCase() === 'HIERARCHY') nextWord(words);
  for (;;) {
    const at = words.at;
    const word = nextWord(words);
    const keyword = word.toUpperCase();
    const block = open.at(-1);
    if (keyword === 'MOTION' || word === '') {
      if (joints.length === 0) refuseWord(words, word, 'ROOT');
      if (block !== undefined) {
        if (word === '') refuseWord(words, word, `} of ${joints[block.joint]!.name}`);
        notes.note('braces');
      }
      words.at = at;
      return { joints, channelCount };
    }
    if (word === '}') {
      if (block === undefined) notes.note('braces');
      else open.pop();
    } else if (block === undefined ? keyword === 'ROOT' : keyword === 'JOINT' && block.end === undefined) {
      const name = restOfLine(words);
      joints.push({
        name: name === '' ? `joint${joints.length}` : name,
        parent: block?.joint ?? -1,
        offset: [0, 0, 0],
        channels: [],
        firstChannel: channelCount,
        ends: [],
      });
      openBlock(words);
      open.push({ joint: joints.length - 1, end: undefined });
    } else if (block === undefined) refuseWord(words, word, 'ROOT or MOTION');
    else if (keyword === 'OFFSET') {
      (block.end ?? joints[block.joint]!).offset = [numbers.next(), numbers.next(), numbers.next()];
      numbers.end('three numbers behind OFFSET');
    } else if (keyword === 'CHANNELS' && block.end !== undefined) {
      if (readCount(words, numbers, 'CHANNELS 0') !== 0) numbers.refuse('no channels in an End Site');
    } else if (keyword === 'CHANNELS') {
      const joint = joints[block.joint]!;
      if (joint.channels.length > 0) refuseWord(words, word, `CHANNELS of ${joint.name} once only`);
      joint.channels = readChannels(words, numbers, notes);
      joint.firstChannel = channelCount;
      channelCount += joint.channels.length;
    } else if (/^END(SITE)?$/.test(keyword) && block.end === undefined) {
      const end: BvhEnd = { name: endName(restOfLine(words)), offset: [0, 0, 0] };
      joints[block.joint]!.ends.push(end);
      openBlock(words);
      open.push({ joint: block.joint, end });
    } else refuseWord(words, word, block.end ? 'OFFSET or }' : 'OFFSET, CHANNELS, JOINT, End Site or }');
  }
}

function openBlock(words: Words): void {
  const brace = nextWord(words);
  if (brace !== '{') refuseWord(words, brace, '{');
}

/** Every exporter has its own case; a number of channels that does not fit what follows is only noted. */
function readChannels(words: Words, numbers: NumberReader, notes: Notes): BvhChannel[] {
  const declared = readCount(words, numbers, 'the number of channels');
  const channels: BvhChannel[] = [];
  for (;;) {
    const channel = channelNames.get(peekWord(words).toLowerCase());
    if (channel === undefined) break;
    nextWord(words);
    if (channels.includes(channel)) refuseWord(words, channel, 'each channel once per joint');
    channels.push(channel);
  }
  if (channels.length < declared)
    refuseWord(words, nextWord(words), 'Xposition, Yposition, Zposition, Xrotation, Yrotation or Zrotation');
  if (channels.length > declared) notes.note('channel-count');
  return channels;
}

/** Reads how many there are of something: the only number in its word. */
export function readCount(words: Words, numbers: NumberReader, expected: string): number {
  const count = numbers.tryNext() ?? refuseWord(words, nextWord(words), expected);
  if (!Number.isSafeInteger(count) || count < 0) numbers.refuse(expected);
  numbers.end(expected);
  return count;
}

/** The name that an End Site has for itself; that of all End Sites is none. */
function endName(rest: string): string {
  const name = rest.replace(/^site\b\s*/i, '');
  return /^end[ _]?site$/i.test(name) ? '' : name;
}
