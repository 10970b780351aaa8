/**
 * What it costs to keep, hash, write down and take back a world of 100 characters with 12 chains of 6 links, beside a plain
 * copy of the same bytes, and what inputs take on a line beside rotations of the bones.
 */
import { addChains, addCharacter, createWorld, setRoot, step, type World } from '../src/index.js';
import { createHistory, createInputLog, hash, restore, snapshot } from '../src/replay/index.js';
import { crowdAsset, crowdChains } from './crowd.js';

const chains = 12;
const links = 6;

function crowd(characters: number): { world: World; all: number[] } {
  const world = createWorld();
  const asset = crowdAsset(chains, links);
  const all = Array.from({ length: characters }, (_, i) => {
    const character = addCharacter(world, asset, { position: [i, 0, 0] });
    addChains(world, character, { chains: crowdChains(chains, links) });
    return character;
  });
  return { world, all };
}

function walk(world: World, all: readonly number[]): void {
  for (const [i, character] of all.entries())
    setRoot(world, character, { position: [i, 0, (1.4 * world.tick) / 120] });
}

/** Nanoseconds of the quietest of several rounds, each `times` calls. */
function quietest(work: () => void, times: number, before?: () => void): number {
  let best = Infinity;
  for (let round = 0; round < 15; round++) {
    let spent = 0;
    for (let i = 0; i < times; i++) {
      before?.();
      const start = performance.now();
      work();
      spent += performance.now() - start;
    }
    best = Math.min(best, (spent * 1e6) / times);
  }
  return best;
}

const { world, all } = crowd(100);
const history = createHistory(world, 16);
const run = (): void => {
  walk(world, all);
  step(world);
  history.save();
};
for (let i = 0; i < 200; i++) run();
const total = 100 * chains * links;
const { state, fixed } = world.arena.regions;
const bytes = new Uint8Array(world.arena.buffer, state.start, state.end - state.start);
const copy = new Uint8Array(bytes.length);
const written = snapshot(world);
const perLink = (ns: number): string => `${(ns / total).toFixed(1)} ns per link`.padStart(20);
const line = (name: string, ns: number, note = ''): void =>
  console.log(`${name.padEnd(34)}${(ns / 1e3).toFixed(0).padStart(7)} us${perLink(ns)}  ${note}`);

console.log(
  `100 characters, ${total} links: state ${bytes.length} bytes, fixed ${fixed.end - fixed.start}, snapshot ${written.length}`,
);
const plain = quietest(() => copy.set(bytes), 20);
line('Uint8Array.set of the state', plain);
const save = quietest(() => history.save(), 20);
line('history.save', save, `${(save / plain).toFixed(2)} x the copy`);
const load = quietest(() => bytes.set(copy), 20);
line('the copy back', load, `${(load / plain).toFixed(2)} x the copy`);
const rewind = quietest(() => history.rewind(world.tick), 20);
line('history.rewind, poses rebuilt', rewind, `${(rewind / plain).toFixed(2)} x the copy`);
line(
  'hash',
  quietest(() => hash(world), 10),
);
line(
  'snapshot',
  quietest(() => snapshot(world), 5),
  `${(quietest(() => snapshot(world), 5) / written.length).toFixed(2)} ns per byte`,
);
line(
  'restore',
  quietest(() => restore(world, written), 5),
);
const tick = quietest(run, 20);
line('a tick', tick);
const back = quietest(
  () => {
    history.rewind(world.tick - 8);
    for (let i = 0; i < 8; i++) run();
  },
  3,
  run,
);
line('8 ticks of rollback', back, `${(back / 1e6).toFixed(1)} ms of a frame`);

console.log('\nbytes per second for one character that walks (1.4 m/s), of 72 bones in chains');
for (const [name, rate, grid] of [
  ['inputs, 120 a second, any number', 120, 0],
  ['inputs, 60 a second, 1/1024 m', 60, 1024],
  ['inputs, 30 a second, 1/1024 m', 30, 1024],
  ['inputs, 20 a second, 1/1024 m', 20, 1024],
] as const) {
  const one = crowd(1);
  const log = createInputLog(one.world);
  log.step();
  let sum = 0;
  for (let i = 0; i < 120; i++) {
    const z = (1.4 * i) / 120;
    if (i % (120 / rate) === 0)
      setRoot(one.world, one.all[0]!, { position: [0.25, 0, grid === 0 ? z : Math.round(z * grid) / grid] });
    const inputs = log.step();
    // A tick without inputs need not be sent.
    if (i % (120 / rate) === 0) sum += inputs.length;
  }
  console.log(`${name.padEnd(36)}${String(sum).padStart(7)}`);
}
for (const rate of [60, 20])
  console.log(
    `${`rotations of 4 bytes, ${rate} a second`.padEnd(36)}${String(4 * chains * links * rate).padStart(7)}`,
  );
