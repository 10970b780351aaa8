/**
 * The cosmetic level: nothing is sent, and a client that begins at rest in the middle of the motion comes to where the server
 * is. How soon is measured here and stated in docs/multiplayer.md.
 */
import { describe, expect, it } from 'vitest';
import {
  addChains,
  addCharacter,
  addCollider,
  createWorld,
  setRoot,
  step,
  type World,
} from '../../../src/index.js';
import { makeTail } from '../../support/chains.js';
import { strands } from '../../support/strands.js';

const rate = 120;
const frame = { up: [0, 1, 0], forward: [0, 0, 1] } as const;

type Kind = 'tail' | 'rigged tail' | 'hair' | 'vrm';

function characterOf(world: World, kind: Kind): number {
  const tail = makeTail({ links: 5, length: 0.6 });
  if (kind === 'rigged tail') tail.definition.origin = 'rigged';
  if (kind === 'vrm')
    tail.definition.joints = tail.bones.links.map((bone) => ({
      bone,
      stiffness: 1,
      gravityPower: 0.1,
      gravityDir: [0, -1, 0],
      dragForce: 0.4,
      hitRadius: 0.02,
    }));
  const hair = strands([[0, 0, 0]]);
  const [asset, chains] = kind === 'hair' ? [hair.asset, hair.chains] : [tail.asset, [tail.definition]];
  const character = addCharacter(world, asset, { frame: { up: [...frame.up], forward: [...frame.forward] } });
  addChains(world, character, { chains, owner: 'solver' });
  return character;
}

/** Stands, or walks along z and turns from side to side. */
function move(world: World, character: number, walks: boolean): void {
  const t = world.tick / rate;
  const turn = walks ? Math.sin(1.5 * t) / 2 : 0;
  setRoot(world, character, {
    position: walks ? [Math.sin(t), 0.03 * Math.sin(6 * t), 1.4 * t] : [0, 0, 0],
    rotation: [0, Math.sin(turn / 2), 0, Math.cos(turn / 2)],
  });
}

/** Largest distance between tips of two worlds that were built alike, metres. */
function apart(a: World, b: World): number {
  let most = 0;
  for (let row = 0; row < a.views.particle.id.length; row++) {
    const p = a.views.particle.position.subarray(row * 3, row * 3 + 3);
    const q = b.views.particle.position.subarray(row * 3, row * 3 + 3);
    most = Math.max(most, Math.sqrt((p[0]! - q[0]!) ** 2 + (p[1]! - q[1]!) ** 2 + (p[2]! - q[2]!) ** 2));
  }
  return most;
}

/** Seconds after joining from which on the tips stay within each distance; Infinity when they do not. */
function joined(
  kind: Kind,
  walks: boolean,
  prepare?: (world: World, character: number) => void,
): {
  start: number;
  millimetre: number;
  hundredth: number;
  end: number;
} {
  const server = createWorld({ tickRate: rate });
  const client = createWorld({ tickRate: rate });
  const there = characterOf(server, kind);
  const here = characterOf(client, kind);
  prepare?.(server, there);
  prepare?.(client, here);
  for (let i = 0; i < 3 * rate; i++) {
    move(server, there, true);
    step(server);
  }
  // The client knows the clock and where everybody stands, and nothing of how the chains swing.
  client.views.global.tick[0] = server.tick;
  const result = { start: 0, millimetre: 0, hundredth: 0, end: 0 };
  const seconds = 20;
  for (let i = 1; i <= seconds * rate; i++) {
    move(server, there, walks);
    move(client, here, walks);
    step(server);
    step(client);
    const distance = apart(server, client);
    if (i === 1) result.start = distance;
    if (distance > 1e-3) result.millimetre = i / rate;
    if (distance > 1e-5) result.hundredth = i / rate;
    result.end = distance;
  }
  for (const key of ['millimetre', 'hundredth'] as const) if (result[key] === seconds) result[key] = Infinity;
  return result;
}

describe('a client that joins at rest', () => {
  it.each([
    ['tail', 4.5],
    ['rigged tail', 4.5],
    ['hair', 1.5],
    ['vrm', 1],
  ] as const)('sees a %s where the server has it, to the millimetre, within %d s', (kind, within) => {
    for (const walks of [false, true]) {
      const { start, millimetre, hundredth, end } = joined(kind, walks);
      console.log(
        `${kind}, ${walks ? 'walking' : 'standing'}: ${(start * 100).toFixed(1)} cm apart, ` +
          `1 mm after ${millimetre.toFixed(2)} s, 0.01 mm after ${hundredth.toFixed(2)} s, ${end.toExponential(1)} m after 20 s`,
      );
      expect(start).toBeGreaterThan(0.01);
      expect(millimetre).toBeLessThan(within);
      expect(hundredth).toBeLessThan(2 * within);
      expect(end).toBeLessThan(1e-9);
    }
  });

  it('beside a collider as well, unless it can lie on either side', () => {
    // A bar across the way of the tail that leaves one way out.
    const bar = (world: World, character: number): void =>
      void addCollider(world, {
        character,
        bone: 2,
        shape: { kind: 'capsule', offset: [-0.5, -0.25, 0.02], tail: [0.5, -0.25, 0.02], radius: 0.06 },
      });
    for (const kind of ['tail', 'hair', 'vrm'] as const) {
      const { millimetre, end } = joined(kind, false, bar);
      console.log(`${kind}, standing beside a bar: 1 mm after ${millimetre.toFixed(2)} s`);
      expect(millimetre).toBeLessThan(4.5);
      expect(end).toBeLessThan(1e-9);
    }
  });

  it('does not, where it lies on the other side: only a snapshot helps', () => {
    // A post in the world, right below the hips: a tail that came from the left still lies left of it.
    const post = (side: number, world: World, character: number): void => {
      addCollider(world, {
        shape: { kind: 'capsule', offset: [0, 0.7, -1], tail: [0, 0.7, 1], radius: 0.1 },
      });
      for (let i = 60; i >= 0; i--) {
        setRoot(world, character, { position: [(side * i) / 64, 0, 0] });
        step(world);
      }
    };
    const worlds = [-1, 1].map((side) => {
      const world = createWorld({ tickRate: rate });
      post(side, world, characterOf(world, 'tail'));
      for (let i = 0; i < 20 * rate; i++) step(world);
      return world;
    });
    expect(apart(worlds[0]!, worlds[1]!)).toBeGreaterThan(0.1);
  });
});
