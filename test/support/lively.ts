/**
 * A world in which everything happens that can: inputs that depend on the tick and the world alone, so that they can be
 * given again after a rollback, in another process or from a restored snapshot. There are quiet times in which chains sleep.
 */
import {
  addChains,
  addCharacter,
  addCollider,
  addConstraints,
  addFloor,
  chainsOf,
  createWorld,
  enableChain,
  entitiesOf,
  play,
  removeChain,
  removeCharacter,
  removeCollider,
  removeConstraint,
  removeFloor,
  resetChain,
  rowOf,
  setChain,
  setCollider,
  setConstraint,
  setFloor,
  setPlayerWeight,
  setPose,
  setRoot,
  setWind,
  stop,
  teleport,
  type Asset,
  type ChainDefinition,
  type World,
  type WorldOptions,
} from '../../src/index.js';
import { makeTail } from './chains.js';
import { swayClip } from './poses.js';
import { seeded } from './referenceMath.js';
import { strands } from './strands.js';

interface Kind {
  asset: Asset;
  chains: ChainDefinition[];
  /** Chains that can be added and removed on their own. */
  vrm?: boolean;
}

/** Keys from Math.sin, rounded to numbers that every engine computes alike. */
function rounded(asset: Asset): Asset {
  for (const clip of asset.clips)
    for (const track of clip.tracks) track.values = track.values.map((x) => Math.round(x * 1024) / 1024);
  return asset;
}

function kinds(): Kind[] {
  const tail = makeTail({
    links: 5,
    legs: 2,
    clips: ({ hips, links }) => [
      swayClip(hips, [0, 1, 0], 0.5, 1),
      swayClip(hips, [1, 0, 0], 0.25, 0.7),
      swayClip(links[1]!, [1, 0, 0], 0.25, 0.5),
    ],
  });
  tail.asset.clips.forEach((clip, i) => (clip.name = `clip${i}`));
  // One that jumps where it wraps around.
  tail.asset.clips[1]!.tracks[0]!.values.set(
    [0, 0.6, 0, 0.8],
    tail.asset.clips[1]!.tracks[0]!.values.length - 4,
  );
  const springs = makeTail({ links: 4, direction: [0.5, -1, -0.25], armature: 0.01 });
  springs.definition.joints = springs.bones.links.map((bone, k) => ({
    bone,
    stiffness: k === 3 ? 0 : 1 - k / 8,
    gravityPower: 0.25,
    gravityDir: [0, -1, 0],
    dragForce: 0.4,
    hitRadius: 0.02,
  }));
  springs.definition.center = springs.bones.root;
  const hair = strands([
    [-0.03125, 0, 0],
    [0.03125, 0, 0.0078125],
  ]);
  return [
    { asset: rounded(tail.asset), chains: [tail.definition] },
    { asset: springs.asset, chains: [springs.definition], vrm: true },
    { asset: hair.asset, chains: hair.chains },
  ];
}

/** The assets of the lively world, made anew: what another process would load. */
export function livelyAssets(): Asset[] {
  return kinds().map(({ asset }) => asset);
}

/** Makes the world and what is done before each of its ticks. */
export function livelyWorld(
  seed: number,
  options: WorldOptions = {},
): { world: World; input: (world: World) => void; assets: Asset[] } {
  const world = createWorld(options);
  const all = kinds();
  const input = (of: World): void => livelyInput(of, all, seed);
  addFloor(world, { point: [0, 0.25, 0] });
  for (const kind of all) addOne(world, kind, seeded(seed));
  return { world, input, assets: all.map(({ asset }) => asset) };
}

/** Adds a character of a kind with its chains. */
function addOne(world: World, { asset, chains, vrm }: Kind, random: () => number): void {
  const place = (): number => Math.floor(random() * 64) / 16;
  const character = addCharacter(world, asset, {
    position: [place(), 0.5, place()],
    frame: { up: [0, 1, 0], forward: [0, 0, 1] },
    ...(random() < 0.25 && { scale: [-1, 1, 1] as const }),
  });
  addChains(world, character, {
    chains,
    ...(vrm ? {} : { air: 0.5, chainMask: 1, restCurve: 0.5, carry: 0.25 }),
  });
}

type Action = (world: World, character: number, random: () => number, all: readonly Kind[]) => void;

const pick = (list: readonly number[], random: () => number): number | undefined =>
  list[Math.floor(random() * list.length)];
const number = (random: () => number): number => Math.floor((random() - 0.5) * 256) / 128;

function withOne(
  store: 'chain' | 'collider' | 'floor' | 'player' | 'constraint',
  act: (world: World, entity: number, random: () => number) => void,
): Action {
  return (world, _character, random) => {
    const entity = pick(entitiesOf(world, store), random);
    if (entity !== undefined) act(world, entity, random);
  };
}

const hasClips = (world: World, character: number): boolean =>
  world.views.character.boneCount[rowOf(world, 'character', character)] === kindBones;
/** Bones of the kind that has clips, legs and constraints: root, armature, hips, five links, end, two legs. */
const kindBones = 11;

/** Everything that can be done to a world, more often the first ones. */
const actions: readonly [number, Action][] = [
  [
    30,
    (world, character, random) =>
      setRoot(world, character, { position: [number(random), 0.5, number(random)] }),
  ],
  [8, (world, character) => setRoot(world, character, { rotation: [0, 0.6, 0, 0.8] })],
  [
    3,
    (world, character, random) => {
      teleport(world, character);
      setRoot(world, character, { position: [number(random), 0.5, 0] });
    },
  ],
  [3, (world, character) => setRoot(world, character, { position: [40, 0.5, -7] })],
  [
    6,
    (world, character, random) => {
      if (hasClips(world, character))
        play(world, character, Math.floor(random() * 3), {
          add: random() < 0.5,
          weight: 0.75,
          time: random() / 2,
          speed: 0.5 + random(),
          loop: random() < 0.7,
        });
    },
  ],
  [3, (world, character) => stop(world, character)],
  [
    5,
    (world, character, random) => {
      const { boneCount } = world.views.character;
      const rotations = new Float64Array(4 * boneCount[rowOf(world, 'character', character)]!);
      for (let b = 0; b < rotations.length; b += 4) rotations[b + 3] = 1;
      const s = number(random) / 4;
      rotations[8] = s;
      rotations[11] = Math.sqrt(1 - s * s);
      setPose(world, character, { rotations });
    },
  ],
  [
    3,
    (world, _, random) =>
      setWind(world, { velocity: [number(random), 0, 2], gusts: 0.5, sway: 0.5, seed: 7 }),
  ],
  [2, (world) => setWind(world)],
  [
    4,
    withOne('chain', (world, chain, random) =>
      setChain(world, chain, { weight: Math.abs(number(random)), carry: number(random) / 2 }),
    ),
  ],
  [
    2,
    withOne('chain', (world, chain, random) =>
      setChain(world, chain, {
        restPose: random() < 0.5 ? 'animated' : 'bind',
        owner: random() < 0.3 ? 'auto' : 'solver',
      }),
    ),
  ],
  [2, withOne('chain', (world, chain) => resetChain(world, chain))],
  [3, withOne('chain', (world, chain, random) => enableChain(world, chain, random() < 0.6))],
  [1, withOne('chain', removeChain)],
  [
    2,
    (world, character, random, all) => {
      const kind = all.find(
        ({ asset }) =>
          asset.skeleton.count === world.views.character.boneCount[rowOf(world, 'character', character)],
      )!;
      if (chainsOf(world, character).length === 0)
        addChains(world, character, { chains: kind.chains, damping: 0.5 + random() / 4 });
    },
  ],
  [
    4,
    (world, character, random) => {
      if (entitiesOf(world, 'collider').length < 6)
        addCollider(world, {
          ...(random() < 0.7 && { character, bone: random() < 0.3 ? 4 : 2 }),
          shape: {
            kind: 'capsule',
            offset: [0, -0.25, number(random) / 8],
            tail: [0.25, -0.375, 0],
            radius: 0.0625,
          },
        });
    },
  ],
  [
    2,
    withOne('collider', (world, collider) =>
      setCollider(world, collider, { kind: 'sphere', offset: [0, -0.25, 0], radius: 0.125 }),
    ),
  ],
  [2, withOne('collider', removeCollider)],
  [
    4,
    withOne('floor', (world, floor, random) => setFloor(world, floor, { point: [0, number(random) / 8, 0] })),
  ],
  [1, (world) => void (entitiesOf(world, 'floor').length < 3 && addFloor(world, { normal: [0.25, 1, 0] }))],
  [1, withOne('floor', removeFloor)],
  [2, withOne('player', (world, player, random) => setPlayerWeight(world, player, random()))],
  [
    2,
    (world, character) => {
      if (hasClips(world, character) && entitiesOf(world, 'constraint').length < 3)
        addConstraints(world, character, [
          { bone: 9, source: 2, kind: 'roll', axis: [0, 1, 0], weight: 0.75 },
        ]);
    },
  ],
  [
    2,
    withOne('constraint', (world, constraint, random) =>
      setConstraint(world, constraint, { weight: random() }),
    ),
  ],
  [1, withOne('constraint', removeConstraint)],
  [
    1,
    (world, _character, random, all) =>
      void (
        entitiesOf(world, 'character').length < 6 &&
        addOne(world, all[Math.floor(random() * all.length)]!, random)
      ),
  ],
  [
    1,
    (world, character) =>
      void (entitiesOf(world, 'character').length > 2 && removeCharacter(world, character)),
  ],
];
const weights = actions.reduce((sum, [weight]) => sum + weight, 0);

/** Ticks of one round, and how many of them are quiet at its beginning. */
const round = 260;
const quiet = 110;

function livelyInput(world: World, all: readonly Kind[], seed: number): void {
  const random = seeded(Math.imul(world.tick + 1, 0x9e3779b1) ^ seed);
  const phase = world.tick % round;
  if (phase === 0 && world.tick > 0) {
    setWind(world);
    for (const character of entitiesOf(world, 'character')) stop(world, character);
    // From rest they sleep soon; swinging they would take 11 seconds.
    for (const chain of entitiesOf(world, 'chain')) resetChain(world, chain);
  }
  staged(world, phase);
  if (phase < quiet || random() < 0.6) return;
  for (let i = Math.floor(random() * 3); i >= 0; i--) {
    const character = pick(entitiesOf(world, 'character'), random)!;
    let at = random() * weights;
    const [, act] = actions.find(([weight]) => (at -= weight) < 0)!;
    act(world, character, random, all);
  }
}

/** What chance brings too seldom. */
function staged(world: World, phase: number): void {
  const [chain] = entitiesOf(world, 'chain');
  const dancer = entitiesOf(world, 'character').find((character) => hasClips(world, character));
  // Something that sleeping chains may lie on goes.
  if (phase === 10 && dancer !== undefined) addCollider(world, { character: dancer, bone: 2, shape: far });
  if (phase === 100)
    for (const collider of entitiesOf(world, 'collider').slice(-1)) removeCollider(world, collider);
  // A clip wraps around, jumping, while structure changes all the time.
  if (phase === 170 && dancer !== undefined) play(world, dancer, 1, { time: 3 });
  if (phase === 200 && dancer !== undefined) play(world, dancer, 1, { time: 0.7 - 1 / 256 });
  if (phase > 170 && phase < 220 && chain !== undefined)
    setChain(world, chain, { damping: 0.5 + phase / 1000 });
}
const far = { kind: 'sphere', offset: [0, 9, 0], radius: 0.125 } as const;
