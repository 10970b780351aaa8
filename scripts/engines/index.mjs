// What the tests use of this folder.
export { assetFiles, filesAsScript } from './assetFiles.mjs';
export { bundleProgram } from './bundle.mjs';
export { firstDifference, inLanes } from './compare.mjs';
export { ensureDebian } from './debian.mjs';
export { locate } from './locate.mjs';
export { prelude } from './prelude.mjs';
export { runInShell } from './shells.mjs';
export { engineNamed } from './table.mjs';
