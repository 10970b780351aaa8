import { describe, expect, it } from 'vitest';
import {
  createPose,
  createWorld,
  entitiesOf,
  entityOf,
  readPose,
  stableIdOf,
  step,
  type World,
} from '../../../src/index.js';
import { chainState } from '../../../src/components/codes.js';
import { columnHashes, hash, readSnapshot, restore, snapshot } from '../../../src/replay/index.js';
import { livelyAssets, livelyWorld } from '../../support/lively.js';
import { seeded } from '../../support/referenceMath.js';

/** Columns whose hashes differ. */
function differing(a: World, b: World): string[] {
  const other = columnHashes(b);
  return [...columnHashes(a)].filter(([name, value]) => other.get(name) !== value).map(([name]) => name);
}

/** What all characters show, by stable id. */
function shownPoses(world: World): [number, Float64Array][] {
  return entitiesOf(world, 'character').map((character) => [
    stableIdOf(world, 'character', character),
    readPose(world, character, createPose(world, character)).worlds,
  ]);
}

describe('a restored world goes on as if it had never left', () => {
  it('at 500 random ticks, 60 ticks on, in a world of its own and in the same', () => {
    const { world, input } = livelyWorld(11, { capacity: { bone: 8, chain: 1, particle: 4 } });
    const other = createWorld();
    const assets = livelyAssets();
    const random = seeded(5);
    const seen = { asleep: 0, removed: 0, grown: 0 };
    let checks = 0;
    while (checks < 500) {
      for (let i = Math.floor(random() * 6); i >= 0; i--) {
        input(world);
        step(world);
      }
      // Now and then between an input and its tick, too.
      if (random() < 0.3) input(world);
      checks++;
      const bytes = snapshot(world);
      const { generation } = world.views;
      restore(other, bytes, assets);
      expect(hash(other)).toBe(hash(world));
      expect(shownPoses(other)).toEqual(shownPoses(world));
      expect(readSnapshot(bytes)).toMatchObject({ tick: world.tick, tickRate: 120, hash: hash(world) });
      const { status, id } = world.views.chain;
      seen.asleep += id.some((chain, row) => chain !== 0 && status[row] === chainState.asleep) ? 1 : 0;
      seen.removed += id.some((chain, row) => chain === 0 && id.some((later, r) => r > row && later !== 0))
        ? 1
        : 0;
      for (let i = 0; i < 60; i++) {
        if (i > 0 || random() < 0.5) {
          input(world);
          input(other);
        }
        step(world);
        step(other);
        if (hash(world) !== hash(other))
          expect.fail(`tick ${world.tick}: ${differing(world, other).join(', ')}`);
      }
      const ahead = hash(world);
      seen.grown += world.views.generation - generation;
      // Back in the same world: what came since is gone, and the same follows again.
      restore(world, bytes);
      expect(Buffer.compare(snapshot(world), bytes)).toBe(0);
      expect(ahead).not.toBe(hash(world));
    }
    expect(seen.asleep).toBeGreaterThan(15);
    expect(seen.removed).toBeGreaterThan(30);
    expect(seen.grown).toBeGreaterThan(0);
  });

  it('keeps rows, stable ids and order, and the handles of what lives on', () => {
    const { world, input } = livelyWorld(3);
    for (let i = 0; i < 400; i++) {
      input(world);
      step(world);
    }
    const bytes = snapshot(world);
    const stores = ['character', 'chain', 'collider', 'floor', 'player', 'constraint'] as const;
    const before = stores.map((store) =>
      entitiesOf(world, store).map((entity) => [entity, stableIdOf(world, store, entity)]),
    );
    for (let i = 0; i < 400; i++) {
      input(world);
      step(world);
    }
    const now = new Map(
      stores.map((store) => [
        store,
        new Set(entitiesOf(world, store).map((e) => stableIdOf(world, store, e))),
      ]),
    );
    restore(world, bytes);
    for (const [i, store] of stores.entries()) {
      const ids = entitiesOf(world, store).map((entity) => stableIdOf(world, store, entity));
      expect(ids).toEqual(before[i]!.map(([, id]) => id));
      for (const [entity, id] of before[i]!)
        if (now.get(store)!.has(id!)) expect(entityOf(world, store, id!)).toBe(entity);
    }
    const copy = createWorld();
    restore(copy, bytes, livelyAssets());
    for (const store of stores) {
      expect([...copy.views[store].id].filter((id) => id !== 0)).toEqual(
        [...world.views[store].id].filter((id) => id !== 0),
      );
      for (const entity of entitiesOf(copy, store))
        expect(entitiesOf(copy, store)).toContain(entityOf(copy, store, stableIdOf(copy, store, entity)));
    }
  });
});
