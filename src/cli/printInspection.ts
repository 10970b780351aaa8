/**
 * `inspect` for people.
 */
import type { Skeleton } from '../asset/index.js';
import { oneLine } from './errors.js';
import type { Inspection } from './inspectAsset.js';
import { counted, figure, print, table } from './output.js';

/** Prints the facts as tables; warnings are printed elsewhere. */
export function printInspection(inspection: Inspection): void {
  const { file, bones, skins, clips, chains, facing, height, secondary } = inspection;
  const size = height === null ? '' : `, ${height.toPrecision(4)} units tall`;
  print(
    `${file}: ${counted(bones, 'bone')}, ${counted(skins, 'skin')}, ${counted(clips.length, 'clip')}${size}`,
  );
  print(`facing ${vector(facing.forward)}, up ${vector(facing.up)} (from ${facing.source})`);
  if (secondary) {
    const { source, springs, colliders, constraints } = secondary;
    print(
      `${source}: ${counted(springs, 'spring')}, ${counted(colliders, 'collider')}, ${counted(constraints, 'constraint')}`,
    );
  }
  if (clips.length > 0)
    print(
      '',
      table(
        ['clip', 'seconds'],
        clips.map((clip) => [clip.name, figure(clip.duration, 3)]),
      ),
    );
  if (chains.length > 0) {
    const rows = chains.map((chain) => [
      chain.name,
      chain.attachment ?? '(world)',
      chain.origin,
      chain.restSource,
      chain.tipSource,
      String(chain.links.length),
      chain.length.toPrecision(4),
    ]);
    print('', table(['chain', 'hangs from', 'made by', 'rest from', 'end from', 'links', 'length'], rows, 5));
    for (const chain of chains) print(`${chain.name}: ${chain.links.join(' > ')}`);
  }
}

/** Prints all bones as an indented tree. */
export function printBones({ names, parents }: Skeleton): void {
  const children = new Map<number, number[]>();
  parents.forEach((parent, bone) => children.set(parent, [...(children.get(parent) ?? []), bone]));
  const lines: string[] = [];
  // Without recursion: how deep bones hang is the file's choice.
  const open = (children.get(-1) ?? []).map((bone) => ({ bone, depth: 0 })).toReversed();
  for (let next = open.pop(); next; next = open.pop()) {
    const { bone, depth } = next;
    lines.push('  '.repeat(depth) + oneLine(names[bone]!));
    for (const child of (children.get(bone) ?? []).toReversed()) open.push({ bone: child, depth: depth + 1 });
  }
  print('', ...lines);
}

function vector(v: number[]): string {
  return `(${v.map((value) => Number(value.toFixed(3))).join(', ')})`;
}
