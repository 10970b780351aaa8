/** What a file says of itself: the mouse's bind pose, every warning of `inspect`, compressed files measured alike. */
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { mouseGlb } from '../../../examples/characters/mouse.js';
import type { Asset } from '../../../src/index.js';
import { findChains } from '../../../src/index.js';
import { inspectAsset } from '../../../src/cli/inspectAsset.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { measureClip } from '../../../src/measure/index.js';
import { anatomicalFrame } from '../../../src/setup/anatomicalFrame.js';
import { chainRest } from '../../../src/setup/chainRest.js';
import { recoverNeutral } from '../../../src/setup/neutral.js';
import { readBytes } from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';
import { makeAsset, turn } from '../setup/support/assets.js';

const matrix = (values: ArrayLike<number>, i: number): Matrix4 =>
  new Matrix4().fromArray(Array.from({ length: 16 }, (_, k) => values[16 * i + k]!));
/** The rotation in a matrix of float32 numbers: its columns made orthonormal, the first one first. */
const rotationIn = (m: Matrix4): Quaternion => {
  const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
  m.extractBasis(x, y, z);
  x.normalize();
  z.crossVectors(x, y).normalize();
  y.crossVectors(z, x);
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(x, y, z));
};
/** Angle between two rotations, precise near 0. */
const angleDeg = (a: Quaternion, b: Quaternion): number => {
  const d = a.clone().invert().multiply(b);
  return (2 * Math.atan2(Math.hypot(d.x, d.y, d.z), Math.abs(d.w)) * 180) / Math.PI;
};

describe('the mouse', () => {
  test('is neutral in its bind pose to 1e-6 degrees although the file is saved 28 degrees off', async () => {
    const asset = await loadGltf(await mouseGlb(), { name: 'mouse' });
    const neutral = recoverNeutral(asset);
    const [{ joints, inverseBinds }] = asset.skins as [(typeof asset.skins)[number]];
    const { names, parents, rotations } = asset.skeleton;
    let off = 0;
    for (const [j, bone] of [...joints].entries()) {
      const parent = [...joints].indexOf(parents[bone]!);
      if (parent < 0) continue;
      // L_i = IB_parent IB_i^-1, by three.js.
      const expected = rotationIn(matrix(inverseBinds, parent).multiply(matrix(inverseBinds, j).invert()));
      const found = new Quaternion().fromArray([...neutral.rotations.subarray(4 * bone, 4 * bone + 4)]);
      expect(angleDeg(found, expected), names[bone]).toBeLessThan(1e-6);
      const saved = new Quaternion().fromArray([...rotations.subarray(4 * bone, 4 * bone + 4)]);
      off = Math.max(off, angleDeg(saved, expected));
    }
    expect(off).toBeCloseTo(28, 3);
  });

  test('its last link, a bone with a turned frame and no end helper, points along the incoming tangent', async () => {
    const asset = await loadGltf(await mouseGlb(), { name: 'mouse' });
    const neutral = recoverNeutral(asset);
    const [chain] = findChains(asset);
    const shape = chainRest(asset, neutral, anatomicalFrame(asset, neutral), chain!, {
      carry: 0,
      restCurve: 1,
    });
    expect(chain!.end).toBe(-1);
    const heads = chain!.bones.map((bone) =>
      new Vector3().setFromMatrixPosition(matrix(neutral.worlds, bone)),
    );
    const tangent = heads.at(-1)!.clone().sub(heads.at(-2)!).normalize();
    // It faces +Z with +Y up: its own directions are the world's.
    expect(new Vector3().fromArray(shape.directions, 3 * 7).distanceTo(tangent)).toBeLessThan(1e-9);
    expect(shape.tipSource).toBe('skin-reach');
  });
});

describe('inspect warns of', () => {
  /** Hips and a tail of two, 2 m tall, with one skinned point a piece; `spoil` makes it odd. */
  function character(spoil: (asset: Asset) => void = () => {}, scale = 1): Asset {
    const at: [number, number, number] = [0, 1, 0];
    const asset = makeAsset(
      [
        { name: 'Armature', s: [scale, scale, scale] },
        { name: 'Hips', parent: 'Armature', t: at },
        { name: 'Tail_1', parent: 'Hips', t: [0, 0, -0.2], saved: { t: [0, 0, -0.2] } },
        { name: 'Tail_2', parent: 'Tail_1', t: [0, 0, -0.3] },
        { name: 'Tail_End', parent: 'Tail_2', t: [0, 0, -0.3] },
      ],
      [{ joints: ['Hips', 'Tail_1', 'Tail_2', 'Tail_End'] }],
      [
        {
          joint: 'Hips',
          at: [
            [0, 0, 0],
            [0, 2 * scale, 0],
            [0, 1 * scale, 0.1 * scale],
          ],
        },
      ],
    );
    asset.meshes[0]!.indices = Uint32Array.of(0, 1, 2);
    spoil(asset);
    return asset;
  }
  const warnings = (asset: Asset, unit = 1): string[] =>
    inspectAsset(asset, 'x.glb', undefined, unit).warnings.map(({ code, at }) => `${code} ${at}`);

  test('nothing, when nothing is odd', () => {
    expect(warnings(character())).toEqual([]);
  });

  test('a saved pose that differs from the bind pose, with angle and joint', () => {
    const posed = character(({ skeleton }) => skeleton.rotations.set(turn([1, 0, 0], 21), 8));
    const { warnings: found } = inspectAsset(posed, 'x.glb', undefined, 1);
    expect(found.map(({ code }) => code)).toEqual(['saved-pose-differs']);
    expect(found[0]!.message).toMatch(/21\.0 degrees at joint Tail_1/);
  });

  test('bones without length', () => {
    const flat = character(({ skeleton, skins }) => {
      skeleton.translations.fill(0, 9, 12);
      skins[0]!.inverseBinds.copyWithin(32, 16, 32);
    });
    expect(warnings(flat).some((line) => line.startsWith('zero-length'))).toBe(true);
  });

  test('weights that do not sum to 1', () => {
    const light = character(({ meshes }) => (meshes[0]!.weights[0] = 0.8));
    expect(warnings(light).map((line) => line.split(' ')[0])).toEqual(['weights-not-one']);
  });

  test('a scaled armature and a doubtful unit, which --unit settles', () => {
    expect(warnings(character(undefined, 100))).toEqual(['scaled-armature Armature', 'unit x.glb']);
    expect(warnings(character(undefined, 100), 100)).toEqual(['scaled-armature Armature']);
  });
});

describe.skipIf(!shared)('compressed and quantised versions of the Fox', () => {
  test.each(['Fox_draco', 'Fox_meshopt', 'Fox_quantized'])(
    '%s stretches as the plain file does',
    async (name) => {
      const load = (path: string): Promise<Asset> =>
        loadGltf(readBytes(`${shared}/${path}`), { name: path, validate: false });
      const [plain, packed] = [await load('glb-tail/khronos_Fox.glb'), await load(`derived/${name}.glb`)];
      for (const pose of ['rigid', 'chain', 'clip'] as const) {
        const a = measureClip(plain, 'Walk', { pose });
        const b = measureClip(packed, 'Walk', { pose });
        expect(b.tail.edges).toBe(a.tail.edges);
        expect(Math.abs(b.tail.p99! - a.tail.p99!), pose).toBeLessThan(5e-3);
        expect(Math.abs(b.tipTravel - a.tipTravel), pose).toBeLessThan(1e-3);
        if (pose === 'rigid') expect(Math.abs(b.tail.max! - 1)).toBeLessThan(1e-5);
      }
    },
  );
});
