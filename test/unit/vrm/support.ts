/**
 * Small files with VRM extensions: every test shows the JSON it is about.
 */
import type { Asset } from '../../../src/asset/asset.js';
import type { SecondaryMotion } from '../../../src/asset/secondary.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { buildGltf, type Json } from '../../support/gltfBuilder.js';

/** A file as read, with the codes and places of its reports. */
export interface Read extends SecondaryMotion {
  asset: Asset;
  /** `code place`, without the path to the extension. */
  said: string[];
}

/** A row of nodes, each the child of the one before it and 0.1 below it. */
export function row(count: number): Json[] {
  return Array.from({ length: count }, (_, n) => ({
    name: `n${n}`,
    ...(n > 0 ? { translation: [0, -0.1, 0] } : {}),
    ...(n + 1 < count ? { children: [n + 1] } : {}),
  }));
}

/** Reads a file of these nodes and extensions. */
export async function read(nodes: Json[], extensions: Json, more: Json = {}): Promise<Read> {
  const asset = await loadGltf(buildGltf({ nodes, extensions, ...more }).gltf(), { validate: false });
  const said = asset.warnings.map(({ code, at }) => {
    const place = at.replace(/^.extensions.VRM(?:C_springBone|C_vrm|.secondaryAnimation|)(?=\/|$)/, '');
    return `${code} ${place}`.trimEnd();
  });
  return { ...asset.secondary!, asset, said };
}

/** Reads a file with `VRMC_springBone`. */
export function springBone(nodes: Json[], extension: Json): Promise<Read> {
  return read(nodes, { VRMC_springBone: { specVersion: '1.0', ...extension } });
}

/** Reads a file with a spring over these nodes. */
export function spring(nodes: Json[], joints: number[], more: Json = {}): Promise<Read> {
  return springBone(nodes, { springs: [{ joints: joints.map((node) => ({ node })), ...more }] });
}

/** Reads a VRM 0.x. */
export function vrm0(nodes: Json[], secondaryAnimation: Json): Promise<Read> {
  return read(nodes, { VRM: { secondaryAnimation } });
}

/** A node with a constraint. */
export function constrained(constraint: Json, more: Json = {}): Json {
  return { ...more, extensions: { VRMC_node_constraint: { specVersion: '1.0', constraint } } };
}

/** Bones of each spring, its end last where a bone is the end. */
export function bonesOf({ springs }: SecondaryMotion): number[][] {
  return springs.map(({ joints, end }) => [...joints.map(({ bone }) => bone), ...(end < 0 ? [] : [end])]);
}
