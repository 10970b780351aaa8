/**
 * Files other people made: which ones load, which ones are refused and why.
 */
import { basename, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { FollowthroughError } from '../../../src/asset/errors.js';
import type { Asset } from '../../../src/asset/asset.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { gltfFilesUnder, readBytes, resolveBeside } from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';

const load = (path: string, validate = true): Promise<Asset> =>
  loadGltf(readBytes(path), { name: basename(path), resolve: resolveBeside(path), validate });
const files = (...folders: string[]): string[] =>
  shared === undefined
    ? []
    : folders.flatMap((folder) =>
        gltfFilesUnder(`${shared}/${folder}`).map((path) => relative(shared!, path)),
      );

/** Real files whose faults lie in what is read. */
const REFUSED: Record<string, string> = {
  'gltf-features/assimp_RecursiveNodes.gltf': '/nodes/0: is its own ancestor',
  // Key times and matrices in views with a stride, broken inverse bind matrices.
  'gltf-features/tinygltf_unassigned-skeleton.gltf': '/animations/0/samplers/0/input',
};

describe.skipIf(!shared)('files of other people', () => {
  test.each(files('glb-tail', 'glb-humanoid', 'glb-anim', 'derived', 'gltf-features', 'vrm'))(
    '%s',
    async (name) => {
      const loading = load(`${shared}/${name}`);
      if (REFUSED[name]) {
        await expect(loading).rejects.toThrow(REFUSED[name]);
        return;
      }
      const asset = await loading;
      const { skeleton, skins, meshes, clips } = asset;
      expect(skeleton.count).toBeGreaterThan(0);
      for (let bone = 0; bone < skeleton.count; bone++) expect(skeleton.parents[bone]).toBeLessThan(bone);
      expect([...skeleton.nodes].toSorted((a, b) => a - b)).toEqual(skeleton.names.map((_, i) => i));
      for (const mesh of meshes) {
        const vertices = mesh.positions.length / 3;
        expect(mesh.indices.every((i) => i < vertices)).toBe(true);
        expect(mesh.weights.length).toBe(vertices * mesh.influences);
        const joints = mesh.skin < 0 ? 0 : skins[mesh.skin]!.joints.length;
        expect(mesh.joints.every((joint) => joint < joints)).toBe(true);
      }
      for (const { tracks, duration } of clips)
        for (const { times, values, path, interpolation } of tracks) {
          expect(times.at(-1)).toBeLessThanOrEqual(duration);
          const size = (path === 'rotation' ? 4 : 3) * (interpolation === 'cubic' ? 3 : 1);
          expect(values.length).toBe(times.length * size);
        }
    },
    30_000,
  );

  test('what is tolerated is said', async () => {
    const codes = async (name: string): Promise<string[]> =>
      (await load(`${shared}/${name}`)).warnings.map(({ code }) => code);
    expect(await codes('glb-tail/quaternius_animals_Fox.glb')).toEqual(['gltf-skin-skeleton-invalid']);
    expect(await codes('derived/quaternius_Pug_assimp.glb')).toContain(
      'gltf-accessor-weights-non-normalized',
    );
    expect(await codes('gltf-features/ramses_SimpleSkin-multi-joint-set.gltf')).toEqual([
      'gltf-accessor-joints-index-duplicate',
    ]);
    expect(await codes('glb-tail/khronos_Fox.glb')).toEqual([]);
  });

  test('SimpleSkin with two sets of joints has 8 influences', async () => {
    const { meshes } = await load(`${shared}/gltf-features/ramses_SimpleSkin-multi-joint-set.gltf`);
    expect(meshes[0]!.influences).toBe(8);
  });
});

/**
 * Files of the validator's own tests whose faults are not in what is read, or that have none; all others are
 * refused. The right side says what the file is about.
 */
const READ: Record<string, string> = {
  'animation/channel_node_no_morphs.gltf': 'morph weights',
  'animation/custom_property.gltf': 'no error',
  'animation/valid.gltf': 'no error',
  'node/custom_property.gltf': 'no error',
  'node/matrix_default.gltf': 'no error',
  'node/node_empty.gltf': 'no error',
  'node/node_skinned_mesh_without_skin.gltf': 'no error',
  'node/node_weights_invalid.gltf': 'morph weights',
  'node/node_weights_override.gltf': 'no error',
  'node/unresolved_camera.gltf': 'a camera',
  'node/valid.gltf': 'no error',
  'node/weights_with_no_mesh.gltf': 'morph weights',
  'skin/custom_property.gltf': 'no error',
  'skin/ignored_animated_transform.gltf': 'no error',
  'skin/ignored_local_transform.gltf': 'no error',
  'skin/ignored_parent_transform.gltf': 'no error',
  'skin/no_joints_in_scene.gltf': 'scenes',
  'skin/skeleton_invalid.gltf': 'the skeleton property',
  'skin/unresolved_skeleton.gltf': 'the skeleton property',
  'skin/valid.gltf': 'no error',
};

describe.skipIf(!shared)('fixtures of the validator', () => {
  test.each(files('gltf-invalid').map((name) => name.replace(/^gltf-invalid./, '')))('%s', async (name) => {
    const path = `${shared}/gltf-invalid/${name}`;
    const report = JSON.parse(readFileSync(`${path}.report.json`, 'utf8')) as {
      issues: { messages: { severity: number; pointer: string }[] };
    };
    const errors = report.issues.messages.filter(({ severity }) => severity === 0);
    const why = READ[name];
    if (errors.length === 0) expect(why).toBe('no error');
    if (why === undefined) {
      const error = await load(path).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(FollowthroughError);
      expect(error).toMatchObject({ code: 'invalid-file' });
      // The place named is one that the report has an error at, or lies just beside one (its owner or its part).
      const list = (error as Error).message.match(/^\/(\w+)/)![1];
      const lists = errors.map(({ pointer }) => pointer.split('/')[1]);
      expect([...lists, 'buffers', 'accessors']).toContain(list);
      return;
    }
    const { warnings } = await load(path);
    expect(warnings.filter(({ code }) => code.startsWith('gltf-')).length).toBe(errors.length > 0 ? 1 : 0);
  });

  test('without the validator only what cannot be used is refused', async () => {
    const refused: string[] = [];
    for (const name of files('gltf-invalid'))
      await load(`${shared}/${name}`, false).catch((error: unknown) => {
        expect(error).toBeInstanceOf(FollowthroughError);
        refused.push(basename(name, '.gltf'));
      });
    expect(refused.length).toBeGreaterThan(20);
    for (const name of [
      'rotation_non_unit',
      'matrix_indecomposable',
      'empty_array',
      'sampler_input_no_bounds',
    ])
      expect(refused).not.toContain(name);
  });
});
