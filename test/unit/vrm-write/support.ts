/**
 * Files written and read again, and what three-vrm makes of them.
 */
import { expect, vi } from 'vitest';
import type { SecondaryMotion, SpringDefinition, SpringJoint } from '../../../src/asset/secondary.js';
import { parseGlb } from '../../../src/io/gltf/container.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import {
  writeSprings,
  type WriteSpringsOptions,
  type WriteSpringsResult,
} from '../../../src/io/vrm/index.js';
import { buildGltf, errorsOf, jsonOf, type Json } from '../../support/gltfBuilder.js';
import { threeVrm, type OracleJoint } from '../vrm/threeVrm.js';

/** The part of secondary motion that is written. */
export type Motion = Pick<SecondaryMotion, 'colliders' | 'groups' | 'springs'>;

/** A .gltf of these nodes and extensions, all of them listed as used. */
export function fileOf(nodes: Json[], extensions?: Json, more: Json = {}): Uint8Array {
  return buildGltf({
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes,
    ...(extensions ? { extensions, extensionsUsed: Object.keys(extensions) } : {}),
    ...more,
  }).gltf();
}

/** What a file says. */
export async function said(bytes: Uint8Array, options: WriteSpringsOptions = {}): Promise<SecondaryMotion> {
  const files = options.resolve ? { resolve: options.resolve } : {};
  return (await loadGltf(bytes, { validate: false, ...files })).secondary!;
}

/** Springs, colliders and groups alone. */
export const motionOf = ({ colliders, groups, springs }: SecondaryMotion): Motion => ({
  colliders,
  groups,
  springs,
});

/** Writes, and reads with another call what the file then says: it must be what the result promises. */
export async function rewritten(
  bytes: Uint8Array,
  motion: Motion,
  options: WriteSpringsOptions = {},
): Promise<WriteSpringsResult & { json: Json; extension: Json }> {
  const result = await writeSprings(bytes, motion, options);
  expect(await said(result.bytes, options)).toEqual(result.secondary);
  const json = jsonOf(result.bytes);
  const old = new Set(await errorsOf(bytes, options.resolve));
  expect((await errorsOf(result.bytes, options.resolve)).filter((error) => !old.has(error))).toEqual([]);
  return { ...result, json, extension: json['extensions']?.VRMC_springBone as Json };
}

/** A spring over bones, the last of which is its end. */
export function springOf(bones: number[], more: Partial<SpringDefinition> = {}): SpringDefinition {
  const joints = bones.slice(0, -1).map((bone) => jointOf(bone));
  return {
    name: 'spring0',
    joints,
    end: bones.at(-1)!,
    endOffset: undefined,
    groups: [],
    center: -1,
    ...more,
  };
}

/** A joint with values that are no defaults. */
export function jointOf(bone: number, more: Partial<SpringJoint> = {}): SpringJoint {
  return {
    bone,
    hitRadius: 0.03,
    stiffness: 2,
    gravityPower: 0.1,
    gravityDir: [0, -1, 0],
    dragForce: 0.3,
    ...more,
  };
}

/** Nothing but this. */
export const only = (more: Partial<Motion>): Motion => ({ colliders: [], groups: [], springs: [], ...more });

/** The JSON text of a GLB or .gltf. */
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes[0] === 0x67 ? parseGlb(bytes).text : bytes);

/** Joints of three-vrm by node, its vectors as lists; its own defaults where a file leaves values out. */
export async function theirs(json: Json): Promise<OracleJoint[]> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const joints = (await threeVrm(json)) ?? [];
  warn.mockRestore();
  for (const { colliders } of joints)
    for (const collider of colliders)
      collider.shape = Object.fromEntries(
        Object.entries(collider.shape).map(([key, value]) => [
          key,
          typeof value === 'object' && value !== null
            ? (value as { toArray: () => number[] }).toArray()
            : (value as unknown),
        ]),
      );
  return joints.toSorted((a, b) => a.node - b.node);
}

/** Whether two files are the same, byte for byte; much faster than a deep comparison. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.from(a).equals(b);
