/**
 * Hips, spine, neck and head: by name where there is one, else by what hangs from what. The trunk ends where the arms
 * meet; what leads on from there is neck and head, whatever it is called.
 */
import { isPart, pathTo, type NamedSkeleton } from './namedSkeleton.js';
import type { BodyPart } from './parts.js';

/** Trunk bones by VRM name. */
export function findTrunk(
  skeleton: NamedSkeleton,
  limbs: Readonly<Record<string, number>>,
): Record<string, number> {
  const sides = ['left', 'right'];
  const legs = sides.flatMap((side) => limbs[`${side}UpperLeg`] ?? []);
  const arms = sides.flatMap((side) => limbs[`${side}Shoulder`] ?? limbs[`${side}UpperArm`] ?? []);
  const hips = first(skeleton, 'hips') ?? meeting(skeleton, legs);
  const { neck, head } = neckAndHead(skeleton, meeting(skeleton, arms));
  const found: Record<string, number> = {};
  if (hips !== undefined) found['hips'] = hips;
  if (head !== undefined) found['head'] = head;
  if (neck !== undefined && neck !== head) found['neck'] = neck;
  const top = neck ?? head;
  const end = meeting(skeleton, arms) ?? (top === undefined ? undefined : skeleton.parents[top]);
  if (hips !== undefined && end !== undefined && end >= 0) Object.assign(found, spine(skeleton, hips, end));
  if (head !== undefined) Object.assign(found, face(skeleton, head));
  return found;
}

/**
 * Spine, chest and upper chest: one bone is the spine, two are spine and chest; of many the first, the middle and the last
 * count, the others follow.
 *
 * @param end - the bone that the arms hang from
 */
function spine(skeleton: NamedSkeleton, hips: number, end: number): Record<string, number> {
  const below = new Set(pathTo(skeleton, hips));
  const path = pathTo(skeleton, end).filter(
    (bone) => !below.has(bone) && !isPart(skeleton, bone, ['neck', 'head']),
  );
  const named = path.filter((bone) => isPart(skeleton, bone, ['trunk']));
  const row = named.length > 0 ? named : path;
  if (row.length === 0) return {};
  if (row.length === 1) return { spine: row[0]! };
  if (row.length === 2) return { spine: row[0]!, chest: row[1]! };
  return { spine: row[0]!, chest: row[(row.length - 1) >> 1]!, upperChest: row.at(-1)! };
}

/** By name; rigs without a head go on with the neck, and those that only count their spine (Rigify) with the spine. */
function neckAndHead(
  skeleton: NamedSkeleton,
  armsMeet: number | undefined,
): { neck: number | undefined; head: number | undefined } {
  const neck = first(skeleton, 'neck');
  const head = first(skeleton, 'head');
  if (head !== undefined) return { neck, head };
  if (neck !== undefined) {
    const last = skeleton.parts.findLastIndex(
      (one, bone) => one?.part === 'neck' && pathTo(skeleton, bone).includes(neck),
    );
    return { neck, head: last === neck ? undefined : last };
  }
  const row: number[] = [];
  for (let bone = armsMeet; bone !== undefined;) {
    bone = skeleton.children[bone]!.find((child) => isPart(skeleton, child, ['trunk']));
    if (bone !== undefined) row.push(bone);
  }
  return { neck: row.length > 1 ? row[0] : undefined, head: row.at(-1) };
}

/** Eyes and jaw, below the head. */
function face(skeleton: NamedSkeleton, head: number): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [bone, part] of skeleton.parts.entries()) {
    const role =
      part?.part === 'jaw' ? 'jaw' : part?.part === 'eye' && part.side ? `${part.side}Eye` : undefined;
    if (role !== undefined && pathTo(skeleton, bone).includes(head)) found[role] ??= bone;
  }
  return found;
}

function first(skeleton: NamedSkeleton, part: BodyPart): number | undefined {
  const bone = skeleton.parts.findIndex((one) => one?.part === part);
  return bone < 0 ? undefined : bone;
}

/** The lowest bone above all of these. */
function meeting(skeleton: NamedSkeleton, bones: readonly number[]): number | undefined {
  if (bones.length < 2) return undefined;
  const paths = bones.map((bone) => pathTo(skeleton, bone).slice(0, -1));
  return paths[0]!.findLast((bone) => paths.every((path) => path.includes(bone)));
}
