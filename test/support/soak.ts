/**
 * The lively world for a long time: every number stays finite, capacity and memory stop growing, and when all is removed the
 * arena is as empty as it began.
 */
import {
  entitiesOf,
  removeCharacter,
  removeCollider,
  removeFloor,
  setWind,
  step,
  type World,
} from '../../src/index.js';
import { columnOf } from '../../src/components/arena.js';
import { columnList } from '../../src/components/columnList.js';
import { livelyWorld } from './lively.js';

/** What a soak saw. */
export interface SoakReport {
  ticks: number;
  linkSteps: number;
  characters: number;
  /** Rows that the arena had room for after a tenth of the time, and at the end. */
  rowsEarly: number;
  rows: number;
  /** Numbers that were not finite. */
  notFinite: string[];
  /** Columns that were not empty when all was removed. */
  leftOver: string[];
  /** Entities that bitECS still had a row for. */
  handles: number;
}

const rowsOf = ({ arena }: World): number =>
  Object.values(arena.capacity).reduce((sum, rows) => sum + rows, 0);

/** Columns in which infinity means "no limit". */
const unlimited = ['limit', 'maxSpeed', 'maxTurn'];

function notFinite({ views }: World): string[] {
  const found: string[] = [];
  for (const column of columnList) {
    if (column.type !== 'f64' || unlimited.includes(column.name)) continue;
    const values = columnOf(views, column) as Float64Array;
    const at = values.findIndex((value) => !Number.isFinite(value));
    if (at >= 0) found.push(`${column.store}.${column.name} in row ${Math.floor(at / column.width)}`);
  }
  return found;
}

/**
 * Runs until so many steps of links have been made.
 *
 * @param probe - called after a tenth of them and after all
 */
export function soak(linkSteps: number, seed: number, probe?: () => void): SoakReport {
  const { world, input } = livelyWorld(seed);
  const report: SoakReport = {
    ticks: 0,
    linkSteps: 0,
    characters: 0,
    rowsEarly: 0,
    rows: 0,
    notFinite: [],
    leftOver: [],
    handles: 0,
  };
  const { chain } = world.views;
  while (report.linkSteps < linkSteps && report.notFinite.length === 0) {
    input(world);
    step(world);
    report.ticks++;
    for (let row = 0; row < chain.id.length; row++)
      if (chain.id[row] !== 0) report.linkSteps += chain.count[row]!;
    if (report.rowsEarly === 0 && report.linkSteps > linkSteps / 10) {
      report.rowsEarly = rowsOf(world);
      probe?.();
    }
    if (report.ticks % 50 === 0) report.notFinite = notFinite(world);
  }
  report.rows = rowsOf(world);
  probe?.();
  report.characters = world.views.global.nextId[0]!;
  for (const character of entitiesOf(world, 'character')) removeCharacter(world, character);
  for (const collider of entitiesOf(world, 'collider')) removeCollider(world, collider);
  for (const floor of entitiesOf(world, 'floor')) removeFloor(world, floor);
  setWind(world);
  step(world);
  for (const column of columnList)
    if (column.store !== 'global' && columnOf(world.views, column).some((value) => value !== 0))
      report.leftOver.push(`${column.store}.${column.name}`);
  report.leftOver.push(...[...world.definitions.keys()].map((id) => `definition of ${id}`));
  report.handles = Object.values(world.rows).reduce((sum, rows) => sum + rows.size, 0);
  return report;
}
