/**
 * What `rig --fit-colliders` prints: how well each part of the body is covered, colliders, chains.
 */
import type { FitReport, FittedChain, FittedCollider, FittedRegion } from '../io/rig/index.js';
import { oneLine } from './errors.js';
import { counted, figure, print, table } from './output.js';

/**
 * Prints the report of a fit; lengths in metres.
 *
 * @param target - what became of it: a file, or that nothing was written
 * @param isSaid - whether the file said it already
 */
export function printFit(report: FitReport, unit: number, target: string, isSaid: boolean): void {
  const metres = (value: number): string => figure(value / unit, 3);
  const percent = (share: number): string => `${Math.round(100 * share)}%`;
  const part = (region: string | undefined, side: string | undefined): string =>
    region === undefined ? '-' : side === 'middle' ? region : `${side!} ${region}`;
  const radii = (values: readonly number[] | undefined): string =>
    values === undefined || values.length === 0 ? '-' : [...new Set(values.map(metres))].join(' ');
  const region = (one: FittedRegion): string[] => [
    part(one.region, one.side),
    String(one.points),
    `${percent(one.coveredBefore)} > ${percent(one.covered)}`,
    metres(one.outside),
    metres(one.above),
  ];
  const collider = (one: FittedCollider): string[] => [
    String(one.collider),
    one.bone,
    part(one.region, one.side),
    one.made ? 'made' : one.limit,
    one.made ? radii(one.radii) : `${radii(one.radiiBefore)} > ${radii(one.radii)}`,
    percent(one.covered),
  ];
  const chain = (one: FittedChain): string[] => [
    one.name,
    one.contactPart,
    String(one.feels.length),
    String(one.spared.length),
    metres(one.pushedAtRest),
  ];
  if (report.regions.length > 0)
    print(table(['skin of', 'points', 'covered', 'outside', 'above'], report.regions.map(region), 1), '');
  if (report.colliders.length > 0)
    print(
      table(['collider', 'bone', 'part', 'what', 'radius', 'covered'], report.colliders.map(collider), 4),
      '',
    );
  if (report.chains.length > 0) {
    print(table(['chain', 'contact', 'feels', 'spared', 'pushed'], report.chains.map(chain), 2), '');
    print(...report.chains.map(({ name, reason }) => oneLine(`${name}: ${reason}`)), '');
  }
  const made = report.colliders.filter((one) => one.made).length;
  const grown = report.colliders.filter(({ limit, made: isMade, radii: now, radiiBefore: before }) =>
    isMade || limit === 'kept' ? false : now.some((radius, i) => radius !== before?.[i]),
  ).length;
  const what = `${counted(report.colliders.length, 'collider')}: ${made} made, ${grown} grown`;
  print(`${target}: ${what}${isSaid ? '; nothing to change, the file says so already' : ''}`);
}
