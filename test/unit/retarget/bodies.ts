/**
 * Bodies whose truth is known: joints of a person in metres, +Y up, facing +Z, standing as a T. Every variant says how it
 * differs: bone axes that mean nothing, another rest pose, other proportions, another unit, world or naming, bones in
 * between, static roots, feet that hang from elsewhere, a skin that knows the rest pose while the file is saved in another.
 *
 * The flesh of a bone is its rotation without its axes: the identity for all bones of a T. Two bodies stand alike exactly
 * if their flesh does.
 */
import type { Asset, Skin } from '../../../src/asset/asset.js';
import type { LocalPose } from '../../../src/retarget/index.js';
import {
  add,
  axisAngle,
  identity,
  mul,
  qinv,
  qmul,
  qrot,
  rotationOf,
  seeded,
  sub,
  type Q4,
  type V3,
} from '../../support/referenceMath.js';

/** A bone of the T: VRM name (or that of an end), the bone it hangs from, place relative to it in metres. */
type Row = [role: string, parent: string, offset: V3];

/** Lengths as multiples of those of the plain body. */
export interface Sizes {
  all?: number;
  legs?: number;
  thigh?: number;
  shin?: number;
  arms?: number;
  trunk?: number;
  hands?: number;
}

/** A static node above the hips. */
export interface RootNode {
  name: string;
  t?: V3;
  r?: Q4;
  s?: number;
}

/** How a body differs from the plain one. */
export interface BodyOptions {
  /** Seed of the bone axes; without one they are those of the world. */
  axes?: number;
  /** Bones that are left out, by VRM name; what hangs from them hangs from the bone above. */
  without?: readonly string[];
  /** Rest pose, as turns of what hangs from a joint about that joint, in the axes of the T. */
  turns?: Readonly<Record<string, Q4>>;
  sizes?: Sizes;
  /** Whether rows of bones end in a helper; default true. */
  ends?: boolean;
  /** Where the body stands at rest, metres, in the axes of the T. */
  offset?: V3;
  /** Units per metre. */
  unit?: number;
  /** Turn of the whole body: where it faces, which axis is up. */
  world?: Q4;
  /** Unmapped bones above a bone, by its VRM name. */
  between?: Readonly<Record<string, readonly string[]>>;
  /** Static nodes above the hips, the topmost first. */
  roots?: readonly RootNode[];
  /** Bones that hang from the last of `roots` (or from nothing), in front of all others, in this order. */
  detached?: readonly string[];
  /** Names by VRM name; default the VRM name itself. */
  names?: (role: string) => string | undefined;
  /** Seed of another pose in which the file is saved; a skin then knows the rest pose. The topmost node stays. */
  saved?: number;
}

/** A body. */
export interface TestBody {
  asset: Asset;
  /** Bone by VRM name, ends as `headEnd`, `leftToesEnd`, `leftIndexEnd`. */
  bones: Readonly<Record<string, number>>;
  /** VRM names of its bones, without ends. */
  roles: readonly string[];
  /** What a bone goes by in motions: VRM name, or its own name; undefined for static roots. */
  keys: readonly (string | undefined)[];
  /** World rotation per bone, in the T of a world that is not turned: its axes. */
  axes: readonly Q4[];
  /** Turn of the whole body. */
  world: Q4;
  unit: number;
  /** Its rest pose, by construction. */
  rest: LocalPose;
}

/** Turns that make an A or N of a T: arms lowered by 45 or 80 degrees. */
export const lowered = (degrees: number): Record<string, Q4> => ({
  leftUpperArm: axisAngle([0, 0, 1], (-degrees * Math.PI) / 180),
  rightUpperArm: axisAngle([0, 0, 1], (degrees * Math.PI) / 180),
});

export const RESTS: Readonly<Record<'T' | 'A' | 'N', Record<string, Q4>>> = {
  T: {},
  A: lowered(45),
  N: lowered(84),
};

export const FINGER_ROLES: readonly string[] = ['left', 'right'].flatMap((side) => [
  ...['Metacarpal', 'Proximal', 'Distal'].map((part) => `${side}Thumb${part}`),
  ...['Index', 'Middle', 'Ring', 'Little'].flatMap((finger) =>
    ['Proximal', 'Intermediate', 'Distal'].map((part) => side + finger + part),
  ),
]);

/** Bones that a body may lack. */
export const OPTIONAL_ROLES: readonly string[] = [
  'chest',
  'upperChest',
  'neck',
  ...['left', 'right'].flatMap((side) => [`${side}Shoulder`, `${side}Toes`]),
  ...FINGER_ROLES,
];

function rows({
  all = 1,
  legs = 1,
  thigh = legs,
  shin = legs,
  arms = 1,
  trunk = 1,
  hands = 1,
}: Sizes): Row[] {
  const hips = 0.13 + 0.42 * thigh + 0.4 * shin;
  const out: Row[] = [
    ['hips', '', [0, hips, 0]],
    ['spine', 'hips', mul([0, 0.1, 0.01], trunk)],
    ['chest', 'spine', mul([0, 0.13, -0.01], trunk)],
    ['upperChest', 'chest', mul([0, 0.12, -0.01], trunk)],
    ['neck', 'upperChest', mul([0, 0.15, 0.01], trunk)],
    ['head', 'neck', mul([0, 0.09, 0.02], trunk)],
    ['headEnd', 'head', mul([0, 0.2, 0], trunk)],
  ];
  for (const [side, s] of [
    ['left', 1],
    ['right', -1],
  ] as const) {
    const row = (role: string, parent: string, [x, y, z]: V3, size: number): void => {
      out.push([
        side + role,
        parent === 'hips' || parent === 'upperChest' ? parent : side + parent,
        [s * size * x, size * y, size * z],
      ]);
    };
    row('UpperLeg', 'hips', [0.09, -0.05, 0], 1);
    row('LowerLeg', 'UpperLeg', [0, -0.42, 0.01], thigh);
    row('Foot', 'LowerLeg', [0, -0.4, -0.02], shin);
    row('Toes', 'Foot', [0.01, -0.06, 0.12], 1);
    row('ToesEnd', 'Toes', [0, 0, 0.07], 1);
    row('Shoulder', 'upperChest', [0.03, 0.1, 0], 1);
    row('UpperArm', 'Shoulder', [0.13, 0, 0], 1);
    row('LowerArm', 'UpperArm', [0.28, 0, 0], arms);
    row('Hand', 'LowerArm', [0.25, 0, 0], arms);
    row('ThumbMetacarpal', 'Hand', [0.025, -0.01, 0.025], hands);
    row('ThumbProximal', 'ThumbMetacarpal', [0.03, -0.01, 0.03], hands);
    row('ThumbDistal', 'ThumbProximal', [0.025, -0.002, 0.018], hands);
    row('ThumbEnd', 'ThumbDistal', [0.02, 0.001, 0.01], hands);
    for (const [finger, x, z, length] of [
      ['Index', 0.09, 0.03, 1],
      ['Middle', 0.095, 0.005, 1.1],
      ['Ring', 0.09, -0.018, 1],
      ['Little', 0.08, -0.04, 0.8],
    ] as const) {
      row(`${finger}Proximal`, 'Hand', [x, 0.002, z], hands);
      row(`${finger}Intermediate`, `${finger}Proximal`, [0.04, -0.002, z / 20], hands * length);
      row(`${finger}Distal`, `${finger}Intermediate`, [0.025, -0.003, z / 30], hands * length);
      row(`${finger}End`, `${finger}Distal`, [0.02, -0.002, 0], hands * length);
    }
  }
  return out.map(([role, parent, offset]): Row => [role, parent, mul(offset, all)]);
}

/** All VRM names that a body may have, each after those it hangs from. */
export const ROLES: readonly string[] = rows({}).flatMap(([role]) => (role.endsWith('End') ? [] : [role]));

/** A bone of the body to be made, placed in a world that is not turned, in metres. */
interface Joint {
  role: string | undefined;
  name: string;
  parent: Joint | undefined;
  at: V3;
  /** Flesh of the rest pose. */
  flesh: Q4;
}

function jointsOf(options: BodyOptions): Joint[] {
  const {
    without = [],
    turns = {},
    sizes = {},
    ends = true,
    between = {},
    detached = [],
    names = (role) => role,
  } = options;
  const all = new Map<string, Joint & { above: Joint | undefined }>();
  const out: Joint[] = [];
  for (const [role, above, offset] of rows(sizes)) {
    // The flesh of a bone that is left out turns nothing.
    const parent = all.get(above);
    const at = parent === undefined ? offset : add(parent.at, qrot(parent.flesh, offset));
    const before = parent?.flesh ?? identity;
    const hangsFrom = parent === undefined || out.includes(parent) ? parent : parent.above;
    const isEnd = role.endsWith('End');
    // An end goes with the last of its row.
    const gone = isEnd ? !ends || !hangsFrom?.role?.startsWith(role.slice(0, -3)) : without.includes(role);
    const joint = {
      role,
      name: names(role) ?? role,
      parent: hangsFrom,
      above: hangsFrom,
      at,
      flesh: gone ? before : qmul(before, turns[role] ?? identity),
    };
    all.set(role, joint);
    if (gone) continue;
    for (const [i, name] of (between[role] ?? []).entries()) {
      const share = (i + 1) / (between[role]!.length + 1);
      const from = hangsFrom?.at ?? [0, 0, 0];
      const middle: Joint = {
        role: undefined,
        name,
        parent: joint.parent,
        at: add(from, mul(sub(at, from), share)),
        flesh: before,
      };
      out.push(middle);
      joint.parent = middle;
    }
    if (detached.includes(role)) joint.parent = undefined;
    out.push(joint);
  }
  const first = detached.flatMap((role) => out.filter((joint) => joint.role === role));
  return [...first, ...out.filter((joint) => !first.includes(joint))];
}

/** Makes a body. */
export function makeBody(options: BodyOptions = {}): TestBody {
  const { axes: seed, offset = [0, 0, 0], unit = 1, world = identity, roots = [], saved } = options;
  const joints = inOrder(jointsOf(options));
  const random = seeded(seed ?? 0);
  const count = roots.length + joints.length;
  const parents = new Int32Array(count);
  const rest: LocalPose = {
    translations: new Float64Array(3 * count),
    rotations: new Float64Array(4 * count),
    scales: new Float64Array(3 * count).fill(1),
  };
  const places: V3[] = [];
  const turns: Q4[] = [];
  const sizes: number[] = [];
  const axes: Q4[] = [];
  for (const [bone, root] of roots.entries()) {
    const { t = [0, 0, 0], r = identity, s = 1 }: RootNode = root;
    const above = bone - 1;
    parents[bone] = above;
    rest.translations.set(t, 3 * bone);
    rest.rotations.set(r, 4 * bone);
    rest.scales.fill(s, 3 * bone, 3 * bone + 3);
    places.push(bone === 0 ? t : add(places[above]!, mul(qrot(turns[above]!, t), sizes[above]!)));
    turns.push(bone === 0 ? r : qmul(turns[above]!, r));
    sizes.push((sizes[above] ?? 1) * s);
    axes.push(qmul(qinv(world), turns[bone]!));
  }
  for (const [i, { parent, at, flesh }] of joints.entries()) {
    const bone = roots.length + i;
    const above = parent === undefined ? roots.length - 1 : roots.length + joints.indexOf(parent);
    parents[bone] = above;
    axes.push(seed === undefined ? identity : rotationOf(random(), random(), random()));
    places.push(mul(qrot(world, add(at, offset)), unit));
    turns.push(qmul(qmul(world, flesh), axes[bone]!));
    sizes.push(sizes[above] ?? 1);
    const back = qinv(turns[above] ?? identity);
    const beside = sub(places[bone]!, places[above] ?? [0, 0, 0]);
    rest.translations.set(mul(qrot(back, beside), 1 / (sizes[above] ?? 1)), 3 * bone);
    rest.rotations.set(qmul(back, turns[bone]!), 4 * bone);
  }
  const names = [...roots.map(({ name }) => name), ...joints.map(({ name }) => name)];
  const bones = Object.fromEntries(
    joints.flatMap(({ role }, i) => (role === undefined ? [] : [[role, roots.length + i]])),
  );
  const asset: Asset = {
    name: 'body',
    skeleton: {
      count,
      names,
      parents,
      nodes: Int32Array.from(names, (_, bone) => bone),
      translations: rest.translations.slice(),
      rotations: rest.rotations.slice(),
      scales: rest.scales.slice(),
    },
    skins: saved === undefined ? [] : [skinOf(places, turns, sizes)],
    meshes: [],
    clips: [],
    warnings: [],
  };
  if (saved !== undefined) spoil(asset, saved);
  const roles = Object.keys(bones).filter((role) => !role.endsWith('End'));
  const keys = [...roots.map(() => undefined), ...joints.map(({ role, name }) => role ?? name)];
  return { asset, bones, keys, roles, axes, world, unit, rest };
}

/** Parents first: bones that hang from one further on follow it. */
function inOrder(joints: readonly Joint[]): Joint[] {
  const out: Joint[] = [];
  let open = [...joints];
  while (open.length > 0) {
    // One at a time keeps the order of the others.
    const next = open.find(({ parent }) => parent === undefined || out.includes(parent))!;
    out.push(next);
    open = open.filter((joint) => joint !== next);
  }
  return out;
}

const AXES: readonly V3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** A skin over all bones that knows where they stand. */
function skinOf(places: readonly V3[], turns: readonly Q4[], sizes: readonly number[]): Skin {
  const inverseBinds = places.flatMap((at, bone) => {
    const back = qinv(turns[bone]!);
    const columns = AXES.map((axis) => mul(qrot(back, axis), 1 / sizes[bone]!));
    return [...columns.flatMap((column) => [...column, 0]), ...mul(qrot(back, at), -1 / sizes[bone]!), 1];
  });
  return {
    name: 'skin',
    joints: Int32Array.from(places, (_, bone) => bone),
    inverseBinds: Float64Array.from(inverseBinds),
  };
}

/** Saves a file in another pose: every bone but the topmost is turned. */
export function spoil({ skeleton }: Asset, seed: number): void {
  const random = seeded(seed);
  for (let bone = 1; bone < skeleton.count; bone++) {
    const old = skeleton.rotations.slice(4 * bone, 4 * bone + 4);
    const turn = axisAngle([random() - 0.5, random() - 0.5, random() - 0.5], random());
    skeleton.rotations.set(qmul([old[0]!, old[1]!, old[2]!, old[3]!], turn), 4 * bone);
    for (let k = 0; k < 3; k++) skeleton.translations[3 * bone + k]! *= 1 + random() / 4;
  }
}
