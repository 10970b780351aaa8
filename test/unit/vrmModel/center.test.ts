/** The centre bone: what moves with it is not felt (VRM's center; K kinds of users whose hair flies when they walk). */
import { describe, expect, it } from 'vitest';
import {
  addChains,
  addCharacter,
  createPose,
  createWorld,
  readPose,
  rowOf,
  setPose,
  setRoot,
  step,
  type ChainDefinition,
  type World,
} from '../../../src/index.js';
import { axisAngle, len, qinv, qmul, qrot, sub, type Q4, type V3 } from '../../support/referenceMath.js';
import { naive, plain, vrmTail, worstDistance, type Motion } from './support.js';

const spec = { links: 3, length: 0.3, hips: [0, 0.1, -0.1] as V3, axes: 3 };
const tail = vrmTail(spec, [plain]);

/** How the centre goes through the world: far, fast, round. */
const wander: Motion = (t) => ({
  position: [3 * t, 0.4 * Math.sin(7 * t), -2 * t * t],
  rotation: axisAngle([0.2, 1, 0.1], 5 * t),
});
/** How the attachment turns under it. */
const nod = (t: number): Q4 =>
  qmul(axisAngle([0, 1, 0], 0.8 * Math.sin(3 * t)), axisAngle([1, 0, 0], 0.4 * t));

interface Played {
  world: World;
  /** Tips per tick as the centre sees them. */
  seen: V3[][];
}

function play(center: number | undefined, seconds: number, root: Motion, mirror = 1, tickRate = 60): Played {
  const world = createWorld({ tickRate });
  const character = addCharacter(world, tail.asset, { frame: { up: [0, 1, 0], forward: [0, 0, 1] } });
  const definition: ChainDefinition = { ...tail.definition, ...(center !== undefined && { center }) };
  const [chain] = addChains(world, character, { chains: [definition], teleport: 'none', floor: false });
  const pose = readPose(world, character, createPose(world, character));
  const seen: V3[][] = [];
  const hips = tail.bones.hips;
  for (let k = 0; k <= Math.round(seconds * tickRate); k++) {
    const t = k / tickRate;
    const { position, rotation } = root(t);
    setRoot(world, character, { position, rotation, scale: [mirror, 1, 1] });
    pose.rotations.set(qmul(nod(t), tail.bind.attachment), 4 * hips);
    setPose(world, character, pose);
    step(world);
    const { particle, chain: chains } = world.views;
    const first = chains.first[rowOf(world, 'chain', chain!)]!;
    const tips = [0, 1, 2].map((i): V3 => {
      const at = 3 * (first + i);
      const place: V3 = [particle.position[at]!, particle.position[at + 1]!, particle.position[at + 2]!];
      const own = qrot(qinv(rotation), sub(place, position));
      return [mirror * own[0], own[1], own[2]];
    });
    if (k > 0) seen.push(tips);
  }
  return { world, seen };
}

/** The algorithm with a centre that stands still. */
const still = naive(tail, [0, 0, 0], [plain], (t) => ({ position: spec.hips, rotation: nod(t) }), 2);
const armature = 1;

describe('centre', () => {
  it('chains move as if it stood still, wherever it goes', () => {
    expect(worstDistance(play(armature, 2, wander).seen, still)).toBeLessThan(1e-9);
  });

  it('without one they do not', () => {
    expect(worstDistance(play(undefined, 2, wander).seen, still)).toBeGreaterThan(0.05);
  });

  it('in a mirrored character too', () => {
    expect(worstDistance(play(armature, 2, wander, -1).seen, still)).toBeLessThan(1e-9);
  });

  it('below 60 ticks the steps within a tick see it too', () => {
    const rest: Motion = () => ({ position: [0, 0, 0], rotation: [0, 0, 0, 1] });
    const moving = play(armature, 2, wander, 1, 20).seen;
    expect(worstDistance(moving, play(armature, 2, rest, 1, 20).seen)).toBeLessThan(1e-9);
  });

  it('as the attachment itself nothing is felt: the chain rides rigidly', () => {
    const { seen } = play(tail.bones.hips, 2, wander);
    for (const [k, tips] of seen.entries()) {
      const attachment = qmul(nod((k + 1) / 60), tail.bind.attachment);
      let head: V3 = spec.hips;
      let rotation = attachment;
      tips.forEach((tip, i) => {
        rotation = qmul(rotation, tail.bind.locals[i]!);
        const rigid = qrot(rotation, tail.bind.offsets[i]!);
        const expected: V3 = [head[0] + rigid[0], head[1] + rigid[1], head[2] + rigid[2]];
        expect(len(sub(tip, expected))).toBeLessThan(1e-9);
        head = expected;
      });
    }
  });
});
