/**
 * A client without a network: messages in, messages out. It follows the server by inputs alone, asks for those that did not
 * come, compares hashes of what is certain, heals by a snapshot what is not the server's world any more, and, if told to,
 * predicts.
 */
import { createWorld, entitiesOf, type Asset, type World } from 'followthrough';
import { hash, readSnapshot, restore } from 'followthrough/replay';
import { createServerClock } from './clock.js';
import { flipBit, rerun } from './desync.js';
import type { Send } from './host.js';
import { createInbox } from './inbox.js';
import { hashesIn, hashTicks, kind, numberAt, pack, packHashes, snapshotIn, tickRate } from './messages.js';
import { createPlayer } from './player.js';
import { createPrediction, type Prediction } from './prediction.js';
import { createReport, type SessionReport } from './sessionReport.js';
import { carryOn, findWalker, walk } from './walking.js';

/** How a client is set up. */
export interface SessionOptions {
  asset: Asset;
  /** What its player does. */
  seed: number;
  /** Whether it runs ahead of the server. */
  predicts: boolean;
  /** Tick at which a bit of its world is flipped, to see that it is noticed. */
  flipAt?: number | undefined;
  /** Sends a message to the server. */
  send: Send;
}

/** A client. */
export interface Session {
  /** What happened so far. */
  readonly report: SessionReport;
  /** Whether the run is over and the last hash was compared. */
  readonly done: boolean;
  /** Takes a message of the server; times are in milliseconds. */
  receive(...message: [...Parameters<Send>, now: number]): void;
  /** To be called often. */
  update(now: number): void;
}

/** Most ticks to run ahead. */
const window = 90;
/** Confirmed ticks that are kept: more than two hashes. */
const kept = 3 * hashTicks;
/** How long a client waits before it asks for inputs, beyond twice the way there and back, milliseconds. */
const patience = 200;
/** How long it waits for a snapshot, which is longer than a bundle, and comes when the world begins to run, milliseconds. */
const snapshotPatience = 1000;

/** Makes a client. */
export function createSession({ asset, seed, predicts, flipAt, send }: SessionOptions): Session {
  const assets = [asset];
  const report = createReport();
  const clock = createServerClock(tickRate);
  const player = createPlayer(seed, clock, send);
  const inbox = createInbox(kept);
  const ownHashes = new Map<number, bigint>();
  const serverHashes = new Map<number, bigint>();
  let prediction: Prediction | undefined;
  /** Stable id of its character. */
  let me = 0;
  let lastTick = Infinity;
  /** Last tick whose hash was the server's. */
  let agreed = 0;
  /** Last tick of which the server's hash has come and was its own. */
  let compared = 0;
  /** Names of the columns whose hashes the server was sent. */
  let columnNames: string[] = [];
  let time = 0;
  let heardAt = NaN;
  let askedAt = -Infinity;
  let done = false;

  const guess = (world: World): void => {
    const mine = findWalker(world, me);
    for (const character of entitiesOf(world, 'character')) {
      const command = character === mine ? player.commandAt(world.tick) : undefined;
      if (command) walk(world, character, command);
      else carryOn(world, character);
    }
  };

  const start = (bytes: Uint8Array): void => {
    const whole = snapshotIn(bytes);
    // Asked for twice, or overtaken by inputs.
    if (prediction && readSnapshot(whole).tick <= prediction.confirmed) return;
    const world = createWorld({ tickRate });
    restore(world, whole, assets);
    prediction = createPrediction(world, { assets, guess, window: predicts ? window : 0, kept });
    report.snapshots.push({ tick: world.tick, bytes: whole.length, sent: bytes.length });
    agreed = world.tick;
    ownHashes.clear();
    if (world.tick % hashTicks === 0) ownHashes.set(world.tick, hash(world));
    clock.sawTick(world.tick, time);
  };

  /** What is to be done at a tick that is certain, while the world stands there. */
  const onConfirmed = (world: World): void => {
    if (world.tick === flipAt && report.flipped === undefined) {
      flipBit(world);
      report.flipped = world.tick;
    }
    player.forget(world.tick - 1);
    if (world.tick % hashTicks === 0) ownHashes.set(world.tick, hash(world));
  };

  const advance = ({ world, confirmed, confirm, predictTo }: Prediction): void => {
    inbox.drop(confirmed);
    const inputs = inbox.next(confirmed);
    const target = Math.min(clock.target(time), lastTick);
    const present = world.tick;
    const shown = inputs.length > 0 && present > confirmed ? report.corrections.shown(world) : undefined;
    const from = performance.now();
    confirm(inputs, () => onConfirmed(world));
    predictTo(present);
    if (shown) {
      report.rollbacks.push({ ticks: present - confirmed, ms: performance.now() - from });
      report.corrections.compare(world, me, shown);
    }
    const character = findWalker(world, me);
    if (character !== undefined) player.decide(world, character, target, time);
    if (predicts) predictTo(target);
  };

  const compareHashes = (): void => {
    for (const [tick, theirs] of serverHashes) {
      if (!prediction || tick > prediction.confirmed) continue;
      serverHashes.delete(tick);
      const own = ownHashes.get(tick);
      // It was compared already, or the client came later.
      if (own === undefined) continue;
      ownHashes.delete(tick);
      report.compared++;
      if (own !== theirs) repair(prediction, tick, theirs);
      else {
        report.agreed++;
        // Hashes may come out of order.
        agreed = Math.max(agreed, tick);
        compared = Math.max(compared, tick);
      }
    }
    // Not in the loop: where messages overtake each other, a client may hear last when the world ends.
    if (prediction && compared >= lastTick) finish(prediction);
  };

  /** Finds out what is wrong, tells the server, and asks for the whole world. */
  const repair = ({ world, history }: Prediction, tick: number, theirs: bigint): void => {
    const found = rerun({ world, history, inputs: inbox.past, assets }, agreed, tick);
    report.desyncs.push({ tick, first: found?.first, rerunAgrees: found?.hash === theirs, columns: [] });
    columnNames = [...(found?.columns.keys() ?? [])];
    prediction = undefined;
    askedAt = time;
    send(kind.resync, packHashes(tick, [...(found?.columns.values() ?? [])]));
  };

  /** The server says which columns differ. */
  const takeDifferences = (bytes: Uint8Array): void => {
    const differing = Array.from(bytes.subarray(4), (index) => columnNames[index]!);
    report.desyncs.at(-1)?.columns.push(...differing);
  };

  const finish = ({ world }: Prediction): void => {
    done = true;
    report.final = { tick: world.tick, hash: hash(world) };
  };

  /** Asks for what should be there and is not. */
  const askForMissing = (): void => {
    // A line that sends lost packets again is silent for a while and then says all: nothing is missing there.
    const wait = prediction ? patience + 2 * (clock.roundTrip || 0) : snapshotPatience;
    const gap = prediction !== undefined && inbox.waiting > 0;
    if (time - askedAt < wait || (!gap && time - heardAt < wait)) return;
    askedAt = time;
    if (prediction) {
      report.questions++;
      send(kind.missing, pack([prediction.confirmed, agreed]));
    } else send(kind.resync, packHashes(0, []));
  };

  return {
    report,
    get done() {
      return done;
    },
    receive(type, bytes, now) {
      time = now;
      heardAt = now;
      if (type === kind.welcome) [me, lastTick] = [numberAt(bytes, 0), numberAt(bytes, 1)];
      else if (type === kind.snapshot) start(bytes);
      else if (type === kind.inputs) clock.sawTick(inbox.take(bytes), now);
      else if (type === kind.hash) serverHashes.set(numberAt(bytes, 0), hashesIn(bytes)[0]!);
      else if (type === kind.heard) player.heard(numberAt(bytes, 0), now);
      else if (type === kind.differs) takeDifferences(bytes);
    },
    update(now) {
      time = now;
      if (done) return;
      if (Number.isNaN(heardAt)) heardAt = now;
      // Before the welcome, which another message may overtake, it knows neither who it is nor when the world ends.
      if (lastTick === Infinity) return;
      if (prediction) advance(prediction);
      compareHashes();
      if (!done) askForMissing();
    },
  };
}
