/** A person of known shape: tubes of known radii around the bones, so that every collider has a closed form. */
import type { Asset, MeshPrimitive, SecondaryMotion } from '../../../src/index.js';
import {
  add,
  cross,
  dot,
  identity,
  mul,
  qinv,
  qmul,
  qrot,
  rotationOf,
  seeded,
  sub,
  unit,
  type Q4,
  type V3,
} from '../../support/referenceMath.js';

/** Where the joints stand, metres. */
export const joints: Record<string, V3> = {
  hips: [0, 0.95, 0],
  spine: [0, 1.1, 0],
  chest: [0, 1.25, 0],
  neck: [0, 1.45, 0],
  head: [0, 1.53, 0],
  leftUpperArm: [0.19, 1.4, 0],
  leftLowerArm: [0.45, 1.4, 0],
  leftHand: [0.7, 1.4, 0],
  leftUpperLeg: [0.1, 0.9, 0],
  leftLowerLeg: [0.1, 0.48, 0],
  leftFoot: [0.1, 0.08, 0],
};
for (const [name, [x, y, z]] of Object.entries(joints))
  if (name.startsWith('left')) joints[name.replace('left', 'right')] = [-x, y, z];

const parentOf: Record<string, string> = {
  spine: 'hips',
  chest: 'spine',
  neck: 'chest',
  head: 'neck',
  leftUpperArm: 'chest',
  leftLowerArm: 'leftUpperArm',
  leftHand: 'leftLowerArm',
  leftUpperLeg: 'hips',
  leftLowerLeg: 'leftUpperLeg',
  leftFoot: 'leftLowerLeg',
  rightUpperArm: 'chest',
  rightLowerArm: 'rightUpperArm',
  rightHand: 'rightLowerArm',
  rightUpperLeg: 'hips',
  rightLowerLeg: 'rightUpperLeg',
  rightFoot: 'rightLowerLeg',
};

/** Radii of the tubes, at both ends. */
export const radii: Record<string, [number, number]> = {
  neck: [0.05, 0.05],
  UpperArm: [0.05, 0.04],
  LowerArm: [0.04, 0.03],
  UpperLeg: [0.085, 0.06],
  LowerLeg: [0.055, 0.04],
};
/** The torso: capsules across it, this thick, with this half distance of their middles. */
export const torso = { radius: 0.11, half: 0.06 };
export const headBall = { centre: [0, 1.63, 0.01] as V3, radius: 0.12 };

export interface PersonSpec {
  /** File units per metre, default 1. */
  unit?: number;
  /** Scale of the armature node, default 1. */
  armature?: number;
  /** Seed of random bone axes, default none. */
  axes?: number;
  /** Names of the bones, default the humanoid ones. */
  nameOf?: (name: string) => string;
  /** Whether the file has the humanoid map; default true. */
  map?: boolean;
  /** More meshes, owned by one bone each. */
  more?: { name: string; bone: string; points: V3[]; triangles: number[] }[];
  /** More bones: name, parent, head. */
  bones?: [name: string, parent: string, head: V3][];
  secondary?: Partial<SecondaryMotion>;
  /** Makes the torso round with this radius. */
  round?: number;
}

export interface Person {
  asset: Asset;
  /** Bone by name. */
  bone: (name: string) => number;
}

/** Builds it; +Y up, +Z forward, left is +X. */
export function makePerson(spec: PersonSpec = {}): Person {
  const { unit: size = 1, armature = 1 } = spec;
  const heads: [string, string | undefined, V3][] = [
    ['root', undefined, [0, 0, 0]],
    ...Object.keys(joints).map((name): [string, string, V3] => [
      name,
      parentOf[name] ?? 'root',
      joints[name]!,
    ]),
    ...(spec.bones ?? []),
  ];
  // Parents first.
  const order: typeof heads = [];
  while (order.length < heads.length)
    for (const one of heads)
      if (!order.includes(one) && (one[1] === undefined || order.some(([name]) => name === one[1])))
        order.push(one);
  const index = new Map(order.map(([name], i) => [name, i]));
  const random = seeded(spec.axes ?? 1);
  const turns = order.map((_, i): Q4 =>
    spec.axes === undefined || i === 0 ? identity : rotationOf(random(), random(), random()),
  );
  const count = order.length;
  const translations = new Float64Array(3 * count);
  const rotations = new Float64Array(4 * count);
  const scales = new Float64Array(3 * count).fill(1);
  scales.fill(armature, 0, 3);
  const parents = new Int32Array(count).fill(-1);
  const inverseBinds = new Float64Array(16 * count);
  for (const [i, [, above, head]] of order.entries()) {
    const p = above === undefined ? -1 : index.get(above)!;
    parents[i] = p;
    const world = mul(head, size);
    const local =
      p < 0 ? world : qrot(qinv(turns[p]!), mul(sub(world, mul(order[p]![2], size)), 1 / armature));
    translations.set(local, 3 * i);
    rotations.set(p < 0 ? turns[i]! : qmul(qinv(turns[p]!), turns[i]!), 4 * i);
    const back = qinv(turns[i]!);
    for (const [c, axis] of (
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ] as V3[]
    ).entries())
      inverseBinds.set(mul(qrot(back, axis), 1 / armature), 16 * i + 4 * c);
    inverseBinds.set(mul(qrot(back, mul(world, -1)), 1 / armature), 16 * i + 12);
    inverseBinds[16 * i + 15] = 1;
  }
  const meshes = [...body(spec), ...(spec.more ?? [])].map(
    ({ name, bone, points, triangles }): MeshPrimitive => {
      const weights = new Float64Array(4 * points.length);
      for (let v = 0; v < points.length; v++) weights[4 * v] = 1;
      return {
        name: `${name}.0`,
        mesh: 0,
        primitive: 0,
        material: '',
        bone: 0,
        skin: 0,
        positions: Float64Array.from(points.flatMap((p) => mul(p, size))),
        indices: Uint32Array.from(triangles),
        influences: 4,
        joints: new Uint16Array(4 * points.length).fill(index.get(bone)!),
        weights,
      };
    },
  );
  const nameOf = spec.nameOf ?? ((name: string): string => name);
  const humanoid = Object.fromEntries(Object.keys(joints).map((name) => [name, index.get(name)!]));
  const asset: Asset = {
    name: 'person',
    skeleton: {
      count,
      names: order.map(([name]) => nameOf(name)),
      parents,
      nodes: Int32Array.from({ length: count }, (_, i) => i),
      translations,
      rotations,
      scales,
    },
    skins: [{ name: 'skin', joints: Int32Array.from({ length: count }, (_, i) => i), inverseBinds }],
    meshes,
    clips: [],
    warnings: [],
    secondary: {
      source: 'vrm-1',
      colliders: [],
      groups: [],
      springs: [],
      constraints: [],
      humanoid: spec.map === false ? {} : humanoid,
      ...spec.secondary,
    },
  };
  return { asset, bone: (name) => index.get(name)! };
}

interface Piece {
  name: string;
  bone: string;
  points: V3[];
  triangles: number[];
}

function body({ round }: PersonSpec): Piece[] {
  const pieces: Piece[] = [];
  for (const [from, to] of [
    ['neck', 'head'],
    ...['left', 'right'].flatMap((side) => [
      [`${side}UpperArm`, `${side}LowerArm`],
      [`${side}LowerArm`, `${side}Hand`],
      [`${side}UpperLeg`, `${side}LowerLeg`],
      [`${side}LowerLeg`, `${side}Foot`],
    ]),
  ] as [string, string][]) {
    const [ra, rb] = radii[from.replace(/^(?:left|right)/, '')]!;
    pieces.push({ name: from, bone: from, ...tube(joints[from]!, joints[to]!, ra, rb) });
  }
  const levels: [string, number, number][] = [
    ['hips', 0.86, 1.1],
    ['spine', 1.1, 1.25],
    ['chest', 1.25, 1.47],
  ];
  for (const [bone, low, high] of levels)
    pieces.push({
      name: `torso-${bone}`,
      bone,
      ...(round === undefined
        ? wall(low, high, (t) => stadium(t, torso.half, torso.radius))
        : wall(low, high, (t) => stadium(t, 0, round))),
    });
  pieces.push({ name: 'face', bone: 'head', ...ball(headBall.centre, headBall.radius) });
  return pieces;
}

/** Sides of a round thing. */
const SIDES = 48;

/** A point of a cross-section of two half circles and what lies between them, t from 0 to 1. */
function stadium(t: number, half: number, radius: number): [number, number] {
  const angle = 2 * Math.PI * t;
  const x = radius * Math.cos(angle);
  return [x + (Math.abs(Math.cos(angle)) < 1e-9 ? 0 : Math.sign(x) * half), radius * Math.sin(angle)];
}

/** An upright wall around the y axis. */
function wall(
  low: number,
  high: number,
  section: (t: number) => [number, number],
): Pick<Piece, 'points' | 'triangles'> {
  return rings(
    Array.from({ length: 9 }, (_, i) => {
      const y = low + ((high - low) * i) / 8;
      return Array.from({ length: SIDES }, (__, k): V3 => {
        const [x, z] = section(k / SIDES);
        return [x, y, z];
      });
    }),
  );
}

/** A tube from a to b. */
export function tube(a: V3, b: V3, ra: number, rb: number): Pick<Piece, 'points' | 'triangles'> {
  const way = unit(sub(b, a));
  const side = unit(cross(way, Math.abs(dot(way, [0, 0, 1])) > 0.9 ? [0, 1, 0] : [0, 0, 1]));
  const other = cross(way, side);
  return rings(
    Array.from({ length: 13 }, (_, i) => {
      const t = i / 12;
      const radius = ra + t * (rb - ra);
      const centre = add(a, mul(sub(b, a), t));
      return Array.from({ length: SIDES }, (__, k): V3 => {
        const angle = (2 * Math.PI * k) / SIDES;
        return add(centre, add(mul(side, radius * Math.cos(angle)), mul(other, radius * Math.sin(angle))));
      });
    }),
  );
}

/** A ball. */
function ball(centre: V3, radius: number): Pick<Piece, 'points' | 'triangles'> {
  return rings(
    Array.from({ length: 25 }, (_, i) => {
      const latitude = Math.PI * (i / 24 - 0.5);
      return Array.from({ length: SIDES }, (__, k): V3 => {
        const angle = (2 * Math.PI * k) / SIDES;
        const r = radius * Math.cos(latitude);
        return add(centre, [r * Math.cos(angle), radius * Math.sin(latitude), r * Math.sin(angle)]);
      });
    }),
  );
}

function rings(list: V3[][]): Pick<Piece, 'points' | 'triangles'> {
  const triangles: number[] = [];
  for (let i = 0; i + 1 < list.length; i++)
    for (let k = 0; k < SIDES; k++) {
      const [a, b] = [i * SIDES + k, i * SIDES + ((k + 1) % SIDES)];
      triangles.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
    }
  return { points: list.flat(), triangles };
}
