/**
 * The rig pass: finds what hangs from a character without bones, and plans a chain for it (docs/rigging.md). Works
 * on positions, faces, joints and weights of any rigger's output; changes nothing.
 */
import type { Asset } from '../asset/asset.js';
import { FollowthroughError, type Warning } from '../asset/errors.js';
import { rotateVec3 } from '../math/quat.js';
import { dot3 } from '../math/vec3.js';
import { anatomicalFrame } from '../setup/anatomicalFrame.js';
import { findChains } from '../setup/findChains.js';
import { recoverNeutral } from '../setup/neutral.js';
import { skinSpaces } from './bindSpace.js';
import { buildPieces } from './buildPieces.js';
import { idOf, type Draft } from './draft.js';
import { drivingBones } from './drivingBones.js';
import { findHair } from './findHair.js';
import { findPieces } from './findPieces.js';
import { checkRigOptions, type RigOptions } from './options.js';
import type { RigPlan } from './plan.js';
import { findRoles } from './roles.js';
import { buildSkinGraph } from './buildSkinGraph.js';
import { weldSurface, type Surface } from './surface.js';
import { CONFIDENT } from './verdict.js';

/**
 * Plans the rig pass.
 *
 * @param asset - character; not changed
 * @param options - what is decided by the caller
 * @returns pieces with verdict and figures, new bones, new weights; nothing to do gives empty lists
 * @throws FollowthroughError `invalid-argument` for options out of range, `unknown-name` for a piece, bone or hair that
 * does not exist
 *
 * @example
 * const plan = planRig(await loadGltf(bytes));
 * console.log(plan.pieces.map(({ report }) => `${report.kind}: ${report.verdict}, ${report.reason}`));
 * const rigged = applyPlan(asset, plan);
 */
export function planRig(asset: Asset, options: RigOptions = {}): RigPlan {
  checkRigOptions(options);
  const onProgress = options.onProgress ?? (() => {});
  const warnings: Warning[] = [];
  const neutral = recoverNeutral(asset);
  onProgress(0, 'welding');
  const surface = weldSurface(asset, skinSpaces(asset, neutral), warnings);
  if (surface.triangles.length === 0) return nothing(asset, surface, warnings);
  const bones = drivingBones(asset, neutral, surface);
  const roles = findRoles(asset, bones);
  const frame = anatomicalFrame(asset, neutral);
  const up = new Float64Array(3);
  rotateVec3(up, 0, frame.rotation, 0, [0, 1, 0], 0);
  const { height, diagonal } = sizeOf(surface, up);
  const { names } = asset.skeleton;
  const boned = new Set(findChains(asset).flatMap((chain) => chain.bones));
  for (const [bone, flag] of (roles?.bonedTail ?? []).entries()) if (flag === 1) boned.add(bone);
  const body = { bones, roles, height, boned, names, minConfidence: options.minConfidence ?? CONFIDENT };
  let drafts: Draft[];
  if (options.hair !== undefined && options.hair.length > 0)
    drafts = options.hair.flatMap((hair) =>
      findHair({ asset, surface, bones, roles, hair, height, warnings }),
    );
  else {
    onProgress(0.1, 'connecting shells');
    const graph = buildSkinGraph(surface);
    drafts = findPieces({ asset, surface, graph, bones, roles, body, diagonal, onProgress, warnings });
  }
  applyWishes(drafts, options);
  onProgress(0.9, 'placing joints');
  return {
    ...buildPieces({ asset, neutral, surface, bones, height, frame, trunk: roles?.trunk }, drafts),
    surface,
    warnings,
  };
}

function nothing(asset: Asset, surface: Surface, warnings: Warning[]): RigPlan {
  const message =
    asset.skins.length === 0
      ? 'the file has no skin: nothing hangs on bones'
      : 'no skinned mesh has a triangle: there is no skin to look at';
  warnings.push({ code: 'no-skin', message, at: asset.name });
  return { pieces: [], bones: [], influences: [], surface, warnings };
}

/** Height along up, and diagonal, of all points in triangles. */
function sizeOf({ positions, triangles }: Surface, up: Float64Array): { height: number; diagonal: number } {
  const low = [Infinity, Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity, -Infinity];
  for (const point of triangles) {
    const values = [
      positions[3 * point]!,
      positions[3 * point + 1]!,
      positions[3 * point + 2]!,
      dot3(up, 0, positions, 3 * point),
    ];
    for (let k = 0; k < 4; k++) {
      low[k] = Math.min(low[k]!, values[k]!);
      high[k] = Math.max(high[k]!, values[k]!);
    }
  }
  let squared = 0;
  for (let k = 0; k < 3; k++) squared += (high[k]! - low[k]!) * (high[k]! - low[k]!);
  return { height: high[3]! - low[3]!, diagonal: Math.sqrt(squared) };
}

/** What the caller decided, over what the pass did. */
function applyWishes(drafts: Draft[], { force = {}, rigid = false }: RigOptions): void {
  for (const [id, wish] of Object.entries(force)) {
    const draft = drafts.find((one, i) => idOf(one, i) === id);
    if (draft === undefined) {
      const known = drafts.length > 0 ? `the file has ${drafts.map(idOf).join(', ')}` : 'the file has none';
      throw new FollowthroughError('unknown-name', `force ${id}: there is no such piece; ${known}`);
    }
    if (draft.fixed !== undefined && wish !== 'leave')
      throw new FollowthroughError('invalid-argument', `force ${id}=${wish}: ${draft.fixed}`);
    draft.verdict = wish === 'leave' ? 'left' : wish;
    draft.reason = `asked for; else: ${draft.reason}`;
  }
  if (!rigid) return;
  for (const draft of drafts)
    if (draft.verdict === 'chain') {
      draft.verdict = 'rigid';
      draft.reason = `bound rigidly, as asked for; else a chain: ${draft.reason}`;
    }
}
