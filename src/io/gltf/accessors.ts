/**
 * Accessors decoded to float64 (glTF 2.0, section 3.6.2): stride, normalised integers, sparse replacements, and
 * what Draco holds in place of buffer views. Integers become numbers by one division, which is exact everywhere.
 */
import { FollowthroughError } from '../../asset/errors.js';
import type { View } from './buffers.js';
import { COMPONENTS, decodeDraco, type Components, type DecoderOptions } from './decoders.js';
import { DRACO, extensionOf, isReadAttribute, type GltfFile } from './gltfFile.js';
import { integerAt, memberOf, objectAt, objectsAt, refuse, type JsonObject } from './json.js';

/** A decoded accessor; shared by all that refer to it, so never written to. */
export interface Decoded {
  /** `count x width` values. */
  values: Float64Array;
  /** Number of elements. */
  count: number;
  /** Components per element. */
  width: number;
  /** glTF component type. */
  componentType: number;
  /** True when integers stand for -1..1 or 0..1. */
  normalized: boolean;
  /** True when the file holds no data for it: zeros by definition. */
  empty: boolean;
}

/** Gives the decoded accessor of an index. */
export type AccessorReader = (index: number) => Decoded;

interface Layout {
  count: number;
  width: number;
  componentType: number;
  normalized: boolean;
}

const WIDTHS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
// All decoded accessors of a file together: ten million vertices. Small files can ask for any amount, by sparse
// accessors without data or by many accessors over the same bytes.
const MAX_NUMBERS = 2 ** 25;

/** Reads accessors, each at most once. */
export function accessorReader(
  file: GltfFile,
  views: ReadonlyMap<number, View>,
  unpacked: ReadonlyMap<number, Components>,
): AccessorReader {
  const cache = new Map<number, Decoded>();
  let numbers = 0;
  return (index) => {
    const known = cache.get(index);
    if (known) return known;
    const place = `/accessors/${index}`;
    const accessor = file.accessors[index]!;
    const layout = layoutOf(accessor, place);
    numbers += layout.count * layout.width;
    if (numbers > MAX_NUMBERS)
      throw new FollowthroughError(
        'unsupported-file',
        `${place}: more than ${MAX_NUMBERS} numbers in one file`,
      );
    const empty =
      !unpacked.has(index) && accessor['bufferView'] === undefined && accessor['sparse'] === undefined;
    const decoded = { ...layout, empty, values: decode(accessor, layout, place, views, unpacked.get(index)) };
    cache.set(index, decoded);
    return decoded;
  };
}

function layoutOf(accessor: JsonObject, place: string): Layout {
  const type = memberOf(accessor, 'type');
  const width = typeof type === 'string' && Object.hasOwn(WIDTHS, type) ? WIDTHS[type]! : 0;
  if (width === 0)
    refuse(
      `${place}/type`,
      `${JSON.stringify(type)?.slice(0, 20)} where SCALAR, VEC2, VEC3, VEC4 or MAT4 is expected`,
    );
  return {
    width,
    componentType: componentTypeAt(accessor, place),
    count: integerAt(accessor, 'count', place, 1, Number.MAX_SAFE_INTEGER),
    normalized: memberOf(accessor, 'normalized') === true,
  };
}

function componentTypeAt(owner: JsonObject, place: string): number {
  const componentType = memberOf(owner, 'componentType');
  if (typeof componentType === 'number' && COMPONENTS[componentType]) return componentType;
  return refuse(`${place}/componentType`, 'expected one of 5120, 5121, 5122, 5123, 5125, 5126');
}

function decode(
  accessor: JsonObject,
  layout: Layout,
  place: string,
  views: ReadonlyMap<number, View>,
  unpacked: Components | undefined,
): Float64Array {
  const { count, width, componentType } = layout;
  const size = count * width;
  let values: Float64Array;
  if (unpacked) {
    if (unpacked.length !== size)
      refuse(`${place}/count`, `${count} elements, but the compressed data has ${unpacked.length / width}`);
    values = Float64Array.from(unpacked);
  } else if (memberOf(accessor, 'bufferView') === undefined) values = new Float64Array(size);
  else values = readView(accessor, componentType, count, width, place, views);
  const sparse = objectAt(accessor, 'sparse', place);
  if (sparse) replaceSparse(sparse, layout, values, `${place}/sparse`, views);
  return layout.normalized && componentType !== 5126 ? denormalize(values, componentType) : values;
}

function readView(
  owner: JsonObject,
  componentType: number,
  count: number,
  width: number,
  place: string,
  views: ReadonlyMap<number, View>,
  allowStride = true,
): Float64Array {
  const index = memberOf(owner, 'bufferView') as number;
  const view = views.get(index);
  if (view === undefined) return refuse(`${place}/bufferView`, 'is missing');
  const bytesEach = COMPONENTS[componentType]!.bytes;
  const offset = integerAt(owner, 'byteOffset', place, 0, Number.MAX_SAFE_INTEGER, 0);
  const stride = allowStride && view.stride > 0 ? view.stride : width * bytesEach;
  if (stride < width * bytesEach)
    refuse(
      `/bufferViews/${index}/byteStride`,
      `${stride} bytes, but elements of accessor ${place} have ${width * bytesEach}`,
    );
  const end = offset + (count - 1) * stride + width * bytesEach;
  if (end > view.bytes.length)
    refuse(place, `needs ${end} bytes, but bufferView ${index} has ${view.bytes.length}`);
  const bytes = new DataView(view.bytes.buffer, view.bytes.byteOffset, view.bytes.byteLength);
  const read = READERS[componentType]!;
  const values = new Float64Array(count * width);
  for (let i = 0, to = 0; i < count; i++) {
    const from = offset + i * stride;
    for (let j = 0; j < width; j++) values[to++] = read(bytes, from + j * bytesEach);
  }
  return values;
}

const READERS: Readonly<Record<number, (view: DataView, at: number) => number>> = {
  5120: (view, at) => view.getInt8(at),
  5121: (view, at) => view.getUint8(at),
  5122: (view, at) => view.getInt16(at, true),
  5123: (view, at) => view.getUint16(at, true),
  5125: (view, at) => view.getUint32(at, true),
  5126: (view, at) => view.getFloat32(at, true),
};

function replaceSparse(
  sparse: JsonObject,
  { count, width, componentType }: Layout,
  values: Float64Array,
  place: string,
  views: ReadonlyMap<number, View>,
): void {
  const replaced = integerAt(sparse, 'count', place, 1, count);
  const indices = objectAt(sparse, 'indices', place) ?? refuse(`${place}/indices`, 'is missing');
  const source = objectAt(sparse, 'values', place) ?? refuse(`${place}/values`, 'is missing');
  const indexType = componentTypeAt(indices, `${place}/indices`);
  if (indexType !== 5121 && indexType !== 5123 && indexType !== 5125)
    refuse(`${place}/indices/componentType`, 'expected an unsigned integer type');
  const at = readView(indices, indexType, replaced, 1, `${place}/indices`, views, false);
  const by = readView(source, componentType, replaced, width, `${place}/values`, views, false);
  for (let i = 0; i < replaced; i++) {
    const element = at[i]!;
    if (element >= count) refuse(`${place}/indices`, `${element} where an index below ${count} is expected`);
    for (let j = 0; j < width; j++) values[element * width + j] = by[i * width + j]!;
  }
}

const LARGEST: Readonly<Record<number, number>> = {
  5120: 127,
  5121: 255,
  5122: 32767,
  5123: 65535,
  5125: 4294967295,
};

function denormalize(values: Float64Array, componentType: number): Float64Array {
  const largest = LARGEST[componentType]!;
  for (let i = 0; i < values.length; i++) values[i] = Math.max(values[i]! / largest, -1);
  return values;
}

/** Decodes what is read of the Draco meshes of a file: components per accessor index. */
export async function unpackDraco(
  file: GltfFile,
  views: ReadonlyMap<number, View>,
  options: DecoderOptions,
): Promise<Map<number, Components>> {
  const unpacked = new Map<number, Components>();
  for (const [m, mesh] of file.meshes.entries()) {
    for (const [p, primitive] of objectsAt(mesh, 'primitives', `/meshes/${m}`).entries()) {
      const place = `/meshes/${m}/primitives/${p}`;
      const parts = await unpackPrimitive(file, primitive, place, views, options, isReadAttribute);
      for (const [accessor, components] of parts) unpacked.set(accessor, components);
    }
  }
  return unpacked;
}

/**
 * Decodes one primitive: components per accessor index, none when it is not compressed by Draco.
 *
 * @param isWanted - which attributes; the triangle corners always are
 */
export async function unpackPrimitive(
  file: GltfFile,
  primitive: JsonObject,
  place: string,
  views: ReadonlyMap<number, View>,
  options: DecoderOptions,
  isWanted: (semantic: string) => boolean,
): Promise<Map<number, Components>> {
  const unpacked = new Map<number, Components>();
  const draco = extensionOf(primitive, DRACO, place);
  if (!draco) return unpacked;
  const inside = `${place}/extensions/${DRACO}`;
  const attributes = objectAt(primitive, 'attributes', place) ?? {};
  const ids = objectAt(draco, 'attributes', inside) ?? {};
  const view = views.get(memberOf(draco, 'bufferView') as number);
  if (view === undefined) return refuse(`${inside}/bufferView`, 'is missing');
  const last = file.accessors.length - 1;
  const wanted = Object.keys(ids)
    .filter((semantic) => isWanted(semantic) && Object.hasOwn(attributes, semantic))
    .map((semantic) => {
      const accessor = integerAt(attributes, semantic, `${place}/attributes`, 0, last);
      const { componentType, width } = layoutOf(file.accessors[accessor]!, `/accessors/${accessor}`);
      const id = integerAt(ids, semantic, `${inside}/attributes`, 0, 2 ** 31 - 1);
      return { accessor, componentType, width, id };
    });
  const decoded = await decodeDraco(view.bytes, wanted, inside, options);
  wanted.forEach(({ accessor }, i) => unpacked.set(accessor, decoded.attributes[i]!));
  const corners = integerAt(primitive, 'indices', place, 0, last, -1);
  if (corners >= 0) unpacked.set(corners, decoded.indices);
  return unpacked;
}
