/**
 * What bone names say: which side of the body, which part, whether a tail. Names are cut into words first, so that
 * the usual spellings (`mixamorig:LeftUpLeg`, `thigh.l`, `Bip01 L Thigh`, `b_LeftLeg01_015`, `LegL`) read alike.
 * Nothing here decides alone: callers check against the hierarchy and the geometry.
 */

/** Side of the character's own body. */
export type Side = 'left' | 'right';

/** Words of a limb that rigs glue to a one-letter side, as in `lfoot`. */
const LIMB =
  /^(?:arm|upperarm|uparm|forearm|lowerarm|lowarm|hand|wrist|elbow|shoulder|clavicle|collar|leg|upperleg|upleg|lowerleg|lowleg|thigh|calf|shin|knee|foot|ankle|toe|toes|hip)$/;
const LEG =
  /^(?:(?:up|upper|low|lower|fore|front|back|hind|rear)?leg|legs|thigh|femur|calf|shin|tibia|knee)$/;
const FOOT = /^(?:foot|feet|ankle|toe|toes|toebase|ball|heel|paw|hoof)$/;
/** Controls of a rig that deform nothing: their positions say nothing about the body. */
const CONTROL = /^(?:ik|ctrl|control|controls|target|pole|poletarget|pt|handle|roll|twist|slot|socket)$/;
const END = /^(?:end|ends|nub|effector|endsite)$/;
/** Words beside `tail` that mean hair or clothes, not the appendage of an animal. */
const NOT_A_TAIL = /^(?:hair|pony|twin|braid|bang|bangs|coat|dress|skirt|cape|cloak|shirt|ribbon)$/;
/** `tail` with a word that rigs glue to it in lower case. */
const TAIL = /^tails?(?:root|base|start|mid|middle|tip|end|joint|jnt)?$/;

/**
 * Cuts a bone name into lower-case words and numbers: the namespace (up to the last `:` or `|`) is dropped, words
 * end at separators, at digits and where camel case starts a new one.
 *
 * @param name - bone name
 * @returns words in order, for instance `['left', 'up', 'leg']` for `mixamorig:LeftUpLeg`
 */
export function boneWords(name: string): string[] {
  const bare = name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('|')) + 1);
  const words = bare.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{Nd}+/gu) ?? [];
  return words.map((word) => word.toLowerCase());
}

/**
 * Side of the body that a name tells.
 *
 * @param name - bone name
 * @returns the side and the name without side, numbers and separators, so that both sides of a pair share `base`;
 * undefined when the name tells no side, or both
 */
export function boneSide(name: string): { side: Side; base: string } | undefined {
  let side: Side | undefined;
  let base = '';
  for (const word of boneWords(name)) {
    const found = sideOfWord(word);
    if (found === undefined) {
      if (!/^\p{Nd}/u.test(word)) base += word;
      continue;
    }
    if (side !== undefined && side !== found.side) return undefined;
    side = found.side;
    base += found.rest;
  }
  return side === undefined ? undefined : { side, base };
}

function sideOfWord(word: string): { side: Side; rest: string } | undefined {
  if (word === 'l' || word === 'left') return { side: 'left', rest: '' };
  if (word === 'r' || word === 'right') return { side: 'right', rest: '' };
  if (word.startsWith('左')) return { side: 'left', rest: word.slice(1) };
  if (word.startsWith('右')) return { side: 'right', rest: word.slice(1) };
  for (const side of ['left', 'right'] as const) {
    if (word.startsWith(side) && LIMB.test(word.slice(side.length)))
      return { side, rest: word.slice(side.length) };
    if (word.endsWith(side) && LIMB.test(word.slice(0, -side.length)))
      return { side, rest: word.slice(0, -side.length) };
    if (word.startsWith(side[0]!) && LIMB.test(word.slice(1))) return { side, rest: word.slice(1) };
  }
  return undefined;
}

/** True for a part of a leg above the foot: thigh, shin, `UpLeg`, `leg_joint_L_1`; not for controls. */
export function isLegName(name: string): boolean {
  return hasPart(name, LEG);
}

/** True for a part of a foot: foot, ankle, toe, paw, hoof; not for controls. */
export function isFootName(name: string): boolean {
  return hasPart(name, FOOT);
}

/** True for the front of a foot: toe, ball. */
export function isToeName(name: string): boolean {
  return hasPart(name, /^(?:toe|toes|toebase|ball)$/);
}

/** True for the head itself (`Head`, `head_jnt`), not for its end helper. */
export function isHeadName(name: string): boolean {
  return hasPart(name, /^head$/) && !isEndName(name);
}

/** True for the neck. */
export function isNeckName(name: string): boolean {
  return hasPart(name, /^neck$/);
}

/** True for the pelvis: hips, pelvis, hip; a name with a side (`hip.l`) is a thigh. */
export function isHipsName(name: string): boolean {
  return hasPart(name, /^(?:hips?|pelvis)$/) && boneSide(name) === undefined;
}

/** True for an end helper: `Tail8_end`, `Tail_End`, `HeadEnd`, `Bip01 TailNub`. */
export function isEndName(name: string): boolean {
  const words = boneWords(name).filter((word) => !/^\p{Nd}/u.test(word));
  const last = words.at(-1);
  return last !== undefined && (END.test(last) || /^tails?end$/.test(last));
}

/** True for a control that deforms nothing by its name: `kneeIK.l`, `PoleTarget.R`, `tail_ctrl`. */
export function isControlName(name: string): boolean {
  return boneWords(name).some((word) => CONTROL.test(word));
}

/**
 * True for a bone of a tail in any of the usual spellings: `Tail_1`, `tail1`, `Tail.001`, `b_Tail01_012`,
 * `mixamorig:Tail_2`, `Tail 3`, `TAIL-4`, `tail_01_jnt`, `Tail`, `Tail_End`. `tail` must be a word of its own:
 * detail, Tailor, ponytail and tailbone are none, nor are hair and clothes (`hair_tail`, `PonyTail`, `CoatTail`) and
 * controls (`tail_ik`).
 */
export function isTailName(name: string): boolean {
  const words = boneWords(name);
  return (
    words.some((word) => TAIL.test(word)) &&
    !words.some((word) => NOT_A_TAIL.test(word) || CONTROL.test(word))
  );
}

function hasPart(name: string, part: RegExp): boolean {
  let found = false;
  for (const word of boneWords(name)) {
    if (CONTROL.test(word)) return false;
    const side = sideOfWord(word);
    if (part.test(side === undefined || side.rest === '' ? word : side.rest)) found = true;
  }
  return found;
}
