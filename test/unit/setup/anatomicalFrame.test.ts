/**
 * Which way a character is built, on bodies made here: turned any way, mirrored, on two or four feet, without names.
 */
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Asset } from '../../../src/asset/asset.js';
import { anatomicalFrame } from '../../../src/setup/anatomicalFrame.js';
import type { AnatomicalFrame } from '../../../src/setup/anatomicalFrame.js';
import { recoverNeutral } from '../../../src/setup/neutral.js';
import { largestDifference, makeAsset, turn } from './support/assets.js';
import type { NodeSpec, Quad, Triple } from './support/assets.js';

/** Heads of bones in the world of a body that faces +Z, by parent. */
type Body = [name: string, parent: string, at: Triple][];

const biped = (left: (part: string) => string, right: (part: string) => string, toes = true): Body => {
  const limbs = [left, right].flatMap((side, i): Body => {
    const x = i === 0 ? 1 : -1;
    const foot: Body = toes ? [[side('Toe'), side('Foot'), [0.1 * x, 0, 0.12]]] : [];
    return [
      [side('Arm'), 'Spine', [0.2 * x, 1.4, 0]],
      [side('Hand'), side('Arm'), [0.8 * x, 1.4, 0.02]],
      [side('Thigh'), 'Hips', [0.1 * x, 0.95, 0]],
      [side('Shin'), side('Thigh'), [0.1 * x, 0.5, 0.03]],
      [side('Foot'), side('Shin'), [0.1 * x, 0.08, -0.02]],
      ...foot,
    ];
  });
  return [
    ['Hips', '', [0, 1, 0]],
    ['Spine', 'Hips', [0, 1.2, 0]],
    ['Head', 'Spine', [0, 1.6, 0.05]],
    ...limbs,
  ];
};

const quadruped = (left: (part: string) => string, right: (part: string) => string): Body => {
  const limbs = [left, right].flatMap((side, i): Body => {
    const x = i === 0 ? 0.2 : -0.2;
    return [
      [side('FrontLeg'), 'Chest', [x, 0.8, 0.6]],
      [side('FrontLowLeg'), side('FrontLeg'), [x, 0.4, 0.5]],
      [side('FrontPaw'), side('FrontLowLeg'), [x, 0.02, 0.6]],
      [side('BackLeg'), 'Hips', [x, 0.8, -0.6]],
      [side('BackLowLeg'), side('BackLeg'), [x, 0.4, -0.4]],
      [side('BackPaw'), side('BackLowLeg'), [x, 0.02, -0.6]],
    ];
  });
  return [
    ['Hips', '', [0, 1, -0.6]],
    ['Chest', 'Hips', [0, 1, 0.5]],
    ['Head', 'Chest', [0, 1.4, 0.9]],
    ['Tail', 'Hips', [0, 0.9, -1]],
    ...limbs,
  ];
};

const dot = [(part: string): string => `${part}.L`, (part: string): string => `${part}.R`] as const;

/** The body with every point moved by `place`; bones get axes of their own that mean nothing. */
function standing(body: Body, place: (p: Vector3) => Vector3 = (p) => p): Asset {
  const points = body.map(([, , at]) => place(new Vector3(...at)));
  const axes = body.map((_, i) => new Quaternion(...turn([i, 1, 2], 37 * i)));
  const nodes = body.map(([name, parent], i): NodeSpec => {
    const above = body.findIndex(([other]) => other === parent);
    const inverse = above < 0 ? new Quaternion() : axes[above]!.clone().invert();
    const t = points[i]!.clone()
      .sub(above < 0 ? new Vector3() : points[above]!)
      .applyQuaternion(inverse);
    const r = inverse.clone().multiply(axes[i]!);
    const node: NodeSpec = { name, t: t.toArray(), r: [r.x, r.y, r.z, r.w] };
    return above < 0 ? node : { ...node, parent };
  });
  return makeAsset(nodes, [{ joints: body.map(([name]) => name) }]);
}

const turned =
  (q: Quad) =>
  (p: Vector3): Vector3 =>
    p.applyQuaternion(new Quaternion(...q));

function frameOf(asset: Asset, given = {}): AnatomicalFrame {
  return anatomicalFrame(asset, recoverNeutral(asset), given);
}

/** Columns of a frame: lateral, up, forward. */
function columns(frame: AnatomicalFrame): number[] {
  const q = new Quaternion().fromArray([...frame.rotation]);
  return [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].flatMap((v) =>
    v.applyQuaternion(q).toArray(),
  );
}

describe('the anatomical frame', () => {
  it('is exactly the axes for a body that faces +Z, or -Z as in VRM 0', () => {
    const ahead = frameOf(standing(biped(...dot)));
    expect([...ahead.rotation]).toEqual([0, 0, 0, 1]);
    expect(ahead.source).toBe('limbs');
    const back = frameOf(standing(biped(...dot), turned([0, 1, 0, 0])));
    expect(columns(back)).toEqual([-1, 0, 0, 0, 1, 0, 0, 0, -1]);
  });

  it.each([
    ['mixamorig:LeftX', (p: string) => `mixamorig:Left${p}`, (p: string) => `mixamorig:Right${p}`],
    ['l_x', (p: string) => `l_${p}`, (p: string) => `r_${p}`],
    ['Bip01 L X', (p: string) => `Bip01 L ${p}`, (p: string) => `Bip01 R ${p}`],
    ['X_left', (p: string) => `${p}_left`, (p: string) => `${p}_right`],
    ['XL', (p: string) => `${p}L`, (p: string) => `${p}R`],
    ['b_LeftX_012', (p: string) => `b_Left${p}_01${p.length}`, (p: string) => `b_Right${p}_02${p.length}`],
  ])('reads sides spelt %s', (_, left, right) => {
    const frame = frameOf(standing(biped(left, right, false), turned([0, 1, 0, 0])));
    expect(columns(frame)).toEqual([-1, 0, 0, 0, 1, 0, 0, 0, -1]);
  });

  it('follows a body turned any way, on two and on four feet', () => {
    for (const body of [biped(...dot), quadruped(...dot)]) {
      for (const q of [turn([0, 1, 0], 35), turn([0, 1, 0], 130), turn([1, 2, 3], 50), turn([1, 0, 0], 90)]) {
        const frame = frameOf(standing(body, turned(q)));
        const expected = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].flatMap((v) =>
          turned(q)(v).toArray(),
        );
        // Read from joints, not given: legs slant a little, so 6 degrees where no axis is near.
        expect(largestDifference(columns(frame), expected)).toBeLessThan(0.11);
        expect(new Quaternion().fromArray([...frame.rotation]).length()).toBeCloseTo(1, 14);
      }
    }
  });

  it('reads a model that lies along Z, as Z-up armatures have it', () => {
    const frame = frameOf(standing(biped(...dot), turned(turn([1, 0, 0], 90))));
    expect(largestDifference(columns(frame), [1, 0, 0, 0, 0, 1, 0, -1, 0])).toBeLessThan(1e-15);
  });

  it('calls a body on four feet so, and one that hangs its arms not', () => {
    expect(frameOf(standing(quadruped(...dot))).source).toBe('four-footed');
    expect([...frameOf(standing(quadruped(...dot))).rotation]).toEqual([0, 0, 0, 1]);
    expect(frameOf(standing(biped(...dot))).source).toBe('limbs');
  });

  it('takes the ground under four feet for up where the legs slant', () => {
    const crouching = quadruped(...dot).map(([name, parent, at]): Body[number] => {
      return [name, parent, /Paw/.test(name) ? [at[0], at[1], at[2] + 0.55] : at];
    });
    expect([...frameOf(standing(crouching)).rotation]).toEqual([0, 0, 0, 1]);
  });

  it('trusts the head or the toes over names that were mirrored with the body', () => {
    for (const body of [biped(...dot), quadruped(...dot)]) {
      const frame = frameOf(standing(body, (p) => p.setX(-p.x)));
      expect(columns(frame)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
      expect(frame.warnings.map(({ code }) => code)).toEqual(['sides-swapped']);
    }
  });

  it('finds the mirror plane of a body without names, and its head', () => {
    const nameless = quadruped(...dot).map(([name, parent, at]): Body[number] => [
      `bone ${name.length}${at[0]}${at[2]}${at[1]}`,
      parent,
      at,
    ]);
    for (const [i, entry] of quadruped(...dot).entries()) {
      const above = quadruped(...dot).findIndex(([name]) => name === entry[1]);
      nameless[i]![1] = above < 0 ? '' : nameless[above]![0];
    }
    const toed = nameless.flatMap(([name, parent, at]): Body => {
      const foot: Body = at[1] < 0.1 ? [[`${name} front`, name, [at[0], 0, at[2] + 0.1]]] : [];
      return [[name, parent, at], ...foot];
    });
    for (const [deg, expected] of [
      [0, [1, 0, 0, 0, 1, 0, 0, 0, 1]],
      [180, [-1, 0, 0, 0, 1, 0, 0, 0, -1]],
      [90, [0, 0, -1, 0, 1, 0, 1, 0, 0]],
    ] as const) {
      const frame = frameOf(standing(toed, turned(turn([0, 1, 0], deg))));
      expect(frame.source).toBe('four-footed');
      expect(largestDifference(columns(frame), expected)).toBeLessThan(1e-15);
    }
  });

  it('falls back to the axes of glTF where nothing is known', () => {
    const rope = makeAsset([{ name: 'a' }, { name: 'b', parent: 'a', t: [0, -1, 0] }]);
    expect(frameOf(rope)).toEqual({ rotation: Float64Array.of(0, 0, 0, 1), source: 'gltf', warnings: [] });
    expect(frameOf(makeAsset([])).source).toBe('gltf');
  });

  it('takes what the caller gives, completes the rest and refuses nonsense', () => {
    const asset = standing(biped(...dot));
    const given = frameOf(asset, { forward: [-2, 0, 0] });
    expect(given.source).toBe('given');
    expect(largestDifference(columns(given), [0, 0, 1, 0, 1, 0, -1, 0, 0])).toBeLessThan(1e-15);
    expect(
      largestDifference(columns(frameOf(asset, { up: [0, 0, 3] })), [1, 0, 0, 0, 0, 1, 0, -1, 0]),
    ).toBeLessThan(1e-15);
    const slanted = columns(frameOf(asset, { up: [0, 1, 0], forward: [0, 5, 1] }));
    expect(largestDifference(slanted, [1, 0, 0, 0, 1, 0, 0, 0, 1])).toBeLessThan(1e-15);
    for (const bad of [{ up: [0, 0, 0] }, { forward: [NaN, 0, 0] }, { up: [0, 1, 0], forward: [0, -2, 0] }])
      expect(() => frameOf(asset, bad)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });

  it('stands on the axes of the bind when the file is saved with a tilted root', () => {
    const asset = standing(biped(...dot));
    const tilt = new Quaternion(...turn([1, 0, 0], 40));
    const root = tilt.clone().multiply(new Quaternion().fromArray([...asset.skeleton.rotations]));
    asset.skeleton.rotations.set(root.toArray());
    const expected = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].flatMap((v) =>
      v.applyQuaternion(tilt).toArray(),
    );
    expect(largestDifference(columns(frameOf(asset)), expected)).toBeLessThan(1e-12);
  });
});
