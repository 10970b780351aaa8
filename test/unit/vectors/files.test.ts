/**
 * The committed vectors are what their generator writes, are complete, and mean what they say: the generator's loop against
 * the other naive loop of these tests, closed forms against it, and its values in single precision.
 */
import { describe, expect, it } from 'vitest';
import { len, qmul, qrot, sub, type Q4, type V3 } from '../../support/referenceMath.js';
import { constrain } from '../../vectors/make/constraintLoop.js';
import { vectorFiles } from '../../vectors/make/files.js';
import type { Case, Expected } from '../../vectors/make/model.js';
import { play } from '../../vectors/make/springLoop.js';
import { frame, restJoints } from '../vrmModel/naive.js';
import { casesOf, fileNames, textOf, worst, type Frame } from './support.js';

const all = fileNames.flatMap((name) => casesOf(name));
const named = (name: string): Case => all.find((given) => given.name === name)!;

/** A case in the generator's own loop. */
function played({ input: { gltf, motion } }: Case, last: number, round?: (x: number) => number): Frame[] {
  const everyNode = [...gltf.nodes.keys()];
  const frames = Array.from({ length: last }, (_, k) => k + 1);
  const watch = { frames, positionsOf: everyNode, rotationsOf: everyNode };
  return play(gltf, motion, watch, (tree) => constrain(gltf, tree), round).frames;
}

const lastOf = ({ frames }: Expected): number => Math.max(...frames.map(({ frame: f }) => f));

it('what is committed is what the generator writes, to the byte', () => {
  const written = vectorFiles();
  expect(written.map(([name]) => name)).toEqual([...fileNames]);
  for (const [name, text] of written)
    expect(text === textOf(name), `node scripts/vectors.mjs; ${name}`).toBe(true);
  expect(written.reduce((sum, [, text]) => sum + text.length, 0)).toBeLessThan(300_000);
});

it('names are unique, and every number reads back as the same', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const name of fileNames) {
    const text = textOf(name);
    const again = JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'number') expect(Number(String(value))).toBe(value);
      return value;
    }) as { cases: unknown[] };
    expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(text));
  }
});

const isVector = (value: unknown, size: number): boolean =>
  Array.isArray(value) && value.length === size && value.every((x) => Number.isFinite(x));

describe('every case is complete', () => {
  it.each(all.map((given) => [given.name, given] as const))('%s', (_, given) => {
    for (const text of [given.name, given.reason, given.rule]) expect(text.length).toBeGreaterThan(3);
    expect(given.reports.length).toBeGreaterThan(0);
    expect(given.reports[0]).toMatch(/^K\d+$/);
    const { metres, radians, float32 } = given.tolerance;
    for (const limit of [metres, radians, float32.metres, float32.radians]) expect(limit).toBeGreaterThan(0);
    const { gltf, motion } = given.input;
    const count = gltf.nodes.length;
    const isNode = (n: number): boolean => Number.isInteger(n) && n >= 0 && n < count;
    for (const { frame: f, node, translation, rotation } of motion) {
      // Frame 1 is a still one for whatever has a state.
      expect(f).toBeGreaterThan(gltf.extensions ? 1 : 0);
      expect(isNode(node)).toBe(true);
      expect(translation ?? rotation).toBeDefined();
      if (translation) expect(isVector(translation, 3)).toBe(true);
      if (rotation) expect(Math.abs(Math.hypot(...rotation) - 1)).toBeLessThan(1e-15);
    }
    for (const { rotation } of gltf.nodes)
      if (rotation) expect(Math.abs(Math.hypot(...rotation) - 1)).toBeLessThan(1e-15);
    const given3 = [given.expected, given.readings, given.invariants].filter((x) => x !== undefined);
    expect(given3).toHaveLength(1);
    for (const { positionsOf, rotationsOf, frames } of [
      ...(given.expected ? [given.expected] : []),
      ...Object.values(given.readings ?? {}),
    ]) {
      expect([...positionsOf, ...rotationsOf].every(isNode)).toBe(true);
      expect(frames.length).toBeGreaterThan(0);
      for (const { positions, rotations } of frames) {
        expect(positions).toHaveLength(positionsOf.length);
        expect(rotations).toHaveLength(rotationsOf.length);
        expect(positions.every((p) => isVector(p, 3)) && rotations.every((q) => isVector(q, 4))).toBe(true);
      }
    }
  });
});

describe('values', () => {
  const withValues = all.flatMap((given) => (given.expected ? [[given.name, given] as const] : []));

  it.each(withValues)('%s: the reference implementation gives them too', (_, given) => {
    const { metres, radians } = worst(given.expected!, played(given, lastOf(given.expected!)));
    expect(metres).toBeLessThan(given.tolerance.metres);
    expect(radians).toBeLessThan(given.tolerance.radians);
  });

  it.each(withValues)('%s: and with everything it stores in single precision', (_, given) => {
    const { metres, radians } = worst(given.expected!, played(given, lastOf(given.expected!), Math.fround));
    expect(metres).toBeLessThan(given.tolerance.float32.metres);
    expect(radians).toBeLessThan(given.tolerance.float32.radians);
  });

  it.each(['chain-of-three', 'snap-60', 'walk', 'rest-axes'])(
    '%s: another naive loop gives them too',
    (name) => {
      const { input, expected } = named(name);
      const { nodes, extensions } = input.gltf;
      const still: Q4 = [0, 0, 0, 1];
      const joints = extensions!.VRMC_springBone!.springs[0]!.joints.slice(0, -1).map((joint) => ({
        local: nodes[joint.node]!.rotation ?? still,
        tail: nodes[joint.node + 1]!.translation!,
        values: { stiffness: 1, gravityPower: 0, gravityDir: [0, -1, 0] as V3, dragForce: 0.5, ...joint },
      }));
      let place: V3 = nodes[0]!.translation!;
      let turned: Q4 = nodes[0]!.rotation ?? still;
      const above = (): [V3, Q4] => {
        const offset = qrot(turned, nodes[1]!.translation!);
        return [[place[0] + offset[0], place[1] + offset[1], place[2] + offset[2]], qmul(turned, still)];
      };
      const states = restJoints(...above(), joints);
      for (let f = 1; f <= lastOf(expected!); f++) {
        for (const change of input.motion.filter((one) => one.frame === f)) {
          place = change.translation ?? place;
          turned = change.rotation ?? turned;
        }
        frame(...above(), states);
        const listed = expected!.frames.find((one) => one.frame === f);
        listed?.positions.forEach((p, i) => expect(len(sub(p, states[i]!.current))).toBeLessThan(1e-12));
      }
    },
  );

  it.each([
    ['springs-in-reverse', 'spring-on-spring'],
    ['branch-in-reverse', 'branch'],
  ])('%s are those of %s', (one, other) => {
    expect(named(one).expected).toEqual(named(other).expected);
  });

  it.each([
    ['root-scale-3', 'snap-60'],
    ['root-scale-0.01', 'snap-60'],
    ['gravity-dir-zero', 'drag-0.4'],
  ])('%s are those of %s but for rounding', (one, other) => {
    const frames: Frame[] = [];
    const { positionsOf, rotationsOf, frames: listed } = named(other).expected!;
    for (const { frame: f, positions, rotations } of listed) {
      const now: Frame = { positions: [], rotations: [] };
      positionsOf.forEach((n, i) => (now.positions[n] = positions[i]!));
      rotationsOf.forEach((n, i) => (now.rotations[n] = rotations[i]!));
      frames[f - 1] = now;
    }
    const { frames: own, ...of } = named(one).expected!;
    const common = { ...of, frames: own.filter(({ frame: f }) => frames[f - 1]) };
    expect(common.frames.length).toBeGreaterThan(3);
    expect(worst(common, frames).metres).toBeLessThan(1e-14);
  });
});
