/**
 * Stage 1: where bones stand before any chain: clips sampled at the tick, or poses the game gave, seen part of the
 * way between the last two. Clip time follows the tick count, so no frame rate can change it.
 */
import { givenState, movedPart, teleportState } from '../components/codes.js';
import { orderOf } from '../setup/buildOrder.js';
import { sampleClipAt, type PreparedClip } from '../setup/clipSampling.js';
import type { Rig } from '../setup/rig.js';
import type { World } from '../setup/world.js';
import type { Views } from '../components/stores.js';
import { slerpQuatBy } from '../math/index.js';

/**
 * Writes the poses of all characters for the tick that is about to run.
 *
 * @param blend - 0..1, how far this tick lies on the way from the pose given before to the one given last
 */
export function animate(world: World, blend: number): void {
  const { views } = world;
  const { character, player } = views;
  const order = orderOf(world);
  let next = 0;
  for (const row of order.characters) {
    if (character.fresh[row] !== givenState.none) {
      way[0] = character.fresh[row] === givenState.onTheWay ? blend : 1;
      blendRoot(views, row);
      if (character.moved[row] === movedPart.nothing) character.moved[row] = movedPart.root;
      if (character.firstInput[row]! >= 0) {
        blendInput(views, row);
        character.moved[row] = movedPart.bones;
      }
    }
    const from = next;
    while (next < order.players.length && player.character[order.players[next]!] === row) next++;
    if (next === from) continue;
    playClips(world, row, from, next);
    character.moved[row] = movedPart.bones;
  }
}

/** Root row of a character: the root given before, turned toward the one given last. */
function blendRoot({ bone, character }: Views, row: number): void {
  const blend = way[0]!;
  const b = character.firstBone[row]! - 1;
  const { rootFrom: from, rootTo: to } = character;
  const at = row * 10;
  for (let i = 0; i < 3; i++) {
    bone.poseTranslation[b * 3 + i] = mix(from[at + i]!, to[at + i]!, blend);
    bone.poseScale[b * 3 + i] = mix(from[at + 7 + i]!, to[at + 7 + i]!, blend);
  }
  turnBetween(bone.poseRotation, b * 4, from, to, at + 3);
}

/** Bones of a character that the game poses. */
function blendInput({ bone, character, input }: Views, row: number): void {
  const blend = way[0]!;
  const first = character.firstBone[row]!;
  for (let k = 0; k < character.boneCount[row]!; k++) {
    const b = first + k;
    const at = (character.firstInput[row]! + k) * 10;
    for (let i = 0; i < 3; i++) {
      bone.poseTranslation[b * 3 + i] = mix(input.from[at + i]!, input.to[at + i]!, blend);
      bone.poseScale[b * 3 + i] = mix(input.from[at + 7 + i]!, input.to[at + 7 + i]!, blend);
    }
    turnBetween(bone.poseRotation, b * 4, input.from, input.to, at + 3);
  }
}

/** Linear blend that is exact at both ends. */
function mix(a: number, b: number, t: number): number {
  return t === 1 || a === b ? b : a + t * (b - a);
}

function turnBetween(out: Float64Array, o: number, from: Float64Array, to: Float64Array, at: number): void {
  if (way[0] === 1) for (let i = 0; i < 4; i++) out[o + i] = to[at + i]!;
  else slerpQuatBy(out, o, from, at, to, at, way, 0);
}

/** Clip time of the player that is sampled. */
const clock = new Float64Array(1);
/** Share of the clip that is mixed in. */
const share = new Float64Array(1);
/** Share of the way between two given poses. */
const way = new Float64Array(1);

/**
 * Writes `clock`: clip time of a player after the tick that is about to run, wrapped or held. Tells the character of a
 * jump where the clip wraps around.
 */
function readClock(world: World, p: number, clip: PreparedClip): void {
  const { player } = world.views;
  const { duration } = clip;
  const ticks = world.tick + 1 - player.startTick[p]!;
  const time = player.startTime[p]! + (ticks / world.tickRate) * player.speed[p]!;
  if (!(duration > 0)) clock[0] = 0;
  else if (player.loop[p] === 1) {
    const pass = Math.floor(time / duration);
    clock[0] = time - pass * duration;
    const before = Math.floor((time - player.speed[p]! / world.tickRate) / duration);
    if (player.jumps[p] === 1 && pass !== before && player.weight[p]! > 0)
      world.views.character.teleported[player.character[p]!] = teleportState.told;
  } else clock[0] = time < 0 ? 0 : time > duration ? duration : time;
}

/** Samples the players `order.players[from..to)` of one character into its poses. */
function playClips(world: World, row: number, from: number, to: number): void {
  const { bone, character, player } = world.views;
  const players = world.order!.players;
  const rig = world.rigs[character.rig[row]!]!;
  const first = character.firstBone[row]!;
  const p = players[from]!;
  if (to - from === 1 && player.weight[p] === 1) {
    const clip = rig.clips[player.clip[p]!]!;
    readClock(world, p, clip);
    sampleClipAt(clip, clock, bone.poseTranslation, bone.poseRotation, bone.poseScale, first);
    return;
  }
  let weights = 0;
  for (let i = from; i < to; i++) weights += player.weight[players[i]!]!;
  let total = weights < 1 ? 1 - weights : 0;
  writeSaved(rig, bone.poseTranslation, bone.poseRotation, bone.poseScale, first);
  for (let i = from; i < to; i++) {
    const weight = player.weight[players[i]!]!;
    if (weight === 0) continue;
    total += weight;
    share[0] = weight / total;
    mixClip(world, row, players[i]!);
  }
}

/** Poses of one clip before they are mixed in; grows to the largest character. */
let scratch = {
  translations: new Float64Array(0),
  rotations: new Float64Array(0),
  scales: new Float64Array(0),
};

function mixClip(world: World, row: number, p: number): void {
  const part = share[0]!;
  const { bone, character, player } = world.views;
  const rig = world.rigs[character.rig[row]!]!;
  const first = character.firstBone[row]!;
  const count = character.boneCount[row]!;
  if (scratch.scales.length < count * 3)
    scratch = {
      translations: new Float64Array(count * 3),
      rotations: new Float64Array(count * 4),
      scales: new Float64Array(count * 3),
    };
  const { translations, rotations, scales } = scratch;
  writeSaved(rig, translations, rotations, scales, 0);
  const clip = rig.clips[player.clip[p]!]!;
  readClock(world, p, clip);
  sampleClipAt(clip, clock, translations, rotations, scales, 0);
  for (let k = 0; k < count; k++) {
    const b4 = (first + k) * 4;
    for (let i = 0; i < 3; i++) {
      const b = (first + k) * 3 + i;
      bone.poseTranslation[b] = mix(bone.poseTranslation[b]!, translations[k * 3 + i]!, part);
      bone.poseScale[b] = mix(bone.poseScale[b]!, scales[k * 3 + i]!, part);
    }
    slerpQuatBy(bone.poseRotation, b4, bone.poseRotation, b4, rotations, k * 4, share, 0);
  }
}

/** Writes the pose the file was saved in: what bones without a track show. */
function writeSaved(
  { asset }: Rig,
  translations: Float64Array,
  rotations: Float64Array,
  scales: Float64Array,
  first: number,
): void {
  translations.set(asset.skeleton.translations, first * 3);
  rotations.set(asset.skeleton.rotations, first * 4);
  scales.set(asset.skeleton.scales, first * 3);
}
