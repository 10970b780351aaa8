/**
 * Numbers for a scenario that must be the same in every engine: what goes in is as exact as what the library does with it,
 * so there is no sine, no power and no chance of the engine's own here, only + - * / and square root.
 */
import { qmul, seeded, type Q4, type V3 } from '../support/referenceMath.js';

/** A rotation about a direction, by the tangent of half its angle: (axis t, 1) made unit needs a square root only. */
export function turn(axis: V3, halfTangent: number): Q4 {
  const [x, y, z] = axis;
  const along = halfTangent / Math.sqrt(x * x + y * y + z * z);
  const size = Math.sqrt(1 + halfTangent * halfTangent);
  return [(x * along) / size, (y * along) / size, (z * along) / size, 1 / size];
}

/** A seeded generator of whole multiples of 2^-16, from -1 to 1. */
export function noise(seed: number): () => number {
  const random = seeded(seed);
  return () => Math.floor(random() * 131072) / 65536 - 1;
}

/** Bone axes as riggers leave them: any. */
export function anyTurn(random: () => number): Q4 {
  return turn([random(), random(), 1.25], random());
}

/** Goes up from 0 to 1 and down again while x goes from 0 to 1; no corners. */
export function wave(x: number): number {
  const up = x < 0.5 ? 2 * x : 2 - 2 * x;
  return up * up * (3 - 2 * up);
}

/** Something that walks about: its root from tick to tick. */
export interface Walker {
  /** Where it stays near. */
  home: V3;
  position: V3;
  rotation: Q4;
  random: () => number;
  speed: V3;
  spin: V3;
}

/** A walker that starts at a place. */
export function walker(seed: number, home: V3): Walker {
  return {
    home: [...home],
    position: [...home],
    rotation: [0, 0, 0, 1],
    random: noise(seed),
    speed: [0, 0, 0],
    spin: [0, 0, 0],
  };
}

/** Takes a walker a tick further. */
export function walk(self: Walker): void {
  const { home, position, random, speed, spin } = self;
  for (let i = 0; i < 3; i++) {
    speed[i] = speed[i]! * 0.96875 + random() / 256 - (position[i]! - home[i]!) / 1024;
    spin[i] = spin[i]! * 0.9375 + random() / 512;
    // Up and down there is less to go: chains shall meet the floor and leave it.
    position[i]! += i === 1 ? speed[i]! / 4 : speed[i]!;
  }
  const [x, y, z, w] = qmul([spin[0] / 4, spin[1], spin[2] / 4, 1], self.rotation);
  const size = Math.sqrt(x * x + y * y + z * z + w * w);
  self.rotation = [x / size, y / size, z / size, w / size];
}
