/**
 * Where a chain ends when its last bone has no child: the incoming tangent carried on in the last bone's own frame
 * (its bind direction, not a vector copied from the parent's frame), as far as the skin it dominates reaches.
 * See `docs/solver.md`, "Rest".
 */
import type { Asset, ChainDefinition } from '../asset/asset.js';
import type { Warning } from '../asset/errors.js';
import { invertMat4, transformPoint } from '../math/mat4.js';
import { distance3, dot3, normalize3 } from '../math/vec3.js';
import { dominatedPoints } from './dominatedSkin.js';
import { modelSize } from './neutralPose.js';
import type { Neutral } from './neutralPose.js';

/** Where the end of the last link comes from: an end helper, an offset that the file gives, the reach of its skin, or the length of the link before. */
export type TipSource = 'end-bone' | 'end-offset' | 'skin-reach' | 'previous-length';

/** Length, relative to the model, below which two heads count as the same point. */
const SAME_POINT = 1e-6;
/** Length of a lone bone of which nothing at all is known, relative to the model. */
const GUESSED_SHARE = 0.1;

/**
 * World position of the tip of a chain in the neutral pose.
 *
 * @param warnings - receives `zero-length-link` when the end helper gives no direction, `tip-guessed` when neither an end helper, nor skin, nor a link before says anything
 */
export function chainTip(
  asset: Asset,
  neutral: Neutral,
  definition: ChainDefinition,
  warnings: Warning[],
): { position: Float64Array; source: TipSource } {
  const last = definition.bones.at(-1)!;
  const { worlds } = neutral;
  const head = worlds.slice(16 * last + 12, 16 * last + 15);
  const nothing = SAME_POINT * modelSize(neutral);
  const { end } = definition;
  if (end >= 0 && distance3(worlds, 16 * end + 12, head, 0) > nothing)
    return { position: worlds.slice(16 * end + 12, 16 * end + 15), source: 'end-bone' };
  if (end >= 0) {
    const at = asset.skeleton.names[last]!;
    const message = `end helper ${asset.skeleton.names[end]!} stands on the head of ${at}: it gives no direction and is not used`;
    warnings.push({ code: 'zero-length-link', message, at });
  }

  if (definition.endOffset) {
    const position = new Float64Array(3);
    transformPoint(position, 0, worlds, 16 * last, [...definition.endOffset], 0);
    return { position, source: 'end-offset' };
  }

  const skin = dominatedPoints(asset, neutral, last);
  const incoming = new Float64Array(3);
  const previousLength = incomingLink(definition, neutral, nothing, incoming);
  if (previousLength > 0) {
    const reach = reachAlong(skin, head, incoming);
    const source: TipSource = reach > nothing ? 'skin-reach' : 'previous-length';
    return { position: along(head, incoming, reach > nothing ? reach : previousLength), source };
  }

  // A single bone: no tangent comes in. Its skin says where it points, else the way from the attachment to it.
  const direction = new Float64Array(3);
  if (skin.length > 0) meanOffset(skin, head, direction);
  if (normalize3(direction, 0, direction, 0) > nothing) {
    const reach = reachAlong(skin, head, direction);
    return { position: along(head, direction, reach), source: 'skin-reach' };
  }
  const { attachment } = definition;
  if (attachment >= 0) offset3(direction, worlds, 16 * last + 12, worlds, 16 * attachment + 12);
  let length = normalize3(direction, 0, direction, 0);
  if (length <= nothing) {
    direction.set([0, -1, 0]);
    length = GUESSED_SHARE * modelSize(neutral);
  }
  const at = asset.skeleton.names[last]!;
  const message = `nothing says how long bone ${at} is (no end helper, no skin, no bone before): ${length.toPrecision(3)} assumed`;
  warnings.push({ code: 'tip-guessed', message, at });
  return { position: along(head, direction, length), source: 'previous-length' };
}

/**
 * A copy of the definition, which never changes, with its tip written down as an offset where only the skin says how far the chain reaches: from then on
 * its rest shape needs no mesh, so that a snapshot or a replay of it carries none.
 */
export function withTip(asset: Asset, neutral: Neutral, definition: ChainDefinition): ChainDefinition {
  const { position, source } = chainTip(asset, neutral, definition, []);
  const own = { ...definition, bones: [...definition.bones] };
  if (source !== 'skin-reach') return own;
  const inverse = new Float64Array(16);
  if (!invertMat4(inverse, 0, neutral.worlds, 16 * definition.bones.at(-1)!)) return own;
  transformPoint(position, 0, inverse, 0, position, 0);
  return { ...own, endOffset: [position[0]!, position[1]!, position[2]!] };
}

/** Unit direction of the last link before the last bone that has a length; returns that length, 0 if none. */
function incomingLink(
  definition: ChainDefinition,
  neutral: Neutral,
  nothing: number,
  out: Float64Array,
): number {
  const { bones } = definition;
  const { worlds } = neutral;
  const last = bones.at(-1)!;
  for (let i = bones.length - 2; i >= 0; i--) {
    offset3(out, worlds, 16 * last + 12, worlds, 16 * bones[i]! + 12);
    const length = normalize3(out, 0, out, 0);
    if (length > nothing) return length;
  }
  return 0;
}

/** Largest distance of the points from `head`, measured along a unit direction; 0 when there are none ahead. */
function reachAlong(points: Float64Array, head: Float64Array, direction: Float64Array): number {
  let reach = 0;
  const offset = new Float64Array(3);
  for (let p = 0; p < points.length; p += 3) {
    offset3(offset, points, p, head, 0);
    reach = Math.max(reach, dot3(offset, 0, direction, 0));
  }
  return reach;
}

function meanOffset(points: Float64Array, head: Float64Array, out: Float64Array): void {
  out.fill(0);
  for (let p = 0; p < points.length; p++) out[p % 3]! += (points[p]! - head[p % 3]!) / (points.length / 3);
}

function along(head: Float64Array, direction: Float64Array, length: number): Float64Array {
  return head.map((value, k) => value + direction[k]! * length);
}

function offset3(out: Float64Array, a: Float64Array, i: number, b: Float64Array, j: number): void {
  for (let k = 0; k < 3; k++) out[k] = a[i + k]! - b[j + k]!;
}
