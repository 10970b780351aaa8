/** K25: constraints come and go with their character; what they must not be; one copy of the state brings them back. */
import { describe, expect, it } from 'vitest';
import type { Asset, ConstraintDefinition, World } from '../../../src/index.js';
import {
  addCharacter,
  addConstraints,
  advance,
  createWorld,
  play,
  removeCharacter,
  removeConstraint,
  rowOf,
  setConstraint,
  setPose,
  step,
} from '../../../src/index.js';
import { stateBytes } from '../../support/chains.js';
import { clipOf } from '../../support/poses.js';
import type { Q4, V3 } from '../../support/referenceMath.js';
import { angleOf, axisAngle, identity } from '../../support/referenceMath.js';
import { aim, assetOf, flat, frame, plainRig, roll, rotation, shownRotations, worldOf } from './support.js';

const gone = expect.objectContaining({ code: 'unknown-entity' });
const z: V3 = [0, 0, 1];
const rig = plainRig(
  [-1, 0, 0, 2],
  [
    [0, 0, 0],
    [1, 0, 0],
    [0, 2, 0],
    [0, 0, 3],
  ],
);
const all = [rotation(1, 0), roll(2, 1, z), aim(3, 1, z)];

/** The character with a clip that turns bone 0 about z and holds bone 1 at a tenth of a radian about x. */
function withClip(): Asset {
  const asset = assetOf(rig, all);
  const times = Float64Array.of(0, 1);
  const track = (bone: number, from: Q4, to: Q4) => ({
    bone,
    path: 'rotation' as const,
    interpolation: 'linear' as const,
    times,
    values: Float64Array.of(...from, ...to),
  });
  const held = axisAngle([1, 0, 0], 0.1);
  asset.clips = [clipOf('Turn', [track(0, identity, axisAngle(z, 2)), track(1, held, held)])];
  return asset;
}

/** The state region without the counters that only ever rise. */
function stateOf(world: World): Uint8Array {
  const { global } = world.views;
  const [id, tick] = [global.nextId[0]!, global.tick[0]!];
  global.nextId[0] = 0;
  global.tick[0] = 0;
  const bytes = stateBytes(world);
  global.nextId[0] = id;
  global.tick[0] = tick;
  return bytes;
}

describe('K25: a lifetime', () => {
  it('of 300 characters leaves the state region as it was', () => {
    const world = createWorld({
      capacity: { character: 512, bone: 4096, constraint: 1024, input: 2048, player: 512 },
    });
    const start = stateOf(world);
    const asset = withClip();
    const characters = Array.from({ length: 300 }, (_, i) => {
      const character = addCharacter(world, asset, { frame });
      const entities = addConstraints(world, character);
      if (i % 3 === 0) play(world, character, 'Turn');
      if (i % 3 === 1) removeConstraint(world, entities[1]!);
      return character;
    });
    step(world);
    step(world);
    for (const character of characters) removeCharacter(world, character);
    expect(world.rows.constraint.size).toBe(0);
    expect(Buffer.compare(stateOf(world), start)).toBe(0);
    expect(world.views.constraint.id.every((id) => id === 0)).toBe(true);
  });

  it('ends with the character, and handles end with it', () => {
    const { world, character } = worldOf(rig, all);
    const [first] = addConstraints(world, character);
    removeCharacter(world, character);
    expect(() => setConstraint(world, first!, { weight: 0 })).toThrow(gone);
    expect(() => removeConstraint(world, first!)).toThrow(gone);
    expect(() => addConstraints(world, character)).toThrow(gone);
    step(world);
  });

  it('does not come back to life in rows that are taken again', () => {
    const { world, character } = worldOf(rig, all);
    addConstraints(world, character);
    step(world);
    removeCharacter(world, character);
    const next = addCharacter(world, assetOf(rig), { frame });
    const rotations = rig.rotations.map((_, b) => axisAngle([b, 1, 2], 1));
    setPose(world, next, flat({ ...rig, rotations }));
    step(world);
    expect(shownRotations(world, next)).toEqual(rotations);
  });

  it('leaves other characters alone', () => {
    const world = createWorld();
    const asset = assetOf(rig, all);
    const [one, two] = [0, 1].map(() => addCharacter(world, asset, { frame }));
    const [, first] = [addConstraints(world, one!), addConstraints(world, two!)].map((list) => list[0]!);
    removeConstraint(world, first!);
    for (const character of [one!, two!])
      setPose(world, character, flat({ ...rig, rotations: [axisAngle(z, 1), identity, identity, identity] }));
    step(world);
    expect(angleOf(shownRotations(world, one!)[1]!, axisAngle(z, 1))).toBeLessThan(1e-12);
    expect(shownRotations(world, two!)[1]).toEqual(identity);
  });
});

describe('after a constraint the bone shows what it would show without', () => {
  const free = axisAngle([1, 2, 0], 0.8);

  it('the pose of the game, given once and long ago', () => {
    const { world, character } = worldOf(rig, all);
    const [first] = addConstraints(world, character);
    setPose(world, character, flat({ ...rig, rotations: [axisAngle(z, 1), free, identity, identity] }));
    step(world);
    step(world);
    expect(angleOf(shownRotations(world, character)[1]!, axisAngle(z, 1))).toBeLessThan(1e-12);
    removeConstraint(world, first!);
    step(world);
    expect(shownRotations(world, character)[1]).toEqual(free);
  });

  it('the clip', () => {
    const world = createWorld();
    const character = addCharacter(world, withClip(), { frame });
    const bare = addCharacter(world, withClip(), { frame });
    const [first] = addConstraints(world, character);
    for (const c of [character, bare]) play(world, c, 'Turn');
    for (let k = 0; k < 30; k++) step(world);
    const [source, follower] = shownRotations(world, character);
    expect(angleOf(follower!, source!)).toBeLessThan(1e-12);
    removeConstraint(world, first!);
    step(world);
    expect(shownRotations(world, character)[1]).toEqual(shownRotations(world, bare)[1]);
  });

  it('the pose of the file', () => {
    const posed = { ...rig, rotations: [identity, free, identity, identity] };
    const { world, character } = worldOf(posed, [aim(1, 2, z)]);
    const [first] = addConstraints(world, character);
    step(world);
    expect(angleOf(shownRotations(world, character)[1]!, free)).toBeGreaterThan(0.1);
    removeConstraint(world, first!);
    step(world);
    expect(shownRotations(world, character)[1]).toEqual(free);
  });
});

describe('arguments', () => {
  const wrong: [string, Partial<ConstraintDefinition>, string][] = [
    ['a bone that is not there', { bone: 4 }, 'invalid-argument'],
    ['no bone', { bone: -1 }, 'invalid-argument'],
    ['half a bone', { source: 0.5 }, 'invalid-argument'],
    ['a kind that does not exist', { kind: 'parent' as never }, 'unknown-name'],
    ['a name every object has', { kind: 'toString' as never }, 'unknown-name'],
    ['an axis without direction', { axis: [0, 0, 0] }, 'invalid-argument'],
    ['an axis that is not finite', { axis: [0, NaN, 1] }, 'invalid-argument'],
    ['too much weight', { weight: 1.5 }, 'invalid-argument'],
    ['a weight that is no number', { weight: NaN }, 'invalid-argument'],
  ];

  it.each(wrong)('%s is an error and adds nothing', (_, change, code) => {
    const { world, character } = worldOf(rig);
    const before = stateBytes(world);
    const list = [rotation(1, 0), { ...roll(2, 1, z), ...change }];
    expect(() => addConstraints(world, character, list)).toThrow(expect.objectContaining({ code }));
    expect(Buffer.compare(stateBytes(world), before)).toBe(0);
    expect(world.rows.constraint.size).toBe(0);
  });

  it('weights outside 0..1 are errors and change nothing', () => {
    const { world, character } = worldOf(rig, all);
    const [first] = addConstraints(world, character);
    for (const weight of [-0.1, 1.1, NaN, Infinity])
      expect(() => setConstraint(world, first!, { weight })).toThrow(
        expect.objectContaining({ code: 'invalid-argument' }),
      );
    expect(world.views.constraint.weight[rowOf(world, 'constraint', first!)]).toBe(1);
  });

  it('a bone keeps its first constraint; the second is left out and said', () => {
    const { world, character } = worldOf(rig);
    expect(addConstraints(world, character, [rotation(1, 0), rotation(1, 2)])).toHaveLength(1);
    expect(addConstraints(world, character, [rotation(1, 3)])).toEqual([]);
    const warnings = world.report.warnings.filter(({ code }) => code === 'bone-in-two-constraints');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]!.at).toBe('bone1');
    setPose(world, character, flat({ ...rig, rotations: [axisAngle(z, 1), identity, identity, identity] }));
    step(world);
    expect(angleOf(shownRotations(world, character)[1]!, axisAngle(z, 1))).toBeLessThan(1e-12);
  });

  it('a file without any adds none', () => {
    const asset = assetOf(rig);
    delete asset.secondary;
    const world = createWorld();
    expect(addConstraints(world, addCharacter(world, asset, { frame }))).toEqual([]);
  });
});

it('K16: a pose that is not finite leaves followers at rest', () => {
  const asset = withClip();
  asset.clips[0]!.tracks[0]!.values.fill(NaN);
  asset.clips[0]!.tracks.push({
    bone: 1,
    path: 'translation',
    interpolation: 'step',
    times: Float64Array.of(0),
    values: Float64Array.of(NaN, Infinity, 0),
  });
  const world = createWorld();
  const character = addCharacter(world, asset, { frame });
  addConstraints(world, character, [rotation(1, 0), aim(3, 1, z), roll(2, 0, z)]);
  play(world, character, 'Turn');
  step(world);
  const shown = shownRotations(world, character);
  for (const b of [1, 2, 3]) expect(shown[b], `bone ${b}`).toEqual(identity);
});

it('K16: a rotation that is not finite, written into the column, goes no farther than its own bone', () => {
  const { world, character } = worldOf(rig, [rotation(1, 0), rotation(2, 1)]);
  addConstraints(world, character);
  const first = world.views.character.firstBone[rowOf(world, 'character', character)]!;
  world.views.bone.poseRotation[4 * first] = NaN;
  step(world);
  for (const b of [1, 2]) expect(shownRotations(world, character)[b]).toEqual(identity);
});

it('K23: nothing moves while no time passes', () => {
  const world = createWorld();
  const character = addCharacter(world, withClip(), { frame });
  addConstraints(world, character);
  play(world, character, 'Turn');
  advance(world, 0.1);
  const before = stateBytes(world);
  for (let k = 0; k < 100; k++) advance(world, 0);
  expect(Buffer.compare(stateBytes(world), before)).toBe(0);
});

it('one copy of the state region brings back what follows, weights included', () => {
  const world = createWorld();
  const character = addCharacter(world, withClip(), { frame });
  const [first] = addConstraints(world, character);
  play(world, character, 'Turn');
  const go = (): string => {
    const bits: Q4[][] = [];
    for (let k = 0; k < 40; k++) {
      if (k === 20) setConstraint(world, first!, { weight: 0.75 });
      step(world);
      bits.push(shownRotations(world, character));
    }
    return JSON.stringify(bits);
  };
  setConstraint(world, first!, { weight: 0.25 });
  for (let k = 0; k < 10; k++) step(world);
  const saved = stateBytes(world);
  const expected = go();
  const { start, end } = world.arena.regions.state;
  new Uint8Array(world.arena.buffer, start, end - start).set(saved);
  expect(go() === expected).toBe(true);
});
