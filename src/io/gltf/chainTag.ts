/**
 * What the rig pass says about a chain, in the extras of its first node (`extras.followthrough.chain`): defaults of its
 * options, angles in degrees (docs/files.md, "Rigging").
 */
import type { ChainSuggestion } from '../../asset/asset.js';
import type { Warning } from '../../asset/errors.js';
import { degrees, radians } from '../../math/angle.js';
import { isObject, memberOf, type JsonObject } from './json.js';

type Suggested = Omit<ChainSuggestion, 'bone'>;

/** Members of the mark: smallest and largest value. */
const RANGES = { limitDeg: [0.1, 180], carryDeg: [-360, 360], restCurve: [0, 1] } as const;

/** Reads the marks of all nodes. */
export function readChainTags(
  nodes: readonly JsonObject[],
  boneOfNode: Int32Array,
  warnings: Warning[],
): ChainSuggestion[] {
  const found: ChainSuggestion[] = [];
  for (const [n, node] of nodes.entries()) {
    const tag = chainTag(node);
    if (tag === undefined) continue;
    const suggestion: ChainSuggestion = { bone: boneOfNode[n]! };
    for (const [key, [low, high]] of Object.entries(RANGES)) {
      const value = memberOf(tag, key);
      if (value === undefined) continue;
      if (typeof value !== 'number' || !(value >= low && value <= high))
        warnings.push({
          code: 'chain-tag',
          message: `/nodes/${n}/extras/followthrough/chain/${key}: expected a number from ${low} to ${high}; passed over`,
          at: `node ${n}`,
        });
      else if (key === 'limitDeg') suggestion.limit = radians(value);
      else if (key === 'carryDeg') suggestion.carry = radians(value);
      else suggestion.restCurve = value;
    }
    found.push(suggestion);
  }
  return found;
}

function chainTag(node: JsonObject): JsonObject | undefined {
  const extras = memberOf(node, 'extras');
  const ours = isObject(extras) ? memberOf(extras, 'followthrough') : undefined;
  const tag = isObject(ours) ? memberOf(ours, 'chain') : undefined;
  return isObject(tag) ? tag : undefined;
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
