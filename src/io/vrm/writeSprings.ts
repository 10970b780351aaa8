/**
 * `writeSprings`: springs and colliders written into a file as `VRMC_springBone` 1.0, with
 * `VRMC_springBone_extended_collider` 1.0 for planes and insides. Everything else in the file keeps its bytes, the
 * `secondaryAnimation` of a VRM 0.x among it. What was written is read again before it is handed out: it says what was
 * given, or nothing is written.
 */
import type { ChainDefinition } from '../../asset/asset.js';
import { FollowthroughError, type Warning } from '../../asset/errors.js';
import type { SecondaryMotion } from '../../asset/secondary.js';
import { uniqueWarnings } from '../../measure/uniqueWarnings.js';
import type { ResolveUri } from '../gltf/buffers.js';
import { gltfFileOf } from '../gltf/gltfFile.js';
import { isObject, listAt, memberOf, objectAt, objectsAt, oneLine, type JsonObject } from '../gltf/json.js';
import { listOf, openPatch, type GltfPatch } from '../gltf/patch.js';
import { readSkeleton, type Nodes } from '../gltf/skeleton.js';
import { writePatch } from '../gltf/writePatch.js';
import { buildTree } from './boneTree.js';
import { writeChainTags } from './chainTags.js';
import { colliderList, groupList, usesExtended } from './colliderJson.js';
import { EXTENDED } from './colliderShapes.js';
import { difference } from './difference.js';
import { expressible, type SpringMotion } from './expressible.js';
import { readSecondary } from './readSecondary.js';
import type { VrmReading } from './reading.js';
import { SPRING_BONE } from './springBone.js';
import { springEnds, type NewEnd } from './springEnds.js';
import { jointsIn, springList } from './springJson.js';

/** Options of {@link writeSprings}. */
export interface WriteSpringsOptions {
  /** Name of the file for messages, default `asset`. */
  name?: string;
  /** Reads files that a .gltf refers to. */
  resolve?: ResolveUri;
  /** Container to write, default that of the input. */
  container?: 'glb' | 'gltf';
  /**
   * Whether a .gltf takes in the files it refers to, so that it can stand in another folder than the input. Default
   * false.
   */
  embed?: boolean;
  /**
   * Chains whose `suggested` is noted at their root nodes (`extras.followthrough.chain`), for `loadGltf` to hand on: those
   * of `fitColliders`. `contactPart` of all; `colliderMask`, as groups, of those that are no springs. Default none: tags
   * stay as they are.
   */
  chains?: readonly ChainDefinition[];
}

/** A node that was added because a spring ended in none. */
export interface AddedEnd {
  /** Index of the node in the file. */
  node: number;
  /** Its name: that of the node it hangs on with `_end`. */
  name: string;
  /** Index of the node it hangs on. */
  parent: number;
}

/** What {@link writeSprings} did. */
export interface WriteSpringsReport {
  /** Name of the file. */
  file: string;
  /** Where the file's springs stood before; null when it said nothing about secondary motion. */
  source: SecondaryMotion['source'] | null;
  /** False when the file says already what was given: then its JSON is not touched. */
  changed: boolean;
  /** Whether the file is a VRM 0.x that got its `VRMC_springBone` now. */
  migrated: boolean;
  /** Nodes that were added. */
  ends: AddedEnd[];
  /** What was odd: in the file as it was read, in writing (`vrm-capsule`), in the file as it is read now. */
  warnings: Warning[];
}

/** Result of {@link writeSprings}. */
export interface WriteSpringsResult {
  /** The written file; the very bytes that came in when nothing changed and the container is the same. */
  bytes: Uint8Array;
  /** What was done. */
  report: WriteSpringsReport;
  /** What the written file says, as `loadVrm` reads it: `end` is a bone where there was an `endOffset`. */
  secondary: SecondaryMotion;
}

/**
 * Writes springs and colliders into a file: tuned values, fitted colliders, or those of a VRM 0.x in the form of 1.0.
 *
 * - What `loadVrm` read, written and read again is deeply equal, every number bit for bit. Entries that say the same
 *   keep their text, all entries their unknown members.
 * - A spring that ends in no bone (`endOffset`: the leaves of VRM 0.x) gets an empty node there.
 * - A capsule with two radii becomes the smallest with one that holds it, inside out the largest that it holds
 *   (warning `vrm-capsule`).
 * - The `VRM` of a 0.x file stays as it is, its springs too, for readers that know nothing else; where both stand,
 *   `loadVrm` and three-vrm read the new ones. Constraints and humanoid bones are not written: they stay as well.
 * - What the collider fit did to a collider (`fitted`) is noted in its extras (`extras.followthrough.fitted`).
 * - What reading left out as broken is not written again once anything changes; the warnings name it.
 *
 * @param bytes - a .vrm, .glb or .gltf
 * @param secondary - what the file shall say; bones are those of this file as `loadGltf` reads it. Lengths in metres
 * @returns the file, what was done, and what it says now
 * @throws FollowthroughError `invalid-argument`, with the place in `secondary`, for what the format cannot hold: a bone
 * in two springs, joints that are no chain, a number out of range, a direction that is not unit; `unsupported-file` for
 * another version of `VRMC_springBone` in the file; `invalid-file` when its nodes or extensions cannot be read
 * @example
 * const { secondary } = await loadVrm(bytes);
 * const tuned = tuneSprings(secondary, { spring: 'HairFront', stiffness: 0.8 });
 * const { bytes: written, report } = await writeSprings(bytes, tuned);
 */
export async function writeSprings(
  bytes: Uint8Array | ArrayBuffer,
  secondary: Pick<SecondaryMotion, 'colliders' | 'groups' | 'springs'>,
  options: WriteSpringsOptions = {},
): Promise<WriteSpringsResult> {
  const { name = 'asset', resolve, container, embed = false, chains = [] } = options;
  const patch = await openPatch(bytes, resolve ? { resolve } : {});
  try {
    const written = write(patch, secondary, chains);
    return {
      bytes: writePatch(patch, container ?? patch.container.format, { embed }),
      report: { file: name, ...written.report },
      secondary: written.secondary,
    };
  } catch (error) {
    if (error instanceof FollowthroughError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new FollowthroughError('invalid-argument', oneLine(`secondary: is not what loadVrm gives, ${why}`));
  }
}

/** What the file of a patch says as it stands. */
interface Standing extends Nodes {
  secondary: SecondaryMotion | undefined;
  warnings: Warning[];
}

function write(
  patch: GltfPatch,
  given: SpringMotion,
  chains: readonly ChainDefinition[],
): { report: Omit<WriteSpringsReport, 'file'>; secondary: SecondaryMotion } {
  const before = stand(patch);
  const extension = extensionIn(patch.json);
  const warnings: Warning[] = [];
  const wanted = expressible(given, before.skeleton.count, warnings);
  const tree = buildTree(gltfFileOf(patch.json, undefined).nodes, before.boneOfNode, before.skeleton.parents);
  const { springs, ends } = springEnds(before.skeleton, tree, wanted.springs);
  const motion: SpringMotion = { ...wanted, springs };
  const moved = ends.length > 0 || !isSaid(motion, before.secondary, extension);
  const added = moved ? addEnds(patch, before, ends) : [];
  if (moved) {
    const nodes = objectsAt(patch.json, 'nodes', '');
    const reading: VrmReading = { ...before, nodes, tree, warnings: [], said: new Set() };
    setExtension(patch.json, extensionJson(reading, extension ?? {}, motion, added));
  }
  const tagged = writeChainTags(patch, before.skeleton, chains, motion);
  const after = moved ? stand(patch) : before;
  if (moved) check(motion, after, before.warnings);
  const source = before.secondary?.source ?? null;
  const migrated = moved && source === 'vrm-0';
  return {
    report: {
      source,
      changed: moved || tagged,
      migrated,
      ends: added,
      warnings: uniqueWarnings([
        ...before.warnings,
        ...warnings,
        ...(migrated ? afterMove(after) : after.warnings),
      ]),
    },
    secondary: after.secondary ?? { source: 'springbone', ...motion, constraints: [], humanoid: {} },
  };
}

function stand(patch: GltfPatch): Standing {
  const file = gltfFileOf(patch.json, patch.container.bin);
  const nodes = readSkeleton(file.nodes, []);
  const warnings: Warning[] = [];
  return { ...nodes, secondary: readSecondary(file, nodes.skeleton, nodes.boneOfNode, warnings), warnings };
}

/** What is odd about a file that has both versions now: not that it has them. */
function afterMove({ warnings }: Standing): Warning[] {
  return warnings.map((warning) =>
    warning.code === 'vrm-versions'
      ? { ...warning, message: `${warning.at}: springs written as 1.0; the old ones stay` }
      : warning,
  );
}

/** The extension as it stands in the file. */
function extensionIn(json: JsonObject): JsonObject | undefined {
  const extensions = objectAt(json, 'extensions', '');
  const extension = extensions && memberOf(extensions, SPRING_BONE);
  if (!isObject(extension)) return undefined;
  const version = memberOf(extension, 'specVersion') ?? '1.0';
  if (typeof version === 'string' && version.startsWith('1.')) return extension;
  throw new FollowthroughError(
    'unsupported-file',
    oneLine(`/extensions/${SPRING_BONE}: version ${String(version)}, expected 1.0 to write into`),
  );
}

/** Whether the file says it already: in the extension, or by saying nothing where there is nothing to say. */
function isSaid(motion: SpringMotion, before: SecondaryMotion | undefined, extension: unknown): boolean {
  const { colliders, groups, springs } = before ?? { colliders: [], groups: [], springs: [] };
  const isEmpty = [colliders, groups, springs].every((list) => list.length === 0);
  return (
    (extension !== undefined || isEmpty) &&
    difference(motion, { colliders, groups, springs }, '') === undefined
  );
}

function addEnds(patch: GltfPatch, { skeleton }: Standing, ends: readonly NewEnd[]): AddedEnd[] {
  return ends.map(({ name, parent, translation }) => {
    const nodes = objectsAt(patch.json, 'nodes', '');
    const node = nodes.length;
    const above = skeleton.nodes[parent]!;
    nodes.push({ name, translation });
    const children: unknown[] = listOf(nodes[above]!, 'children', `/nodes/${above}`);
    children.push(node);
    return { node, name, parent: above };
  });
}

function extensionJson(
  reading: VrmReading,
  old: JsonObject,
  { colliders, groups, springs }: SpringMotion,
  added: readonly AddedEnd[],
): JsonObject {
  const { nodes, count } = reading.skeleton;
  const lists = {
    colliders: colliderList(reading, old, colliders),
    colliderGroups: groupList(old, groups),
    springs: springList(old, springs, (bone) => nodes[bone] ?? added[bone - count]?.node ?? -1),
  };
  const json: JsonObject = { ...old, specVersion: '1.0' };
  // Lists without entries are not allowed.
  for (const [key, list] of Object.entries(lists))
    if (list.length > 0) json[key] = list;
    else delete json[key];
  return json;
}

/** Puts the extension into the file and its names on the list of those in use. */
function setExtension(json: JsonObject, extension: JsonObject): void {
  json['extensions'] = {
    ...(memberOf(json, 'extensions') as JsonObject | undefined),
    [SPRING_BONE]: extension,
  };
  const parts = [...objectsAt(extension, 'colliders', ''), ...jointsIn(objectsAt(extension, 'springs', ''))];
  listExtension(json, SPRING_BONE, true);
  listExtension(json, EXTENDED, parts.some(usesExtended));
}

function listExtension(json: JsonObject, name: string, isUsed: boolean): void {
  const used = listAt(json, 'extensionsUsed', '');
  if (isUsed && !used.includes(name)) json['extensionsUsed'] = [...used, name];
  if (isUsed) return;
  for (const key of ['extensionsUsed', 'extensionsRequired']) {
    const list = listAt(json, key, '');
    const rest = list.filter((other) => other !== name);
    if (rest.length === list.length) continue;
    if (rest.length > 0) json[key] = rest;
    else delete json[key];
  }
}

/** Reading is the judge of what the format can hold; its own words say why it read something else. */
function check(motion: SpringMotion, after: Standing, before: readonly Warning[]): void {
  const { colliders, groups, springs } = after.secondary!;
  const found = difference(motion, { colliders, groups, springs }, 'secondary');
  if (found === undefined) return;
  const known = new Set(before.map(({ message }) => message));
  const reason = after.warnings.find(({ at, message }) => at.includes(SPRING_BONE) && !known.has(message));
  throw new FollowthroughError('invalid-argument', oneLine(reason ? `${found} (${reason.message})` : found));
}

/** Each warning once: most are the same in the file before and after. */
