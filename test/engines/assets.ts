/**
 * Entry of the files: loads each that the driver has put into `followthroughFiles`, prints its name with the hash of what was
 * read, and `end` when all are done.
 */
import type { Asset } from '../../src/index.js';
import { loadGltf } from '../../src/io/gltf/index.js';
import { loadVrm } from '../../src/io/vrm/index.js';
import { assetHash } from '../../src/replay/index.js';
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

async function loadAll(): Promise<void> {
  for (const { name, base64 } of (globalThis as unknown as Given).followthroughFiles) {
    const load: (bytes: Uint8Array, options: { name: string }) => Promise<Asset> = name.endsWith('.vrm')
      ? loadVrm
      : loadGltf;
    const asset = await load(bytesOf(base64), { name });
    say(`${name} ${assetHash(asset).toString(16).padStart(16, '0')} ${asset.warnings.length} warnings`);
  }
  say('end');
}

void loadAll().catch((error: unknown) => say(`failed: ${String(error)}`));
