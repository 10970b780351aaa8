/** What a person sees in the picture: the right side of the right bone, upright, hidden things hidden, every word. */
import { describe, expect, test } from 'vitest';
import type { Asset } from '../../../src/index.js';
import { rigPicture } from '../../../src/rig/picture.js';
import type { RigPlan } from '../../../src/rig/plan.js';
import type { Surface } from '../../../src/rig/surface.js';
import { ballSurface, bonesOnly } from './support/balls.js';
import { fakePlan } from './support/fakePlan.js';
import { fox, foxPlan } from './support/fox.js';
import { colorsByName, expectWellFormed, skinOf, textsOf, type Patch } from './support/svg.js';

const names = ['Left', 'Right', 'Front', 'Back', 'Top'];
const five = bonesOnly(names);

/** Five balls: at its left, its right, in front, behind (hidden by the one in front, as seen from there) and above. */
const balls = ballSurface(
  [
    [2, 0, 0],
    [-2, 0, 0],
    [0, 0, 2],
    [0, 0, -1],
    [0, 3, 0],
  ].map((centre) => ({ centre: centre as [number, number, number], radius: () => 0.6 })),
  24,
  36,
  (ball) => ball,
);

describe('five balls', () => {
  const svg = rigPicture(five, fakePlan(balls, []));
  const colors = colorsByName(svg);
  const [front, side, back] = skinOf(svg).map(
    (patches) => (name: string) => patches.find(({ fill }) => fill === colors.get(name)),
  ) as [View, View, View];
  type View = (name: string) => Patch | undefined;

  test('the document is well-formed and names every bone with a colour of its own', () => {
    expectWellFormed(svg);
    expect([...colors.keys()].toSorted()).toEqual(names.toSorted());
    expect(new Set(colors.values()).size).toBe(5);
  });

  test('its left is on the right from the front, on the left from behind', () => {
    expect(front('Left')!.left).toBeGreaterThan(front('Right')!.right);
    expect(back('Left')!.right).toBeLessThan(back('Right')!.left);
  });

  test('up is up', () => {
    for (const view of [front, side, back])
      expect(view('Top')!.bottom).toBeLessThan(view('Front')?.top ?? Infinity);
  });

  test('what is behind is hidden, what is in front is not', () => {
    expect(front('Front')).toBeDefined();
    expect(front('Back')).toBeUndefined();
    expect(back('Back')).toBeDefined();
    expect(back('Front')).toBeUndefined();
  });

  test('from its left the front is on the left and its right side is hidden', () => {
    expect(side('Front')!.right).toBeLessThan(side('Back')!.left);
    expect(side('Left')).toBeDefined();
    expect(side('Right')).toBeUndefined();
  });

  test('all views have one scale, and a ball is as large as it is', () => {
    const size = ({ right, left, bottom, top }: Patch): number => (right - left + bottom - top) / 2;
    const radius = size(front('Top')!) / 2;
    for (const patch of [front('Left')!, side('Front')!, back('Back')!])
      expect(size(patch) / 2).toBeCloseTo(radius, -0.5);
    const { area } = front('Top')!;
    expect(area / (Math.PI * radius * radius)).toBeGreaterThan(0.95);
    expect(area / (Math.PI * radius * radius)).toBeLessThan(1.05);
  });
});

describe('the fox', () => {
  const svg = rigPicture(fox, foxPlan);

  test('is drawn the same at every call, well-formed and small', () => {
    expect(rigPicture(fox, foxPlan)).toBe(svg);
    expectWellFormed(svg);
    expect(svg.length).toBeLessThan(150_000);
  });

  test('what is changed is labelled in every view with its figures, what is left once', () => {
    const texts = textsOf(svg);
    const times = (text: string): number => texts.filter((other) => other === text).length;
    expect(times('piece1 tail: chain')).toBe(3);
    expect(times('piece2 worn: rigid')).toBe(3);
    expect(times('aspect 8.25, q 3.50')).toBe(6);
    for (const id of ['piece3', 'piece4', 'piece5']) expect(times(`${id} head: left`)).toBe(1);
    for (const view of ['front', 'side, from its left', 'back']) expect(times(view)).toBe(1);
  });

  test('new joints are named, the verdict is explained, the figures stand in the table', () => {
    const texts = textsOf(svg);
    for (const name of ['Tail_1', 'Tail_2', 'Tail_3', 'Tail_4', 'Tail_End']) expect(texts).toContain(name);
    expect(texts).toContain(foxPlan.pieces[0]!.report.reason);
    expect(texts).toContain('0.47 → 0.17');
    expect(svg).toContain('1 chain (0 new bones), 1 rigid, 3 left');
  });

  test('the skin of the tail shows in the colours of shin and thighs', () => {
    const colors = colorsByName(svg);
    const [, side] = skinOf(svg);
    const shin = side!.find(({ fill }) => fill === colors.get('mixamorig:LeftLeg'))!;
    const spine = side!.find(({ fill }) => fill === colors.get('mixamorig:Spine'))!;
    // Behind the back: the shin's skin reaches as far as the tail.
    expect(shin.right).toBeGreaterThan(spine.right + 20);
  });

  test.each<[string, [number, number, number, number]]>([
    ['lying on its back', [-Math.SQRT1_2, 0, 0, Math.SQRT1_2]],
    ['turned to the side', [0, Math.SQRT1_2, 0, Math.SQRT1_2]],
    ['on its head, slanted', [0.9, 0.3, 0.1, Math.sqrt(0.09)]],
  ])('stands upright, facing the same way, when the file has it %s', (_, rotation) => {
    const turned = structuredClone(fox);
    const armature = turned.skeleton.names.indexOf('Armature');
    turned.skeleton.rotations.set(rotation, 4 * armature);
    const plan: RigPlan = {
      ...foxPlan,
      surface: { ...foxPlan.surface, positions: rotated(foxPlan.surface.positions, rotation) },
      pieces: [],
    };
    const before = skinOf(rigPicture(fox, { ...foxPlan, pieces: [] }));
    const after = skinOf(rigPicture(turned, plan));
    before.forEach((patches, view) => {
      const [own, other] = [patches[0]!, after[view]![0]!];
      for (const key of ['left', 'right', 'top', 'bottom'] as const)
        expect(Math.abs(own[key] - other[key]), `${view} ${key}`).toBeLessThan(2);
      expect(Math.abs(own.area / other.area - 1)).toBeLessThan(0.01);
      expect(after[view]!.length).toBe(patches.length);
    });
  });

  function rotated(positions: Float64Array, [x, y, z, w]: [number, number, number, number]): Float64Array {
    return positions.map((_, i) => {
      const [a, b, c] = [0, 1, 2].map((k) => positions[i - (i % 3) + k]!) as [number, number, number];
      const rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
      ];
      const [p, q, r] = rows[i % 3]! as [number, number, number];
      return p * a + q * b + r * c;
    });
  }
});

describe('whatever comes', () => {
  const draw = (surface: Surface, asset: Asset = five): string => {
    const svg = rigPicture(asset, fakePlan(surface, []));
    expectWellFormed(svg);
    return svg;
  };
  const nothing = ballSurface([], 0, 0, () => 0);

  test('no skin', () => {
    expect(textsOf(draw(nothing))).toContain('There is no skin.');
  });

  test('skin without weights', () => {
    const svg = draw(ballSurface([{ centre: [0, 0, 0], radius: () => 1 }], 8, 12, () => -1));
    expect([...colorsByName(svg).keys()]).toEqual(['no bone']);
  });

  test('positions that are no numbers are left out', () => {
    const surface = structuredClone(balls);
    surface.positions[0] = NaN;
    surface.positions[100] = Infinity;
    const svg = draw(surface);
    expect(svg).not.toMatch(/NaN|Infinity/);
    expect(skinOf(svg)[0]!.length).toBeGreaterThan(4);
  });

  test('skin that is all in one point or in a plane', () => {
    const point = structuredClone(balls);
    point.positions.fill(3);
    expect(draw(point)).not.toMatch(/NaN|Infinity/);
    const flat = structuredClone(balls);
    for (let p = 1; p < flat.positions.length; p += 3) flat.positions[p] = 0;
    expect(draw(flat)).not.toMatch(/NaN|Infinity/);
  });

  test('a ten-thousandth of a metre or a kilometre: the same picture', () => {
    const scaled = (by: number): string => {
      const surface = structuredClone(balls);
      surface.positions.forEach((value, i) => (surface.positions[i] = value * by));
      return draw(surface);
    };
    expect(scaled(1 / 8192)).toBe(scaled(1));
    expect(scaled(1024)).toBe(scaled(1));
  });

  test('names with markup, quotes, control characters and no end', () => {
    const nasty = bonesOnly(['a<b>&"\'', 'tab\there\u0000', 'x'.repeat(500), 'half \ud800 pair', '']);
    nasty.name = '<svg onload="x">';
    const plan = fakePlan(balls, [
      {
        verdict: 'left',
        kind: 'bump',
        attachment: 'a<b>&"\'',
        reason: `<script>${'long '.repeat(200)}`,
        has: (p) => p < 100,
      },
      {
        verdict: 'chain',
        kind: 'tail',
        attachment: 'Left',
        has: (p) => p > 2000,
        joints: [
          { name: '<i>', position: [0, 0, 0] },
          { name: '&', position: [0, -1, 0] },
        ],
      },
    ]);
    const svg = rigPicture(nasty, plan);
    expectWellFormed(svg);
    expect(svg).not.toMatch(/<script|onload="/);
    expect(textsOf(svg).every((text) => text.length < 400)).toBe(true);
  });

  test('figures that are none, and pieces without points', () => {
    const plan = fakePlan(balls, [{ verdict: 'left', kind: 'bump', attachment: 'Left', has: () => false }]);
    Object.assign(plan.pieces[0]!.report, {
      aspect: NaN,
      boneRatio: Infinity,
      flatness: 1e-7,
      length: 12345.6,
    });
    const svg = rigPicture(five, plan);
    expectWellFormed(svg);
    expect(svg).not.toMatch(/NaN|Infinity/);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['-', '1.0e-7', '12346']));
  });

  test('a hundred pieces: the first ones are shown and the others counted', () => {
    const pieces = Array.from({ length: 100 }, (_, i) => ({
      verdict: 'left' as const,
      kind: 'bump' as const,
      attachment: 'Left',
      has: (p: number) => p >= 40 * i && p < 40 * i + 40,
    }));
    const svg = rigPicture(five, fakePlan(balls, pieces));
    expectWellFormed(svg);
    expect(textsOf(svg)).toContain('piece24');
    expect(textsOf(svg)).not.toContain('piece25');
    expect(textsOf(svg)).toContain('and 76 more');
  });

  test('30,000 points of shaggy, speckled skin stay under 400,000 characters', () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
    const radius = (): number => 1 + 0.3 * random();
    const shaggy = ballSurface([{ centre: [0, 0, 0], radius }], 150, 200, () => Math.floor(40 * random()));
    const svg = draw(shaggy, bonesOnly(Array.from({ length: 40 }, (_, i) => `bone${i}`)));
    expect(svg.length).toBeLessThan(400_000);
  });
});
