/**
 * What happens in the scenario, tick by tick: first everything moves, from tick 700 to 1,100 it is calm so that chains fall
 * asleep, then they are woken one way after another and things come and go again.
 */
import {
  addChains,
  addCollider,
  addFloor,
  enableChain,
  play,
  removeChain,
  removeCharacter,
  removeCollider,
  removeConstraint,
  removeFloor,
  resetChain,
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
} from '../../src/index.js';
import { boneOf } from './buildRig.js';
import { turn, walk, wave } from './exact.js';
import { impChains } from './imp.js';
import { addAvatar, addFox, addImp, type Actor, type Stage } from './stage.js';

/** Ticks without wind, walking, clips and moving floors. */
const calm = { from: 700, to: 1100 };

const actor = ({ actors }: Stage, name: string): Actor => actors.get(name)!;
/** A chain, collider or constraint of an actor. */
const own = (stage: Stage, name: string, thing: string): number => actor(stage, name).things[thing]!;

/** What happens before a tick, by its number. */
const events: Record<number, (stage: Stage) => void> = {
  60: (stage) => {
    // A chain moves this one: the tail itself and the ears feel it where the tail has taken it. The cub has none, or it
    // would not come to rest.
    const { character, asset, things } = actor(stage, 'fox');
    const bone = boneOf(asset, 'Tail_4');
    const shape = { kind: 'sphere', offset: [0, -4, 0], radius: 3 } as const;
    things['tip'] = addCollider(stage.world, { character, bone, shape });
  },
  90: (stage) => resetChain(stage.world, own(stage, 'fox', 'left')),
  130: (stage) => {
    // Told: a jump that would pass for motion.
    const { character, walker } = actor(stage, 'fox');
    teleport(stage.world, character);
    walker!.position[0] += 0.25;
  },
  160: (stage) => setConstraint(stage.world, own(stage, 'avatar', 'roll'), { weight: 0.875 }),
  200: (stage) => {
    const shape = { carry: 0.25, restCurve: 0.75, damping: 0.5, limit: Infinity };
    setChain(stage.world, own(stage, 'imp', 'tail'), shape);
    setChain(stage.world, own(stage, 'imp', 'wing'), { frequency: 1.5, coupling: 6, maxTurn: 4 });
  },
  240: (stage) => enableChain(stage.world, own(stage, 'avatar', 'hair2'), false),
  280: (stage) => enableChain(stage.world, own(stage, 'avatar', 'hair2'), true),
  300: (stage) => {
    play(stage.world, actor(stage, 'fox').character, 'Leap', { speed: 1.25 });
    play(stage.world, actor(stage, 'avatar').character, 'Nod', { time: 0.375 });
  },
  330: (stage) => {
    // Found: each chain answers by its own rule.
    const { position, home } = actor(stage, 'avatar').walker!;
    position[2] += 5;
    home[2] += 5;
  },
  400: (stage) => {
    stage.things['ball'] = addCollider(stage.world, {
      shape: { kind: 'sphere', offset: [0, 1, 0], radius: 0.25 },
      groups: 0xffffffff,
    });
  },
  420: (stage) => {
    const { character } = actor(stage, 'fox');
    stage.things['shake'] = play(stage.world, character, 'Shake', { add: true, weight: 0.5, speed: -1 });
  },
  450: (stage) => setPlayerWeight(stage.world, stage.things['shake']!, 0.75),
  480: (stage) => {
    play(stage.world, actor(stage, 'fox').character, 'Walk');
    setChain(stage.world, own(stage, 'avatar', 'hair'), { chainMask: 0 });
    setChain(stage.world, own(stage, 'avatar', 'hair'), { chainMask: 3, groups: 3 });
  },
  500: (stage) => addFox(stage, 'cub', 21, [1, 0, 1], 0.5),
  520: (stage) => removeChain(stage.world, own(stage, 'imp', 'wing')),
  540: (stage) => removeCollider(stage.world, own(stage, 'fox', 'trunk')),
  560: (stage) => removeConstraint(stage.world, own(stage, 'avatar', 'follow')),
  580: (stage) => {
    play(stage.world, actor(stage, 'fox').character, 'Walk', { loop: false });
  },
  600: (stage) => {
    const { character, things, asset } = actor(stage, 'imp');
    const chains = [impChains(asset).wing];
    const [wing] = addChains(stage.world, character, { chains, frequency: 5, wind: 0 });
    things['wing'] = wing!;
  },
  620: (stage) => removeCollider(stage.world, stage.things['ball']!),
  [calm.from]: (stage) => {
    setWind(stage.world);
    for (const { character } of stage.actors.values()) stop(stage.world, character);
    setChain(stage.world, own(stage, 'cub', 'tail'), { frequency: 4, tipRatio: 1 });
  },
  // Each wakes some of those who sleep.
  1000: (stage) => setChain(stage.world, own(stage, 'imp', 'horn'), { damping: 0.75 }),
  1020: (stage) => setFloor(stage.world, stage.things['ramp']!, { point: [0, -0.125, 0] }),
  1040: (stage) =>
    setCollider(stage.world, own(stage, 'cub', 'leg'), { kind: 'sphere', offset: [0, -8, 0], radius: 12 }),
  1060: (stage) => setRoot(stage.world, actor(stage, 'imp').character, { position: [-2, 0.25, 0] }),
  [calm.to]: (stage) => {
    setWind(stage.world, {
      velocity: [-2, 0, 3],
      gusts: 1,
      sway: 0.5,
      gustSeconds: 0.75,
      seed: 12345,
      groups: 2,
    });
    play(stage.world, actor(stage, 'fox').character, 'Walk', { speed: 1.5 });
    play(stage.world, actor(stage, 'avatar').character, 'Nod', { speed: 2 });
    play(stage.world, actor(stage, 'cub').character, 'Leap');
  },
  1150: (stage) =>
    setChain(stage.world, own(stage, 'avatar', 'skirtBack'), { model: 'spring', owner: 'solver' }),
  1200: (stage) => {
    stage.things['step'] = addFloor(stage.world, { point: [0, 0.125, 0], normal: [0, 1, 0.0625] });
  },
  1250: (stage) => play(stage.world, actor(stage, 'imp').character, 'Curl', { speed: 2 }),
  1300: (stage) => {
    removeCharacter(stage.world, actor(stage, 'cub').character);
    stage.actors.delete('cub');
  },
  1350: (stage) => {
    removeCharacter(stage.world, actor(stage, 'avatar').character);
    stage.actors.delete('avatar');
    // It takes the rows that became free, and plays its springs as hair.
    addAvatar(stage, 'twin', 8, [-1, 0, 2], 'spring');
  },
  1400: (stage) => removeFloor(stage.world, stage.things['step']!),
  1430: (stage) => setFloor(stage.world, stage.things['ramp']!, { point: [0, -1, 0], normal: [0, 1, 0] }),
  1450: (stage) =>
    setRoot(stage.world, actor(stage, 'imp').character, {
      scale: [1.5, 1.25, 1.5],
      rotation: turn([0, 1, 0], 0.5),
    }),
  1500: (stage) => {
    removeCharacter(stage.world, actor(stage, 'imp').character);
    addImp(stage, 'imp', [-1, 0, -1], [1, 1, -1]);
  },
  1550: (stage) => resetChain(stage.world, own(stage, 'imp', 'tail')),
  1600: (stage) => setChain(stage.world, own(stage, 'twin', 'skirtBack'), { model: 'vrm' }),
  1800: (stage) => {
    removeCharacter(stage.world, actor(stage, 'twin').character);
    stage.actors.delete('twin');
    addAvatar(stage, 'avatar', 13, [0.5, 0, 0.5]);
    setWind(stage.world, { velocity: [0, 0, 6], gusts: 0.25, seed: 3 });
  },
};

/** What happens before the tick of this number. */
export function direct(stage: Stage, tick: number): void {
  events[tick]?.(stage);
  if (tick >= calm.from && tick < calm.to) return;
  const { world, actors, things } = stage;
  for (const { character, walker } of actors.values())
    if (walker !== undefined) {
      walk(walker);
      setRoot(world, character, { position: walker.position, rotation: walker.rotation });
    }
  setFloor(world, things['ground']!, { point: [0, 0.4375 * wave((tick % 256) / 256), 0] });
  // Through the hair and back.
  if (tick >= 400 && tick < 620)
    setCollider(world, things['ball']!, {
      kind: 'sphere',
      offset: [1 + 2 * wave(((tick - 400) % 110) / 110), 1.25, 5.25],
      radius: 0.25,
    });
  if (tick >= 350 && tick < 650) poseImp(stage, tick);
}

/** The game poses the imp itself: its trunk leans and its tail bends a little. */
function poseImp(stage: Stage, tick: number): void {
  const { character, asset } = actor(stage, 'imp');
  const rotations = asset.skeleton.rotations.slice();
  const lean = wave((tick % 96) / 96);
  rotations.set(turn([0.5, 0.25, 1], lean / 2), 4 * boneOf(asset, 'b1'));
  rotations.set(turn([1, 0, 0.25], lean / 4 - 0.125), 4 * boneOf(asset, 't3'));
  setPose(stage.world, character, { rotations });
}
