/**
 * Entry of the files: loads each that the driver has put into `followthroughFiles`, prints its name with the hash of what was
 * read, moves the clips of motion files to the characters, and prints `end` when all are done.
 */
import type { Asset } from '../../src/index.js';
import { loadBvh } from '../../src/io/bvh/index.js';
import { loadGltf } from '../../src/io/gltf/index.js';
import { loadVrm } from '../../src/io/vrm/index.js';
import { assetHash } from '../../src/replay/index.js';
import { calibrate, findHumanoid, groundClip, retargetClip } from '../../src/retarget/index.js';
import { say } from './say.js';

interface Given {
  followthroughFiles: { name: string; base64: string }[];
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bytes of a text in base64: shells have no `atob`. */
function bytesOf(base64: string): Uint8Array {
  const values = new Uint8Array(128);
  for (let i = 0; i < digits.length; i++) values[digits.charCodeAt(i)] = i;
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((base64.length / 4) * 3 - padding);
  for (let i = 0, at = 0; i < base64.length; i += 4) {
    let bits = 0;
    for (let k = 0; k < 4; k++) bits = (bits << 6) | values[base64.charCodeAt(i + k)]!;
    // What lies behind the end is padding, and writing it there does nothing.
    for (const shift of [16, 8, 0]) bytes[at++] = (bits >> shift) & 255;
  }
  return bytes;
}

function load(name: string, bytes: Uint8Array): Asset | Promise<Asset> {
  if (name.endsWith('.bvh')) return loadBvh(bytes, { name });
  return name.endsWith('.vrm') ? loadVrm(bytes, { name }) : loadGltf(bytes, { name });
}

function sayHash(name: string, asset: Asset): void {
  say(`${name} ${assetHash(asset).toString(16).padStart(16, '0')} ${asset.warnings.length} warnings`);
}

async function loadAll(): Promise<void> {
  const assets: Asset[] = [];
  for (const { name, base64 } of (globalThis as unknown as Given).followthroughFiles) {
    const asset = await load(name, bytesOf(base64));
    assets.push(asset);
    sayHash(name, asset);
  }
  const bodies = assets.filter(({ name, meshes }) => !name.endsWith('.bvh') && meshes.length > 0);
  for (const motion of assets.filter(({ name }) => name.endsWith('.bvh')))
    for (const body of bodies.filter((asset) => findHumanoid(asset).warnings.length === 0)) {
      const { clip } = groundClip(body, retargetClip(calibrate(motion, body), motion, 0));
      sayHash(`${motion.name} on ${body.name}`, { ...body, clips: [clip] });
    }
  say('end');
}

void loadAll().catch((error: unknown) => say(`failed: ${String(error)}`));
