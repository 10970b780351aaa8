/**
 * Entry point `followthrough/bvh`: motion capture in BVH files, read, mended and written.
 *
 * @module followthrough/bvh
 */
export type { Bvh, BvhChannel, BvhEnd, BvhJoint } from './bvh.js';
export { bvhAsset, loadBvh, type BvhAssetOptions } from './bvhAsset.js';
export type { PositionMeaning } from './bvhPose.js';
export { auditLeaves } from './leafAudit.js';
export { repairLeaves, type LeafRepair, type RepairLeavesOptions } from './leafRepair.js';
export type { LeafAudit, LeafEnd, LeafFinding, LeafGroup, LeafVerdict } from './leafTypes.js';
export { readBvh, type ReadBvhOptions } from './readBvh.js';
export { writeBvh } from './writeBvh.js';
