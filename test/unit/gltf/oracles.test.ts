/**
 * Two other programs read the same files: three's GLTFLoader (what a renderer shows) and glTF Transform (what
 * the accessors hold, decoded from Draco and meshopt too).
 */
import { NodeIO, Logger } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import draco3d from 'draco3dgltf';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import * as THREE from 'three';
import { GLTFLoader, type GLTF } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, test } from 'vitest';
import type { Asset } from '../../../src/asset/asset.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { fingerprint, readBytes } from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';

const load = (name: string): Promise<Asset> => loadGltf(readBytes(`${shared}/${name}`), { validate: false });

/** Equal values; -0 is 0. */
function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

async function loadThree(name: string): Promise<GLTF> {
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  loader.register(() => ({ name: 'no-textures', loadTexture: async () => new THREE.Texture() }) as never);
  return loader.parseAsync(readBytes(`${shared}/${name}`).buffer as ArrayBuffer, '');
}

/** World matrices of all bones, by plain multiplication with three's classes. */
function worldMatrices({ skeleton: s }: Asset): THREE.Matrix4[] {
  const worlds: THREE.Matrix4[] = [];
  for (let i = 0; i < s.count; i++) {
    const local = new THREE.Matrix4().compose(
      new THREE.Vector3().fromArray(s.translations, i * 3),
      new THREE.Quaternion().fromArray(s.rotations, i * 4),
      new THREE.Vector3().fromArray(s.scales, i * 3),
    );
    worlds.push(s.parents[i]! < 0 ? local : local.premultiply(worlds[s.parents[i]!]!));
  }
  return worlds;
}

const THREE_FILES = [
  'glb-tail/khronos_Fox.glb',
  'glb-tail/quaternius_animals_Wolf.glb',
  'glb-tail/quaternius_easy_enemies_Rat.glb',
  'glb-humanoid/khronos_CesiumMan.glb',
  'glb-humanoid/RobotExpressive.glb',
  'glb-humanoid/quaternius_modular_men_Adventurer.glb',
  'glb-humanoid/gdquest_mannequiny.glb',
  'glb-anim/kaykit_Med_General.glb',
  'derived/Fox_quantized.glb',
  'derived/Rat_meshopt.glb',
];

describe.skipIf(!shared)('three reads the same', () => {
  test.each(THREE_FILES)('%s', async (name) => {
    const asset = await load(name);
    const gltf = await loadThree(name);
    gltf.scene.updateMatrixWorld(true);
    const worlds = worldMatrices(asset);
    const objects: THREE.Object3D[] = await Promise.all(
      Array.from(
        asset.skeleton.nodes,
        (node) => gltf.parser.getDependency('node', node) as Promise<THREE.Object3D>,
      ),
    );
    let size = 1;
    objects.forEach((object, bone) => {
      const theirs = object.matrixWorld.elements;
      size = Math.max(size, ...theirs.map(Math.abs));
      const off = theirs.map((x, k) => Math.abs(worlds[bone]!.elements[k]! - x));
      expect(Math.max(...off)).toBeLessThan(1e-6 * size);
    });
    const skins = new Map<THREE.Skeleton, number>();
    gltf.scene.traverse((object) => {
      if (!(object instanceof THREE.SkinnedMesh)) return;
      const own = objects.indexOf(object);
      const node = own >= 0 ? own : objects.indexOf(object.parent!);
      const mesh = asset.meshes.find(({ bone, skin }) => bone === node && skin >= 0)!;
      skins.set(object.skeleton, mesh.skin);
    });
    expect(skins.size > 0).toBe(asset.meshes.some(({ skin }) => skin >= 0));
    for (const [skeleton, index] of skins) {
      const skin = asset.skins[index]!;
      expect(skeleton.bones.map((bone) => objects.indexOf(bone))).toEqual([...skin.joints]);
      expect(skeleton.boneInverses.flatMap(({ elements }) => elements)).toEqual([...skin.inverseBinds]);
    }
    expect(gltf.animations.map((clip) => clip.duration)).toEqual(asset.clips.map((clip) => clip.duration));
    gltf.animations.forEach((clip, c) => {
      const theirs = clip.tracks.filter((track) => !track.name.endsWith('.morphTargetInfluences'));
      const { tracks } = asset.clips[c]!;
      expect(theirs.length).toBe(tracks.length);
      theirs.forEach((track, t) => {
        expect(sameNumbers(track.times, tracks[t]!.times)).toBe(true);
        expect(sameNumbers(track.values, Float32Array.from(tracks[t]!.values))).toBe(true);
      });
    });
  });
});

describe.skipIf(!shared)('glTF Transform decodes the same', () => {
  test.each([
    'glb-tail/khronos_Fox.glb',
    'derived/Fox_draco.glb',
    'derived/Fox_meshopt.glb',
    'derived/Fox_quantized.glb',
    'derived/Rat_meshopt.glb',
    'gltf-features/meshoptimizer_pirate.glb',
    'gltf-features/gltftransform/BoxMeshopt.glb',
    'gltf-features/tinygltf_singleBlendshapeCube_sparse.glb',
    'glb-humanoid/kaykit_Knight.glb',
  ])('%s', async (name) => {
    const asset = await load(name);
    const io = new NodeIO()
      .setLogger(new Logger(Logger.Verbosity.SILENT))
      .registerExtensions(ALL_EXTENSIONS)
      .registerDependencies({
        'draco3d.decoder': await draco3d.createDecoderModule(),
        'meshopt.decoder': MeshoptDecoder,
      });
    const root = (await io.readBinary(readBytes(`${shared}/${name}`))).getRoot();
    const meshes = root.listNodes().flatMap((node) => node.getMesh()?.listPrimitives() ?? []);
    expect(asset.meshes.length).toBe(meshes.length);
    meshes.forEach((primitive, m) => {
      const mine = asset.meshes[m]!;
      const elements = (semantic: string): number[] => {
        const accessor = primitive.getAttribute(semantic);
        return accessor
          ? Array.from({ length: accessor.getCount() }, (_, i) => accessor.getElement(i, [])).flat()
          : [];
      };
      expect(sameNumbers(mine.positions, elements('POSITION'))).toBe(true);
      if (mine.skin >= 0) {
        expect(sameNumbers(mine.joints, elements('JOINTS_0'))).toBe(true);
        expect(sameNumbers(mine.weights, elements('WEIGHTS_0'))).toBe(true);
      }
      const indices = primitive.getIndices();
      if (indices && primitive.getMode() === 4)
        expect(sameNumbers(mine.indices, indices.getArray()!)).toBe(true);
    });
  });
});

test.skipIf(!shared)('decoders can be handed in', async () => {
  const used: string[] = [];
  const decoders = {
    draco: async (): Promise<object> => (used.push('draco'), draco3d.createDecoderModule()),
    meshopt: async (): Promise<typeof MeshoptDecoder> => (used.push('meshopt'), MeshoptDecoder),
  };
  for (const name of ['derived/Fox_draco.glb', 'derived/Fox_meshopt.glb'])
    expect(fingerprint(await loadGltf(readBytes(`${shared}/${name}`), { validate: false, decoders }))).toBe(
      fingerprint(await load(name)),
    );
  expect([...new Set(used)]).toEqual(['draco', 'meshopt']);
});

describe.skipIf(!shared)('compressed versions of one file', () => {
  const nearest = (points: Float64Array, x: number, y: number, z: number): number => {
    let best = Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const d = (points[i]! - x) ** 2 + (points[i + 1]! - y) ** 2 + (points[i + 2]! - z) ** 2;
      if (d < best) best = d;
    }
    return Math.sqrt(best);
  };

  /** Positions seen from the first joint at bind (inverse bind x position): what skinning really uses. */
  const inJoint = ({ skins, meshes }: Asset): Float64Array => {
    const m = skins[0]!.inverseBinds;
    return meshes[0]!.positions.map((_, i, p) => {
      const [v, row] = [i - (i % 3), i % 3];
      return m[row]! * p[v]! + m[4 + row]! * p[v + 1]! + m[8 + row]! * p[v + 2]! + m[12 + row]!;
    });
  };

  test.each(['Fox_draco', 'Fox_meshopt', 'Fox_quantized'])('%s is the Fox', async (name) => {
    const plain = await load('glb-tail/khronos_Fox.glb');
    const packed = await load(`derived/${name}.glb`);
    expect(packed.skeleton.names).toEqual(plain.skeleton.names);
    expect([...packed.skeleton.parents]).toEqual([...plain.skeleton.parents]);
    packed.skeleton.rotations.forEach((x, i) => expect(x).toBeCloseTo(plain.skeleton.rotations[i]!, 6));
    packed.skeleton.translations.forEach((x, i) => expect(x).toBeCloseTo(plain.skeleton.translations[i]!, 4));
    expect([...packed.skins[0]!.joints]).toEqual([...plain.skins[0]!.joints]);
    const [a, b] = [inJoint(plain), inJoint(packed)];
    // The fox is 155 units long; 14 bits leave steps of 0.01.
    let worst = 0;
    for (let i = 0; i < b.length; i += 3) worst = Math.max(worst, nearest(a, b[i]!, b[i + 1]!, b[i + 2]!));
    expect(worst).toBeLessThan(0.01);
    console.info(`${name}: positions within ${worst.toExponential(2)} of the plain file's`);
  });
});
