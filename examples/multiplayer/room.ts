/**
 * The room of Colyseus around the host: one world, simulated here and nowhere else. It has no room state: what a client needs
 * are inputs, in order, and those are messages. Joints are never sent.
 */
import { Room, type Client } from '@colyseus/core';
import { makeCharacter } from './characters.js';
import { createHost, type Host, type Member } from './host.js';
import { kind, tickRate } from './messages.js';

/** What the server process says about its rooms. */
export interface RoomOptions {
  /** Characters that the server moves itself. */
  bots: number;
  seed: number;
  /** Clients to wait for before the first tick. */
  startWith: number;
  /** Multiple of `hashTicks` after which the world stands still. */
  lastTick: number;
  /** Called when something happened. */
  onEvent: (event: RoomEvent) => void;
}

/** What happens to a room. */
export type RoomEvent =
  | { what: 'created'; roomId: string }
  | { what: 'second'; roomId: string; tick: number }
  | { what: 'desync'; roomId: string; tick: number; columns: number }
  | { what: 'ended'; roomId: string; host: Host };

const millisecondsPerTick = 1000 / tickRate;

/** A world that clients follow. */
export class WorldRoom extends Room {
  private host!: Host;
  private readonly members = new Map<string, Member>();
  private options!: RoomOptions;
  /** When the world was at tick 0; NaN before the start. */
  private start = NaN;

  override onCreate(options: RoomOptions): void {
    this.options = options;
    // There is no state to look for changes in.
    this.patchRate = 0;
    const { onEvent, ...rest } = options;
    this.host = createHost({
      ...rest,
      asset: makeCharacter(),
      broadcast: (type, bytes) => this.broadcastBytes(type, bytes, {}),
      onDesync: (tick, columns) => onEvent({ what: 'desync', roomId: this.roomId, tick, columns }),
    });
    for (const type of [kind.commands, kind.missing, kind.resync])
      this.onMessage<Uint8Array>(type, ({ sessionId }, bytes) =>
        this.members.get(sessionId)?.receive(type, bytes),
      );
    this.setSimulationInterval(() => this.runDueTicks(), millisecondsPerTick);
    onEvent({ what: 'created', roomId: this.roomId });
  }

  override onJoin(client: Client): void {
    const send = (type: number, bytes: Uint8Array): void => client.sendBytes(type, bytes);
    this.members.set(client.sessionId, this.host.join(send));
    if (Number.isNaN(this.start) && this.members.size >= this.options.startWith)
      this.start = performance.now();
  }

  override onLeave({ sessionId }: Client): void {
    this.members.get(sessionId)?.leave();
    this.members.delete(sessionId);
  }

  /** As many ticks as have passed; a timer that fires late is made up for. */
  private runDueTicks(): void {
    const { world } = this.host.authority;
    const { lastTick, onEvent } = this.options;
    const { roomId, host } = this;
    const due = Math.floor((performance.now() - this.start) / millisecondsPerTick);
    while (world.tick < Math.min(due, lastTick)) {
      host.tick();
      if (world.tick % tickRate === 0) onEvent({ what: 'second', roomId, tick: world.tick });
      if (world.tick === lastTick) onEvent({ what: 'ended', roomId, host });
    }
  }
}
