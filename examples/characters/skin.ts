/**
 * From welded triangle meshes to the vertex buffers an exporter writes: vertices are split wherever an automatic
 * box unwrap has a seam or an edge is hard, so that one position often stands for several vertices.
 */
import { add, cross, dot, length, normalize, scale, sub, type Vec3 } from './linear.js';
import type { TriangleMesh } from './implicitSurface.js';

export interface Influence {
  bone: number;
  weight: number;
}

/** A welded, skinned, coloured surface. */
export interface Piece extends TriangleMesh {
  /** Any number of influences per vertex; the four largest are kept. */
  influences: Influence[][];
  /** Linear RGB per vertex. */
  colors: Vec3[];
}

/** Interleavable vertex buffers of one primitive. */
export interface VertexBuffers {
  positions: Float32Array<ArrayBuffer>;
  normals: Float32Array<ArrayBuffer>;
  uvs: Float32Array<ArrayBuffer>;
  colors: Uint8Array<ArrayBuffer>;
  joints: Uint8Array<ArrayBuffer>;
  weights: Float32Array<ArrayBuffer>;
  indices: Uint16Array<ArrayBuffer>;
}

/** Edges bent by more than this are hard: cos 42 degrees. */
const HARD_EDGE_COSINE = 0.743;
/** How often the fur texture repeats per metre. */
const TILES_PER_METRE = 4;

interface Corner {
  piece: Piece;
  vertex: number;
  normal: Vec3;
  uv: readonly [number, number];
}

export function vertexBuffers(pieces: readonly Piece[]): VertexBuffers {
  const corners: Corner[] = [];
  const indices: number[] = [];
  for (const piece of pieces) {
    const numbers = new Map<string, number>();
    const faces = faceNormals(piece);
    const smooth = cornerNormals(piece, faces);
    for (let c = 0; c < piece.triangles.length; c++) {
      const vertex = piece.triangles[c]!;
      const face = faces[Math.floor(c / 3)]!;
      const chart = dominantAxis(face);
      const key = `${vertex} ${chart} ${smooth.group[c]!}`;
      let number = numbers.get(key);
      if (number === undefined) {
        number =
          corners.push({
            piece,
            vertex,
            normal: smooth.normals[c]!,
            uv: boxUv(piece.positions[vertex]!, chart),
          }) - 1;
        numbers.set(key, number);
      }
      indices.push(number);
    }
  }
  return fill(corners, indices);
}

function fill(corners: readonly Corner[], indices: readonly number[]): VertexBuffers {
  const count = corners.length;
  const buffers: VertexBuffers = {
    positions: new Float32Array(3 * count),
    normals: new Float32Array(3 * count),
    uvs: new Float32Array(2 * count),
    colors: new Uint8Array(4 * count),
    joints: new Uint8Array(4 * count),
    weights: new Float32Array(4 * count),
    indices: Uint16Array.from(indices),
  };
  corners.forEach(({ piece, vertex, normal, uv }, i) => {
    buffers.positions.set(piece.positions[vertex]!, 3 * i);
    buffers.normals.set(normal, 3 * i);
    buffers.uvs.set(uv, 2 * i);
    const [r, g, b] = piece.colors[vertex]!;
    buffers.colors.set([Math.round(255 * r), Math.round(255 * g), Math.round(255 * b), 255], 4 * i);
    fourLargest(piece.influences[vertex]!).forEach(({ bone, weight }, k) => {
      buffers.joints[4 * i + k] = bone;
      buffers.weights[4 * i + k] = weight;
    });
  });
  return buffers;
}

/** Merges equal bones, keeps the four heaviest, makes them sum to one. */
function fourLargest(influences: readonly Influence[]): Influence[] {
  const merged = new Map<number, number>();
  for (const { bone, weight } of influences) merged.set(bone, (merged.get(bone) ?? 0) + weight);
  const kept = [...merged]
    .map(([bone, weight]) => ({ bone, weight }))
    .filter(({ weight }) => weight > 1e-4)
    .toSorted((a, b) => b.weight - a.weight || a.bone - b.bone)
    .slice(0, 4);
  const sum = kept.reduce((total, { weight }) => total + weight, 0);
  return kept.map(({ bone, weight }) => ({ bone, weight: weight / sum }));
}

function faceNormals({ positions, triangles }: TriangleMesh): Vec3[] {
  const normals: Vec3[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const a = positions[triangles[t]!]!;
    const n = cross(sub(positions[triangles[t + 1]!]!, a), sub(positions[triangles[t + 2]!]!, a));
    const area = length(n);
    normals.push(area > 0 ? scale(n, 1 / area) : [0, 1, 0]);
  }
  return normals;
}

/**
 * Per corner the mean normal of the faces around its vertex that it reaches without crossing a hard edge, and a
 * number that tells those groups of faces apart.
 */
function cornerNormals(mesh: TriangleMesh, faces: readonly Vec3[]): { normals: Vec3[]; group: number[] } {
  const { triangles } = mesh;
  const around: number[][] = mesh.positions.map(() => []);
  triangles.forEach((vertex, corner) => around[vertex]!.push(corner));
  const normals = triangles.map((): Vec3 => [0, 1, 0]);
  const group = triangles.map(() => -1);
  for (const corners of around)
    for (const first of corners) {
      if (group[first] !== -1) continue;
      const members = [first];
      group[first] = first;
      for (const member of members)
        for (const other of corners)
          if (group[other] === -1 && meetSoftly(triangles, faces, member, other)) {
            group[other] = first;
            members.push(other);
          }
      const sum = members.reduce((total, corner) => add(total, faces[Math.floor(corner / 3)]!), [
        0, 0, 0,
      ] as Vec3);
      const normal = length(sum) > 1e-9 ? normalize(sum) : faces[Math.floor(first / 3)]!;
      for (const member of members) normals[member] = normal;
    }
  return { normals, group };
}

/** Whether the faces of two corners of one vertex share an edge there that is not hard. */
function meetSoftly(triangles: readonly number[], faces: readonly Vec3[], c: number, d: number): boolean {
  const [next, previous] = [neighbour(triangles, c, 1), neighbour(triangles, c, 2)];
  const shared = next === neighbour(triangles, d, 2) || previous === neighbour(triangles, d, 1);
  return shared && dot(faces[Math.floor(c / 3)]!, faces[Math.floor(d / 3)]!) > HARD_EDGE_COSINE;
}

const neighbour = (triangles: readonly number[], corner: number, step: number): number =>
  triangles[corner - (corner % 3) + ((corner + step) % 3)]!;

/** 0 to 5: the axis and sign a normal is nearest to. */
function dominantAxis(n: Vec3): number {
  const size = n.map(Math.abs) as [number, number, number];
  const axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
  return 2 * axis + (n[axis] < 0 ? 1 : 0);
}

function boxUv(p: Vec3, chart: number): readonly [number, number] {
  const axis = chart >> 1;
  const u = axis === 0 ? p[2] : p[0];
  const v = axis === 1 ? -p[2] : -p[1];
  return [(chart & 1 ? -u : u) * TILES_PER_METRE, v * TILES_PER_METRE];
}
