/**
 * Files of other people: how much of each there is, and a few figures read by hand from their JSON.
 */
import { describe, expect, test } from 'vitest';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { loadVrm, type VrmAsset } from '../../../src/io/vrm/index.js';
import { anatomicalFrame } from '../../../src/setup/anatomicalFrame.js';
import { recoverNeutral } from '../../../src/setup/neutral.js';
import { gltfFilesUnder, readBytes, resolveBeside } from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';

const load = (name: string): Promise<VrmAsset> =>
  loadVrm(readBytes(`${shared}/${name}`), { name, resolve: resolveBeside(`${shared}/${name}`) });

/** Source; springs, joints that turn, colliders, groups, constraints, humanoid bones. */
type Counts = [string, number, number, number, number, number, number];

const VRMS: Record<string, Counts> = {
  'vrm/Godette_vrm0.vrm': ['vrm-0', 8, 16, 4, 2, 0, 45],
  'vrm/cryptovoxels_vrm0.vrm': ['vrm-0', 0, 0, 0, 0, 0, 43],
  'vrm/polygonalmind_cool_loops_vrm0.vrm': ['vrm-0', 0, 0, 0, 0, 0, 50],
  'vrm/saturday06_debug_robot_vrm1.vrm': ['vrm-1', 0, 0, 0, 0, 0, 53],
  'derived/seedsan_rebuilt.vrm': ['vrm-1', 9, 19, 8, 2, 23, 51],
  'vrm/arkavo_smoke_spring.vrm': ['vrm-1', 1, 3, 0, 0, 0, 19],
  'vrm/arkavo_springbone_collider_sphere_x0p02_r0p05.vrm': ['vrm-1', 1, 3, 1, 1, 0, 19],
  'vrm/arkavo_springbone_collider_sphere_x0p02_r0p1.vrm': ['vrm-1', 1, 3, 1, 1, 0, 19],
  'vrm/arkavo_springbone_collider_capsule_x0p02_r0p05.vrm': ['vrm-1', 1, 3, 1, 1, 0, 19],
  'vrm/arkavo_springbone_collider_capsule_x0p02_r0p1.vrm': ['vrm-1', 1, 3, 1, 1, 0, 19],
  'vrm/arkavo_springbone_extended_plane_ptight.vrm': ['vrm-1', 1, 3, 1, 1, 0, 19],
  'vrm/arkavo_springbone_extended_plane_with_base_sphere.vrm': ['vrm-1', 1, 3, 1, 1, 0, 19],
  'vrm/arkavo_springbone_extended_plane_anglelimit_30.vrm': ['vrm-1', 1, 3, 1, 1, 0, 19],
  'vrm/arkavo_springbone_extended_isphere_ptight.vrm': ['vrm-1', 1, 3, 1, 1, 0, 19],
  'vrm/arkavo_springbone_extended_isphere_anglelimit_60.vrm': ['vrm-1', 1, 3, 1, 1, 0, 19],
  'vrm/arkavo_springbone_extended_icaps_pmed.vrm': ['vrm-1', 1, 3, 1, 1, 0, 19],
  'vrm/arkavo_swing_springbone_stiffness_0.vrm': ['vrm-1', 1, 3, 0, 0, 0, 19],
  'vrm/arkavo_swing_springbone_stiffness_0p2.vrm': ['vrm-1', 1, 3, 0, 0, 0, 19],
  'vrm/arkavo_swing_springbone_stiffness_0p8.vrm': ['vrm-1', 1, 3, 0, 0, 0, 19],
  'vrm/arkavo_swing_springbone_stiffness_1.vrm': ['vrm-1', 1, 3, 0, 0, 0, 19],
  'vrm/threevrm_springbone/sphere-collider.gltf': ['springbone', 1, 4, 1, 1, 0, 0],
  'vrm/threevrm_springbone/plane-collider.gltf': ['springbone', 1, 4, 1, 1, 0, 0],
  'vrm/threevrm_springbone/inside-collider.gltf': ['springbone', 1, 4, 1, 1, 0, 0],
  'vrm/threevrm_constraint/cubes.gltf': ['springbone', 0, 0, 0, 0, 2, 0],
  'vrm/vrmspec_constraint/vrm_node_constraint_examples.glb': ['springbone', 0, 0, 0, 0, 11, 0],
  'vrm/vrmspec_constraint/vrm_node_constraint_examples.gltf': ['springbone', 0, 0, 0, 0, 11, 0],
};

describe.skipIf(!shared)('VRM files of other people', () => {
  test('none is left out', () => {
    const names = gltfFilesUnder(`${shared}/vrm`).map((path) => path.slice(shared!.length + 1));
    expect([...names, 'derived/seedsan_rebuilt.vrm'].toSorted()).toEqual(Object.keys(VRMS).toSorted());
  });

  test.each(Object.entries(VRMS))('%s', async (name, counts) => {
    const { secondary, warnings } = await load(name);
    const { source, springs, colliders, groups, constraints, humanoid } = secondary;
    expect([
      source,
      springs.length,
      springs.flatMap(({ joints }) => joints).length,
      colliders.length,
      groups.length,
      constraints.length,
      Object.keys(humanoid).length,
    ]).toEqual(counts);
    // What is odd about these files: colliders without a version, limits of a format of their own, an empty group.
    const said = warnings.map(({ code }) => code).filter((code) => code.startsWith('vrm-'));
    const expected = [
      ...(name.includes('extended') ? ['vrm-version'] : []),
      ...(name.includes('anglelimit') ? ['vrm-extension'] : []),
      ...(name.includes('cool_loops') ? ['vrm-spring'] : []),
    ];
    expect(said).toEqual(expected);
  });

  test('files without these extensions say nothing', async () => {
    const asset = await loadGltf(readBytes(`${shared}/glb-tail/khronos_Fox.glb`));
    expect(asset.secondary).toBeUndefined();
  });

  test('Godette: every root swings down to its end, 7 cm beyond it', async () => {
    const { skeleton, secondary } = await load('vrm/Godette_vrm0.vrm');
    const chains = secondary.springs.map(({ joints }) => joints.map(({ bone }) => skeleton.nodes[bone]!));
    expect(chains.map(([root]) => root)).toEqual([22, 16, 20, 18, 58, 14, 12, 10]);
    for (const { joints, end, endOffset } of secondary.springs) {
      expect(joints).toHaveLength(2);
      expect(end).toBe(-1);
      expect(Math.hypot(...endOffset!)).toBeCloseTo(0.07, 12);
    }
    expect(secondary.springs.map(({ groups }) => groups)).toEqual([[1], [1], [1], [1], [0], [], [], []]);
    // Written as z 0.04 in a left-handed space.
    expect(secondary.colliders[1]!.shape.offset[2]).toBeCloseTo(-0.04, 6);
    expect(secondary.colliders.map(({ bone }) => skeleton.nodes[bone])).toEqual([3, 3, 5, 5]);
  });

  test('Seed-san: bangs end in nodes that no skin knows; two of them have no length', async () => {
    const { skeleton, skins, secondary } = await load('derived/seedsan_rebuilt.vrm');
    expect(secondary.springs.map(({ name, joints }) => `${name} ${joints.length}`)).toEqual([
      'TailHair 6',
      ...['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((letter) => `FrontHair${letter} 1`),
      'RoboWire 6',
    ]);
    const joints = new Set(skins.flatMap((skin) => [...skin.joints]));
    for (const { end } of secondary.springs.slice(1, 8)) expect(joints.has(end)).toBe(false);
    const still = secondary.springs.filter(({ end }) =>
      skeleton.translations.subarray(3 * end, 3 * end + 3).every((value) => value === 0),
    );
    expect(still.map(({ name }) => name)).toEqual(['FrontHairF', 'FrontHairG']);
    const { hips } = secondary.humanoid;
    expect(secondary.springs[0]!.center).toBe(hips);
    expect(secondary.constraints.every(({ kind, weight }) => kind === 'rotation' && weight === 1)).toBe(true);
  });

  test('a plane is read where a sphere of 10000 m stands in for it', async () => {
    const { secondary } = await load('vrm/threevrm_springbone/plane-collider.gltf');
    expect(secondary.colliders[0]!.shape).toEqual({ kind: 'plane', offset: [0, 0, 0], normal: [0, 0, 1] });
    const base = await load('vrm/arkavo_springbone_extended_plane_with_base_sphere.vrm');
    expect(base.secondary.colliders[0]!.shape).toMatchObject({ kind: 'plane', normal: [0, 1, 0] });
  });

  test.each([
    ['vrm/Godette_vrm0.vrm', -1],
    ['vrm/cryptovoxels_vrm0.vrm', -1],
    ['vrm/polygonalmind_cool_loops_vrm0.vrm', -1],
    ['derived/seedsan_rebuilt.vrm', 1],
  ])('%s faces along z times %d', async (name, sign) => {
    const asset = await load(name);
    const { rotation, source } = anatomicalFrame(asset, recoverNeutral(asset));
    const [x, y] = rotation;
    // The z axis after the rotation.
    expect([source, 1 - 2 * (x! * x! + y! * y!)]).toEqual(['limbs', expect.closeTo(sign, 9)]);
  });
});
