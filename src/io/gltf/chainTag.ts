/**
 * What the rig pass and the collider fit say about a chain, in the extras of its first node
 * (`extras.followthrough.chain`): defaults of its options, angles in degrees, groups of colliders as a list of their
 * indices (docs/files.md, "Rigging").
 */
import type { ChainSuggestion } from '../../asset/asset.js';
import type { Warning } from '../../asset/errors.js';
import { degrees, radians } from '../../math/angle.js';
import { isObject, memberOf, type JsonObject } from './json.js';
import { extrasWith, noteOf } from './note.js';

type Suggested = Omit<ChainSuggestion, 'bone'>;

/** Members of the mark: smallest and largest value. */
const RANGES = { limitDeg: [0.1, 180], carryDeg: [-360, 360], restCurve: [0, 1] } as const;

/** Groups that a mask can tell apart; beyond, bits are shared. */
const BITS = 32;

/**
 * Reads the marks of all nodes.
 *
 * @param groups - collider groups that the file has
 */
export function readChainTags(
  nodes: readonly JsonObject[],
  boneOfNode: Int32Array,
  groups: number,
  warnings: Warning[],
): ChainSuggestion[] {
  const found: ChainSuggestion[] = [];
  for (const [n, node] of nodes.entries()) {
    const tag = noteOf(node, 'chain');
    if (!isObject(tag)) continue;
    const suggestion: ChainSuggestion = { bone: boneOfNode[n]! };
    const passOver = (key: string, expected: string): void => {
      warnings.push({
        code: 'chain-tag',
        message: `/nodes/${n}/extras/followthrough/chain/${key}: expected ${expected}; passed over`,
        at: `node ${n}`,
      });
    };
    for (const [key, [low, high]] of Object.entries(RANGES)) {
      const value = memberOf(tag, key);
      if (value === undefined) continue;
      if (typeof value !== 'number' || !(value >= low && value <= high))
        passOver(key, `a number from ${low} to ${high}`);
      else if (key === 'limitDeg') suggestion.limit = radians(value);
      else if (key === 'carryDeg') suggestion.carry = radians(value);
      else suggestion.restCurve = value;
    }
    const felt = memberOf(tag, 'colliderGroups');
    if (isGroups(felt, groups)) suggestion.colliderMask = maskOf(felt);
    else if (felt !== undefined)
      passOver('colliderGroups', `a list of collider groups, of which there are ${groups}`);
    const part = memberOf(tag, 'contactPart');
    if (part === 'tip' || part === 'segment') suggestion.contactPart = part;
    else if (part !== undefined) passOver('contactPart', '"tip" or "segment"');
    found.push(suggestion);
  }
  return found;
}

function isGroups(value: unknown, groups: number): value is number[] {
  return Array.isArray(value) && value.every((one) => Number.isInteger(one) && one >= 0 && one < groups);
}

function maskOf(groups: readonly number[]): number {
  let mask = 0;
  for (const group of groups) mask |= 1 << (group % BITS);
  return mask >>> 0;
}

/** Collider groups of a mask, as a tag lists them. */
export function groupsOfMask(mask: number, groups: number): number[] {
  return Array.from({ length: groups }, (_, group) => group).filter(
    (group) => ((mask >>> (group % BITS)) & 1) === 1,
  );
}

/**
 * Sets members of the mark of a node; those that are undefined are taken out, all others stay.
 *
 * @returns whether anything changed
 * @throws FollowthroughError `unsupported-file` where the node has extras that are no object
 */
export function setChainTag(node: JsonObject, members: JsonObject, place: string): boolean {
  const old = noteOf(node, 'chain');
  const before = isObject(old) ? old : {};
  const after: JsonObject = { ...before };
  for (const [key, value] of Object.entries(members))
    if (value === undefined) delete after[key];
    else after[key] = value;
  if (JSON.stringify(after) === JSON.stringify(before)) return false;
  const extras = extrasWith(node, 'chain', Object.keys(after).length > 0 ? after : undefined, place);
  if (extras === undefined) delete node['extras'];
  else node['extras'] = extras;
  return true;
}

/** The mark as it stands in a node's extras. */
export function chainTagExtras({ limit, carry, restCurve }: Suggested): JsonObject {
  const chain: JsonObject = {};
  if (limit !== undefined) chain['limitDeg'] = tenths(limit);
  if (carry !== undefined) chain['carryDeg'] = tenths(carry);
  if (restCurve !== undefined) chain['restCurve'] = restCurve;
  return { followthrough: { chain } };
}

/** Degrees as people write them; the rig pass chooses angles of whole tenths. */
function tenths(angleRad: number): number {
  return Math.round(10 * degrees(angleRad)) / 10;
}
