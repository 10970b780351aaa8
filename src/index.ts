/**
 * Follow-through for rigged characters: the simulation core. It knows no renderer, no file format and no platform.
 *
 * @module followthrough
 */
export * from './asset/index.js';
export {
  addChains,
  chainsOf,
  enableChain,
  removeChain,
  resetChain,
  setChain,
  type AddChainsOptions,
} from './setup/chains.js';
export type { ChainOptions } from './setup/chainOptions.js';
export {
  addCharacter,
  removeCharacter,
  setRoot,
  teleport,
  type CharacterOptions,
  type RootTransform,
} from './setup/characters.js';
export { play, setPlayerWeight, stop, type PlayOptions } from './setup/clipPlayers.js';
export {
  addConstraints,
  removeConstraint,
  setConstraint,
  type ConstraintOptions,
} from './setup/constraints.js';
export {
  addCollider,
  removeCollider,
  setCollider,
  type ColliderOptions,
  type ShapeOptions,
} from './setup/colliders.js';
export { findChains, type FindChainsOptions } from './setup/findChains.js';
export { entitiesOf, entityOf, stableIdOf } from './setup/handles.js';
export { addFloor, removeFloor, setFloor, type FloorOptions } from './setup/floors.js';
export {
  addSpringColliders,
  addSprings,
  springChains,
  type AddedSprings,
  type AddSpringsOptions,
} from './setup/springs.js';
export { createPose, setPose, type Pose, type PoseInputs } from './setup/poses.js';
export type { FrameOption } from './setup/rig.js';
export { setWind, type WindOptions } from './setup/wind.js';
export {
  createWorld,
  rowOf,
  type EntityStore,
  type Report,
  type World,
  type WorldOptions,
} from './setup/world.js';
export { orderOf } from './setup/buildOrder.js';
export type { ChainPair, Meeting } from './setup/meeting.js';
export type { Order } from './setup/order.js';
export type { Arena, Capacity, Span } from './components/arena.js';
export type { ArrayOf, Columns, Component, Field, FieldType, Fields, Region } from './components/field.js';
export { Bone } from './components/bone.js';
export { Chain } from './components/chain.js';
export { Character } from './components/character.js';
export { ClipPlayer } from './components/clipPlayer.js';
export { Collider } from './components/collider.js';
export { Constraint } from './components/constraint.js';
export { FloorPlane } from './components/floorPlane.js';
export { Global } from './components/global.js';
export { Particle } from './components/particle.js';
export { PoseInput } from './components/poseInput.js';
export { components, type StoreName, type Views } from './components/stores.js';
export { mathVersion, type Numbers } from './math/index.js';
export { animate } from './systems/animate.js';
export { rebuildBones } from './systems/boneRebuild.js';
export { constrainPoses } from './systems/constraints.js';
export { driverTransforms } from './systems/driverTransforms.js';
export { measureColliders, settleColliders } from './systems/colliderMotion.js';
export { meetChains } from './systems/meetChains.js';
export { measureFloors, settleFloors } from './systems/floorMotion.js';
export { endTick, rememberShownPose, tick } from './systems/pipeline.js';
export { walkChains } from './systems/walk.js';
export { measureWind, settleWind } from './systems/wind.js';
export { advance, step, warmUp } from './systems/advance.js';
export { readPose } from './systems/readPose.js';
