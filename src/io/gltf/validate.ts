/**
 * Khronos' glTF validator, and the line between faults that concern what is read (the file is refused) and all
 * others (warnings). The line: a fault refuses the file when its JSON pointer leads to nodes' transforms, children,
 * mesh and skin, to skins, to translation, rotation and scale channels, to positions, joints, weights and indices,
 * to accessors and buffers these stand in, or to the container; the exceptions are listed below.
 */
import { FollowthroughError, type Warning } from '../../asset/errors.js';
import type { Message } from 'gltf-validator';
import { isGlb } from './container.js';
import { DRACO, isReadAttribute, isReadPath, MESHOPT, type GltfFile, type UsedParts } from './gltfFile.js';
import { isObject, listAt, memberOf, oneLine } from './json.js';

const ERROR = 0;
// The validator walks JSON by recursion and its stack overflow cannot be caught.
const MAX_DEPTH = 256;
const [QUOTE, BACKSLASH, BRACE, BRACKET] = [0x22, 0x5c, 0x7b, 0x5b];
const NOT_READ = 'this file is not read';

/** Faults whose place is read, but whose subject is not, or is kept as stored. */
const TOLERATED: ReadonlySet<string> = new Set([
  // The skeleton property and the scenes are not read.
  'SKIN_SKELETON_INVALID',
  'NODE_SKIN_NO_SCENE',
  // Weights are kept as stored; the sum over repeated joints is the same.
  'ACCESSOR_WEIGHTS_NON_NORMALIZED',
  'ACCESSOR_JOINTS_INDEX_DUPLICATE',
  // Declared bounds of values are not read.
  'ACCESSOR_MIN_MISMATCH',
  'ACCESSOR_MAX_MISMATCH',
  'ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND',
  'ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND',
  'MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS',
  // Hints for graphics memory, and types of data URIs.
  'BUFFER_VIEW_TARGET_OVERRIDE',
  'BUFFER_DATA_URI_MIME_TYPE_INVALID',
  // Materials and morph targets.
  'MESH_PRIMITIVE_NO_TANGENT_SPACE',
  'MESH_PRIMITIVE_TOO_FEW_TEXCOORDS',
  'MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT',
]);

/** Extensions that stand for data that is read. */
const COMPRESSIONS: readonly string[] = [DRACO, ...MESHOPT];

/** Members of a node that are read. */
const NODE_MEMBERS: readonly string[] = [
  'children',
  'mesh',
  'skin',
  'matrix',
  'translation',
  'rotation',
  'scale',
  'name',
];

/**
 * Validates a file; faults that do not concern what is read are added to `warnings`.
 *
 * @param bytes - the whole file
 * @param text - its JSON text
 * @param buffers - loaded buffers by index
 * @throws FollowthroughError `invalid-file` for the first fault in what is read
 */
export async function validateGltf(
  bytes: Uint8Array,
  text: Uint8Array,
  file: GltfFile,
  used: UsedParts,
  buffers: ReadonlyMap<number, Uint8Array>,
  warnings: Warning[],
): Promise<void> {
  const messages = await runValidator(bytes, text, file, buffers, warnings);
  const faults = new Map<string, { message: Message; count: number }>();
  for (const message of messages) {
    if (message.severity !== ERROR) continue;
    const place = message.pointer ?? '';
    if (concernsWhatIsRead(message, file, used))
      throw new FollowthroughError(
        'invalid-file',
        oneLine(`${place || `byte ${message.offset ?? 0}`}: ${message.message} (${message.code})`),
      );
    const key = `${message.code} ${place.replace(/\/\d+/g, '/*')}`;
    const fault = faults.get(key);
    if (fault) fault.count++;
    else faults.set(key, { message, count: 1 });
  }
  for (const { message, count } of faults.values()) {
    const times = count > 1 ? ` (${count} times)` : '';
    warnings.push({
      code: `gltf-${message.code.toLowerCase().replaceAll('_', '-')}`,
      message: oneLine(`${message.pointer ?? '/'}: ${message.message}${times}`),
      at: message.pointer ?? '/',
    });
  }
}

/** Levels of nesting in a JSON text. */
function depthOf(text: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === QUOTE) inString = !inString;
    else if (inString) i += char === BACKSLASH ? 1 : 0;
    else if (char === BRACE || char === BRACKET) deepest = Math.max(deepest, ++depth);
    else if (char === BRACE + 2 || char === BRACKET + 2) depth--;
  }
  return deepest;
}

async function runValidator(
  bytes: Uint8Array,
  text: Uint8Array,
  file: GltfFile,
  buffers: ReadonlyMap<number, Uint8Array>,
  warnings: Warning[],
): Promise<Message[]> {
  if (depthOf(text) > MAX_DEPTH) {
    warnings.push({
      code: 'not-validated',
      message: `JSON: nested deeper than ${MAX_DEPTH} levels`,
      at: '/',
    });
    return [];
  }
  const loaded = new Map<unknown, Uint8Array>();
  for (const [index, buffer] of buffers) loaded.set(memberOf(file.buffers[index]!, 'uri'), buffer);
  // The validator reads from the start of the underlying memory, whatever the view's offset.
  const whole = (view: Uint8Array): Uint8Array =>
    view.byteLength === view.buffer.byteLength ? view : Uint8Array.from(view);
  try {
    const { validateBytes } = await import('gltf-validator');
    const report = await validateBytes(whole(bytes), {
      format: isGlb(bytes) ? 'glb' : 'gltf',
      writeTimestamp: false,
      maxIssues: 0,
      externalResourceFunction: async (uri) => {
        const buffer = loaded.get(uri);
        if (!buffer) throw new Error(NOT_READ);
        return whole(buffer);
      },
    });
    // Image files and unused buffers are not fetched; that is no fault of the file.
    return report.issues.messages.filter(
      ({ code, message }) => code !== 'IO_ERROR' || !message.includes(NOT_READ),
    );
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    warnings.push({ code: 'not-validated', message: oneLine(`the validator did not run, ${why}`), at: '/' });
    return [];
  }
}

/** Decides whether a fault lies in something that becomes part of the asset. */
function concernsWhatIsRead(message: Message, file: GltfFile, used: UsedParts): boolean {
  if (TOLERATED.has(message.code)) return false;
  const pointer = message.pointer ?? '';
  const path = pointer.split('/').slice(1);
  const [list = '', index, member, ...inner] = path;
  const i = Number(index);
  const extension = path.indexOf('extensions');
  if (path.includes('extras') || (extension >= 0 && !COMPRESSIONS.includes(path[extension + 1] ?? '')))
    return false;
  switch (list) {
    case '':
      return true;
    case 'asset':
      return index === undefined || index === 'version' || index === 'minVersion';
    case 'nodes':
      return member === undefined || NODE_MEMBERS.includes(member);
    case 'skins':
      return member !== 'skeleton';
    case 'meshes':
      return concernsPrimitive(member, inner);
    case 'animations':
      return concernsAnimation(file, i, member, inner);
    case 'accessors':
      return index === undefined || used.accessors.has(i);
    case 'bufferViews':
      return index === undefined || used.bufferViews.has(i);
    case 'buffers':
      return index === undefined || used.buffers.has(i);
    default:
      return false;
  }
}

function concernsPrimitive(member: string | undefined, inner: readonly string[]): boolean {
  if (member === undefined) return true;
  if (member !== 'primitives') return false;
  const [, part, semantic] = inner;
  if (part === undefined || ['indices', 'mode', 'extensions'].includes(part)) return true;
  return part === 'attributes' && (semantic === undefined || isReadAttribute(semantic));
}

function concernsAnimation(
  file: GltfFile,
  index: number,
  member: string | undefined,
  inner: readonly string[],
): boolean {
  if (member === undefined) return true;
  if (member !== 'channels' && member !== 'samplers') return false;
  const [position] = inner;
  if (position === undefined) return true;
  const channels = listAt(file.animations[index]!, 'channels', '').filter(isObject);
  const readChannel = (channel: unknown): boolean => {
    const target = isObject(channel) ? memberOf(channel, 'target') : undefined;
    // A channel without a target or path cannot be told to be one that is passed over.
    const path = isObject(target) ? memberOf(target, 'path') : undefined;
    return path === undefined || isReadPath(path);
  };
  if (member === 'channels') return readChannel(channels[Number(position)]);
  const users = channels.filter((channel) => memberOf(channel, 'sampler') === Number(position));
  return users.length === 0 || users.some(readChannel);
}
