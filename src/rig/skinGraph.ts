/**
 * The skin as a graph: mesh edges with their lengths, split into shells (triangles connected over edges, not over
 * single vertices: a fur tube that ends in the skin's own tip vertex is a shell of its own), shells joined by bridges.
 * A welded point in two shells is two nodes. No diagonals over the edges: they change nothing (docs/rigging.md, "Shells and bridges").
 */
/** Nodes and edges of the skin. */
export interface SkinGraph {
  /** Number of nodes. */
  count: number;
  /** Welded point of each node. */
  point: Uint32Array;
  /** 3 per node, bind pose, world. */
  positions: Float64Array;
  /** Nodes of the triangles, 3 each. */
  corners: Uint32Array;
  /** Shell of each node; shells are numbered from 0. */
  shellOf: Uint32Array;
  /** Number of shells. */
  shells: number;
  /** Number of nodes per shell. */
  shellSize: Uint32Array;
  /** Per shell: number of the group of shells that lie on each other (fur over skin), by the lowest shell in it. */
  layerOf: Uint32Array;
  /** Neighbours of node n are the entries `first[n]` to `first[n + 1]` of {@link neighbours} and {@link lengths}. */
  first: Uint32Array;
  /** Nodes at the other ends of edges and bridges. */
  neighbours: Uint32Array;
  /** Lengths of edges and bridges. */
  lengths: Float64Array;
  /** Triangles around node n are the entries `firstTriangle[n]` to `firstTriangle[n + 1]` of {@link triangles}. */
  firstTriangle: Uint32Array;
  /** Triangle numbers. */
  triangles: Uint32Array;
  /** Longest edge of the mesh, bridges aside. */
  longestEdge: number;
}

/** One edge between two nodes that no triangle has. */
export interface Bridge {
  /** A node. */
  from: number;
  /** A node of another shell. */
  to: number;
  /** Their distance. */
  length: number;
  /** Whether the two shells lie on each other there, instead of only touching. */
  layer: boolean;
}
