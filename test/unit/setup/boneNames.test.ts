/** What bone names say, over the spellings that exporters and rigs use. */
import { describe, expect, it } from 'vitest';
import {
  boneSide,
  boneWords,
  isEndName,
  isFootName,
  isHeadName,
  isHipsName,
  isLegName,
  isTailName,
} from '../../../src/setup/boneNames.js';

describe('bone names', () => {
  it.each([
    ['mixamorig:LeftUpLeg', ['left', 'up', 'leg']],
    ['b_LeftLeg01_015', ['b', 'left', 'leg', '01', '015']],
    ['Bip01 L Thigh', ['bip', '01', 'l', 'thigh']],
    ['IKBackLeg.L', ['ik', 'back', 'leg', 'l']],
    ['Armature|Tail.001', ['tail', '001']],
    ['TAIL-4', ['tail', '4']],
    ['LThumb', ['l', 'thumb']],
  ])('%s is cut into %j', (name, words) => {
    expect(boneWords(name)).toEqual(words);
  });

  it.each([
    ['mixamorig:LeftArm', 'mixamorig:RightArm'],
    ['thigh.l', 'thigh.r'],
    ['UpperLegL', 'UpperLegR'],
    ['Arm_L', 'Arm_R'],
    ['L_Hand', 'R_Hand'],
    ['Bip01 L Calf', 'Bip01 R Calf'],
    ['lfoot', 'rfoot'],
    ['leftarm', 'rightarm'],
    ['J_Bip_L_LowerLeg', 'J_Bip_R_LowerLeg'],
    ['Skeleton_arm_joint_L__4_', 'Skeleton_arm_joint_R'],
    ['b_LeftUpperArm_09', 'b_RightUpperArm_06'],
    ['FrontUpLeg.L', 'FrontUpLeg.R'],
    ['左ひざ', '右ひざ'],
  ])('%s and %s are a pair', (left, right) => {
    expect(boneSide(left)?.side).toBe('left');
    expect(boneSide(right)?.side).toBe('right');
    expect(boneSide(left)?.base).toBe(boneSide(right)?.base);
  });

  it.each(['Spine', 'RearLeg', 'Lower', 'Root', 'Hips', 'Tail_1', 'Collar', 'Rib', 'upright', 'LeftRight'])(
    '%s tells no side',
    (name) => {
      expect(boneSide(name)).toBeUndefined();
    },
  );

  it.each(
    (
      'Tail_1|Tail1|tail1|Tail.001|b_Tail01_012|mixamorig:Tail_2|Tail 3|TAIL-4|tail_01_jnt|Tail|TAIL01|Tail_End|' +
      'Tail8_end|tail_end|J_Sec_Tail_01|DEF-tail.002|Tail.L|TailTip|tailbase|Bip01 Tail3|Rat_Tail2|RatTail1|tail_a'
    ).split('|'),
  )('%s is a tail', (name) => {
    expect(isTailName(name)).toBe(true);
  });

  it.each(
    (
      'detail|Detail_1|Tailor|retail|ponytail|PonyTail_1|pigtail.L|twintail_2|hair_tail_1|Tailbone|CoatTail|cocktail|' +
      'tail_ik|TailCtrl|PoleTarget_tail|Hips|Swallowtail'
    ).split('|'),
  )('%s is no tail', (name) => {
    expect(isTailName(name)).toBe(false);
  });

  it('knows ends, legs, feet, head and hips from controls and other parts', () => {
    expect(
      ['Tail_End', 'Tail8_end', 'HeadTop_End', 'HeadEnd', 'Bip01 TailNub', 'tailend'].every(isEndName),
    ).toBe(true);
    expect(['Legend', 'Bend1', 'EndCap_x', 'Tail'].some(isEndName)).toBe(false);
    expect(['LeftUpLeg', 'thigh.l', 'BackLowerLeg.L', 'shin.r_Armature', 'lThigh'].every(isLegName)).toBe(
      true,
    );
    expect(['kneeIK.l', 'PoleTarget.L', 'IKBackLeg.L', 'LeftArm', 'Legend'].some(isLegName)).toBe(false);
    expect(['foot.l', 'LeftToeBase', 'ball.r', 'lfoot'].every(isFootName)).toBe(true);
    expect(['IK-foot.l', 'HairBall_R', 'Football'].map(isFootName)).toEqual([false, true, false]);
    expect(['Head', 'mixamorig:Head', 'b_Head_05'].every(isHeadName)).toBe(true);
    expect(['Head_end', 'Forehead', 'HeadTop_End'].some(isHeadName)).toBe(false);
    expect(['Hips', 'pelvis', 'b_Hip_01'].every(isHipsName)).toBe(true);
    expect(['hip.l', 'BackHip.R', 'Chips'].some(isHipsName)).toBe(false);
  });
});
