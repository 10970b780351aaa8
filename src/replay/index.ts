/**
 * Snapshots, hashes, rollback and replays: a world that can be written down, compared, taken back and run again, in another
 * process, engine or machine.
 *
 * @module followthrough/replay
 */
export { assetHash, rigHash } from './assetHash.js';
export { applyInputs, tickOf } from './applyInputs.js';
export { createHistory, type History } from './history.js';
export { columnHashes, hash } from './hash.js';
export { createInputLog, type InputLog } from './inputLog.js';
export { syncTest, type SyncReport } from './syncTest.js';
export { readSnapshot, restore, snapshot, type SnapshotInfo } from './snapshot.js';
