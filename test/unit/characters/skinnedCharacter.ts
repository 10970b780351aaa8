/**
 * A skinned mesh of a GLB, posed by a clip: linear blend skinning written out with gl-matrix, independent of the
 * library and of the generator.
 */
import { NodeIO, type Animation, type Document, type Node } from '@gltf-transform/core';
import { glMatrix, mat4, quat, vec3 } from 'gl-matrix';

// float64: an edge of some millimetres is measured to better than a part in a million
glMatrix.setMatrixArrayType(Array);

export interface SkinnedCharacter {
  document: Document;
  joints: Node[];
  /** World matrix of each joint in the bind pose. */
  binds: mat4[];
  inverseBinds: mat4[];
  positions: vec3[];
  /** [joint, weight] of each vertex, weights above zero only. */
  influences: [number, number][][];
  triangles: number[];
  /** Index of the first vertex at the same position. */
  welded: number[];
}

export async function readCharacter(bytes: Uint8Array): Promise<SkinnedCharacter> {
  const document = await new NodeIO().readBinary(bytes);
  const root = document.getRoot();
  const skin = root.listSkins()[0]!;
  const primitive = root.listMeshes()[0]!.listPrimitives()[0]!;
  const elements = (name: string): number[][] => {
    const accessor = primitive.getAttribute(name)!;
    return Array.from({ length: accessor.getCount() }, (_, i) => accessor.getElement(i, []));
  };
  const positions = elements('POSITION') as vec3[];
  const weights = elements('WEIGHTS_0');
  const inverseBinds = skin
    .listJoints()
    .map((_, i) => skin.getInverseBindMatrices()!.getElement(i, []) as mat4);
  const first = new Map<string, number>();
  return {
    document,
    joints: skin.listJoints(),
    inverseBinds,
    binds: inverseBinds.map((matrix) => mat4.invert(mat4.create(), matrix)!),
    positions,
    influences: elements('JOINTS_0').map((joints, v) =>
      joints.flatMap((joint, k): [number, number][] =>
        weights[v]![k]! > 0 ? [[joint, weights[v]![k]!]] : [],
      ),
    ),
    triangles: [...primitive.getIndices()!.getArray()!],
    welded: positions.map((p, v) => {
      const key = [p[0], p[1], p[2]].join(' ');
      if (!first.has(key)) first.set(key, v);
      return first.get(key)!;
    }),
  };
}

export const clipOf = (character: SkinnedCharacter, name: string): Animation =>
  character.document
    .getRoot()
    .listAnimations()
    .find((clip) => clip.getName() === name)!;

/** Puts the nodes into the clip's pose at a share of its length. */
export function pose(clip: Animation, phase: number): void {
  for (const channel of clip.listChannels()) {
    const sampler = channel.getSampler()!;
    const times = sampler.getInput()!.getArray()!;
    const values = sampler.getOutput()!;
    const time = phase * times.at(-1)!;
    let i = 0;
    while (i < times.length - 2 && times[i + 1]! <= time) i++;
    const t = (time - times[i]!) / (times[i + 1]! - times[i]!);
    const [a, b] = [values.getElement(i, []), values.getElement(i + 1, [])];
    const node = channel.getTargetNode()!;
    if (channel.getTargetPath() === 'rotation')
      node.setRotation([...quat.slerp(quat.create(), a as quat, b as quat, t)] as [
        number,
        number,
        number,
        number,
      ]);
    else
      node.setTranslation([...vec3.lerp(vec3.create(), a as vec3, b as vec3, t)] as [number, number, number]);
  }
}

/** Positions of all vertices under the pose the nodes have now. */
export function skinned(character: SkinnedCharacter): vec3[] {
  const matrices = character.joints.map((joint, i) =>
    mat4.multiply(mat4.create(), joint.getWorldMatrix() as mat4, character.inverseBinds[i]!),
  );
  const posed: vec3[] = [];
  const moved = vec3.create();
  character.positions.forEach((p, v) => {
    const first = character.welded[v]!;
    if (first < v) return posed.push(posed[first]!);
    const sum: vec3 = [0, 0, 0];
    for (const [joint, weight] of character.influences[v]!)
      vec3.scaleAndAdd(sum, sum, vec3.transformMat4(moved, p, matrices[joint]!), weight);
    return posed.push(sum);
  });
  return posed;
}

/** Edges of the welded mesh, each once. */
function weldedEdges({ triangles, welded }: SkinnedCharacter): [number, number][] {
  const edges = new Map<string, [number, number]>();
  for (let c = 0; c < triangles.length; c++) {
    const a = welded[triangles[c]!]!;
    const b = welded[triangles[c % 3 === 2 ? c - 2 : c + 1]!]!;
    if (a !== b) edges.set(`${Math.min(a, b)} ${Math.max(a, b)}`, [a, b]);
  }
  return [...edges.values()];
}

/** Share of a vertex's weight on bones whose name starts with `prefix`. */
export function weightOn(character: SkinnedCharacter, vertex: number, prefix: string): number {
  return character.influences[vertex]!.reduce(
    (sum, [joint, weight]) => sum + (character.joints[joint]!.getName().startsWith(prefix) ? weight : 0),
    0,
  );
}

/** Sorted ratios of posed to bind length of the body's edges (tail left out), over evenly spaced samples of a clip. */
export const bodyStretch = (character: SkinnedCharacter, clipName: string, samples: number): number[] =>
  stretchOf(character, clipName, samples, (v) => weightOn(character, v, 'Tail_') <= 0.5);

/** The same of all edges between wanted vertices. */
export function stretchOf(
  character: SkinnedCharacter,
  clipName: string,
  samples: number,
  wanted: (vertex: number) => boolean,
): number[] {
  const edges = weldedEdges(character).filter(([a, b]) => wanted(a) && wanted(b));
  const ratios: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    pose(clipOf(character, clipName), sample / samples);
    const now = skinned(character);
    for (const [a, b] of edges)
      ratios.push(
        vec3.distance(now[a]!, now[b]!) / vec3.distance(character.positions[a]!, character.positions[b]!),
      );
  }
  return ratios.toSorted((a, b) => a - b);
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;

/** Welded vertices grouped into connected pieces, largest first. */
export function pieces(character: SkinnedCharacter): number[][] {
  const neighbours = new Map<number, number[]>();
  for (const [a, b] of weldedEdges(character)) {
    neighbours.set(a, [...(neighbours.get(a) ?? []), b]);
    neighbours.set(b, [...(neighbours.get(b) ?? []), a]);
  }
  const seen = new Set<number>();
  const found: number[][] = [];
  for (const start of neighbours.keys()) {
    if (seen.has(start)) continue;
    seen.add(start);
    const piece = [start];
    for (const vertex of piece)
      for (const next of neighbours.get(vertex)!) {
        if (seen.has(next)) continue;
        seen.add(next);
        piece.push(next);
      }
    found.push(piece);
  }
  return found.toSorted((a, b) => b.length - a.length);
}
