/**
 * The decoders of compressed files. They are WebAssembly and large, so they are imported when the first file
 * asks for them, or handed in by the caller (a browser page serves Draco's .wasm from where it likes).
 */
import { FollowthroughError } from '../../asset/errors.js';
import { refuse } from './json.js';

/** A list of numbers as a decoder gives it. */
export type Components = Float32Array | Uint32Array | Uint16Array | Int16Array | Uint8Array | Int8Array;

/** What is used of `MeshoptDecoder` (npm meshoptimizer). */
export interface MeshoptModule {
  /** Settles when the WebAssembly is ready. */
  ready: Promise<void>;
  /** False where WebAssembly is missing. */
  supported: boolean;
  /** Decodes one buffer view into `target`. */
  decodeGltfBuffer: (
    target: Uint8Array,
    count: number,
    size: number,
    source: Uint8Array,
    mode: string,
    filter?: string,
  ) => void;
}

/** What `createDecoderModule()` of npm draco3dgltf gives; only handed through here. */
export type DracoModule = object;

/** Decoders to use instead of the bundled packages. */
export interface DecoderOptions {
  /**
   * Gives the module of Draco's decoder, as its `createDecoderModule()` or `DracoDecoderModule()` does. Default:
   * npm draco3dgltf, which runs in Node only; a browser page must give its own to read Draco files.
   */
  draco?: () => Promise<DracoModule>;
  /** Gives meshoptimizer's decoder; default: npm meshoptimizer. */
  meshopt?: () => Promise<MeshoptModule>;
}

/** Gets the meshopt decoder ready. */
export async function loadMeshopt(options: DecoderOptions): Promise<MeshoptModule> {
  const decoder = await available('meshoptimizer', async () =>
    options.meshopt
      ? options.meshopt()
      : ((await import('meshoptimizer/decoder')).MeshoptDecoder as MeshoptModule),
  );
  if (!decoder.supported) throw new FollowthroughError('unsupported-file', 'meshopt needs WebAssembly');
  await decoder.ready;
  return decoder;
}

let draco: Promise<DracoModule> | undefined;

async function loadDraco(options: DecoderOptions): Promise<DracoApi> {
  const module = await available('draco3dgltf', async () => {
    if (options.draco) return options.draco();
    // The package requires Node's fs, so bundlers must not follow this import: a page hands in its own decoder.
    const name = 'draco3dgltf';
    draco ??= import(/* @vite-ignore */ /* webpackIgnore: true */ name).then((npm: DracoPackage) =>
      npm.default.createDecoderModule(),
    );
    return draco;
  });
  return module as DracoApi;
}

async function available<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FollowthroughError('unsupported-file', `the decoder ${name} cannot be loaded, ${why}`);
  }
}

interface DracoPackage {
  default: { createDecoderModule: () => Promise<DracoModule> };
}
interface DracoApi {
  Decoder: new () => DracoDecoder;
  DecoderBuffer: new () => { Init: (bytes: Uint8Array, length: number) => void };
  Mesh: new () => DracoMesh;
  TRIANGULAR_MESH: number;
  HEAPU8: Uint8Array;
  [type: `DT_${string}`]: number;
  _malloc: (size: number) => number;
  _free: (at: number) => void;
  destroy: (thing: object) => void;
}
interface DracoMesh {
  ptr: number;
  num_faces: () => number;
  num_points: () => number;
}
interface DracoAttribute {
  ptr: number;
  num_components: () => number;
}
interface DracoDecoder {
  GetEncodedGeometryType: (buffer: object) => number;
  DecodeBufferToMesh: (buffer: object, mesh: DracoMesh) => { ok: () => boolean };
  GetAttributeByUniqueId: (mesh: DracoMesh, id: number) => DracoAttribute;
  GetAttributeDataArrayForAllPoints: (
    mesh: DracoMesh,
    attribute: DracoAttribute,
    type: number,
    size: number,
    at: number,
  ) => boolean;
  GetTrianglesUInt32Array: (mesh: DracoMesh, size: number, at: number) => boolean;
}

/** A component type of glTF: its array, and what Draco calls it. */
export const COMPONENTS: Readonly<
  Record<number, { array: new (buffer: ArrayBuffer) => Components; bytes: number; draco: `DT_${string}` }>
> = {
  5120: { array: Int8Array, bytes: 1, draco: 'DT_INT8' },
  5121: { array: Uint8Array, bytes: 1, draco: 'DT_UINT8' },
  5122: { array: Int16Array, bytes: 2, draco: 'DT_INT16' },
  5123: { array: Uint16Array, bytes: 2, draco: 'DT_UINT16' },
  5125: { array: Uint32Array, bytes: 4, draco: 'DT_UINT32' },
  5126: { array: Float32Array, bytes: 4, draco: 'DT_FLOAT32' },
};

/** One attribute to take out of a Draco mesh. */
export interface DracoRequest {
  /** Draco's id of the attribute. */
  id: number;
  /** Component type of the accessor that stands for it. */
  componentType: number;
  /** Components per element of that accessor. */
  width: number;
}

/** Decodes a Draco mesh: triangle corners, and the requested attributes in their order. */
export async function decodeDraco(
  bytes: Uint8Array,
  requests: readonly DracoRequest[],
  place: string,
  options: DecoderOptions,
): Promise<{ indices: Uint32Array; attributes: Components[] }> {
  const api = await loadDraco(options);
  const made: object[] = [];
  const keep = <T extends object>(thing: T): T => {
    made.push(thing);
    return thing;
  };
  try {
    const decoder = keep(new api.Decoder());
    const buffer = keep(new api.DecoderBuffer());
    buffer.Init(bytes, bytes.length);
    const mesh = keep(new api.Mesh());
    if (decoder.GetEncodedGeometryType(buffer) !== api.TRIANGULAR_MESH)
      refuse(place, 'holds no Draco triangle mesh');
    if (!decoder.DecodeBufferToMesh(buffer, mesh).ok() || mesh.ptr === 0) refuse(place, 'cannot be decoded');
    const copy = (size: number, fill: (at: number) => boolean): ArrayBuffer => {
      const at = api._malloc(size);
      try {
        if (!fill(at)) refuse(place, 'cannot be decoded');
        return api.HEAPU8.slice(at, at + size).buffer as ArrayBuffer;
      } finally {
        api._free(at);
      }
    };
    const corners = mesh.num_faces() * 12;
    const indices = new Uint32Array(
      copy(corners, (at) => decoder.GetTrianglesUInt32Array(mesh, corners, at)),
    );
    const attributes = requests.map(({ id, componentType, width }) => {
      const attribute = decoder.GetAttributeByUniqueId(mesh, id);
      if (attribute.ptr === 0 || attribute.num_components() !== width)
        refuse(place, `attribute ${id} with ${width} components is not in the compressed data`);
      const { array, bytes: bytesEach, draco: type } = COMPONENTS[componentType]!;
      const size = mesh.num_points() * width * bytesEach;
      return new array(
        copy(size, (at) => decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, api[type]!, size, at)),
      );
    });
    return { indices, attributes };
  } catch (error) {
    if (error instanceof FollowthroughError) throw error;
    return refuse(place, 'cannot be decoded');
  } finally {
    for (const thing of made) api.destroy(thing);
  }
}
