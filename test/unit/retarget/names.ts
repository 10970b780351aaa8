/**
 * What rigs call the bones of a body, by VRM name: the table of Mixamo, Unreal's mannequin, Rigify, MotionBuilder, the
 * Carnegie Mellon captures, Bandai Namco, 3ds Max Biped and VRM. Written out from the rigs, not from the library.
 */

/** A rig's name of a bone by VRM name; undefined where it has no such bone. */
export type Scheme = (role: string) => string | undefined;

const FINGERS = ['Thumb', 'Index', 'Middle', 'Ring', 'Little'];

/** Side, finger and number (0 first) of a finger's bone. */
function fingerOf(role: string): { side: string; finger: number; part: number } | undefined {
  const found = /^(left|right)(Thumb|Index|Middle|Ring|Little)(\w+)$/.exec(role);
  if (found === null) return undefined;
  const parts =
    found[2] === 'Thumb' ? ['Metacarpal', 'Proximal', 'Distal'] : ['Proximal', 'Intermediate', 'Distal'];
  return { side: found[1]!, finger: FINGERS.indexOf(found[2]!), part: parts.indexOf(found[3]!) };
}

/** Names from a table of the trunk and one of the limbs, in which `*` is the side. */
function table(
  trunk: string,
  limbs: string,
  sides: readonly [string, string],
  finger: (finger: number, part: number, side: string) => string | undefined,
): Scheme {
  const trunkRoles = ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head'];
  const limbRoles = ['Shoulder', 'UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot', 'Toes'];
  const trunkNames = trunk.split(', ');
  const limbNames = limbs.split(', ');
  return (role) => {
    const inTrunk = trunkRoles.indexOf(role);
    if (inTrunk >= 0) return trunkNames[inTrunk] === '-' ? undefined : trunkNames[inTrunk];
    const left = role.startsWith('left');
    const side = sides[left ? 0 : 1];
    const digit = fingerOf(role);
    if (digit !== undefined) return finger(digit.finger, digit.part, side);
    return limbNames[limbRoles.indexOf(role.replace(/^(?:left|right)/, ''))]?.replace('*', side);
  };
}

const ENGLISH = ['Thumb', 'Index', 'Middle', 'Ring', 'Pinky'];

const mixamo = (prefix: string): Scheme =>
  table(
    ['Hips', 'Spine', 'Spine1', 'Spine2', 'Neck', 'Head'].map((name) => prefix + name).join(', '),
    ['Shoulder', 'Arm', 'ForeArm', 'Hand', 'UpLeg', 'Leg', 'Foot', 'ToeBase']
      .map((name) => `${prefix}*${name}`)
      .join(', '),
    ['Left', 'Right'],
    (finger, part, side) => `${prefix}${side}Hand${ENGLISH[finger]}${part + 1}`,
  );

/** All schemes by name. */
export const schemes: Readonly<Record<string, Scheme>> = {
  VRM: (role) => role,
  Mixamo: mixamo('mixamorig:'),
  'Mixamo without colon': mixamo('mixamorig'),
  'Mixamo with a digit': mixamo('mixamorig9:'),
  MotionBuilder: mixamo(''),
  'Unreal mannequin': table(
    'pelvis, spine_01, spine_02, spine_03, neck_01, head',
    'clavicle_*, upperarm_*, lowerarm_*, hand_*, thigh_*, calf_*, foot_*, ball_*',
    ['l', 'r'],
    (finger, part, side) => `${ENGLISH[finger]!.toLowerCase()}_0${part + 1}_${side}`,
  ),
  'Rigify DEF': table(
    'DEF-spine, DEF-spine.001, DEF-spine.002, DEF-spine.003, DEF-spine.004, DEF-spine.006',
    'DEF-shoulder.*, DEF-upper_arm.*, DEF-forearm.*, DEF-hand.*, DEF-thigh.*, DEF-shin.*, DEF-foot.*, DEF-toe.*',
    ['L', 'R'],
    (finger, part, side) =>
      `DEF-${finger === 0 ? 'thumb' : `f_${ENGLISH[finger]!.toLowerCase()}`}.0${part + 1}.${side}`,
  ),
  'Bandai Namco': table(
    'Hips, Spine, Chest, -, Neck, Head',
    'Shoulder_*, UpperArm_*, LowerArm_*, Hand_*, UpperLeg_*, LowerLeg_*, Foot_*, Toes_*',
    ['L', 'R'],
    () => undefined,
  ),
  Biped: table(
    'Bip01 Pelvis, Bip01 Spine, Bip01 Spine1, Bip01 Spine2, Bip01 Neck, Bip01 Head',
    'Bip01 * Clavicle, Bip01 * UpperArm, Bip01 * Forearm, Bip01 * Hand, Bip01 * Thigh, Bip01 * Calf, Bip01 * Foot, Bip01 * Toe0',
    ['L', 'R'],
    (finger, part, side) => `Bip01 ${side} Finger${finger}${part === 0 ? '' : part}`,
  ),
};
