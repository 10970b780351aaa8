/**
 * Whether rows that came out of a file can be those of a world: every index points to something of the right kind, every
 * range is its owner's, ids are there once, codes are known. A tick that runs on rows that pass neither hangs nor reads
 * beside its columns; whether the numbers in them make sense is not asked, a tick bears any.
 */
import { FollowthroughError } from '../asset/index.js';
import {
  chainModel,
  chainState,
  colliderShape,
  constraintKind,
  contactPart,
  givenState,
  movedPart,
  ownerRule,
  restFrame,
  restPose,
  startRule,
  teleportRule,
  teleportState,
  windChange,
} from '../components/codes.js';
import { columnList, type AnyColumn, type Column } from '../components/columnList.js';
import { storeNames, type StoreName, type Views } from '../components/stores.js';
import { entityStores, lastId } from '../setup/world.js';
import { faultOfJoints } from '../setup/chainCoefficients.js';
import { checkDefinition } from '../setup/chainLinks.js';
import type { Captured } from './capture.js';

/** Columns of small integers and the codes that they may hold. */
const codes: [StoreName, string, Record<string, number>][] = [
  ['chain', 'model', chainModel],
  ['chain', 'restFrame', restFrame],
  ['chain', 'restPose', restPose],
  ['chain', 'ownerRule', ownerRule],
  ['chain', 'teleportRule', teleportRule],
  ['chain', 'contactPart', contactPart],
  ['chain', 'status', chainState],
  ['chain', 'start', startRule],
  ['character', 'fresh', givenState],
  ['character', 'moved', movedPart],
  ['character', 'teleported', teleportState],
  ['collider', 'shape', colliderShape],
  ['constraint', 'kind', constraintKind],
  ['global', 'windMoved', windChange],
];

/** Ticks that a world may have run: every later number up to there is exact, with room for some. */
const mostTicks = 0x10000000000000;

/** Most that a column may hold, where it holds codes. */
export function mostOf({ store, name }: Column): number {
  const known = codes.find(([of, column]) => of === store && column === name);
  return known ? Math.max(...Object.values(known[2])) : Infinity;
}

/** Columns of the kept regions by store and name, as long as the rows in use. */
type Tables = Omit<Views, 'generation'>;

/**
 * @param what - what the rows came out of, for the message
 * @throws FollowthroughError `invalid-file`
 */
export function checkRows(captured: Captured, what: string): void {
  const fault = faultOf(captured);
  if (fault !== undefined)
    throw new FollowthroughError('invalid-file', `${what}: ${fault}, the rows do not belong together`);
}

function faultOf(captured: Captured): string | undefined {
  const tables = tablesOf(captured);
  return (
    faultOfGlobal(tables) ??
    faultOfFreeRows(captured, tables) ??
    faultOfIds(tables) ??
    faultOfCodes(tables) ??
    faultOfCharacters(tables, captured) ??
    faultOfChains(tables, captured) ??
    faultOfOwned(tables, captured)
  );
}

function tablesOf({ columns, rows }: Captured): Tables {
  const tables = Object.fromEntries(storeNames.map((store) => [store, {}])) as unknown as Record<
    StoreName,
    Record<string, AnyColumn>
  >;
  for (const { index, store, name, width } of columnList)
    if (columns[index] !== undefined) tables[store][name] = columns[index].subarray(0, rows[store] * width);
  return tables as unknown as Tables;
}

function faultOfGlobal({ global }: Tables): string | undefined {
  if (global.id.length !== 1 || global.id[0] !== 1) return `global has ${global.id.length} rows`;
  const tick = global.tick[0]!;
  if (!Number.isInteger(tick) || tick < 0 || tick > mostTicks) return `tick ${tick}`;
  const nextId = global.nextId[0]!;
  if (nextId < 1 || nextId > lastId) return `next id ${nextId}`;
  if (!(global.pending[0]! >= 0 && global.pending[0]! <= 1)) return `pending ${global.pending[0]}`;
  return undefined;
}

/** What is taken later relies on free rows being zero. */
function faultOfFreeRows({ columns, rows }: Captured, tables: Tables): string | undefined {
  for (const store of storeNames) {
    const free = [...tables[store].id.keys()].filter((row) => tables[store].id[row] === 0);
    if (free.length === 0) continue;
    for (const { index, name, width, store: of, region } of columnList) {
      const values = columns[index];
      if (of !== store || values === undefined || region === 'derived') continue;
      for (const row of free)
        for (let i = row * width; i < (row + 1) * width; i++)
          if (values[i] !== 0) return `${store}.${name} of free row ${row} of ${rows[store]} is not 0`;
    }
  }
  return undefined;
}

function faultOfIds(tables: Tables): string | undefined {
  const seen = new Set<number>();
  const next = tables.global.nextId[0]!;
  for (const store of entityStores)
    for (const id of tables[store].id) {
      if (id === 0) continue;
      if (seen.has(id) || id >= next) return `id ${id} of a ${store}`;
      seen.add(id);
    }
  return undefined;
}

function faultOfCodes(tables: Tables): string | undefined {
  for (const [store, name, known] of codes) {
    const most = Math.max(...Object.values(known));
    for (const value of (tables[store] as unknown as Record<string, AnyColumn>)[name]!)
      if (value > most) return `${store}.${name} is ${value}`;
  }
  return undefined;
}

/** Rows of `ids` that hold each id. */
function countIds(ids: Uint32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const id of ids) if (id !== 0) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** Whether `count` rows from `first` on, `stride` apart, hold this id. */
function isRange(ids: Uint32Array, first: number, count: number, stride: number, id: number): boolean {
  if (!(first >= 0 && count >= 1 && stride >= 1)) return false;
  const last = first + (count - 1) * stride;
  if (!(last < ids.length)) return false;
  for (let row = first; row <= last; row += stride) if (ids[row] !== id) return false;
  return true;
}

function faultOfCharacters({ bone, character, input }: Tables, { rigs }: Captured): string | undefined {
  const bones = countIds(bone.id);
  const inputs = countIds(input.id);
  for (const [row, id] of character.id.entries()) {
    if (id === 0) continue;
    const at = `character ${id}`;
    const rig = rigs[character.rig[row]!];
    if (rig === undefined) return `${at} has rig ${character.rig[row]}`;
    const { count, parents } = rig.asset.skeleton;
    const first = character.firstBone[row]!;
    if (character.boneCount[row] !== count || !(character.unit[row]! > 0))
      return `${at} does not fit its rig`;
    if (bones.get(id) !== count + 1 || !isRange(bone.id, first - 1, count + 1, 1, id))
      return `bones of ${at}`;
    if (bone.parent[first - 1] !== -1) return `root of ${at}`;
    for (let b = 0; b < count; b++)
      if (bone.parent[first + b] !== (parents[b]! < 0 ? first - 1 : first + parents[b]!))
        return `bone ${b} of ${at}`;
    const given = character.firstInput[row]!;
    const some = given >= 0 ? count : 0;
    if (given < -1 || (inputs.get(id) ?? 0) !== some || (some > 0 && !isRange(input.id, given, count, 1, id)))
      return `given poses of ${at}`;
    bones.delete(id);
    inputs.delete(id);
  }
  if (bones.size > 0 || inputs.size > 0) return 'bones or given poses belong to nobody';
  return undefined;
}

/** The character in a row, if it is one. */
function isCharacter({ character }: Tables, row: number): boolean {
  return row >= 0 && row < character.id.length && character.id[row] !== 0;
}

/** Whether a row is a bone of the character in another row; its root counts where `root` says so. */
function isBoneOf({ character }: Tables, owner: number, bone: number, root: boolean): boolean {
  const index = bone - character.firstBone[owner]!;
  return index >= (root ? -1 : 0) && index < character.boneCount[owner]!;
}

function faultOfChains(tables: Tables, { definitions, rigs }: Captured): string | undefined {
  const { bone, chain, character, particle } = tables;
  const particles = countIds(particle.id);
  const held = new Uint8Array(bone.id.length);
  let chains = 0;
  for (const [row, id] of chain.id.entries()) {
    if (id === 0) continue;
    chains++;
    const at = `chain ${id}`;
    const owner = chain.character[row]!;
    const definition = definitions.get(id);
    if (definition === undefined || !isCharacter(tables, owner)) return `${at} has no owner or definition`;
    const { asset } = rigs[character.rig[owner]!]!;
    try {
      checkDefinition(asset, definition);
    } catch {
      return `definition of ${at}`;
    }
    if (definition.joints && faultOfJoints(definition.joints, definition.bones.length) !== undefined)
      return `joints of ${at}`;
    if (chain.model[row] === chainModel.vrm && !definition.joints) return `model of ${at}`;
    const firstBone = character.firstBone[owner]!;
    if (chain.attachment[row] !== firstBone + definition.attachment) return `attachment of ${at}`;
    const center = definition.center === undefined ? -1 : firstBone + definition.center;
    if (chain.center[row] !== center || (center !== -1 && !isBoneOf(tables, owner, center, false)))
      return `centre of ${at}`;
    const first = chain.first[row]!;
    const count = chain.count[row]!;
    const stride = chain.stride[row]!;
    if (count > definition.bones.length) return `links of ${at}`;
    if (stride !== 1 || !isRange(particle.id, first, count, 1, id) || particles.get(id) !== count)
      return `links of ${at}`;
    particles.delete(id);
    const bones = definition.bones.map((b) => firstBone + b);
    let from = -1;
    for (let k = 0; k < count; k++) {
      const b = particle.bone[first + k]!;
      const next = bones.indexOf(b);
      if (next <= from || held[b] === 1) return `bones of ${at}`;
      from = next;
      held[b] = 1;
    }
    if (bone.id[chain.attachment[row]!] !== character.id[owner]) return `attachment of ${at}`;
  }
  if (definitions.size !== chains || particles.size > 0) return 'links or definitions belong to no chain';
  return undefined;
}

function faultOfOwned(tables: Tables, { rigs }: Captured): string | undefined {
  const { bone, character, collider, constraint, player } = tables;
  for (const [row, id] of collider.id.entries()) {
    const owner = collider.character[row]!;
    const carrier = collider.bone[row]!;
    if (id === 0 || (owner === -1 && carrier === -1)) continue;
    if (!isCharacter(tables, owner) || (carrier !== -1 && !isBoneOf(tables, owner, carrier, false)))
      return `collider ${id}`;
  }
  for (const [row, id] of player.id.entries()) {
    if (id === 0) continue;
    const owner = player.character[row]!;
    if (!isCharacter(tables, owner)) return `clip player ${id}`;
    const { clips } = rigs[character.rig[owner]!]!;
    if (clips[player.clip[row]!] === undefined) return `clip of player ${id}`;
  }
  for (const [row, id] of constraint.id.entries()) {
    if (id === 0) continue;
    const owner = constraint.character[row]!;
    const ends = [constraint.bone[row]!, constraint.source[row]!];
    if (!isCharacter(tables, owner) || !ends.every((end) => isBoneOf(tables, owner, end, false)))
      return `constraint ${id}`;
    const meet = constraint.meet[row]!;
    if (!ends.every((end) => isAbove(bone.parent, meet, end))) return `constraint ${id}`;
  }
  return undefined;
}

/** Whether a bone stands above another. */
function isAbove(parents: Int32Array, ancestor: number, bone: number): boolean {
  let above = parents[bone]!;
  while (above >= 0 && above !== ancestor) above = parents[above]!;
  return above === ancestor && above >= 0;
}
