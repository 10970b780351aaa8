/**
 * Snapshots, hashes, rollback and replays: a world that can be written down, compared, taken back and run again, in another
 * process, engine or machine.
 *
 * @module followthrough/replay
 */
export { assetHash, rigHash } from './assetHash.js';
export { applyInputs, tickOf } from './applyInputs.js';
export { createHistory, type History } from './history.js';
export { columnHashes, hash, hashText } from './hash.js';
export { createInputLog, hasInputs, type InputLog } from './inputLog.js';
export { syncTest, type SyncReport } from './syncTest.js';
export { readSnapshot, restore, snapshot, type SnapshotInfo } from './snapshot.js';
export { createRecorder, type Recorder, type RecorderOptions } from './recorder.js';
export {
  openReplay,
  verifyReplay,
  type Mismatch,
  type Player,
  type VerifyOptions,
  type VerifyReport,
} from './verify.js';
