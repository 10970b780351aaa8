/**
 * The build functions on files other people made. What must come out was read from the files by other programs (the
 * tables of angles) or by looking at the characters (which way they face).
 */
import { existsSync, readFileSync } from 'node:fs';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Asset } from '../../../src/asset/asset.js';
import { anatomicalFrame } from '../../../src/setup/anatomicalFrame.js';
import { chainRest } from '../../../src/setup/chainRest.js';
import { findChains } from '../../../src/setup/findChains.js';
import { movedBones } from '../../../src/setup/movedBones.js';
import { recoverNeutral } from '../../../src/setup/neutral.js';
import type { Neutral } from '../../../src/setup/neutral.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { shared } from '../../support/shared.js';

const loaded = new Map<string, Promise<Asset>>();

/** Each file is read once; what is tested here changes no asset. */
function load(file: string): Promise<Asset> {
  const path = `${shared}/${file}`;
  const asset = loaded.get(file) ?? loadGltf(readFileSync(path), { name: file, validate: false });
  loaded.set(file, asset);
  return asset;
}

const tails = 'glb-tail/quaternius_';
const people = 'glb-humanoid/';

const files = [
  'glb-tail/khronos_Fox.glb',
  ...'animals_Fox animals_Horse animals_ShibaInu animals_Stag animals_Wolf cute_fish_Koi dinosaurs_Apatosaurus'
    .split(' ')
    .map((name) => `${tails}${name}.glb`),
  ...'dinosaurs_Velociraptor easy_enemies_Frog easy_enemies_Rat easy_enemies_Snake fish_Shark'
    .split(' ')
    .map((name) => `${tails}${name}.glb`),
  ...(
    'RobotExpressive gdquest_mannequiny kaykit_Knight kaykit_Rogue_Hooded khronos_CesiumMan khronos_RiggedFigure ' +
    'khronos_RiggedSimple quaternius_cyberpunk_Character quaternius_modular_men_Adventurer ' +
    'quaternius_modular_men_King quaternius_modular_women_Formal quaternius_modular_women_Witch ' +
    'quaternius_platformer_game_Character quaternius_single_knight_KnightCharacter raylib_greenman ' +
    'webxr_generic_hand_left webxr_generic_hand_right'
  )
    .split(' ')
    .map((name) => `${people}${name}.glb`),
  ...'Fox_draco Fox_meshopt Fox_quantized Rat_meshopt'.split(' ').map((name) => `derived/${name}.glb`),
  ...'Bat Female_Dress Pug Red_Fox'.split(' ').map((name) => `derived/quaternius_${name}_assimp.glb`),
].filter((file) => existsSync(`${shared}/${file}`));

const matrix = (values: ArrayLike<number>, i: number): Matrix4 =>
  new Matrix4().fromArray(Array.from({ length: 16 }, (_, k) => values[16 * i + k]!));

/**
 * The skin of a bind pose is one rigid body: every joint carries skin space to the same place. Largest deviation from
 * that over all joints, against the nearest ancestor that is taken as saved, relative to the size of the model.
 */
function bindDeviation(asset: Asset, neutral: Neutral): number {
  let worst = 0;
  for (const skin of asset.skins) {
    const carried = new Map(
      [...skin.joints].map((bone, j) => [
        bone,
        matrix(neutral.worlds, bone).multiply(matrix(skin.inverseBinds, j)),
      ]),
    );
    const binds = [...skin.joints].map((_, j) =>
      new Vector3().setFromMatrixPosition(matrix(skin.inverseBinds, j).invert()),
    );
    const size = Math.max(...binds.flatMap((a) => binds.map((b) => a.distanceTo(b))));
    for (const [bone, own] of carried) {
      let root = bone;
      for (let node = bone; node >= 0 && neutral.sources[node] === 1;) {
        node = asset.skeleton.parents[node]!;
        if (carried.has(node)) root = node;
      }
      const expected = carried.get(root)!;
      for (const point of binds) {
        const scale = expected.getMaxScaleOnAxis() * size;
        const off = point.clone().applyMatrix4(own).distanceTo(point.clone().applyMatrix4(expected));
        worst = Math.max(worst, off / scale);
      }
    }
  }
  return worst;
}

describe.skipIf(shared === undefined)('real files', () => {
  it.each(files)('%s: the neutral pose is the bind pose, to float32', async (file) => {
    const asset = await load(file);
    const neutral = recoverNeutral(asset);
    expect(bindDeviation(asset, neutral)).toBeLessThan(3e-5);
    expect(neutral.warnings.filter(({ code }) => code === 'skins-disagree')).toEqual([]);
  });

  it.each([
    ['easy_enemies_Rat', { Tail7: 22.2, Tail5: 17.8, Tail4: 8.2, Tail3: 6.2, 'FrontLowLeg.R': 15.8 }],
    ['animals_Fox', { Tail2: 37.5, Tail8: 15.4, Head: 7.7, 'FrontLowerLeg.R': 6.0 }],
    ['animals_Wolf', { Tail2: 37.5, Tail8: 16.5 }],
    ['animals_ShibaInu', { Tail2: 37.5 }],
    ['dinosaurs_Velociraptor', { Tail5: 27.7 }],
    ['easy_enemies_Snake', { Tail2: 26.3, Tail3: 23.8 }],
  ])('quaternius %s: warns how far the saved pose lies off', async (file, expected) => {
    const { warnings } = recoverNeutral(await load(`${tails}${file}.glb`));
    for (const [joint, deg] of Object.entries(expected)) {
      const warning = warnings.find(({ code, at }) => code === 'saved-pose-differs' && at === joint);
      expect(warning?.message).toContain(` ${deg.toFixed(1)} degrees`);
    }
  });

  it.each([
    ['RobotExpressive', 'LowerArmL', 165.6],
    ['gdquest_mannequiny', 'calf.r', 134.4],
    ['quaternius_single_knight_KnightCharacter', '', 76.9],
    ['quaternius_cyberpunk_Character', '', 65.1],
    ['quaternius_platformer_game_Character', '', 48.7],
  ])('%s: the worst joint is %s by %d degrees', async (file, joint, deg) => {
    const worst = recoverNeutral(await load(`${people}${file}.glb`)).warnings[0]!;
    expect(worst.code).toBe('saved-pose-differs');
    if (joint !== '') expect(worst.at).toBe(joint);
    expect(worst.message).toContain(` ${deg.toFixed(1)} degrees`);
  });

  it('files that are saved in their bind pose have no such warning', async () => {
    for (const file of ['glb-tail/khronos_Fox.glb', 'derived/Fox_draco.glb', 'derived/Fox_meshopt.glb']) {
      const { warnings } = recoverNeutral(await load(file));
      expect(warnings.filter(({ code }) => code === 'saved-pose-differs')).toEqual([]);
    }
  });

  it.each(['quaternius_modular_men_Adventurer', 'quaternius_cyberpunk_Character'])(
    '%s: skins in spaces that differ by large factors give one neutral pose, whichever comes first',
    async (file) => {
      const asset = await load(`${people}${file}.glb`);
      expect(asset.skins.length).toBeGreaterThan(1);
      const turned = { ...asset, skins: asset.skins.toReversed() };
      const [a, b] = [recoverNeutral(asset), recoverNeutral(turned)];
      for (let bone = 0; bone < asset.skeleton.count; bone++) {
        const at = (neutral: Neutral): Vector3 =>
          new Vector3().setFromMatrixPosition(matrix(neutral.worlds, bone));
        // These characters are about 2 units tall.
        expect(at(a).distanceTo(at(b))).toBeLessThan(1e-4);
      }
    },
  );

  const ahead = [0, 0, 1];
  const back = [0, 0, -1];
  it.each([
    ...files.map((file) => [file, file.includes('Red_Fox') ? back : ahead] as const),
    ['vrm/Godette_vrm0.vrm', back] as const,
    ['vrm/cryptovoxels_vrm0.vrm', back] as const,
    ['vrm/polygonalmind_cool_loops_vrm0.vrm', back] as const,
    ['vrm/saturday06_debug_robot_vrm1.vrm', ahead] as const,
  ])('%s faces %j', async (file, expected) => {
    const asset = await load(file);
    const frame = anatomicalFrame(asset, recoverNeutral(asset));
    const q = new Quaternion().fromArray([...frame.rotation]);
    const forward = new Vector3(0, 0, 1).applyQuaternion(q);
    expect(frame.warnings).toEqual([]);
    // The mannequin is saved crouching: as a whole it leans in the direction of the root it was saved with.
    if (file.includes('mannequiny')) expect(forward.z).toBeGreaterThan(0.7);
    else expect(forward.toArray()).toEqual(expected);
  });

  it.each([
    ['glb-tail/khronos_Fox.glb', 'four-footed'],
    [`${tails}animals_Horse.glb`, 'four-footed'],
    [`${tails}dinosaurs_Apatosaurus.glb`, 'four-footed'],
    [`${tails}dinosaurs_Velociraptor.glb`, 'limbs'],
    [`${tails}easy_enemies_Frog.glb`, 'four-footed'],
    [`${tails}easy_enemies_Snake.glb`, 'gltf'],
    [`${tails}cute_fish_Koi.glb`, 'gltf'],
    [`${people}khronos_CesiumMan.glb`, 'limbs'],
  ])('%s: its frame comes from %s', async (file, source) => {
    const asset = await load(file);
    expect(anatomicalFrame(asset, recoverNeutral(asset)).source).toBe(source);
  });

  it.each([
    ['glb-tail/khronos_Fox.glb', 'b_Hip_01 > b_Tail01_012 b_Tail02_013 b_Tail03_014 > - skin-reach'],
    ['derived/Fox_meshopt.glb', 'b_Hip_01 > b_Tail01_012 b_Tail02_013 b_Tail03_014 > - skin-reach'],
    [
      `${tails}animals_Fox.glb`,
      'Back > Tail1 Tail2 Tail3 Tail4 Tail5 Tail6 Tail7 Tail8 > Tail8_end end-bone',
    ],
    [
      `${tails}animals_Wolf.glb`,
      'Back > Tail1 Tail2 Tail3 Tail4 Tail5 Tail6 Tail7 Tail8 > Tail8_end end-bone',
    ],
    [`${tails}animals_ShibaInu.glb`, 'Back > Tail1 Tail2 Tail3 > Tail3_end end-bone'],
    [`${tails}animals_Horse.glb`, 'Back > Tail1 Tail2 Tail3 Tail4 Tail5 Tail6 Tail7 > Tail7_end end-bone'],
    [`${tails}animals_Stag.glb`, 'Back > Tail1 Tail2 Tail3 > Tail3_end end-bone'],
    [`${tails}easy_enemies_Rat.glb`, 'Back > Tail1 Tail2 Tail3 Tail4 Tail5 Tail6 Tail7 > Tail7_end end-bone'],
    [`${tails}easy_enemies_Snake.glb`, 'Root > Tail Tail1 Tail2 Tail3 > Tail3_end end-bone'],
    [`${tails}dinosaurs_Apatosaurus.glb`, 'Back > Tail1 Tail2 Tail3 Tail4 Tail5 > Tail5_end end-bone'],
    [`${tails}dinosaurs_Velociraptor.glb`, 'Back > Tail1 Tail2 Tail3 Tail4 Tail5 > Tail5_end end-bone'],
    [`${tails}fish_Shark.glb`, 'Spine3 > Tail > Tail_end end-bone'],
  ])('%s: one tail, keeping its authored shape, moved by its clips', async (file, expected) => {
    const asset = await load(file);
    const name = (bone: number): string => (bone < 0 ? '-' : asset.skeleton.names[bone]!);
    const neutral = recoverNeutral(asset);
    const chains = findChains(asset);
    expect(chains).toHaveLength(1);
    const [chain] = chains as [(typeof chains)[number]];
    const rest = chainRest(asset, neutral, anatomicalFrame(asset, neutral), chain, {
      carry: 0,
      restCurve: 1,
    });
    expect(
      `${name(chain.attachment)} > ${chain.bones.map(name).join(' ')} > ${name(chain.end)} ${rest.tipSource}`,
    ).toBe(expected);
    expect(chain.origin).toBe('artist');
    expect(rest.skipped).toEqual([]);
    expect(rest.crossesKeepOut).toBe(false);
    const heads = chain.bones.map((bone) =>
      new Vector3().setFromMatrixPosition(matrix(neutral.worlds, bone)),
    );
    for (let i = 0; i + 1 < heads.length; i++) {
      const offset = heads[i + 1]!.clone().sub(heads[i]!);
      expect(rest.lengths[i]).toBeCloseTo(offset.length(), 10);
      // All these characters face +Z: their own directions are the world's.
      const direction = new Vector3().fromArray(rest.directions, 3 * i);
      expect(direction.distanceTo(offset.normalize())).toBeLessThan(1e-12);
    }
    const moving = asset.clips.filter((clip) =>
      movedBones(clip, neutral).some((bone) => chain.bones.includes(bone)),
    );
    expect(moving.length).toBeGreaterThan(asset.clips.length / 2);
  });

  it.each([
    `${tails}easy_enemies_Frog.glb`,
    `${tails}cute_fish_Koi.glb`,
    `${people}quaternius_modular_women_Formal.glb`,
    `${people}quaternius_modular_women_Witch.glb`,
    `${people}kaykit_Rogue_Hooded.glb`,
    'derived/quaternius_Pug_assimp.glb',
    'derived/rat_tail_ablated.glb',
    'vrm/Godette_vrm0.vrm',
  ])('%s has no tail bones', async (file) => {
    expect(findChains(await load(file))).toEqual([]);
  });

  it('hair of a VRM that is called tail hangs from the head and is no tail', async () => {
    const asset = await load('derived/seedsan_rebuilt.vrm');
    expect(asset.skeleton.names.some((name) => /hair_tail/.test(name))).toBe(true);
    expect(findChains(asset).map((chain) => chain.name)).toEqual([]);
  });

  it('a quantised and compressed fox has the same neutral pose as the plain one', async () => {
    const plain = recoverNeutral(await load('glb-tail/khronos_Fox.glb'));
    for (const file of ['Fox_draco', 'Fox_meshopt', 'Fox_quantized']) {
      const other = await load(`derived/${file}.glb`);
      const neutral = recoverNeutral(other);
      const bone = other.skeleton.names.indexOf('b_Tail03_014');
      const original = (await load('glb-tail/khronos_Fox.glb')).skeleton.names.indexOf('b_Tail03_014');
      const at = new Vector3().setFromMatrixPosition(matrix(neutral.worlds, bone));
      expect(at.distanceTo(new Vector3().setFromMatrixPosition(matrix(plain.worlds, original)))).toBeLessThan(
        1e-2,
      );
    }
  });
});
