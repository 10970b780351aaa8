/**
 * What must hold for every written file, checked by other means than it was written: JSON compared as text, three and
 * glTF Transform as readers, skinning by hand.
 */
import { Logger, NodeIO, type Document, type Primitive } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import draco3d from 'draco3dgltf';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { expect } from 'vitest';
import type { Asset } from '../../../../src/asset/asset.js';
import { parseGlb } from '../../../../src/io/gltf/container.js';
import { loadGltf, openPatch, writePatch } from '../../../../src/io/gltf/index.js';
import { writePlan } from '../../../../src/io/rig/writePlan.js';
import { applyPlan } from '../../../../src/rig/applyPlan.js';
import type { RigPlan } from '../../../../src/rig/plan.js';
import { recoverNeutral } from '../../../../src/setup/neutral.js';
import { modelSize } from '../../../../src/setup/neutralPose.js';
import { errorsOf, fingerprint, jsonOf, type Json } from '../../../support/gltfBuilder.js';

type Resolve = (uri: string) => Promise<Uint8Array>;

/** Writes a plan into a file. */
export async function writeInto(
  bytes: Uint8Array,
  asset: Asset,
  plan: RigPlan,
  format: 'glb' | 'gltf' = 'glb',
  resolve?: Resolve,
): Promise<Uint8Array> {
  const patch = await openPatch(bytes, resolve ? { resolve } : {});
  await writePlan(patch, asset, plan);
  return writePatch(patch, format);
}

/** Largest error of a stored weight, by component type of the accessor. */
const STEP: Record<number, number> = { 5126: 1e-6, 5121: 1 / 255, 5123: 1 / 65535 };
/** By how much weights change that Draco rounded, when they are brought to a sum of 1. */
const DRACO_STEP = 2e-4;

const wasDraco = (json: Json, mesh: number, primitive: number): boolean =>
  json['meshes'][mesh].primitives[primitive].extensions?.KHR_draco_mesh_compression !== undefined;

/** What a file holds is what the plan gives: everything equal, weights as exactly as they can be stored. */
export async function expectSameAsset(
  before: Asset,
  after: Uint8Array,
  plan: RigPlan,
  { resolve, draco = false }: { resolve?: Resolve; draco?: boolean } = {},
): Promise<Asset> {
  const rigged = applyPlan(before, plan);
  const read = await loadGltf(after, { name: before.name, ...(resolve ? { resolve } : {}) });
  const json = jsonOf(after);
  expect(read.skeleton).toEqual(rigged.skeleton);
  expect(read.skins).toEqual(
    rigged.skins.map((skin) => ({ ...skin, inverseBinds: skin.inverseBinds.map(Math.fround) })),
  );
  before.skins.forEach(({ joints, inverseBinds }, s) => {
    const now = read.skins[s]!;
    const old = [now.joints.slice(0, joints.length), now.inverseBinds.slice(0, inverseBinds.length)];
    expect(fingerprint(old)).toBe(fingerprint([joints, inverseBinds]));
  });
  expect(fingerprint(read.clips)).toBe(fingerprint(before.clips));
  // Counts and first places in the messages may change with the vertices.
  const codes = (asset: Asset): string[] => [...new Set(asset.warnings.map(({ code }) => code))];
  expect(codes(before)).toEqual(expect.arrayContaining(codes(read)));
  expect(read.meshes.length).toBe(rigged.meshes.length);
  rigged.meshes.forEach((mesh, m) => {
    const { joints, weights, ...rest } = read.meshes[m]!;
    const { joints: _, weights: __, ...wanted } = mesh;
    expect(fingerprint(rest)).toBe(fingerprint(wanted));
    expect(joints.length).toBe(mesh.joints.length);
    if (mesh === before.meshes[m]) {
      expect(fingerprint([joints, weights])).toBe(fingerprint([mesh.joints, mesh.weights]));
      return;
    }
    const { attributes } = json['meshes'][mesh.mesh].primitives[mesh.primitive];
    const { componentType } = json['accessors'][attributes.WEIGHTS_0];
    let off = 0;
    let wrong = 0;
    weights.forEach((weight, k) => {
      off = Math.max(off, Math.abs(weight - mesh.weights[k]!));
      if (weight > 0 && joints[k] !== mesh.joints[k]) wrong++;
    });
    expect(off).toBeLessThanOrEqual(draco ? DRACO_STEP : STEP[componentType]!);
    expect(wrong).toBe(0);
  });
  return read;
}

/** The file holds no fault that it did not have, and its warnings are not about what was written. */
export async function expectNoNewErrors(
  before: Uint8Array,
  after: Uint8Array,
  resolve?: Resolve,
): Promise<void> {
  const old = new Set(await errorsOf(before, resolve));
  expect((await errorsOf(after, resolve)).filter((error) => !old.has(error))).toEqual([]);
}

/** Nodes, skins and primitives that a plan may touch. */
interface Touched {
  parents: Set<number>;
  skins: Set<number>;
  primitives: Set<string>;
}

function touchedBy(asset: Asset, plan: RigPlan): Touched {
  const rigged = applyPlan(asset, plan);
  return {
    parents: new Set(plan.bones.map(({ parent }) => rigged.skeleton.nodes[parent]!)),
    skins: new Set(rigged.skins.flatMap((skin, s) => (skin === asset.skins[s] ? [] : [s]))),
    primitives: new Set(
      rigged.meshes.flatMap((mesh, m) =>
        mesh === asset.meshes[m] ? [] : [`${mesh.mesh} ${mesh.primitive}`],
      ),
    ),
  };
}

/**
 * Takes back what a plan may change in the JSON of a written file; what remains must be the text of the old JSON,
 * order of keys and all. The binary chunk must begin with the old one.
 */
export function expectRestUntouched(
  before: Uint8Array,
  after: Uint8Array,
  asset: Asset,
  plan: RigPlan,
): void {
  const [old, now] = [jsonOf(before), jsonOf(after)];
  const { parents, skins, primitives } = touchedBy(asset, plan);
  const added: Json[] = now['nodes'].slice(old['nodes'].length);
  expect(added.map((node) => ({ ...node, children: undefined }))).toEqual(
    plan.bones.map(({ name, translation, suggested }) => ({
      name,
      translation,
      ...(suggested ? { extras: { followthrough: { chain: inDegrees(suggested) } } } : {}),
    })),
  );
  for (const key of ['nodes', 'accessors', 'bufferViews']) now[key].length = old[key].length;
  for (const node of parents) {
    const [mine, theirs] = [now['nodes'][node], old['nodes'][node]];
    if (!theirs) continue;
    const children: number[] = theirs.children ?? [];
    expect(mine.children.slice(0, children.length)).toEqual(children);
    expect(mine.children.length).toBeGreaterThan(children.length);
    if (theirs.children) mine.children = children;
    else delete mine.children;
  }
  for (const skin of skins) {
    const [mine, theirs] = [now['skins'][skin], old['skins'][skin]];
    mine.joints.length = theirs.joints.length;
    if (theirs.inverseBindMatrices === undefined) delete mine.inverseBindMatrices;
    else mine.inverseBindMatrices = theirs.inverseBindMatrices;
  }
  for (const key of primitives) {
    const [m, p] = key.split(' ').map(Number) as [number, number];
    takeBackPrimitive(old, now, m, p);
  }
  if (JSON.stringify(now['extensionsUsed'] ?? []) !== JSON.stringify(old['extensionsUsed'] ?? []))
    takeBackDraco(old, now);
  if (before[0] === 0x67 && after[0] === 0x67) {
    if (now['buffers'][0].byteLength > old['buffers'][0].byteLength)
      now['buffers'][0].byteLength = old['buffers'][0].byteLength;
    const [oldBin, bin] = [parseGlb(before).bin!, parseGlb(after).bin!];
    expect(fingerprint(bin.slice(0, oldBin.length))).toBe(fingerprint(oldBin.slice()));
  } else now['buffers'].length = old['buffers'].length;
  expect(JSON.stringify(now)).toBe(JSON.stringify(old));
}

function takeBackPrimitive(old: Json, now: Json, m: number, p: number): void {
  const mine = now['meshes'][m].primitives[p];
  const theirs = old['meshes'][m].primitives[p];
  for (const semantic of Object.keys(mine.attributes))
    if (/^(?:JOINTS|WEIGHTS)_/.test(semantic)) mine.attributes[semantic] = theirs.attributes[semantic];
  if (!theirs.extensions?.KHR_draco_mesh_compression) return;
  expect(mine.extensions?.KHR_draco_mesh_compression).toBeUndefined();
  mine.extensions = theirs.extensions;
  const accessors = [...Object.values(mine.attributes), mine.indices] as number[];
  for (const index of accessors) {
    const [a, b] = [now['accessors'][index], old['accessors'][index]];
    if (a.bufferView !== b.bufferView) delete a.bufferView;
    for (const key of ['min', 'max']) if (b[key]) a[key] = b[key];
  }
}

function takeBackDraco(old: Json, now: Json): void {
  for (const key of ['extensionsUsed', 'extensionsRequired']) {
    const rest = old[key].filter((name: string) => name !== 'KHR_draco_mesh_compression');
    expect(now[key] ?? []).toEqual(rest);
    now[key] = old[key];
  }
  // Keys that went and came back stand at the end.
  const ordered = Object.fromEntries(Object.keys(old).map((key) => [key, now[key]]));
  for (const key of Object.keys(now)) delete now[key];
  Object.assign(now, ordered);
}

/** glTF Transform with decoders. */
export async function documentIO(): Promise<NodeIO> {
  return new NodeIO()
    .setLogger(new Logger(Logger.Verbosity.SILENT))
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({
      'draco3d.decoder': await draco3d.createDecoderModule(),
      'meshopt.decoder': MeshoptDecoder,
    });
}

const primitivesOf = (document: Document): Primitive[][] =>
  document
    .getRoot()
    .listMeshes()
    .map((mesh) => mesh.listPrimitives());

/**
 * Every attribute, index and morph target that glTF Transform decodes is the same array, but for joints and weights;
 * there, unchanged vertices have the same stored numbers and changed ones sum to 1 as exactly as can be.
 */
export async function expectSameNumbers(
  before: Uint8Array,
  after: Uint8Array,
  asset: Asset,
  plan: RigPlan,
): Promise<void> {
  const io = await documentIO();
  const [old, now] = [primitivesOf(await io.readBinary(before)), primitivesOf(await io.readBinary(after))];
  const changed = new Map<string, Set<number>>();
  for (const { mesh, vertices } of plan.influences) {
    const entry = asset.meshes[mesh]!;
    changed.set(`${entry.mesh} ${entry.primitive}`, new Set(vertices));
  }
  expect(now.length).toBe(old.length);
  old.forEach((primitives, m) =>
    primitives.forEach((theirs, p) => {
      const mine = now[m]![p]!;
      const vertices = changed.get(`${m} ${p}`) ?? new Set<number>();
      const draco = vertices.size > 0 && wasDraco(jsonOf(before), m, p);
      expect(mine.listSemantics()).toEqual(theirs.listSemantics());
      expect(fingerprint(mine.getIndices()?.getArray())).toBe(fingerprint(theirs.getIndices()?.getArray()));
      const targets = (primitive: Primitive): unknown[] =>
        primitive.listTargets().map((target) => target.listAttributes().map((a) => a.getArray()));
      expect(fingerprint(targets(mine))).toBe(fingerprint(targets(theirs)));
      for (const semantic of theirs.listSemantics()) {
        const [a, b] = [theirs.getAttribute(semantic)!, mine.getAttribute(semantic)!];
        if (/^(?:JOINTS|WEIGHTS)_/.test(semantic)) {
          expect(b.getNormalized()).toBe(a.getNormalized());
          const wanted = draco && semantic.startsWith('W') ? normalized(a.getArray()!) : a.getArray()!;
          const noise = wanted === a.getArray() ? 0 : 1e-6;
          expect(sameElements(wanted, b.getArray()!, vertices, noise)).toBe(true);
          if (semantic.startsWith('W')) expect(b.getComponentType()).toBe(a.getComponentType());
        } else {
          expect(b.getNormalized()).toBe(a.getNormalized());
          expect(fingerprint(b.getArray())).toBe(fingerprint(a.getArray()));
        }
      }
      expectSums(mine, vertices);
    }),
  );
}

function sameElements(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  except: ReadonlySet<number>,
  noise: number,
): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    const same = noise === 0 ? Object.is(a[i], b[i]) : Math.abs(a[i]! - b[i]!) <= noise;
    if (!except.has(i >> 2) && !same) return false;
  }
  return true;
}

/** Weights of one set over their sum, where that is nearly 1. */
const normalized = (weights: ArrayLike<number>): number[] =>
  Array.from(weights, (weight, i) => {
    const from = i & ~3;
    const sum = weights[from]! + weights[from + 1]! + weights[from + 2]! + weights[from + 3]!;
    return Math.abs(sum - 1) < 0.005 ? weight / sum : weight;
  });

function expectSums(primitive: Primitive, vertices: ReadonlySet<number>): void {
  if (vertices.size === 0) return;
  const sets = primitive
    .listSemantics()
    .filter((semantic) => semantic.startsWith('WEIGHTS_'))
    .map((semantic) => ({
      weights: primitive.getAttribute(semantic)!.getArray()!,
      joints: primitive.getAttribute(semantic.replace('WEIGHTS', 'JOINTS'))!.getArray()!,
    }));
  const [first] = sets;
  const total =
    first!.weights instanceof Uint8Array ? 255 : first!.weights instanceof Uint16Array ? 65535 : 1;
  let off = 0;
  let idle = 0;
  for (const vertex of vertices) {
    let sum = 0;
    for (const { weights, joints } of sets)
      for (let at = 4 * vertex; at < 4 * vertex + 4; at++) {
        sum += weights[at]!;
        if (weights[at] === 0 && joints[at] !== 0) idle++;
      }
    off = Math.max(off, Math.abs(sum - total));
  }
  expect(off).toBeLessThanOrEqual(total === 1 ? 1e-6 : 0);
  // A joint without weight is 0, as the validator wants it.
  expect(idle).toBe(0);
}

/** The neutral pose: old bones as before, new ones pure translations where the plan wants them. */
export function expectNeutral(before: Asset, after: Asset, plan: RigPlan): void {
  const [old, now] = [recoverNeutral(before), recoverNeutral(after)];
  const size = modelSize(old);
  const { count } = before.skeleton;
  const off = (a: ArrayLike<number>, b: ArrayLike<number>, unit: number): number =>
    Math.max(0, ...Array.from(a, (x, k) => Math.abs(x - b[k]!))) / unit;
  for (let bone = 0; bone < count; bone++) {
    const at = 16 * bone;
    const [a, b] = [old.worlds.subarray(at, at + 16), now.worlds.subarray(at, at + 16)];
    expect(off(a.subarray(0, 12), b, Math.max(...a.subarray(0, 12).map(Math.abs)))).toBeLessThan(1e-6);
    expect(off(a.subarray(12, 15), b.subarray(12, 15), size)).toBeLessThan(1e-6);
  }
  plan.bones.forEach(({ translation, head }, index) => {
    const bone = count + index;
    const length = Math.hypot(...translation);
    expect(off(now.rotations.subarray(4 * bone, 4 * bone + 4), [0, 0, 0, 1], 1)).toBeLessThan(1e-6);
    expect([...now.scales.subarray(3 * bone, 3 * bone + 3)]).toEqual([1, 1, 1]);
    expect(off(now.translations.subarray(3 * bone, 3 * bone + 3), translation, length)).toBeLessThan(1e-5);
    expect(off(now.worlds.subarray(16 * bone + 12, 16 * bone + 15), head, size)).toBeLessThan(1e-6);
  });
}

/** What a file says about a chain: angles in degrees, to a tenth. */
function inDegrees({ limit, carry, restCurve }: NonNullable<RigPlan['bones'][number]['suggested']>): object {
  const tenths = (angleRad: number): number => Math.round((angleRad * 1800) / Math.PI) / 10;
  return {
    ...(limit === undefined ? {} : { limitDeg: tenths(limit) }),
    ...(carry === undefined ? {} : { carryDeg: tenths(carry) }),
    ...(restCurve === undefined ? {} : { restCurve }),
  };
}
