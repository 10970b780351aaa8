/**
 * What one bone name says of the body: side, part, number. The words are those of Mixamo, Unreal's mannequin, Rigify, 3ds
 * Max Biped, MotionBuilder and the Carnegie Mellon captures, Bandai Namco, VRoid, Unity and VRM, and whatever else is
 * spelt alike.
 */
import { boneSide, boneWords, type Side } from '../setup/boneNames.js';

/** A part that a name can tell. */
export type BodyPart =
  | 'hips'
  | 'trunk'
  | 'neck'
  | 'head'
  | 'eye'
  | 'jaw'
  | 'collar'
  | 'shoulder'
  | 'upperArm'
  | 'arm'
  | 'forearm'
  | 'hand'
  | 'hip'
  | 'thigh'
  | 'leg'
  | 'shin'
  | 'foot'
  | 'toe'
  | 'finger';

/** A finger. */
export type Finger = 'Thumb' | 'Index' | 'Middle' | 'Ring' | 'Little';

/** What a name says. */
export interface NamedPart {
  /** Which part. */
  part: BodyPart;
  /** Side, undefined when the name tells none. */
  side: Side | undefined;
  /** Which finger, of `finger`. */
  finger: Finger | undefined;
  /** True for the bone within the palm. */
  metacarpal: boolean;
  /** True when the name counts. */
  numbered: boolean;
}

/** Parts by what is left of a name without side, digits and the words of {@link NOISE}. */
const PARTS: readonly [BodyPart, RegExp][] = [
  ['toe', /^(?:toes?|toebase|ball|forefoot|foottoes?)$/],
  ['foot', /^(?:foot|feet|ankle)$/],
  ['shin', /^(?:shin|calf|knee|lowerleg|lowleg|legl?ower)$/],
  ['thigh', /^(?:thigh|upleg|upperleg|legupper|femur)$/],
  ['leg', /^leg$/],
  ['hip', /^(?:hip|hips|buttock)$/],
  ['hand', /^(?:hand|wrist|fist|palm)$/],
  ['forearm', /^(?:forearm|lowerarm|lowarm|armlower|elbow)$/],
  ['upperArm', /^(?:upperarm|uparm|armupper)$/],
  ['arm', /^arm$/],
  ['shoulder', /^shoulder$/],
  ['collar', /^(?:clavicle|collar|collarbone|scapula)$/],
  ['jaw', /^(?:jaw|jawbone)$/],
  ['eye', /^(?:eye|eyeball)$/],
  ['neck', /^neck$/],
  ['head', /^head$/],
  ['hips', /^(?:hips|hip|pelvis)$/],
  ['trunk', /^(?:spine|chest|upperchest|torso|abdomen|waist|lowerback|back|belly|stomach|tummy|ab)$/],
];

const FINGERS: readonly [Finger, RegExp][] = [
  ['Thumb', /^thumb$/],
  ['Index', /^(?:index|pointer)(?:finger)?$/],
  ['Middle', /^middle(?:finger)?$/],
  ['Ring', /^ring(?:finger)?$/],
  ['Little', /^(?:little|pinky|pinkie)(?:finger)?$/],
];
/** Biped counts fingers from the thumb. */
const COUNTED: readonly Finger[] = ['Thumb', 'Index', 'Middle', 'Ring', 'Little'];

/** Words that rigs put before or behind every bone. */
const NOISE =
  /^(?:joint|jnt|bone|bn|b|c|def|deform|bip|biped|j|f|armature|skeleton|rig|character|mixamorig|root|skel|org|valve)$/;

/** What a name says; undefined when it names no part of a body, or more than one. */
export function partOf(name: string): NamedPart | undefined {
  const side = boneSide(name)?.side;
  const all = boneWords(name);
  if (all.some((word) => /^(?:twist|roll|helper|nub|tip|ik|fk|adjust|corrective|breast|boob)$/.test(word)))
    return undefined;
  const words = all
    .filter((word) => !/^\p{Nd}/u.test(word) && !NOISE.test(word))
    .map(withoutSide)
    .filter(Boolean);
  const joined = words.join('');
  const finger = fingerOf(words) ?? countedFinger(all);
  if (finger)
    return {
      part: 'finger',
      side,
      finger,
      metacarpal: words.includes('metacarpal') || words.join('').includes('inhand'),
      numbered: /\p{Nd}/u.test(name),
    };
  for (const [part, pattern] of PARTS)
    if (pattern.test(joined) && fits(part, side))
      return { part, side, finger: undefined, metacarpal: false, numbered: false };
  return undefined;
}

/** Sides that rigs glue to a word: `lthigh`. */
function withoutSide(word: string): string {
  if (/^(?:l|r|left|right)$/.test(word)) return '';
  const bare = word.replace(/^(?:left|right)(?=.)/, '').replace(/(?<=.)(?:left|right)$/, '');
  const glued = bare.replace(
    /^[lr](?=(?:hand|arm|forearm|shoulder|clavicle|collar|leg|thigh|calf|shin|knee|foot|ankle|toe|hip|thumb|index|middle|ring|pinky|eye)s?$)/,
    '',
  );
  return glued;
}

/** A hip with a side is the top of a leg, without one the middle of the body. */
function fits(part: BodyPart, side: Side | undefined): boolean {
  const middle = part === 'hips' || part === 'trunk' || part === 'neck' || part === 'head' || part === 'jaw';
  return middle === (side === undefined) || part === 'jaw';
}

/** Words that stand beside the name of a finger. */
const FINGER_WORDS = /^(?:hand|in|finger|f|phalanx|metacarpal|proximal|intermediate|distal)$/;

function fingerOf(words: readonly string[]): Finger | undefined {
  // A hand has a middle of its own: `MiddleHand`.
  if (words.length > 1 && words.at(-1) === 'hand') return undefined;
  const bare = words.filter((word) => !FINGER_WORDS.test(word)).join('');
  for (const [finger, pattern] of FINGERS) if (pattern.test(bare)) return finger;
  return undefined;
}

/** Biped counts fingers from the thumb, two digits are the second and third bone: `Finger0`, `Finger01`. */
function countedFinger(words: readonly string[]): Finger | undefined {
  const digits = words[words.indexOf('finger') + 1];
  return words.includes('finger') && digits !== undefined && /^[0-4]\d?$/.test(digits)
    ? COUNTED[Number(digits[0])]
    : undefined;
}
