/** Files of other people, as assets. */
import type { Asset } from '../../../src/asset/asset.js';
import { loadBvh } from '../../../src/io/bvh/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { loadVrm } from '../../../src/io/vrm/index.js';
import { readBytes, resolveBeside } from '../../support/gltfBuilder.js';
import { shared } from '../../support/shared.js';

/** Loads a shared file by its ending. */
export async function loadShared(name: string): Promise<Asset> {
  const path = `${shared}/${name}`;
  const bytes = readBytes(path);
  if (name.endsWith('.bvh')) return loadBvh(bytes, { name });
  const options = { name, resolve: resolveBeside(path) };
  return /\.vrma?$/.test(name) ? loadVrm(bytes, options) : loadGltf(bytes, options);
}
