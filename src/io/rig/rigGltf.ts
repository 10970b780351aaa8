/**
 * `rigGltf`: bones and weights for the tail that nobody rigged, written into a glTF file. Nodes, joints and weights
 * are appended; everything else in the file keeps its bytes.
 */
import type { Asset, Warning } from '../../asset/index.js';
import { uniqueWarnings } from '../../measure/uniqueWarnings.js';
import { applyPlan } from '../../rig/applyPlan.js';
import type { RigOptions } from '../../rig/options.js';
import type { RigPiece, RigPlan } from '../../rig/plan.js';
import { planRig } from '../../rig/planRig.js';
import { type DecoderOptions, loadGltf, type ResolveUri } from '../gltf/index.js';
import { openPatch } from '../gltf/patch.js';
import { writePatch } from '../gltf/writePatch.js';
import { writePlan } from './writePlan.js';

/** Options of {@link rigGltf}: those of `planRig`, and how to read and write the file. */
export interface RigGltfOptions extends RigOptions {
  /** Name of the file for messages, default `asset`. */
  name?: string;
  /** The character in `bytes` when it is loaded already; default: it is loaded here. */
  asset?: Asset;
  /** Reads files that a .gltf refers to. */
  resolve?: ResolveUri;
  /** Container to write, default that of the input. */
  container?: 'glb' | 'gltf';
  /**
   * Whether a .gltf takes in the files it refers to, so that it can stand in another folder than the input. Default
   * false.
   */
  embed?: boolean;
  /** Decoders of compressed files to use instead of the npm packages. */
  decoders?: DecoderOptions;
}

/** What {@link rigGltf} found and did. */
export interface RigReport {
  /** Name of the file. */
  file: string;
  /** Every piece of skin that was looked at, with its figures and what became of it. */
  pieces: RigPiece[];
  /** What was odd, in the file and in the pass. */
  warnings: Warning[];
}

/** Result of {@link rigGltf}. */
export interface RigResult {
  /** The written file; the very bytes that came in when nothing was found and the container is the same. */
  bytes: Uint8Array;
  /** What was found and done. */
  report: RigReport;
  /** The character with its new bones and weights, before weights are rounded to what the file stores. */
  asset: Asset;
  /** The plan that was written; for `rigPicture`. */
  plan: RigPlan;
}

/**
 * Finds the tails of a character that have no bones, and what else hangs from it, and gives them bones and weights.
 *
 * @param bytes - a .glb or .gltf
 * @throws FollowthroughError those of `loadGltf`, `planRig` and `applyPlan`; `unsupported-file` when the weights of a
 * mesh that changes are stored in an unknown form
 * @example
 * const { bytes, report } = await rigGltf(await readFile('fox.glb'));
 * console.log(report.pieces.map(({ id, verdict, reason }) => `${id}: ${verdict}, ${reason}`));
 */
export async function rigGltf(
  bytes: Uint8Array | ArrayBuffer,
  options: RigGltfOptions = {},
): Promise<RigResult> {
  const { name = 'asset', asset, resolve, container, embed = false, decoders = {}, ...rigOptions } = options;
  const files = resolve ? { resolve } : {};
  const loaded = asset ?? (await loadGltf(bytes, { name, decoders, ...files }));
  const plan = planRig(loaded, rigOptions);
  const patch = await openPatch(bytes, files);
  await writePlan(patch, loaded, plan, decoders);
  return {
    bytes: writePatch(patch, container ?? patch.container.format, { embed }),
    report: {
      file: name,
      pieces: plan.pieces.map(({ report }) => report),
      warnings: uniqueWarnings([...loaded.warnings, ...plan.warnings]),
    },
    asset: applyPlan(loaded, plan),
    plan,
  };
}
