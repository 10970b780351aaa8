/**
 * `findHumanoid` where one word names different bones in different rigs, where bones that are none of the body bear its
 * words, and where fingers are counted in different ways. A limb must be read as a whole.
 */
import { describe, expect, test } from 'vitest';
import type { FollowthroughError } from '../../../src/asset/errors.js';
import { findHumanoid } from '../../../src/retarget/humanoid.js';
import { makeBody } from './bodies.js';
import { check, foundIn, treeOf } from './tree.js';

/** A whole body around one kind of leg and one kind of arm, indented as lines of a tree. */
const body = (legs: string, arms: string): string => {
  const indented = (text: string, depth: number): string =>
    text
      .split(' > ')
      .map((line, i) => ' '.repeat(2 * (depth + i)) + line)
      .join('\n');
  return `Hips = hips\n${indented(legs, 1)}\n  Spine = spine\n    Neck = neck\n      Head = head\n${indented(arms, 2)}`;
};

const LEG = '{Left|Right}UpLeg = *UpperLeg > {Left|Right}Leg = *LowerLeg > {Left|Right}Foot = *Foot';
const ARM =
  '{Left|Right}Shoulder = *Shoulder > {Left|Right}Arm = *UpperArm > {Left|Right}ForeArm = *LowerArm > {Left|Right}Hand = *Hand';

describe('arms', () => {
  test.each([
    ['a shoulder above an arm is a collar bone', ARM],
    [
      'a shoulder below a collar is the upper arm',
      '{Left|Right}Collar = *Shoulder > {Left|Right}Shoulder = *UpperArm > {Left|Right}Elbow = *LowerArm > {Left|Right}Wrist = *Hand',
    ],
    [
      'and below a clavicle',
      'clavicle.{l|r} = *Shoulder > shoulder.{l|r} = *UpperArm > forearm.{l|r} = *LowerArm > hand.{l|r} = *Hand',
    ],
    [
      'and where nothing is above it',
      '{Left|Right}Shoulder = *UpperArm > {Left|Right}Elbow = *LowerArm > {Left|Right}Wrist = *Hand',
    ],
    [
      'an arm above an elbow is the upper arm',
      '{Left|Right} shoulder = *Shoulder > {Left|Right} arm = *UpperArm > {Left|Right} elbow = *LowerArm > {Left|Right} wrist = *Hand',
    ],
    [
      'sides may be glued to words',
      '{l|r}Collar = *Shoulder > {l|r}Shoulder = *UpperArm > {l|r}Forearm = *LowerArm > {l|r}Hand = *Hand',
    ],
    [
      'a hand below a wrist is none, the wrist is where it turns',
      '{L|R}_Collar = *Shoulder > {L|R}_Shoulder = *UpperArm > {L|R}_Elbow = *LowerArm > {L|R}_Wrist = *Hand > {L|R}_Hand',
    ],
    [
      'twists within the limb are none of it',
      '{Left|Right}Arm = *UpperArm > {Left|Right}ArmTwist > {Left|Right}ForeArm = *LowerArm > {Left|Right}ForeArmTwist > {Left|Right}Hand = *Hand',
    ],
  ])('%s', (_, arm) => check(body(LEG, arm)));
});

describe('legs', () => {
  test.each([
    ['a leg below an upper leg is the shin', LEG],
    [
      'a leg above a knee is the thigh',
      '{Left|Right} leg = *UpperLeg > {Left|Right} knee = *LowerLeg > {Left|Right} ankle = *Foot > {Left|Right} toe = *Toes',
    ],
    [
      'a leg above a shin too',
      '{Left|Right}Leg = *UpperLeg > {Left|Right}Shin = *LowerLeg > {Left|Right}Foot = *Foot',
    ],
    [
      'a leg above a lower leg too',
      'leg.{L|R} = *UpperLeg > lower_leg.{L|R} = *LowerLeg > foot.{L|R} = *Foot',
    ],
    [
      'a hip with a side is the thigh',
      '{Left|Right}Hip = *UpperLeg > {Left|Right}Knee = *LowerLeg > {Left|Right}Ankle = *Foot > {Left|Right}Toe = *Toes',
    ],
    [
      'but none above a thigh',
      '{L|R}HipJoint > {Left|Right}UpLeg = *UpperLeg > {Left|Right}Leg = *LowerLeg > {Left|Right}Foot = *Foot',
    ],
    [
      'a foot below an ankle is not where it turns',
      '{L|R}_Hip = *UpperLeg > {L|R}_Knee = *LowerLeg > {L|R}_Ankle = *Foot > {L|R}_Foot',
    ],
    [
      'numbers count from the hips',
      'leg_joint_{L|R}_1 = *UpperLeg > leg_joint_{L|R}_2 = *LowerLeg > foot_{L|R} = *Foot',
    ],
    [
      'ball and forefoot are toes',
      'thigh_{l|r} = *UpperLeg > calf_{l|r} = *LowerLeg > foot_{l|r} = *Foot > ball_{l|r} = *Toes',
    ],
  ])('%s', (_, leg) => check(body(leg, ARM)));

  test('feet that hang from the root for their IK belong to the legs', () => {
    check(`
      Root
        {Left|Right}Foot = *Foot
          {Left|Right}Toe = *Toes
        Hips = hips
          {Left|Right}UpperLeg = *UpperLeg
            {Left|Right}LowerLeg = *LowerLeg
          Spine = spine
            Head = head
            {Left|Right}UpperArm = *UpperArm
              {Left|Right}LowerArm = *LowerArm
                {Left|Right}Hand = *Hand
    `);
  });
});

describe('the trunk', () => {
  const trunk = (lines: string): string => `${lines}
${LEG.split(' > ')
  .map((line, i) => ' '.repeat(2 * (i + 1)) + line)
  .join('\n')}`;

  test.each([
    ['one bone is the spine', 'Hips = hips\n  Chest = spine\n    Neck = neck\n      Head = head'],
    [
      'two are spine and chest',
      'Hips = hips\n  Abdomen = spine\n    Torso = chest\n      Neck = neck\n        Head = head',
    ],
    [
      'three are spine, chest and upper chest',
      'Hips = hips\n  Waist = spine\n    Spine01 = chest\n      Spine02 = upperChest\n        Neck = neck\n          Head = head',
    ],
    [
      'a pelvis with a side is none',
      'hips = hips\n  pelvis.L\n  pelvis.R\n  spine = spine\n    neck = neck\n      head = head',
    ],
    [
      'a second neck goes with the first',
      'pelvis = hips\n  spine_01 = spine\n    neck_01 = neck\n      neck_02\n        head = head',
    ],
    [
      'the head need not have a neck',
      'Hips = hips\n  Spine = spine\n    Head = head\n      Jaw = jaw\n      {Left|Right}Eye = *Eye',
    ],
  ])('%s', (_, lines) => check(trunk(lines)));

  test('arms hang from the upper chest, whatever bones lead on to the neck', () => {
    check(`
      Hips = hips
        lowerback = spine
          Chest = chest
            Chest2 = upperChest
              lowerneck
                Neck = neck
                  Head = head
              {Left|Right}Collar = *Shoulder
                {Left|Right}Shoulder = *UpperArm
                  {Left|Right}Elbow = *LowerArm
                    {Left|Right}Wrist = *Hand
    `);
  });

  test('bones that are called otherwise are none of the spine where others are', () => {
    check(`
      hips = hips
        belly_jiggle
          spine = spine
            chest = chest
              cape_root
                upperChest = upperChest
                  neck = neck
                    head = head
    `);
  });

  test('a trunk beside the hips is a trunk', () => {
    check(`
      Root
        Hips = hips
          {Left|Right}UpLeg = *UpperLeg
            {Left|Right}Leg = *LowerLeg
              {Left|Right}Foot = *Foot
        Spine = spine
          Chest = chest
            Neck = neck
              Head = head
            {Left|Right}Arm = *UpperArm
              {Left|Right}ForeArm = *LowerArm
                {Left|Right}Hand = *Hand
    `);
  });
});

describe('what is none of the body', () => {
  test('controls, poles, sockets, ends', () => {
    check(`
      Rig
        {Left|Right}FootIK
        {Left|Right}HandIK
        PoleTarget.{L|R}
        kneeIK.{l|r}
        foot_ctrl.{l|r}
        Hips = hips
          {Left|Right}UpLeg = *UpperLeg
            {Left|Right}Leg = *LowerLeg
              {Left|Right}Foot = *Foot
                {Left|Right}Foot_end
          Spine = spine
            Head = head
              Head_End
              HeadNub
            {Left|Right}Arm = *UpperArm
              {Left|Right}ForeArm = *LowerArm
                {Left|Right}Hand = *Hand
                  handslot.{l|r}
                  {Left|Right}Hand_end
    `);
  });

  test('nodes called Head, Body or LeftHand that carry a mesh and move no skin', () => {
    check(`
      Scene (no joint)
        Head (no joint)
        Body (no joint)
        LeftHand (no joint)
        LeftFoot (no joint)
        Hips (no joint)
        Armature (no joint)
          pelvis = hips
            {Left|Right}UpLeg = *UpperLeg
              {Left|Right}Leg = *LowerLeg
                {Left|Right}Foot = *Foot
            Spine = spine
              head = head
                Head (no joint)
              {Left|Right}Arm = *UpperArm
                {Left|Right}ForeArm = *LowerArm
                  {Left|Right}Hand = *Hand
    `);
  });

  test.each([
    'Forehead',
    'Headphones',
    'Handle',
    'Footstool',
    'LeftEarring',
    'Armor',
    'Legend',
    'Chestnut',
    'Spineless',
    'L',
    'Left',
    '',
    '左',
    '1',
  ])('words are not found within words: %s', (name) => {
    const { asset } = treeOf(`Root\n  ${name}x\n    ${name}`);
    expect(foundIn(asset)).toEqual({});
  });
});

describe('fingers', () => {
  const hand = (rows: string): string =>
    body(LEG, ARM) +
    rows
      .split('\n')
      .map((row) =>
        row
          .split(' > ')
          .map((line, i) => `\n${' '.repeat(2 * (6 + i))}${line}`)
          .join(''),
      )
      .join('');
  test.each([
    ['two bones: the last is missing', 'Index1.{L|R} = *IndexProximal > Index2.{L|R} = *IndexIntermediate'],
    ['one bone', 'Ring.{L|R} = *RingProximal'],
    [
      'three bones and an end',
      'Pinky1.{L|R} = *LittleProximal > Pinky2.{L|R} = *LittleIntermediate > Pinky3.{L|R} = *LittleDistal > Pinky3.{L|R}_end',
    ],
    [
      'the fourth of four numbered bones is an end',
      '{Left|Right}HandMiddle1 = *MiddleProximal > {Left|Right}HandMiddle2 = *MiddleIntermediate > {Left|Right}HandMiddle3 = *MiddleDistal > {Left|Right}HandMiddle4',
    ],
    [
      'a bone within the palm is called so',
      'middle_metacarpal_{l|r} > middle_01_{l|r} = *MiddleProximal > middle_02_{l|r} = *MiddleIntermediate > middle_03_{l|r} = *MiddleDistal',
    ],
    [
      'or lies in the hand',
      '{Left|Right}InHandRing > {Left|Right}HandRing1 = *RingProximal > {Left|Right}HandRing2 = *RingIntermediate > {Left|Right}HandRing3 = *RingDistal',
    ],
    [
      'or has no number where the others have',
      '{Left|Right}HandIndex > {Left|Right}HandIndex1 = *IndexProximal > {Left|Right}HandIndex2 = *IndexIntermediate > {Left|Right}HandIndex3 = *IndexDistal',
    ],
    [
      'numbers need not begin at 1',
      'Index2.{L|R} = *IndexProximal > Index3.{L|R} = *IndexIntermediate > Index4.{L|R} = *IndexDistal',
    ],
    [
      'spelt out as VRM and Unity do',
      '{Left|Right} Little Proximal = *LittleProximal > {Left|Right} Little Intermediate = *LittleIntermediate > {Left|Right} Little Distal = *LittleDistal',
    ],
    [
      'a thumb of three begins in the palm',
      '{Left|Right}HandThumb1 = *ThumbMetacarpal > {Left|Right}HandThumb2 = *ThumbProximal > {Left|Right}HandThumb3 = *ThumbDistal > {Left|Right}HandThumb4',
    ],
    [
      'a thumb counted from 0 too',
      'Thumb0_{L|R} = *ThumbMetacarpal > Thumb1_{L|R} = *ThumbProximal > Thumb2_{L|R} = *ThumbDistal',
    ],
    ['a thumb of two has no bone there', 'Thumb1.{L|R} = *ThumbProximal > Thumb2.{L|R} = *ThumbDistal'],
    [
      'a thumb whose metacarpal is called so',
      'thumb_metacarpal_{l|r} = *ThumbMetacarpal > thumb_01_{l|r} = *ThumbProximal > thumb_02_{l|r} = *ThumbDistal',
    ],
    [
      'two fingers beside each other',
      'IndexFinger1_{L|R} = *IndexProximal > IndexFinger2_{L|R} = *IndexIntermediate > IndexFinger3_{L|R} = *IndexDistal\nMiddleFinger1_{L|R} = *MiddleProximal > MiddleFinger2_{L|R} = *MiddleIntermediate > MiddleFinger3_{L|R} = *MiddleDistal',
    ],
  ])('%s', (_, rows) => check(hand(rows)));
});

describe('what the caller and the file say', () => {
  const { asset, bones } = makeBody();

  test('a VRM file is believed, whatever its bones are called', () => {
    const humanoid = { head: bones['neck']!, hips: bones['spine']! };
    const secondary = {
      source: 'vrm-1',
      colliders: [],
      groups: [],
      springs: [],
      constraints: [],
      humanoid,
    } as const;
    const found = findHumanoid({
      ...asset,
      secondary: { ...secondary, colliders: [], groups: [], springs: [], constraints: [] },
    });
    expect([found.bones, found.source]).toEqual([humanoid, 'vrm']);
  });

  test('the caller is believed before the file and before names', () => {
    const found = findHumanoid(asset, { head: 'neck' });
    expect(found.bones['head']).toBe(bones['neck']);
  });

  test('and a bone that he gives is no other bone any more', () => {
    const found = findHumanoid(asset, { leftUpperArm: 'leftShoulder' });
    expect(found.bones['leftUpperArm']).toBe(bones['leftShoulder']);
    expect(found.bones['leftShoulder']).toBeUndefined();
  });

  test.each([
    [{ head: 'nothing' }, 'unknown-name', "'nothing'"],
    [{ Head: 'head' }, 'unknown-name', 'Head'],
    [{ leftUpperArm: 'leftHand', leftHand: 'leftHand' }, 'invalid-argument', "'leftHand'"],
  ])('%o is refused in one line', (given, code, name) => {
    let error: unknown;
    try {
      findHumanoid(asset, given);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ name: 'FollowthroughError', code });
    expect((error as FollowthroughError).message).toContain(name);
    expect((error as FollowthroughError).message).not.toMatch(/[\r\n]/);
  });

  test('what a body needs and has not is one warning', () => {
    const { asset: half } = makeBody({ without: ['leftUpperLeg', 'leftLowerLeg', 'leftFoot', 'leftToes'] });
    const { warnings } = findHumanoid(half);
    expect(warnings.map(({ code, at }) => [code, at])).toEqual([['humanoid-incomplete', 'body']]);
    for (const role of ['leftUpperLeg', 'leftLowerLeg', 'leftFoot'])
      expect(warnings[0]!.message).toContain(role);
    expect(warnings[0]!.message).not.toContain('right');
  });
});
