/**
 * Characters for the rules of the rig pass that are easy to get wrong; each is named after its rule.
 */
import { addChain, boneIndex, PREFIX } from '../../../examples/characters/humanoidRig.js';
import { add, scale, type Vec3 } from '../../../examples/characters/linear.js';
import type { Influence } from '../../../examples/characters/skin.js';
import type { Curve } from '../../../examples/characters/tube.js';
import { tailWeights } from '../../../examples/characters/tailWeights.js';
import { FAT, FOX, fusedSkin, legInfluences, limbShells, makeBody, SLIM, type Body } from './body.js';
import type { CharacterSpec, TestCharacter } from './character.js';
import { withShells, withTail, type Make } from './fixtures.js';
import { mirroredShell, nearestVertex, plateShell, type Shell } from './shells.js';
import { bodyFor, furTube, namedTail, tailThrough, tailTube, type TailName } from './tails.js';

/** A fur tube that ends in the very vertex in which the skin ends. */
export function sharedTip(name: 'fox' | 'toon'): TestCharacter {
  const body = bodyFor(name);
  const tail = namedTail(name, body);
  const tip = tail.curve.at(tail.curve.length).point;
  const skin = tailTube(body, tail, { tip });
  const fur = furTube(body, tail, { to: tail.curve.length, tip });
  return withShells(body, [...limbShells(body), skin, fur], {}, tail);
}

/** A tail whose vertices crowd on one side of every ring: the centre of area is not the mean of the vertices. */
export function lopsided(): TestCharacter {
  const body = bodyFor('mouse');
  const tail = namedTail('mouse', body);
  const skin = tailTube(body, tail, { sides: 20, angle: (share) => 0.5 * share + 0.5 * share ** 4 });
  return withShells(body, [...limbShells(body), skin], {}, tail);
}

/** A tail that curls over the back to three quarters of a circle, its tip near its middle. */
export function curled(make: Make): TestCharacter {
  const body = makeBody(FOX);
  const tail = tailThrough(
    body,
    [
      [0, -0.02, -0.07],
      [0, 0.03, -0.16],
      [0, 0.13, -0.2],
      [0, 0.22, -0.15],
      [0, 0.22, -0.07],
      [0, 0.15, -0.05],
    ],
    0.022,
    0.014,
  );
  return withTail(body, tail, make);
}

/** A tail along the legs of which some vertices are vertices of the legs to the bit. */
export function touchingLegs(): TestCharacter & { touching: number } {
  const body = makeBody(FOX);
  const tail = tailThrough(
    body,
    [
      [0, -0.1, 0.006],
      [0, -0.2, 0.014],
      [0, -0.3, 0],
      [0, -0.42, -0.08],
    ],
    0.022,
    0.015,
  );
  const limbs = limbShells(body);
  const skin = tailTube(body, tail, { sides: 14 });
  let touching = 0;
  for (const leg of limbs.filter(({ name }) => name.endsWith('Leg')))
    for (const share of [0.4, 0.52]) {
      const place = tail.curve.at(share * tail.curve.length).point;
      const onLeg = nearestVertex(leg, place);
      const onTail = nearestVertex(skin, leg.positions[onLeg]!);
      skin.positions[onTail] = leg.positions[onLeg]!;
      touching++;
    }
  return { ...withShells(body, [...limbs, skin], {}, tail), touching };
}

/**
 * Two thin tails side by side, one leaning left, one right; `gap` is the way between their roots, in radii of a tail.
 */
export function twoTails(gap: number): TestCharacter {
  const body = makeBody(FAT);
  const radius = 0.016;
  const offset = (0.5 * gap + 1) * radius * FAT.height;
  const tails = [1, -1].map((side) => {
    const root: Body = { ...body, tailRoot: add(body.tailRoot, [side * offset, 0, 0]) };
    return tailThrough(
      root,
      [
        [side * 0.01, -0.08, -0.08],
        [side * 0.04, -0.12, -0.2],
        [side * 0.09, -0.1, -0.32],
      ],
      radius,
      0.8 * radius,
    );
  });
  return withShells(body, [...limbShells(body), ...tails.map((tail) => tailTube(body, tail))]);
}

/** Parts of a shell by a rule about the middle of a triangle; vertices at the border are doubled. */
function split(shell: Shell, belongs: (middle: Vec3) => boolean): [Shell, Shell] {
  const parts = [true, false].map((side): Shell => {
    const numbers = new Map<number, number>();
    const triangles: number[] = [];
    for (let t = 0; t < shell.triangles.length; t += 3) {
      const three = shell.triangles.slice(t, t + 3);
      const [a, b, c] = three.map((v) => shell.positions[v]!) as [Vec3, Vec3, Vec3];
      if (belongs(scale(add(add(a, b), c), 1 / 3)) !== side) continue;
      for (const v of three) {
        if (!numbers.has(v)) numbers.set(v, numbers.size);
        triangles.push(numbers.get(v)!);
      }
    }
    const kept = [...numbers.keys()];
    return {
      name: `${shell.name} ${side ? 'a' : 'b'}`,
      positions: kept.map((v) => shell.positions[v]!),
      triangles,
      influences: kept.map((v) => shell.influences[v]!),
      tail: kept.map((v) => shell.tail[v]!),
    };
  });
  return parts as [Shell, Shell];
}

/**
 * Body on a skin of all joints; the tail on a second skin of leg bones only, in another order and ten times the
 * units, which does not hold the bone from which the tail hangs; the fur's lower half in yet another primitive.
 */
export function severalSkins(): TestCharacter {
  const body = bodyFor('fox');
  const tail = namedTail('fox', body);
  const all = [...body.rig.bones.keys()].filter((b) => !body.rig.bones[b]!.name.endsWith('_End'));
  const legs = ['RightLeg', 'LeftLeg', 'RightUpLeg', 'LeftUpLeg'].map((name) =>
    boneIndex(body.rig, PREFIX + name),
  );
  const middle = tail.curve.at(0.5 * tail.curve.length).point[1];
  const [upper, lower] = split(furTube(body, tail), (p) => p[1] > middle);
  return withShells(
    body,
    [],
    {
      meshes: [
        { name: 'Body', shells: limbShells(body) },
        { name: 'Tail', shells: [tailTube(body, tail), upper], skin: 1 },
        { name: 'Fur', shells: [lower], skin: 0 },
      ],
      skins: [all, legs],
      skinUnits: [1, 10],
    },
    tail,
  );
}

/** One connected skin cut into two primitives right across the tail, on two skins that share joints. */
export function splitTail(): TestCharacter {
  const body = bodyFor('mouse');
  const tail = namedTail('mouse', body);
  const all = [...body.rig.bones.keys()].filter((b) => !body.rig.bones[b]!.name.endsWith('_End'));
  const cut = tail.curve.at(0.4 * tail.curve.length).point[2];
  const [upper, lower] = split(tailTube(body, tail), (p) => p[2] > cut);
  return withShells(
    body,
    [],
    {
      meshes: [
        { name: 'Body', shells: [...limbShells(body), upper] },
        { name: 'Tail', shells: [lower], skin: 1 },
      ],
      skins: [all, all.toReversed()],
      skinUnits: [1, 0.5],
    },
    tail,
  );
}

/** A named tail on tubes below armature nodes of any scale. */
export function underArmature(name: TailName, armature: readonly number[]): TestCharacter {
  const body = bodyFor(name);
  const tail = namedTail(name, body);
  const fur = tail.fur ? [furTube(body, tail)] : [];
  return withShells(body, [...limbShells(body), tailTube(body, tail), ...fur], { armature }, tail);
}

/** A tail that has bones already: the chain hangs from the hips and its skin follows it. */
export function bonedTail(): TestCharacter {
  const body = bodyFor('mouse');
  const tail = namedTail('mouse', body);
  const { length } = tail.curve;
  const links = 6;
  const hips = boneIndex(body.rig, `${PREFIX}Hips`);
  const heads = Array.from({ length: links }, (_, i) => tail.curve.at((i * length) / links).point);
  const bones = addChain(
    body.rig,
    hips,
    heads.map((_, i) => `rabo.${i}`),
    heads,
  );
  const weigh = (_: Vec3, along: number): Influence[] => tailWeights(along, length, hips, bones);
  return withShells(body, [...limbShells(body), tailTube(body, tail, { weigh })], {}, tail);
}

/** Bones of a leg for everything worn. */
const onLegs =
  (body: Body) =>
  (p: Vec3): Influence[] =>
    legInfluences(body.rig, p);

/** A cape that begins at the pelvis, in the middle, and hangs free behind the legs. */
export function cape(): TestCharacter {
  const body = makeBody(SLIM);
  const [x, y, z] = body.tailRoot;
  const sheet = plateShell(
    'cape',
    [x - 0.24, y + 0.05, z - 0.03],
    [0.48, 0, 0],
    [0, -0.6, -0.22],
    [16, 20],
    0.012,
    onLegs(body),
    1,
  );
  return withShells(body, [fusedSkin(body, []), sheet]);
}

/** A flared skirt around the hips, open below. */
export function skirt(): TestCharacter {
  const body = makeBody(SLIM);
  const { hips } = body.joints;
  const steps = 16;
  const sides = 28;
  const top = hips[1] + 0.06;
  const shell: Shell = { name: 'skirt', positions: [], triangles: [], influences: [], tail: [] };
  for (const thickness of [0, 0.01])
    for (let j = 0; j <= steps; j++)
      for (let i = 0; i < sides; i++) {
        const angle = (2 * Math.PI * i) / sides;
        const r = 0.15 + 0.2 * (j / steps) + thickness;
        const p: Vec3 = [1.2 * r * Math.cos(angle), top - 0.5 * (j / steps), r * Math.sin(angle)];
        shell.positions.push(p);
        shell.influences.push(legInfluences(body.rig, p));
        shell.tail.push(1);
      }
  const at = (layer: number, j: number, i: number): number =>
    layer * (steps + 1) * sides + j * sides + (i % sides);
  for (let i = 0; i < sides; i++) {
    for (let j = 0; j < steps; j++) {
      const [a, b, c, d] = [at(1, j, i), at(1, j, i + 1), at(1, j + 1, i + 1), at(1, j + 1, i)];
      shell.triangles.push(a, b, c, a, c, d);
      const [e, f, g, h] = [at(0, j, i), at(0, j, i + 1), at(0, j + 1, i + 1), at(0, j + 1, i)];
      shell.triangles.push(e, g, f, e, h, g);
    }
    for (const j of [0, steps]) {
      const [a, b, c, d] = [at(0, j, i), at(0, j, i + 1), at(1, j, i + 1), at(1, j, i)];
      if (j === 0) shell.triangles.push(a, b, c, a, c, d);
      else shell.triangles.push(a, c, b, a, d, c);
    }
  }
  return withShells(body, [fusedSkin(body, []), shell]);
}

/** A long pouch on the belt, behind, off the middle plane. */
export function pouch(): TestCharacter {
  const body = makeBody(SLIM);
  const root: Vec3 = [0.09, body.joints.hips[1] + 0.03, -0.085];
  const tail = tailThrough(
    { ...body, tailRoot: root },
    [
      [0.05, -0.06, -0.09],
      [0.07, -0.14, -0.16],
    ],
    0.016,
    0.016,
  );
  return withShells(body, [fusedSkin(body, []), tailTube(body, tail)], {}, tail);
}

/** Two flat wings at the shoulder blades. */
export function wings(): TestCharacter {
  const body = makeBody(SLIM);
  const spine = boneIndex(body.rig, `${PREFIX}Spine2`);
  const y = body.joints.spine2[1];
  const left = plateShell(
    'wing',
    [0.05, y + 0.08, -0.09],
    [0.65, 0.25, -0.25],
    [0.03, -0.2, -0.02],
    [22, 8],
    0.012,
    () => [{ bone: spine, weight: 1 }],
    1,
  );
  return withShells(body, [fusedSkin(body, []), left, mirroredShell(left, (bone) => bone)]);
}

/** A tail whose root stands `offset` (in halves of the distance between the legs) off the middle plane. */
export function offMiddle(offset: number, spec: Partial<CharacterSpec> = {}): TestCharacter {
  const body = makeBody(FOX);
  const half = FOX.stance * FOX.height;
  const tail = tailThrough(
    { ...body, tailRoot: add(body.tailRoot, [offset * half, 0, 0]) },
    [
      [0, -0.1, -0.04],
      [0, -0.2, -0.1],
      [0, -0.3, -0.18],
    ],
    0.022,
    0.015,
  );
  return withShells(body, [...limbShells(body), tailTube(body, tail)], spec, tail);
}

/** A head with three strands in one mesh, all bound to it: one behind, one at each side. */
export function tufts(): TestCharacter & { lines: Curve[]; radius: number } {
  const body = makeBody(SLIM);
  const h = SLIM.height;
  const head = boneIndex(body.rig, `${PREFIX}Head`);
  const [, y] = body.joints.head;
  const strands = (
    [
      [
        [0, 0.1, -0.066],
        [0, 0.07, -0.12],
        [0, -0.02, -0.15],
        [0, -0.11, -0.15],
      ],
      [
        [0.066, 0.09, 0],
        [0.11, 0.05, -0.01],
        [0.125, -0.03, -0.015],
      ],
      [
        [-0.066, 0.09, 0],
        [-0.11, 0.05, -0.01],
        [-0.125, -0.03, -0.015],
      ],
    ] as Vec3[][]
  ).map((points) =>
    tailThrough(
      { ...body, tailRoot: add([0, y, 0], scale(points[0]!, h)) },
      points.slice(1).map((p) => add(p, scale(points[0]!, -1))),
      0.014,
      0.009,
    ),
  );
  const shells = strands.map((strand) =>
    tailTube(body, strand, { sides: 10, rings: 26, weigh: () => [{ bone: head, weight: 1 }] }),
  );
  const made = withShells(body, [], {
    meshes: [
      { name: 'Body', shells: [fusedSkin(body, [])] },
      { name: 'Hair', shells, material: 'fur material' },
    ],
  });
  return { ...made, lines: strands.map(({ curve }) => curve), radius: 0.014 * h };
}
