/**
 * `findHumanoid` by names: every spelling of the table in the research behind `docs/retarget.md`, whole rigs with all that
 * hangs beside the body, and words that mean one bone here and another there. Expectations are read from the rigs' own
 * documentation and hierarchies.
 */
import { describe, expect, test } from 'vitest';
import { findHumanoid } from '../../../src/retarget/humanoid.js';
import { makeBody, OPTIONAL_ROLES } from './bodies.js';
import { schemes } from './names.js';
import { check } from './tree.js';

const all = Object.entries(schemes);

test.each(all)('%s: every bone has its name', (_, scheme) => {
  const without = OPTIONAL_ROLES.filter((role) => scheme(role) === undefined);
  const { asset, bones, roles } = makeBody({ names: scheme, without });
  const humanoid = findHumanoid(asset);
  expect(humanoid.bones).toEqual(Object.fromEntries(roles.map((role) => [role, bones[role]])));
  expect([humanoid.source, humanoid.warnings]).toEqual(['names', []]);
});

// Rigify numbers the bones from hips to head, without a gap.
test.each(all.filter(([name]) => !name.startsWith('Rigify')))('%s: those that all have', (_, scheme) => {
  const { asset, bones, roles } = makeBody({ names: scheme, without: OPTIONAL_ROLES });
  expect(findHumanoid(asset).bones).toEqual(Object.fromEntries(roles.map((role) => [role, bones[role]])));
});

describe('whole rigs', () => {
  test('Mixamo: ends and fourth finger bones are none of the body', () => {
    for (const prefix of ['mixamorig:', 'mixamorig', 'mixamorig1:', 'mixamorig_', ''])
      check(`
        Armature
          ${prefix}Hips = hips
            ${prefix}Spine = spine
              ${prefix}Spine1 = chest
                ${prefix}Spine2 = upperChest
                  ${prefix}Neck = neck
                    ${prefix}Head = head
                      ${prefix}HeadTop_End
                      ${prefix}{Left|Right}Eye = *Eye
                  ${prefix}{Left|Right}Shoulder = *Shoulder
                    ${prefix}{Left|Right}Arm = *UpperArm
                      ${prefix}{Left|Right}ForeArm = *LowerArm
                        ${prefix}{Left|Right}Hand = *Hand
                          ${prefix}{Left|Right}HandThumb1 = *ThumbMetacarpal
                            ${prefix}{Left|Right}HandThumb2 = *ThumbProximal
                              ${prefix}{Left|Right}HandThumb3 = *ThumbDistal
                                ${prefix}{Left|Right}HandThumb4
                          ${prefix}{Left|Right}HandIndex1 = *IndexProximal
                            ${prefix}{Left|Right}HandIndex2 = *IndexIntermediate
                              ${prefix}{Left|Right}HandIndex3 = *IndexDistal
                                ${prefix}{Left|Right}HandIndex4
                          ${prefix}{Left|Right}HandPinky1 = *LittleProximal
                            ${prefix}{Left|Right}HandPinky2 = *LittleIntermediate
                              ${prefix}{Left|Right}HandPinky3 = *LittleDistal
                                ${prefix}{Left|Right}HandPinky4
            ${prefix}{Left|Right}UpLeg = *UpperLeg
              ${prefix}{Left|Right}Leg = *LowerLeg
                ${prefix}{Left|Right}Foot = *Foot
                  ${prefix}{Left|Right}ToeBase = *Toes
                    ${prefix}{Left|Right}Toe_End
      `);
  });

  test('Unreal 5 mannequin: twist, corrective and IK bones, metacarpals, five spine bones, two neck bones', () => {
    check(`
      root
        ik_foot_root
          ik_foot_{l|r}
        ik_hand_root
          ik_hand_gun
            ik_hand_{l|r}
        pelvis = hips
          spine_01 = spine
            spine_02
              spine_03 = chest
                spine_04
                  spine_04_latissimus_{l|r}
                  spine_05 = upperChest
                    neck_01 = neck
                      neck_02
                        head = head
                    clavicle_{l|r} = *Shoulder
                      clavicle_out_{l|r}
                      upperarm_{l|r} = *UpperArm
                        upperarm_twist_01_{l|r}
                        upperarm_correctiveRoot_{l|r}
                          upperarm_bicep_{l|r}
                        lowerarm_{l|r} = *LowerArm
                          lowerarm_twist_01_{l|r}
                          lowerarm_correctiveRoot_{l|r}
                            lowerarm_in_{l|r}
                          hand_{l|r} = *Hand
                            wrist_inner_{l|r}
                            index_metacarpal_{l|r}
                              index_01_{l|r} = *IndexProximal
                                index_02_{l|r} = *IndexIntermediate
                                  index_03_{l|r} = *IndexDistal
                            pinky_metacarpal_{l|r}
                              pinky_01_{l|r} = *LittleProximal
                                pinky_02_{l|r} = *LittleIntermediate
                                  pinky_03_{l|r} = *LittleDistal
                            thumb_01_{l|r} = *ThumbMetacarpal
                              thumb_02_{l|r} = *ThumbProximal
                                thumb_03_{l|r} = *ThumbDistal
          thigh_{l|r} = *UpperLeg
            thigh_twist_01_{l|r}
            thigh_correctiveRoot_{l|r}
              thigh_fwd_{l|r}
            calf_{l|r} = *LowerLeg
              calf_twist_01_{l|r}
              calf_correctiveRoot_{l|r}
                calf_kneeBack_{l|r}
              foot_{l|r} = *Foot
                ankle_bck_{l|r}
                ball_{l|r} = *Toes
    `);
  });

  test('Rigify: the spine is counted from the hips to the head, limbs are cut in two', () => {
    check(`
      DEF-spine = hips
        DEF-pelvis.{L|R}
        DEF-thigh.{L|R} = *UpperLeg
          DEF-thigh.{L|R}.001
            DEF-shin.{L|R} = *LowerLeg
              DEF-shin.{L|R}.001
                DEF-foot.{L|R} = *Foot
                  DEF-toe.{L|R} = *Toes
        DEF-spine.001 = spine
          DEF-spine.002 = chest
            DEF-spine.003 = upperChest
              DEF-breast.{L|R}
              DEF-spine.004 = neck
                DEF-spine.005
                  DEF-spine.006 = head
              DEF-shoulder.{L|R} = *Shoulder
                DEF-upper_arm.{L|R} = *UpperArm
                  DEF-upper_arm.{L|R}.001
                    DEF-forearm.{L|R} = *LowerArm
                      DEF-forearm.{L|R}.001
                        DEF-hand.{L|R} = *Hand
                          DEF-palm.01.{L|R}
                            DEF-f_index.01.{L|R} = *IndexProximal
                              DEF-f_index.02.{L|R} = *IndexIntermediate
                                DEF-f_index.03.{L|R} = *IndexDistal
                            DEF-thumb.01.{L|R} = *ThumbMetacarpal
                              DEF-thumb.02.{L|R} = *ThumbProximal
                                DEF-thumb.03.{L|R} = *ThumbDistal
                          DEF-palm.04.{L|R}
                            DEF-f_pinky.01.{L|R} = *LittleProximal
                              DEF-f_pinky.02.{L|R} = *LittleIntermediate
                                DEF-f_pinky.03.{L|R} = *LittleDistal
    `);
  });

  test('MotionBuilder: rolls within the limbs, bones within the palm', () => {
    check(`
      Reference
        Hips = hips
          Spine = spine
            Spine1 = chest
              Spine2 = upperChest
                Neck = neck
                  Head = head
                {Left|Right}Shoulder = *Shoulder
                  {Left|Right}Arm = *UpperArm
                    {Left|Right}ArmRoll
                      {Left|Right}ForeArm = *LowerArm
                        {Left|Right}ForeArmRoll
                          {Left|Right}Hand = *Hand
                            {Left|Right}InHandIndex
                              {Left|Right}HandIndex1 = *IndexProximal
                                {Left|Right}HandIndex2 = *IndexIntermediate
                                  {Left|Right}HandIndex3 = *IndexDistal
                                    {Left|Right}HandIndexEnd
          {Left|Right}UpLeg = *UpperLeg
            {Left|Right}UpLegRoll
              {Left|Right}Leg = *LowerLeg
                {Left|Right}LegRoll
                  {Left|Right}Foot = *Foot
                    {Left|Right}ToeBase = *Toes
    `);
  });

  test('Carnegie Mellon', () => {
    check(`
      Hips = hips
        {L|R}HipJoint
          {Left|Right}UpLeg = *UpperLeg
            {Left|Right}Leg = *LowerLeg
              {Left|Right}Foot = *Foot
                {Left|Right}ToeBase = *Toes
                  {Left|Right}ToeBase_End
        LowerBack = spine
          Spine = chest
            Spine1 = upperChest
              Neck = neck
                Neck1
                  Head = head
                    Head_End
              {Left|Right}Shoulder = *Shoulder
                {Left|Right}Arm = *UpperArm
                  {Left|Right}ForeArm = *LowerArm
                    {Left|Right}Hand = *Hand
                      {Left|Right}FingerBase
                        {Left|Right}HandIndex1 = *IndexProximal
                      {L|R}Thumb = *ThumbMetacarpal
    `);
  });

  test('Bandai Namco', () => {
    check(`
      joint_Root
        Hips = hips
          Spine = spine
            Chest = chest
              Neck = neck
                Head = head
              Shoulder_{L|R} = *Shoulder
                UpperArm_{L|R} = *UpperArm
                  LowerArm_{L|R} = *LowerArm
                    Hand_{L|R} = *Hand
          UpperLeg_{L|R} = *UpperLeg
            LowerLeg_{L|R} = *LowerLeg
              Foot_{L|R} = *Foot
                Toes_{L|R} = *Toes
    `);
  });

  test.each(['Bip01', 'Bip001'])('Biped as %s: nubs, twists, footsteps, fingers by number', (bip) => {
    check(`
      ${bip}
        ${bip} Footsteps
        ${bip} Pelvis = hips
          ${bip} Spine = spine
            ${bip} Spine1 = chest
              ${bip} Spine2 = upperChest
                ${bip} Neck = neck
                  ${bip} Head = head
                    ${bip} HeadNub
                    ${bip} Ponytail1
                  ${bip} {L|R} Clavicle = *Shoulder
                    ${bip} {L|R} UpperArm = *UpperArm
                      ${bip} {L|R}UpArmTwist
                      ${bip} {L|R} Forearm = *LowerArm
                        ${bip} {L|R} ForeTwist
                        ${bip} {L|R} Hand = *Hand
                          ${bip} {L|R} Finger0 = *ThumbMetacarpal
                            ${bip} {L|R} Finger01 = *ThumbProximal
                              ${bip} {L|R} Finger02 = *ThumbDistal
                                ${bip} {L|R} Finger0Nub
                          ${bip} {L|R} Finger1 = *IndexProximal
                            ${bip} {L|R} Finger11 = *IndexIntermediate
                              ${bip} {L|R} Finger12 = *IndexDistal
                                ${bip} {L|R} Finger1Nub
                          ${bip} {L|R} Finger4 = *LittleProximal
                            ${bip} {L|R} Finger41 = *LittleIntermediate
                              ${bip} {L|R} Finger42 = *LittleDistal
                                ${bip} {L|R} Finger4Nub
          ${bip} {L|R} Thigh = *UpperLeg
            ${bip} {L|R}ThighTwist
            ${bip} {L|R} Calf = *LowerLeg
              ${bip} {L|R}CalfTwist
              ${bip} {L|R} Foot = *Foot
                ${bip} {L|R} Toe0 = *Toes
                  ${bip} {L|R} Toe0Nub
    `);
  });

  test('VRoid: secondary bones', () => {
    check(`
      Root
        J_Bip_C_Hips = hips
          J_Sec_{L|R}_CoatSkirtFront1_01
          J_Bip_C_Spine = spine
            J_Bip_C_Chest = chest
              J_Sec_{L|R}_Bust1
              J_Bip_C_UpperChest = upperChest
                J_Bip_C_Neck = neck
                  J_Bip_C_Head = head
                    J_Sec_Hair1_01
                J_Bip_{L|R}_Shoulder = *Shoulder
                  J_Bip_{L|R}_UpperArm = *UpperArm
                    J_Sec_{L|R}_TopsUpperArmInside_01
                    J_Bip_{L|R}_LowerArm = *LowerArm
                      J_Bip_{L|R}_Hand = *Hand
                        J_Bip_{L|R}_Index1 = *IndexProximal
                          J_Bip_{L|R}_Index2 = *IndexIntermediate
                            J_Bip_{L|R}_Index3 = *IndexDistal
                        J_Bip_{L|R}_Thumb1 = *ThumbMetacarpal
                          J_Bip_{L|R}_Thumb2 = *ThumbProximal
                            J_Bip_{L|R}_Thumb3 = *ThumbDistal
          J_Bip_{L|R}_UpperLeg = *UpperLeg
            J_Bip_{L|R}_LowerLeg = *LowerLeg
              J_Bip_{L|R}_Foot = *Foot
                J_Bip_{L|R}_ToeBase = *Toes
    `);
  });
});
