/**
 * Every column of the state on purpose forgotten, one at a time: what `syncTest` is for. A column whose loss it does not see
 * either decides nothing or does so in cases that the lively world does not have; both are named.
 */
import { afterEach, expect, it, vi } from 'vitest';
import { columnList } from '../../../src/components/columnList.js';

/** Columns of bookkeeping that every copy needs in place, so that a world without them is none. */
const bookkeeping = ['id', 'nextId', 'tick', 'pending'];
/** Columns whose loss goes unseen, and why. */
const unseen: Record<string, string> = {
  'particle.contact': 'for games to read; no tick does',
  'floor.velocity': 'measured anew in every tick',
  'character.collidersMoved': 'set between ticks only together with that of the world',
  'character.rootFrom': 'where advance begins a frame; step stands at its end',
  'input.from': 'where advance begins a frame; step stands at its end',
};

const files: Record<string, [file: string, name: string]> = {
  global: ['global', 'Global'],
  character: ['character', 'Character'],
  bone: ['bone', 'Bone'],
  chain: ['chain', 'Chain'],
  particle: ['particle', 'Particle'],
  collider: ['collider', 'Collider'],
  floor: ['floorPlane', 'FloorPlane'],
  player: ['clipPlayer', 'ClipPlayer'],
  input: ['poseInput', 'PoseInput'],
  constraint: ['constraint', 'Constraint'],
};

afterEach(() => {
  for (const [file] of Object.values(files)) vi.doUnmock(`../../../src/components/${file}.js`);
  vi.resetModules();
});

const columns = columnList.filter(
  ({ store, region, name }) =>
    region === 'state' && !bookkeeping.includes(name) && unseen[`${store}.${name}`] === undefined,
);

it('only columns that there are count as unseen', () => {
  const all = columnList.map(({ store, name }) => `${store}.${name}`);
  for (const name of Object.keys(unseen)) expect(all).toContain(name);
});

it.each(columns.map(({ store, name }) => [`${store}.${name}`, store, name]))(
  'a rollback that forgets %s is found',
  async (_, store, name) => {
    const [file, component] = files[store]!;
    vi.resetModules();
    vi.doMock(`../../../src/components/${file}.js`, async (original) => {
      const all =
        await original<
          Record<string, { name: string; fields: Record<string, readonly [string, string, number]> }>
        >();
      const { fields, ...rest } = all[component]!;
      const [type, , width] = fields[name]!;
      return { [component]: { ...rest, fields: { ...fields, [name]: [type, 'derived', width] } } };
    });
    const { livelyWorld } = await import('../../support/lively.js');
    const { createHistory, hash, syncTest } = await import('../../../src/replay/index.js');
    const { step } = await import('../../../src/index.js');
    let mismatches = 0;
    for (let seed = 1; seed <= 8 && mismatches === 0; seed++) {
      const { world, input } = livelyWorld(seed);
      mismatches = syncTest(
        world,
        Array.from({ length: 250 }, () => input),
        3,
      ).mismatches;
      // Kept between the inputs of a tick and the tick: what only stands there for so long is seen as well.
      const history = createHistory(world, 2);
      for (let i = 0; i < 250 && mismatches === 0; i++) {
        input(world);
        history.save();
        step(world);
        const first = hash(world);
        input(world);
        history.rewind(world.tick - 1);
        step(world);
        if (hash(world) !== first) mismatches++;
      }
    }
    expect(mismatches).toBeGreaterThan(0);
  },
);
