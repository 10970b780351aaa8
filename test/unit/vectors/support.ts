/**
 * Runs a case of test/vectors in the library: the glTF of the case as a GLB through loadVrm, its motion as poses, one tick
 * of 1/60 s per frame. Cases are read from the committed files, as anyone else would.
 */
import { readFileSync } from 'node:fs';
import {
  addCharacter,
  addConstraints,
  addSprings,
  createPose,
  createWorld,
  readPose,
  setPose,
  step,
} from '../../../src/index.js';
import { writeGlb } from '../../../src/io/gltf/container.js';
import { loadVrm } from '../../../src/io/vrm/index.js';
import { angleOf, len, sub, type Q4, type V3 } from '../../support/referenceMath.js';
import type { Case, Expected, Gltf, VectorFile } from '../../vectors/make/model.js';

export const fileNames = ['springbone.json', 'springbone-colliders.json', 'node-constraint.json'] as const;

export function textOf(name: string): string {
  return readFileSync(new URL(`../../vectors/${name}`, import.meta.url), 'utf8');
}

export function casesOf(name: (typeof fileNames)[number]): Case[] {
  return (JSON.parse(textOf(name)) as VectorFile).cases;
}

/** All nodes after a frame: positions in the world and local rotations. */
export interface Frame {
  positions: V3[];
  rotations: Q4[];
}

/** Frames up to the last that a case says something about. */
export function lastFrame({ expected, readings = {}, invariants }: Case): number {
  const listed = [...(expected ? [expected] : []), ...Object.values(readings)].flatMap(({ frames }) =>
    frames.map(({ frame }) => frame),
  );
  return Math.max(...listed, invariants?.frames[1] ?? 0);
}

/** A model as the runner of the README wants it. */
interface Model {
  pose: (node: number, change: { translation?: V3; rotation?: Q4 }) => void;
  update: () => void;
  position: (node: number) => V3;
  rotation: (node: number) => Q4;
  /** Codes of what was reported so far. */
  said: () => string[];
}

/** The glTF of a case as a character of the library. */
export async function load(gltf: Gltf): Promise<Model> {
  const bytes = writeGlb(new TextEncoder().encode(JSON.stringify(gltf)), new Uint8Array(0));
  const asset = await loadVrm(bytes);
  const world = createWorld({ tickRate: 60 });
  const character = addCharacter(world, asset);
  if (asset.secondary.constraints.length > 0) addConstraints(world, character);
  // The vectors feel every jump, and know no floor.
  if (asset.secondary.springs.length > 0) addSprings(world, character, { teleport: 'none', floor: false });
  const { skeleton } = asset;
  const { scales } = skeleton;
  const translations = skeleton.translations.slice();
  const rotations = skeleton.rotations.slice();
  const boneOf = (node: number): number => skeleton.nodes.indexOf(node);
  const shown = createPose(world, character);
  return {
    pose: (node, { translation, rotation }) => {
      if (translation) translations.set(translation, 3 * boneOf(node));
      if (rotation) rotations.set(rotation, 4 * boneOf(node));
    },
    update: () => {
      setPose(world, character, { translations, rotations, scales });
      step(world);
      readPose(world, character, shown);
    },
    position: (node) =>
      [...shown.worlds.subarray(16 * boneOf(node) + 12, 16 * boneOf(node) + 15)] as unknown as V3,
    rotation: (node) =>
      [...shown.rotations.subarray(4 * boneOf(node), 4 * boneOf(node) + 4)] as unknown as Q4,
    said: () => [...asset.warnings, ...world.report.warnings].map(({ code }) => code),
  };
}

/** Plays a case in the library. */
export async function playCase(given: Case): Promise<{ frames: Frame[]; said: string[] }> {
  const { gltf, motion } = given.input;
  const model = await load(gltf);
  const frames: Frame[] = [];
  for (let frame = 1; frame <= lastFrame(given); frame++) {
    for (const change of motion) if (change.frame === frame) model.pose(change.node, change);
    model.update();
    const everyNode = [...gltf.nodes.keys()];
    frames.push({ positions: everyNode.map(model.position), rotations: everyNode.map(model.rotation) });
  }
  return { frames, said: model.said() };
}

/** Largest distance and angle between what is expected and what was played. */
export function worst(
  { positionsOf, rotationsOf, frames }: Expected,
  played: Frame[],
): { metres: number; radians: number } {
  let [metres, radians] = [0, 0];
  for (const { frame, positions, rotations } of frames) {
    const now = played[frame - 1]!;
    positions.forEach((p, i) => (metres = larger(metres, len(sub(p, now.positions[positionsOf[i]!]!)))));
    rotations.forEach((q, i) => (radians = larger(radians, angleOf(q, now.rotations[rotationsOf[i]!]!))));
  }
  return { metres, radians };
}

/** Not a number is larger than any. */
function larger(a: number, b: number): number {
  return b <= a ? a : Number.isNaN(b) ? Infinity : b;
}
