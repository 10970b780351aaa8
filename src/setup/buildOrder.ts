/**
 * In which order things are processed, rebuilt after a change of structure (docs/solver.md, "Order and levels"). A chain that hangs
 * from a bone of another chain belongs to a later level; within a level the stable id decides. So neither the
 * order of creation nor a split of a level into blocks can change a bit.
 */
import { meetingOf } from './chainPairs.js';
import { constraintRows } from './constraintOrder.js';
import type { Order } from './order.js';
import { rowsById, type World } from './world.js';

/** The processing order, built anew when the structure changed. */
export function orderOf(world: World): Order {
  return (world.order ??= buildOrder(world));
}

function buildOrder(world: World): Order {
  const { bone, chain, character, particle, player } = world.views;
  const characters = rowsById(world, 'character');
  const chains = rowsById(world, 'chain');
  const drivers: (Int32Array | undefined)[] = [];
  const carried: (Int32Array | undefined)[] = [];
  const chainsOf: (number[] | undefined)[] = [];

  // The chain that carries each bone: its own chain, else that of its parent.
  const carrier = new Int32Array(bone.id.length).fill(-1);
  for (const row of chains)
    for (let k = 0; k < chain.count[row]!; k++)
      carrier[particle.bone[chain.first[row]! + k * chain.stride[row]!]!] = row;
  // World transforms are wanted where a chain hangs, at its centre, and above.
  const needed = new Uint8Array(bone.id.length);
  for (const row of chains) {
    for (let b = chain.center[row]!; b !== -1 && needed[b] === 0; b = bone.parent[b]!) needed[b] = 1;
    for (
      let b = bone.parent[particle.bone[chain.first[row]!]!]!;
      b !== -1 && needed[b] === 0;
      b = bone.parent[b]!
    )
      needed[b] = 1;
  }
  // And where a collider hangs.
  const { collider } = world.views;
  const colliders = rowsById(world, 'collider');
  for (const row of colliders)
    for (let b = collider.bone[row]!; b !== -1 && needed[b] === 0; b = bone.parent[b]!) needed[b] = 1;
  const collidersOf: (Int32Array | undefined)[] = [];
  for (const c of characters) {
    collidersOf[c] = Int32Array.from(
      colliders.filter((row) => collider.character[row] === c || collider.character[row] === -1),
    );
    const first = character.firstBone[c]!;
    const free: number[] = [first - 1];
    const held = new Map<number, number[]>();
    for (let b = first; b < first + character.boneCount[c]!; b++) {
      if (carrier[b] === -1) carrier[b] = carrier[bone.parent[b]!]!;
      const row = carrier[b]!;
      if (row === -1) free.push(b);
      else if (held.has(row)) held.get(row)!.push(b);
      else held.set(row, [b]);
    }
    drivers[c] = Int32Array.from(free.filter((b) => needed[b] === 1));
    for (const row of chains) if (chain.character[row] === c) carried[row] = new Int32Array(0);
    for (const [row, bones] of held) carried[row] = Int32Array.from(bones.filter((b) => needed[b] === 1));
    chainsOf[c] = [];
  }

  // Ancestors stand before their children in a character's bones, so a few rounds settle every level.
  for (const row of chains) chainsOf[chain.character[row]!]!.push(row);
  for (const row of chains) {
    let level = 0;
    for (let up = carrier[chain.attachment[row]!]!; up !== -1; up = carrier[chain.attachment[up]!]!) level++;
    chain.level[row] = level;
  }
  const sorted = chains.toSorted((a, b) => chain.level[a]! - chain.level[b]! || chain.id[a]! - chain.id[b]!);
  const levels: number[] = [];
  sorted.forEach((row, i) => {
    while (levels.length <= chain.level[row]!) levels.push(i);
  });
  levels.push(sorted.length);
  return {
    characters,
    floors: rowsById(world, 'floor'),
    colliders,
    collidersOf,
    constraints: constraintRows(world),
    players: rowsById(world, 'player').toSorted(
      (a, b) =>
        character.id[player.character[a]!]! - character.id[player.character[b]!]! ||
        player.id[a]! - player.id[b]!,
    ),
    chains: Int32Array.from(sorted),
    levels: Int32Array.from(levels),
    drivers,
    carried,
    chainsOf,
    isNew: true,
    meeting: meetingOf(world, chainsOf),
  };
}
