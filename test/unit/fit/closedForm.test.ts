/** Bodies of known capsules: the fit must find them, whatever the file's units, axes, names and order of vertices. */
import { describe, expect, it } from 'vitest';
import type { Asset, ColliderShape } from '../../../src/index.js';
import { fitColliders, type ColliderFit, type FitOptions } from '../../../src/io/rig/index.js';
import { add, len, mul, sub, type V3 } from '../../support/referenceMath.js';
import { headBall, joints, makePerson, radii, torso, tube, type Person, type PersonSpec } from './support.js';
import { worldShape } from './worldShape.js';

const fitOf = (spec: PersonSpec = {}, options: FitOptions = {}): { person: Person; fit: ColliderFit } => {
  const person = makePerson(spec);
  return { person, fit: fitColliders(person.asset, options) };
};

/** Ends and radii of the colliders on a bone, world. */
const onBone = ({ person, fit }: ReturnType<typeof fitOf>, name: string): ReturnType<typeof worldShape>[] =>
  fit.secondary.colliders
    .filter(({ bone }) => bone === person.bone(name))
    .map((one) => worldShape(person.asset, one));

const limbs = ['left', 'right'].flatMap((side) =>
  [
    ['UpperArm', 'LowerArm'],
    ['LowerArm', 'Hand'],
    ['UpperLeg', 'LowerLeg'],
    ['LowerLeg', 'Foot'],
  ].map(([from, to]) => [side + from!, side + to!] as const),
);

/** Finds the known body in a fit; `scale` is file units per metre. */
const expectBody = (result: ReturnType<typeof fitOf>, scale = 1): void => {
  for (const [from, to] of limbs) {
    const [shape, ...more] = onBone(result, from);
    expect(more).toEqual([]);
    const [ra, rb] = radii[from.replace(/^(?:left|right)/, '')]!;
    // A tube of 48 sides has 0.2% less than its radius between its corners.
    expect(Math.abs(shape!.ra / scale / ra - 1), from).toBeLessThan(0.02);
    expect(Math.abs(shape!.rb / scale / rb - 1), from).toBeLessThan(0.02);
    expect(len(sub(mul(shape!.a, 1 / scale), joints[from]!)), from).toBeLessThan(0.001);
    expect(len(sub(mul(shape!.b, 1 / scale), joints[to]!)), from).toBeLessThan(0.001);
  }
  const [head, ...more] = onBone(result, 'head');
  expect(more).toEqual([]);
  for (const [end, radius] of [
    [head!.a, head!.ra],
    [head!.b, head!.rb],
  ] as const)
    expect(
      len(sub(mul(end, 1 / scale), headBall.centre)) + Math.abs(radius / scale - headBall.radius),
    ).toBeLessThan(0.03);
  for (const { region, covered, above } of result.fit.report.regions) {
    if (region === 'hand' || region === 'foot') continue;
    expect(covered, region).toBeGreaterThan(region === 'torso' ? 0.92 : 0.97);
    expect(above / result.fit.report.height, region).toBeLessThan(0.035);
  }
};

describe('a body of known capsules', () => {
  it('is found', () => {
    expectBody(fitOf());
  });

  it('has a torso of capsules from side to side, as wide and as thick as it is', () => {
    const result = fitOf();
    const stack = ['hips', 'spine', 'chest'].flatMap((bone) => onBone(result, bone));
    expect(stack.length).toBeGreaterThan(3);
    for (const { a, b, ra } of stack) {
      expect(a[1]).toBeCloseTo(b[1], 9);
      expect(a[0]).toBeCloseTo(-b[0], 9);
      // The valleys between the capsules are shared out: a little thicker, never by more than a tenth.
      expect(ra / torso.radius).toBeGreaterThan(0.98);
      expect(ra / torso.radius).toBeLessThan(1.1);
      expect(Math.abs(a[0]) / torso.half).toBeGreaterThan(0.8);
      expect(Math.abs(a[0]) / torso.half).toBeLessThan(1.3);
    }
  });

  it('has a round torso as capsules along it', () => {
    const result = fitOf({ round: 0.13 });
    const row = ['hips', 'spine', 'chest'].flatMap((bone) => onBone(result, bone));
    expect(row.length).toBeGreaterThan(0);
    expect(row.length).toBeLessThan(4);
    for (const { a, b, ra, rb } of row) {
      expect(Math.abs(a[0]) + Math.abs(b[0])).toBeLessThan(0.01);
      expect(Math.abs(ra / 0.13 - 1)).toBeLessThan(0.03);
      expect(Math.abs(rb / 0.13 - 1)).toBeLessThan(0.03);
    }
  });

  it.each([
    ['in centimetres', { unit: 100 }, 100],
    ['under a scaled armature', { armature: 0.01 }, 1],
    ['with bone axes anywhere', { axes: 5 }, 1],
    ['with all of it', { unit: 100, armature: 39.37, axes: 7 }, 100],
  ] as const)('%s', (_, spec, scale) => {
    expectBody(fitOf(spec), scale);
  });

  it('is the same at any size', () => {
    const one = fitOf();
    const large = fitOf({ unit: 100 });
    expect(large.fit.report.colliders.length).toBe(one.fit.report.colliders.length);
    for (const [i, { radii: found, covered }] of one.fit.report.colliders.entries()) {
      const other = large.fit.report.colliders[i]!;
      for (const [k, radius] of found.entries()) expect(other.radii[k]! / 100 / radius).toBeCloseTo(1, 3);
      expect(other.covered).toBeCloseTo(covered, 1);
    }
  });

  it('is found without a humanoid map, by names and by symmetry', () => {
    const named = fitOf({ map: false });
    expect(named.fit.report.body).toBe('names');
    expectBody(named);
    let next = 0;
    const nameless = fitOf({ map: false, nameOf: () => `bone${next++}` });
    expect(nameless.fit.report.body).toBe('symmetry');
    expectBody(nameless);
  });

  it('gives left and right the same radii', () => {
    const { fit } = fitOf();
    const left = fit.report.colliders.filter(({ side }) => side === 'left');
    const right = fit.report.colliders.filter(({ side }) => side === 'right');
    expect(left.length).toBe(4);
    for (const [i, { radii: found }] of left.entries())
      for (const [k, radius] of found.entries()) expect(right[i]!.radii[k]! / radius).toBeCloseTo(1, 6);
  });
});

describe('what is seen', () => {
  it('is the clothes, not the body below them', () => {
    const sleeve = tube(joints['leftUpperArm']!, joints['leftLowerArm']!, 0.075, 0.065);
    const spec = { more: [{ name: 'sleeve', bone: 'leftUpperArm', ...sleeve }] };
    const [dressed] = onBone(fitOf(spec), 'leftUpperArm');
    expect(Math.abs(dressed!.ra / 0.075 - 1)).toBeLessThan(0.02);
    expect(Math.abs(dressed!.rb / 0.065 - 1)).toBeLessThan(0.02);
    const [bare] = onBone(fitOf(spec, { hidden: ['sleeve'] }), 'leftUpperArm');
    expect(Math.abs(bare!.ra / 0.05 - 1)).toBeLessThan(0.02);
  });

  it('leaves out what hangs on a bone of its own and stands off, and says so', () => {
    const at: V3 = [0, 1.3, -0.25];
    const pack = tube(add(at, [0, -0.15, 0]), add(at, [0, 0.15, 0]), 0.1, 0.1);
    const { fit } = fitOf({
      bones: [['pack', 'chest', at]],
      more: [{ name: 'pack', bone: 'pack', ...pack }],
    });
    expect(fit.report.standsOff).toEqual(['pack']);
    expect(fit.secondary.colliders).toEqual(fitOf().fit.secondary.colliders);
  });

  it('does not follow a few points that stick out', () => {
    const horn = tube([0.02, 1.7, 0.05], [0.05, 2.1, 0.1], 0.02, 0.01);
    const [plain] = onBone(fitOf(), 'head');
    const [horned] = onBone(fitOf({ more: [{ name: 'horn', bone: 'head', ...horn }] }), 'head');
    expect(Math.abs(horned!.ra / plain!.ra - 1)).toBeLessThan(0.05);
    expect(len(sub(horned!.b, plain!.b))).toBeLessThan(0.02);
  });
});

describe('order', () => {
  /** The same meshes with vertices and triangles in another order. */
  const shuffled = (asset: Asset): Asset => ({
    ...asset,
    meshes: asset.meshes.toReversed().map((mesh) => {
      const count = mesh.positions.length / 3;
      const place = Array.from({ length: count }, (_, v) => (v * 7 + 3) % count);
      const inverse = Array.from({ length: count }, () => 0);
      for (const [v, to] of place.entries()) inverse[to] = v;
      expect(new Set(place).size).toBe(count);
      const triangles = Array.from({ length: mesh.indices.length / 3 }, (_, t) =>
        [0, 1, 2].map((k) => place[mesh.indices[3 * t + k]!]!),
      ).toReversed();
      return {
        ...mesh,
        positions: Float64Array.from(
          { length: 3 * count },
          (_, i) => mesh.positions[3 * inverse[Math.floor(i / 3)]! + (i % 3)]!,
        ),
        indices: Uint32Array.from(triangles.flat()),
      };
    }),
  });

  it('of vertices, triangles and meshes changes no bit', () => {
    const { asset } = makePerson({ axes: 3 });
    expect(fitColliders(shuffled(asset))).toEqual(fitColliders(asset));
  });

  it('and twice is the same', () => {
    const { asset } = makePerson();
    expect(fitColliders(asset)).toEqual(fitColliders(asset));
  });
});

it('can say capsules with one radius each', () => {
  const { fit } = fitOf({}, { taper: false });
  const capsules = fit.secondary.colliders
    .map(({ shape }) => shape)
    .filter((shape): shape is Extract<ColliderShape, { kind: 'capsule' }> => shape.kind === 'capsule');
  expect(capsules.length).toBeGreaterThan(8);
  for (const { radius, tailRadius } of capsules) expect(tailRadius).toBe(radius);
});
