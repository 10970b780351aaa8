/**
 * In which order the constraints of a character are met (docs/solver.md, "Constraints"): each after all that it depends
 * on. The order follows from the bones alone, never from the order in which constraints were added.
 */
import { constraintKind } from '../components/codes.js';
import { rowsById, rowsOfCharacter, type World } from './world.js';

/**
 * Writes `level` and `frozen` of a character's constraints.
 *
 * @returns the cycles: rows of the constraints that depend on each other, by bone
 */
export function rankConstraints(world: World, character: number): number[][] {
  const { constraint } = world.views;
  const rows = rowsOfCharacter(world, 'constraint', character).toSorted(
    (a, b) => constraint.bone[a]! - constraint.bone[b]!,
  );
  const needs = dependencies(world, rows);
  const users = reversed(needs);
  const left = settle(constraint.level, rows, needs, users, new Set());
  // What is left is in a cycle or waits for one. Only those that wait for themselves stand still.
  const cycles = cyclesIn(left, needs, users);
  const frozen = new Set(cycles.flat());
  for (const row of rows) constraint.frozen[row] = frozen.has(row) ? 1 : 0;
  if (frozen.size > 0) settle(constraint.level, rows, needs, users, frozen);
  return cycles;
}

/** Constraints by row, with the rows on the other side of a dependency. */
type Edges = ReadonlyMap<number, readonly number[]>;

/** Who waits for each constraint. */
function reversed(needs: Edges): Edges {
  const users = new Map<number, number[]>([...needs.keys()].map((row) => [row, []]));
  for (const [row, wanted] of needs) for (const other of wanted) users.get(other)!.push(row);
  return users;
}

/**
 * Which constraints each one waits for: that of its source; an aim, which looks at places in the world, also those of
 * the bones above its source and above itself.
 */
function dependencies({ views }: World, rows: readonly number[]): Map<number, number[]> {
  const { bone, constraint } = views;
  const onBone = new Map(rows.map((row) => [constraint.bone[row]!, row]));
  const needs = new Map<number, number[]>();
  for (const row of rows) {
    const found = new Set<number>();
    const add = (b: number): void => {
      const other = onBone.get(b);
      if (other !== undefined) found.add(other);
    };
    add(constraint.source[row]!);
    if (constraint.kind[row] === constraintKind.aim)
      for (const from of [constraint.source[row]!, constraint.bone[row]!])
        for (let b = bone.parent[from]!; b !== -1; b = bone.parent[b]!) add(b);
    needs.set(row, [...found]);
  }
  return needs;
}

/**
 * Writes levels: the longest way over dependencies; frozen ones wait for nothing.
 *
 * @returns the rows that never become ready, in the given order
 */
function settle(
  level: Int32Array,
  rows: readonly number[],
  needs: Edges,
  users: Edges,
  frozen: ReadonlySet<number>,
): number[] {
  const waiting = new Map(rows.map((row) => [row, frozen.has(row) ? 0 : needs.get(row)!.length]));
  const ready = rows.filter((row) => waiting.get(row) === 0);
  for (const row of ready) level[row] = 0;
  for (const row of ready)
    for (const user of users.get(row)!) {
      if (frozen.has(user)) continue;
      // Rows become ready in the order of their levels, so the last that is waited for has the highest.
      level[user] = level[row]! + 1;
      waiting.set(user, waiting.get(user)! - 1);
      if (waiting.get(user) === 0) ready.push(user);
    }
  return rows.filter((row) => waiting.get(row)! > 0);
}

/**
 * Groups of constraints that wait for each other (strongly connected components: Kosaraju's two walks), each by bone and
 * by its first bone among each other, as `rows` are.
 */
function cyclesIn(rows: readonly number[], needs: Edges, users: Edges): number[][] {
  const open = new Set(rows);
  const left: number[] = [];
  for (const row of rows) walk(needs, row, open, left);
  for (const row of rows) open.add(row);
  const group = new Map<number, number[]>();
  for (const row of left.toReversed()) {
    const found: number[] = [];
    walk(users, row, open, found);
    if (found.length > 1 || needs.get(row)!.includes(row))
      for (const member of found) group.set(member, found);
  }
  // Collected anew by bone.
  const cycles = new Map<number[], number[]>();
  for (const row of rows) {
    const members = group.get(row);
    if (members === undefined) continue;
    const cycle = cycles.get(members);
    if (cycle === undefined) cycles.set(members, [row]);
    else cycle.push(row);
  }
  return [...cycles.values()];
}

/** Walks to everything open that can be reached from `start`, closes it, and lists it in the order of being left. */
function walk(edges: Edges, start: number, open: Set<number>, left: number[]): void {
  if (!open.delete(start)) return;
  const path = [{ row: start, next: 0 }];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const other = edges.get(top.row)![top.next++];
    if (other === undefined) {
      left.push(top.row);
      path.pop();
    } else if (open.delete(other)) path.push({ row: other, next: 0 });
  }
}

/** Rows of all constraints in the order in which a tick meets them. */
export function constraintRows(world: World): Int32Array {
  const { character, constraint } = world.views;
  return Int32Array.from(
    rowsById(world, 'constraint').toSorted(
      (a, b) =>
        character.id[constraint.character[a]!]! - character.id[constraint.character[b]!]! ||
        constraint.level[a]! - constraint.level[b]! ||
        constraint.bone[a]! - constraint.bone[b]!,
    ),
  );
}
