/**
 * Who moves a chain: the solver, or a clip that plays (docs/solver.md, "Owner"); and which playing clips jump where they
 * wrap around. Decided anew when clips, chains or options change.
 */
import { chainState, movedPart, ownerRule, restPose, startRule } from '../components/codes.js';
import type { Views } from '../components/stores.js';
import { clipJumps } from './loopJump.js';
import type { Rig } from './rig.js';
import { takeShownBends } from './shownBends.js';
import { rowsOfCharacter, type World } from './world.js';

/**
 * Decides for every chain of a character whether a playing clip owns it. A chain that the solver gets back starts from
 * the pose that is shown.
 */
export function applyOwner(world: World, character: number): void {
  const { chain, particle, player } = world.views;
  const rig = world.rigs[world.views.character.rig[character]!]!;
  const firstBone = world.views.character.firstBone[character]!;
  const playing = rowsOfCharacter(world, 'player', character);
  markJumps(world, character, rig, playing);
  for (const row of rowsOfCharacter(world, 'chain', character)) {
    const rule = chain.ownerRule[row];
    let owned = rule === ownerRule.clip;
    if (rule === ownerRule.auto && chain.restPose[row] === restPose.bind)
      for (const p of playing)
        for (let k = 0; k < chain.count[row]!; k++)
          if (
            rig.moved[player.clip[p]!]!.has(
              particle.bone[chain.first[row]! + k * chain.stride[row]!]! - firstBone,
            )
          )
            owned = true;
    // The solver gets it back: it begins at what is shown now, before the next tick shows something else.
    if (!owned && chain.clipOwned[row] === 1 && chain.start[row] === startRule.shown)
      takeShownBends(world.views, row);
    // Bones show who has them from the next tick on: until then what they show follows from nothing else.
    if (owned !== (chain.clipOwned[row] === 1)) world.views.character.moved[character] = movedPart.bones;
    chain.clipOwned[row] = owned ? 1 : 0;
    if (owned) wake(world.views, row);
  }
}

/** Marks the players whose clip does not lead from its last pose into its first where chains hang. */
function markJumps(world: World, character: number, rig: Rig, playing: number[]): void {
  const { bone, chain, player } = world.views;
  const firstBone = world.views.character.firstBone[character]!;
  const bones = new Set<number>();
  let shortest = Infinity;
  for (const row of rowsOfCharacter(world, 'chain', character)) {
    for (let b = chain.attachment[row]!; b >= firstBone; b = bone.parent[b]!) bones.add(b - firstBone);
    if (chain.restLength[row]! < shortest) shortest = chain.restLength[row]!;
  }
  for (const p of playing)
    player.jumps[p] = clipJumps(rig, rig.clips[player.clip[p]!]!, bones, shortest) ? 1 : 0;
}

/** Makes a sleeping chain run again. */
export function wake({ chain }: Views, row: number): void {
  chain.stillTicks[row] = 0;
  if (chain.status[row] === chainState.asleep) chain.status[row] = chainState.awake;
}

/** Wakes the chains of a character that press on another: what held them may be gone. */
export function wakePressed(world: World, character: number): void {
  const { chain, particle } = world.views;
  for (const row of rowsOfCharacter(world, 'chain', character))
    for (let k = 0; k < chain.count[row]!; k++) {
      const p = chain.first[row]! + k * chain.stride[row]!;
      if (particle.pressed[p] === 0) continue;
      particle.pressed[p] = 0;
      wake(world.views, row);
    }
}
