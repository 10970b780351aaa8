/** Who is on the scene: the world of the scenario, its characters and what else can be named in an event. */
import {
  addChains,
  addCharacter,
  addCollider,
  addConstraints,
  addFloor,
  addSprings,
  createWorld,
  findChains,
  play,
  setWind,
  type Asset,
  type World,
} from '../../src/index.js';
import { charmOf, makeAvatar } from './avatar.js';
import { boneOf } from './buildRig.js';
import { walker, type Walker } from './exact.js';
import { makeFox } from './fox.js';
import { impChains, makeImp } from './imp.js';

/** One character: its entity, and its chains, colliders and constraints by name. */
export interface Actor {
  character: number;
  asset: Asset;
  /** Moves it; undefined for one that stands. */
  walker: Walker | undefined;
  things: Record<string, number>;
}

/** The scene. Actors come and go; floors, colliders and players have names. */
export interface Stage {
  world: World;
  assets: { fox: Asset; avatar: Asset; imp: Asset };
  actors: Map<string, Actor>;
  things: Record<string, number>;
}

/** Builds the scene of tick 0. */
export function setStage(): Stage {
  const world = createWorld({ tickRate: 120 });
  const assets = { fox: makeFox(), avatar: makeAvatar(), imp: makeImp() };
  const stage: Stage = { world, assets, actors: new Map(), things: {} };
  addFox(stage, 'fox', 3, [0, 0, 0]);
  addAvatar(stage, 'avatar', 5, [2, 0, 0.5]);
  addImp(stage, 'imp', [-2, 0.125, 0], [-1.5, 1.5, 1.5]);
  setWind(world, { velocity: [1, 0.25, -0.5], gusts: 0.5, sway: 0.25, gustSeconds: 0.5, seed: 11 });
  stage.things['ground'] = addFloor(world, { point: [0, 0, 0] });
  stage.things['ramp'] = addFloor(world, { point: [0, -0.25, 0], normal: [0.125, 1, 0.25] });
  // It stands in the world and everybody feels it.
  stage.things['wall'] = addCollider(world, {
    shape: { kind: 'plane', offset: [0, 0, -0.625], normal: [0.25, 0, 1] },
    groups: 1,
  });
  return stage;
}

/** A fox: its tail as found by name, its ears from their roots, colliders on trunk and leg. */
export function addFox(
  { world, assets: { fox }, actors }: Stage,
  name: string,
  seed: number,
  position: [number, number, number],
  scale = 1,
): void {
  const character = addCharacter(world, fox, {
    position,
    scale: [scale, scale, scale],
    ...(scale === 1 ? {} : { frame: { up: [0, 1, 0], forward: [0, 0, 1] } }),
  });
  const [tail] = addChains(world, character, { air: 0.5 });
  const [left, right] = addChains(world, character, {
    chains: findChains(fox, { roots: ['Ear_L1', 'Ear_R1'] }),
    frequency: 6,
    damping: 0.75,
    gravity: 2,
    wind: 0.5,
    limit: 0.5,
    floor: false,
  });
  // Offsets are in units of the bones: 128 to the metre.
  const on = (bone: string) => ({ character, bone: boneOf(fox, bone) });
  const trunk = addCollider(world, {
    ...on('Spine'),
    shape: { kind: 'capsule', offset: [0, 0, -40], tail: [0, 0, 32], radius: 16, tailRadius: 20 },
    groups: 2,
  });
  const leg = addCollider(world, {
    ...on('HindLeg_L'),
    shape: { kind: 'sphere', offset: [0, -8, -8], radius: 10 },
  });
  const things = { tail: tail!, left: left!, right: right!, trunk, leg };
  play(world, character, 'Walk');
  actors.set(name, {
    character,
    asset: fox,
    walker: walker(seed, position),
    things,
  });
}

/** An avatar: what its file says of springs and constraints, its hair by name, the charm by hand. */
export function addAvatar(
  { world, assets: { avatar }, actors }: Stage,
  name: string,
  seed: number,
  position: [number, number, number],
  model?: 'spring',
): void {
  const character = addCharacter(world, avatar, { position });
  const constraints = addConstraints(world, character);
  const { chains: skirt, colliders } = addSprings(world, character, model ? { model } : {});
  const hair = addChains(world, character, { groups: 2, chainMask: 2, radius: 0.015625, colliderMask: 8 });
  const [charm] = addChains(world, character, {
    chains: [charmOf(avatar)],
    frequency: 2,
    colliderMask: 16,
    maxSpeed: 4,
    maxTurn: 8,
  });
  const on = (bone: string) => ({ character, bone: boneOf(avatar, bone) });
  const back = addCollider(world, {
    ...on('Chest'),
    shape: { kind: 'plane', offset: [0, 0, -0.125], normal: [0, 0, -1] },
    groups: 8,
  });
  const skull = addCollider(world, {
    ...on('Head'),
    shape: { kind: 'sphere', offset: [0, 0.09375, 0], radius: 0.109375 },
    groups: 8,
  });
  const bead = addCollider(world, {
    ...on('Hair2_3'),
    shape: { kind: 'capsule', offset: [0, 0, 0], tail: [0, -0.0625, 0], radius: 0.0234375 },
    groups: 16,
  });
  actors.set(name, {
    character,
    asset: avatar,
    walker: walker(seed, position),
    things: {
      sideLeft: skirt[0]!,
      sideRight: skirt[1]!,
      skirtBack: skirt[2]!,
      hair: hair[0]!,
      hair2: hair[1]!,
      hair3: hair[2]!,
      charm: charm!,
      legCapsule: colliders[0]!,
      roll: constraints[0]!,
      follow: constraints[1]!,
      aim: constraints[2]!,
      back,
      skull,
      bead,
    },
  });
}

/** An imp: it stands where it is put, inside a hollow collider, and moves by its clip or by poses. */
export function addImp(
  { world, assets: { imp }, actors }: Stage,
  name: string,
  position: [number, number, number],
  scale: [number, number, number],
): void {
  const character = addCharacter(world, imp, { position, scale });
  const chains = impChains(imp);
  const [tail] = addChains(world, character, {
    chains: [chains.tail],
    restPose: 'animated',
    weight: 0.875,
    gravity: 1,
    inertia: 0.75,
    teleport: 'reset',
  });
  const [horn] = addChains(world, character, {
    chains: [chains.horn],
    frequency: 8,
    tipRatio: 1,
    damping: 0.875,
    coupling: 0,
    // Nothing but its attachment moves it, so it sleeps whenever the imp stands.
    wind: 0,
    floor: false,
    colliderMask: 0,
  });
  const [wing] = addChains(world, character, {
    chains: [chains.wing],
    restFrame: 'attachment',
    restCurve: 0.5,
    carry: 0.25,
    inertiaRotation: 0.5,
    teleport: 'none',
    contactPart: 'tip',
  });
  const hollow = addCollider(world, {
    character,
    bone: boneOf(imp, 'b0'),
    shape: { kind: 'sphere', offset: [0, 0, 0], radius: 0.5, inside: true },
    groups: 2,
  });
  const sleeve = addCollider(world, {
    character,
    bone: boneOf(imp, 't2'),
    shape: {
      kind: 'capsule',
      offset: [0, 0, 0],
      tail: [0.125, 0.25, 0],
      radius: 0.25,
      tailRadius: 0.375,
      inside: true,
    },
    groups: 4,
  });
  play(world, character, 'Curl', { speed: 0.75 });
  actors.set(name, {
    character,
    asset: imp,
    walker: undefined,
    things: { tail: tail!, horn: horn!, wing: wing!, hollow, sleeve },
  });
}
