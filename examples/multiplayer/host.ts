/**
 * The server without a network: who is in the room, what is sent to whom and when, and what is answered. The room of Colyseus
 * hands messages in and out; tests do it by hand.
 */
import type { Asset } from 'followthrough';
import { snapshot } from 'followthrough/replay';
import { createAuthority, type Authority } from './authority.js';
import {
  bundleTicks,
  commandsIn,
  hashesIn,
  hashTicks,
  kind,
  numberAt,
  pack,
  packHashes,
  packInputs,
  packSnapshot,
  type Kind,
} from './messages.js';

/** Sends a message. */
export type Send = (kind: Kind, bytes: Uint8Array) => void;

/** How a room is set up. */
export interface HostOptions {
  asset: Asset;
  /** Characters that the server moves itself. */
  bots: number;
  seed: number;
  /** The tick after which the world stands still. */
  lastTick: number;
  /** Sends to all members. */
  broadcast: Send;
  /** Called when a client's world was not the server's. */
  onDesync?: (tick: number, columns: number) => void;
}

/** A client in the room. */
export interface Member {
  /** Takes a message of the client. */
  receive: Send;
  /** The client is gone. */
  leave(): void;
}

/** A room. */
export interface Host {
  readonly authority: Authority;
  /** Lets a client in; it gets its character at once, and the world at the end of the next bundle. */
  join(send: Send): Member;
  /** Runs a tick, unless the last one is over. */
  tick(): void;
}

/** Makes a room. */
export function createHost({ asset, bots, seed, lastTick, broadcast, onDesync }: HostOptions): Host {
  const authority = createAuthority(asset, bots, seed);
  const { world } = authority;
  let bundle: Uint8Array[] = [];
  /** Those who shall be sent the world. */
  const waiting = new Set<Send>();

  const sendWorld = (): void => {
    if (waiting.size === 0) return;
    const bytes = packSnapshot(snapshot(world));
    for (const send of waiting) send(kind.snapshot, bytes);
    waiting.clear();
  };

  const sendMissing = (send: Send, from: number, agreed: number): void => {
    const inputs = authority.inputsFrom(from);
    if (inputs === undefined) waiting.add(send);
    else if (inputs.length > 0) send(kind.inputs, packInputs(inputs));
    for (const { tick, hash } of authority.hashesFrom(agreed)) send(kind.hash, packHashes(tick, [hash]));
  };

  const resync = (send: Send, tick: number, columns: bigint[]): void => {
    if (tick > 0) {
      const differing = columns.length > 0 ? authority.differing(tick, columns) : [];
      onDesync?.(tick, differing.length);
      send(kind.differs, pack([tick], differing));
    }
    waiting.add(send);
    if (world.tick === lastTick) sendWorld();
  };

  return {
    authority,
    join(send) {
      // A world that stands still stays as its last hash says: who comes then may look.
      const id = world.tick < lastTick ? authority.join() : 0;
      send(kind.welcome, pack([id, lastTick]));
      waiting.add(send);
      if (world.tick === lastTick) sendWorld();
      return {
        receive(type, bytes) {
          // Whatever a client sends must not end the server.
          if (bytes.length < 4 || (type === kind.missing && bytes.length < 8)) return;
          const tick = numberAt(bytes, 0);
          if (type === kind.commands) {
            const commands = commandsIn(bytes);
            authority.command(id, tick, commands);
            send(kind.heard, pack([tick + commands.length - 1]));
          } else if (type === kind.missing) sendMissing(send, tick, numberAt(bytes, 1));
          else if (type === kind.resync) resync(send, tick, hashesIn(bytes));
        },
        leave() {
          waiting.delete(send);
          if (world.tick < lastTick) authority.leave(id);
        },
      };
    },
    tick() {
      if (world.tick === lastTick) return;
      bundle.push(authority.step());
      if (world.tick % bundleTicks === 0 || world.tick === lastTick) {
        broadcast(kind.inputs, packInputs(bundle));
        bundle = [];
        sendWorld();
      }
      if (world.tick % hashTicks === 0)
        for (const { tick, hash } of authority.hashesFrom(world.tick))
          broadcast(kind.hash, packHashes(tick, [hash]));
    },
  };
}
