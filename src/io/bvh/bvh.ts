/**
 * A BVH file as data: joints parents first, what each frame holds for their channels. Numbers are those of the file:
 * its own unit of length, degrees. There is no specification but the one page that Biovision left and what exporters
 * made of it (docs/bvh.md says what is read, and how).
 */
import type { Warning } from '../../asset/errors.js';

/** What one number of a frame moves. */
export type BvhChannel = 'Xposition' | 'Yposition' | 'Zposition' | 'Xrotation' | 'Yrotation' | 'Zrotation';

/** Where a bone without a child ends. */
export interface BvhEnd {
  /** Name, where the file gives it one of its own; else empty. */
  name: string;
  /** Place of the tip in the frame of its joint, file units. */
  offset: [number, number, number];
}

/** One ROOT or JOINT. */
export interface BvhJoint {
  /** Name as written; a name for the second time has `#2` behind it. */
  name: string;
  /** Index of the parent joint, -1 for a root; always smaller than the joint's own index. */
  parent: number;
  /** OFFSET: place in the parent's frame, file units. */
  offset: [number, number, number];
  /** Channels in the order of the file: rotations apply from left to right, the first outermost. */
  channels: BvhChannel[];
  /** Index of its first channel in a frame. */
  firstChannel: number;
  /** End Sites; most leaves have one, other joints none. */
  ends: BvhEnd[];
}

/** A BVH file. */
export interface Bvh {
  /** For messages: the name of the file. */
  name: string;
  /** All joints, depth first as in the file. */
  joints: BvhJoint[];
  /** Numbers per frame. */
  channelCount: number;
  /** Number of frames. */
  frameCount: number;
  /** Seconds between frames. */
  frameTime: number;
  /** `channelCount` numbers per frame, in file units and degrees. */
  frames: Float64Array;
  /** What was repaired, guessed or left out while reading. */
  warnings: Warning[];
}

/** Names of channels by their lower-case form. */
export const channelNames: ReadonlyMap<string, BvhChannel> = new Map(
  (['Xposition', 'Yposition', 'Zposition', 'Xrotation', 'Yrotation', 'Zrotation'] as const).map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

/** 0, 1, 2 for X, Y, Z. */
export function channelAxis(channel: BvhChannel): number {
  return channel.charCodeAt(0) - 88;
}

/** True for a channel that turns, false for one that moves. */
export function isRotation(channel: BvhChannel): boolean {
  return channel.endsWith('rotation');
}
