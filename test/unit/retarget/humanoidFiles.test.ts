/**
 * `findHumanoid` on files of other people: where a VRM file says which bones are those of the body, names alone must say
 * nothing else; for the others some key bones, read by hand from their hierarchies.
 */
import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { findHumanoid } from '../../../src/retarget/humanoid.js';
import { shared } from '../../support/shared.js';
import { loadShared } from './files.js';

const filesUnder = (folder: string, ending: RegExp): string[] =>
  shared === undefined
    ? []
    : readdirSync(`${shared}/${folder}`, { recursive: true, encoding: 'utf8' })
        .map((name) => `${folder}/${name}`)
        .filter((name) => ending.test(name))
        .toSorted();

describe.skipIf(!shared)('names alone do not contradict what a file says', () => {
  let all = 0;
  const missed: string[] = [];
  afterAll(() => {
    console.log(`bones found by name alone: ${all - missed.length} of ${all}; not: ${missed.join(', ')}`);
  });

  test.each([
    ...filesUnder('vrm', /\.vrm$/),
    ...filesUnder('vrma', /\.vrma$/),
    'derived/seedsan_rebuilt.vrm',
  ])('%s', async (name) => {
    const asset = await loadShared(name);
    const said = asset.secondary!.humanoid;
    const { secondary: _, ...unsaid } = asset;
    const { bones, source } = findHumanoid(unsaid);
    expect(source).toBe('names');
    const roleOf = new Map(Object.entries(said).map(([role, bone]) => [bone, role]));
    const wrong = Object.entries(bones).filter(
      ([role, bone]) => (said[role] ?? bone) !== bone || (roleOf.get(bone) ?? role) !== role,
    );
    expect(wrong.map(([role, bone]) => `${role}: ${asset.skeleton.names[bone]}`)).toEqual([]);
    const missing = Object.keys(said).filter((role) => bones[role] === undefined);
    all += Object.keys(said).length;
    missed.push(...missing.map((role) => `${asset.skeleton.names[said[role]!]} (${role})`));
    // The parts that every body needs are found in all of these.
    expect(missing.filter((role) => !/Thumb|Index|Middle|Ring|Little|Eye|jaw/.test(role))).toEqual([]);
  });
});

const KEYS = [
  'hips',
  'chest',
  'head',
  'leftUpperArm',
  'leftHand',
  'rightUpperLeg',
  'rightFoot',
  'leftIndexProximal',
];

const KAYKIT = 'hips, chest, head, upperarm.l, wrist.l, upperleg.r, foot.r, -';
const QUATERNIUS = 'Hips, Torso, Head, UpperArm.L, Hand.L, UpperLeg.R, Foot.R';
const MIXAMO = 'Hips, Spine1, Head, LeftArm, LeftHand, RightUpLeg, RightFoot';
const COLLARS = 'LeftShoulder, LeftWrist, RightHip, RightAnkle, -';
const CESIUM =
  'Skeleton_torso_joint_1, torso_joint_3, Skeleton_neck_joint_2, Skeleton_arm_joint_L__4_, Skeleton_arm_joint_L__2_, leg_joint_R_1, leg_joint_R_3, -';

/** What hangs from what in any body, however its feet hang. */
const ROWS: readonly (readonly string[])[] = [
  ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head'],
  ...['left', 'right'].flatMap((side) =>
    [
      ['UpperLeg', 'LowerLeg'],
      ['Foot', 'Toes'],
      ['Shoulder', 'UpperArm', 'LowerArm', 'Hand', 'IndexProximal', 'IndexIntermediate', 'IndexDistal'],
      ['Hand', 'ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'],
    ].map((row) => row.map((part) => side + part)),
  ),
  ['upperChest', 'leftShoulder'],
  ['upperChest', 'rightUpperArm'],
];

/** Key bones per file, - for one that is not there. */
const FILES: Readonly<Record<string, string>> = {
  'glb-humanoid/gdquest_mannequiny.glb':
    'pelvis, spine_02, head, upperarm.l, hand.l, thigh.r, foot.r, index_01.l',
  'glb-humanoid/kaykit_Knight.glb': KAYKIT,
  'glb-humanoid/kaykit_Rogue_Hooded.glb': KAYKIT,
  'glb-anim/kaykit_Med_General.glb': KAYKIT,
  'glb-anim/kaykit_Med_MovementAdvanced.glb': KAYKIT,
  'glb-anim/kaykit_Med_MovementBasic.glb': KAYKIT,
  'glb-anim/kaykit_Med_Simulation.glb': KAYKIT,
  'glb-anim/kaykit_manny/manny_med_mod.gltf': KAYKIT,
  'glb-humanoid/khronos_CesiumMan.glb': CESIUM,
  'glb-humanoid/khronos_CesiumMan_draco/CesiumMan.gltf': CESIUM,
  'glb-humanoid/khronos_RiggedFigure.glb':
    'torso_joint_1, torso_joint_3, neck_joint_2, arm_joint_L_1, arm_joint_L_3, leg_joint_R_1, leg_joint_R_3, -',
  'glb-humanoid/quaternius_cyberpunk_Character.glb': `${QUATERNIUS}, -`,
  'glb-humanoid/quaternius_modular_men_Adventurer.glb': `${QUATERNIUS}, Index2.L`,
  'glb-humanoid/quaternius_modular_men_King.glb': `${QUATERNIUS}, Index2.L`,
  'glb-humanoid/quaternius_modular_women_Formal.glb': `${QUATERNIUS}, Index1.L`,
  'glb-humanoid/quaternius_modular_women_Witch.glb': `${QUATERNIUS}, Index1.L`,
  'glb-humanoid/quaternius_platformer_game_Character.glb': `${QUATERNIUS.replace('Hand', 'Fist')}, -`,
  'glb-humanoid/quaternius_platformer_game_Character_HumanoidRig.glb': `${QUATERNIUS.replace('Hand', 'Fist')}, -`,
  'glb-humanoid/quaternius_single_knight_KnightCharacter.glb': `${QUATERNIUS.replace('Hand', 'Palm')}, -`,
  'derived/quaternius_Female_Dress_assimp.glb': `${QUATERNIUS.replace('Hand', 'Palm')}, -`,
  'glb-humanoid/vsekai_springbone_test/skel_bone_2025.glb':
    'hips, chest, head, upper_arm_l, hand_l, upper_leg_r, foot_r, proximal_index_l',
  // Its hand is a mesh of its own; legs hang beside the bone called Hips.
  'glb-humanoid/RobotExpressive.glb': 'Hips, Torso_1, Head_1, UpperArmL, Palm2L, UpperLegR, FootR, -',
  'bvh/20tab_test_freebvh.bvh': `${MIXAMO}, LeftHandIndex1`.replaceAll(/\w+/g, 'mixamorig:$&'),
  'bvh/20tab_test_mocapbank.bvh': `Hips, Chest2, Head, ${COLLARS}`,
  'bvh/animateddrawings_dab.bvh': `${MIXAMO}, -`,
  'bvh/animateddrawings_jesse_dance.bvh': `${MIXAMO}, LeftHandIndex1`,
  'bvh/animateddrawings_jumping_jacks.bvh': `Hips, Chest, Head, ${COLLARS}`,
  'bvh/animateddrawings_wave_hello.bvh': `${MIXAMO}, -`,
  'bvh/assimp_Boxing_Toes.bvh': `Hips, Chest, Head, ${COLLARS}`,
  'bvh/bvhtoolbox_walk01.bvh': `${MIXAMO}, -`,
  'bvh/cmu_01_01.bvh': `${MIXAMO.replace('Spine1', 'Spine')}, -`,
  'bvh/cmu_12_01_walk.bvh': `${MIXAMO.replace('Spine1', 'Spine')}, LeftHandIndex1`,
  'bvh/fairmotion_pfnn_hierarchy.bvh': `${MIXAMO.replace('Spine1', 'Spine')}, LeftHandIndex1`,
  'bvh/pybvh_bvh_example.bvh': `${MIXAMO}, -`,
  'bvh/pybvh_bvh_test2.bvh': `Hips, Chest2, Head, ${COLLARS}`,
  'bvh/pybvh_bvh_test3.bvh': `${MIXAMO}, LeftHandIndex1`,
  'bvh/pybvh_standard_skeleton.bvh': `${MIXAMO}, -`,
  'bvh/pymo_AV_8Walk.bvh': `${MIXAMO.replace('Spine1', '-')}, -`,
  // No body, or nothing that names tell.
  'bvh/fairmotion_sinusoidal.bvh': '-, -, -, -, -, -, -, -',
  'glb-humanoid/khronos_RiggedSimple.glb': '-, -, -, -, -, -, -, -',
  'glb-humanoid/webxr_generic_hand_left.glb': '-, -, -, -, -, -, -, -',
};

describe.skipIf(!shared)('key bones', () => {
  test.each(Object.entries(FILES))('%s', async (name, expected) => {
    const asset = await loadShared(name);
    const { bones } = findHumanoid(asset);
    const keys = KEYS.map((role) => (bones[role] === undefined ? '-' : asset.skeleton.names[bones[role]]));
    expect(keys.join(', ')).toBe(expected);
    expect(new Set(Object.values(bones)).size).toBe(Object.values(bones).length);
    const isAbove = (upper: string, lower: string): boolean => {
      if (bones[upper] === undefined || bones[lower] === undefined) return true;
      let bone = bones[lower];
      while (bone >= 0 && bone !== bones[upper]) bone = asset.skeleton.parents[bone]!;
      return bone >= 0;
    };
    const broken = ROWS.flatMap((row) => row.slice(1).filter((role, i) => !isAbove(row[i]!, role)));
    expect(broken).toEqual([]);
  });
});
