/**
 * `inspect` for people.
 */
import type { Inspection } from './inspectAsset.js';
import { counted, figure, print, table } from './output.js';

/** Prints the facts as tables; warnings are printed elsewhere. */
export function printInspection(inspection: Inspection): void {
  const { file, bones, skins, clips, chains, facing, height } = inspection;
  const size = height === null ? '' : `, ${height.toPrecision(4)} units tall`;
  print(
    `${file}: ${counted(bones, 'bone')}, ${counted(skins, 'skin')}, ${counted(clips.length, 'clip')}${size}`,
  );
  print(`facing ${vector(facing.forward)}, up ${vector(facing.up)} (from ${facing.source})`);
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

function vector(v: number[]): string {
  return `(${v.map((value) => Number(value.toFixed(3))).join(', ')})`;
}
