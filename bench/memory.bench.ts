/**
 * Memory per link: what the columns hold, region by region (a rollback copies the state region and nothing else), and
 * what a crowd of 12 chains of 6 links a head really takes, arena and heap.
 */
import { addCharacter, addChains, createWorld, step } from '../src/index.js';
import type { Field, Region } from '../src/components/field.js';
import { components, type StoreName } from '../src/components/stores.js';
import { crowdAsset, crowdChains } from './crowd.js';

declare const gc: (() => void) | undefined;

const chains = 12;
const links = 6;
const characters = 100;
const elementBytes = { f64: 8, i32: 4, u32: 4, u8: 1 };
const regions: readonly Region[] = ['state', 'fixed', 'derived'];

/** Bytes of one row of a store in one region. */
function rowBytes(store: StoreName, region: Region): number {
  return Object.values<Field>(components[store].fields)
    .filter((field) => field[1] === region)
    .reduce((sum, [type, , count]) => sum + elementBytes[type] * count, 0);
}

const cell = (value: number): string => value.toFixed(0).padStart(9);

/** A line of bytes by region and their sum. */
function line(name: string, bytes: readonly number[]): string {
  return name.padEnd(34) + [...bytes, bytes.reduce((a, b) => a + b)].map(cell).join('');
}

console.log('bytes'.padEnd(34) + [...regions, 'all'].map((name) => name.padStart(9)).join(''));
for (const store of ['particle', 'chain', 'bone', 'character'] as const)
  console.log(
    line(
      `per ${store}`,
      regions.map((region) => rowBytes(store, region)),
    ),
  );

// A link owns its particle and its bone, and shares the chain and the chain's end bone with the others.
const perLink = regions.map(
  (region) =>
    rowBytes('particle', region) +
    rowBytes('chain', region) / links +
    (rowBytes('bone', region) * (links + 1)) / links,
);
console.log(line(`per link of a chain of ${links}`, perLink));

const asset = crowdAsset(chains, links);
const definitions = crowdChains(chains, links);
const bones = asset.skeleton.count + 1;
gc?.();
const before = process.memoryUsage();
const world = createWorld({
  capacity: {
    character: characters,
    chain: characters * chains,
    particle: characters * chains * links,
    bone: characters * bones,
  },
});
for (let c = 0; c < characters; c++) {
  const handle = addCharacter(world, asset, { frame: { up: [0, 1, 0], forward: [0, 0, 1] } });
  addChains(world, handle, { gravity: 1, chains: definitions });
}
step(world);
gc?.();
const after = process.memoryUsage();
const count = characters * chains * links;
console.log(
  line(
    `${characters} characters, arena per link`,
    regions.map((region) => (world.arena.regions[region].end - world.arena.regions[region].start) / count),
  ),
);
console.log(
  `objects on the heap beside the arena: ${((after.heapUsed - before.heapUsed) / count).toFixed(0)} bytes per link`,
);
