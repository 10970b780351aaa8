/**
 * The algorithm of VRMC_springBone 1.0 ("SpringBone Algorithm") as its pseudo-code has it: one joint after the other from
 * root to leaf, each with the head and parent as this frame has left them, colliders pushing one at a time. World space
 * but for the inertia, which is measured in the space of the center.
 *
 * In one place the pseudo-code is not taken at its word: the stiffness pulls to the rotation at rest, not to the one that
 * the node has from the last frame (`node.rotation`), or nothing would ever return to rest.
 */
import { add, dot, mul, qmul, sub, type Q4, type V3 } from '../../support/referenceMath.js';
import { jointsOf, tailNow, type Joint } from './joints.js';
import type { Change, Expected, Gltf, Shape } from './model.js';
import { at, back, fromTo, length, localOf, normalThrough, normalized, pose, rounded } from './tree.js';
import { times, treeOf, turned, unitOf, unmoved, worldOf, type Affine, type Tree } from './tree.js';

const deltaTime = 1 / 60;

interface State {
  joint: Joint;
  boneAxis: V3;
  boneLength: number;
  initialRotation: Q4;
  /** Both in the space of the center. */
  prevTail: V3;
  currentTail: V3;
}

export interface Watch {
  positionsOf: number[];
  rotationsOf: number[];
  /** Frames to keep. */
  frames: number[];
}

/** What happens to a tree in a frame after it was posed and before the springs. */
export type Before = (tree: Tree) => void;

/** Plays a file with its motion and keeps what is watched. Frame 0 is the file as it is saved. */
export function play(
  gltf: Gltf,
  motion: Change[],
  { frames, positionsOf, rotationsOf }: Watch,
  before: Before = () => {},
  round?: Tree['round'],
): Expected {
  const tree = treeOf(gltf, round);
  const states = jointsOf(gltf).map((joint) => initialState(tree, joint));
  const kept: Expected['frames'] = [];
  for (let frame = 1; frame <= Math.max(...frames); frame++) {
    pose(tree, motion, frame);
    before(tree);
    for (const state of states) update(tree, state);
    if (frames.includes(frame))
      kept.push({
        frame,
        positions: positionsOf.map((n) => worldOf(tree, n).origin),
        rotations: rotationsOf.map((n) => tree.locals[n]!.rotation),
      });
  }
  return { positionsOf, rotationsOf, frames: kept };
}

function initialState(tree: Tree, joint: Joint): State {
  const tail = tailNow(tree, joint);
  const seen = back(centerOf(tree, joint), tail);
  return {
    joint,
    boneAxis: unitOf(joint.tail),
    boneLength: length(sub(tail, worldOf(tree, joint.node).origin)),
    initialRotation: tree.locals[joint.node]!.rotation,
    prevTail: seen,
    currentTail: seen,
  };
}

function centerOf(tree: Tree, { center }: Joint): Affine {
  return center < 0 ? unmoved : worldOf(tree, center);
}

function update(tree: Tree, state: State): void {
  const { joint, boneAxis, boneLength, initialRotation, currentTail, prevTail } = state;
  const local = tree.locals[joint.node]!;
  local.rotation = initialRotation;
  const atRest = times(worldOf(tree, tree.parents[joint.node]!), localOf(tree, joint.node));
  const center = centerOf(tree, joint);
  const head = atRest.origin;
  const constrained = (tail: V3): V3 => add(head, mul(unitOf(sub(tail, head)), boneLength));

  const inertia = mul(sub(currentTail, prevTail), 1 - joint.dragForce);
  const stiffness = mul(unitOf(turned(atRest, boneAxis)), deltaTime * joint.stiffness);
  const external = mul(joint.gravityDir, deltaTime * joint.gravityPower);
  let nextTail = constrained(add(add(at(center, add(currentTail, inertia)), stiffness), external));

  for (const { node, shape, extensions } of joint.colliders) {
    const extended = extensions?.VRMC_springBone_extended_collider.shape;
    const { direction, distance } = collision(worldOf(tree, node), extended ?? shape, nextTail);
    const gap = distance - joint.hitRadius;
    if (gap < 0) nextTail = constrained(sub(nextTail, mul(direction, gap)));
  }

  state.prevTail = currentTail;
  state.currentTail = rounded(back(center, nextTail), tree.round);
  const to = unitOf(back(atRest, nextTail));
  local.rotation = rounded(normalized(qmul(initialRotation, fromTo(boneAxis, to))), tree.round);
}

/** Distance of a point from a shape and the way out of it; radii as they stand, whatever the scale of the node. */
export function collision(world: Affine, shape: Shape, tail: V3): { direction: V3; distance: number } {
  const { sphere, capsule, plane } = shape;
  const offset = at(world, sphere?.offset ?? capsule?.offset ?? plane?.offset ?? [0, 0, 0]);
  let delta = sub(tail, offset);
  if (plane) {
    const direction = normalThrough(world, plane.normal ?? [0, 0, 1]);
    return { direction, distance: dot(delta, direction) };
  }
  if (capsule) {
    const offsetToTail = sub(at(world, capsule.tail ?? [0, 0, 0]), offset);
    const along = dot(offsetToTail, delta);
    const square = dot(offsetToTail, offsetToTail);
    if (along > square) delta = sub(delta, offsetToTail);
    else if (along > 0) delta = sub(delta, mul(offsetToTail, along / square));
  }
  const { radius = 0, inside = false } = (sphere ?? capsule)!;
  const sign = inside ? -1 : 1;
  return { direction: mul(unitOf(delta), sign), distance: sign * (length(delta) - radius) };
}
