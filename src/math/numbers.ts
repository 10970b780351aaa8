/**
 * The list type every function of this folder reads and writes: (list, offset) pairs instead of small objects, so
 * that hot loops work on columns in place and allocate nothing.
 */

/** A writable list of numbers. Vectors, quaternions and matrices are runs of it that start at an offset. */
export type Numbers = Float64Array | Float32Array | number[];
