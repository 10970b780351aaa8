import { describe, expect, it } from 'vitest';
import { createAuthority, type Authority } from '../../../examples/multiplayer/authority.js';
import { findWalker, readWalker, type Command, type Walker } from '../../../examples/multiplayer/walking.js';
import { character } from './support/network.js';

const ahead: Command = { heading: 0, walking: true };

function walker({ world }: Authority, id: number): Walker {
  return readWalker(world, findWalker(world, id)!);
}

describe('the server of the example', () => {
  it('does what a player wants at its tick, and goes on with it until it hears otherwise', () => {
    const authority = createAuthority(character, 0, 1);
    const id = authority.join();
    authority.command(id, 10, [ahead]);
    const start = walker(authority, id);
    for (let tick = 0; tick < 10; tick++) authority.step();
    expect(walker(authority, id)).toEqual(start);
    for (let tick = 10; tick < 30; tick++) authority.step();
    expect(walker(authority, id)).toMatchObject({ x: start.x, pace: 8 });
    expect(walker(authority, id).z).toBeGreaterThan(start.z);
    expect(authority.late).toBe(0);
  });

  it('takes a command that is late as the newest wish, unless a newer one is known', () => {
    const authority = createAuthority(character, 0, 1);
    const id = authority.join();
    for (let tick = 0; tick < 20; tick++) authority.step();
    authority.command(id, 5, [ahead]);
    authority.step();
    expect(walker(authority, id).pace).toBe(1);
    authority.command(id, 4, [{ ...ahead, walking: false }]);
    authority.step();
    expect(walker(authority, id).pace).toBe(2);
    expect(authority.late).toBe(2);
  });

  it('takes no commands for the far future', () => {
    const authority = createAuthority(character, 0, 1);
    const id = authority.join();
    authority.command(id, 120, [ahead, ahead]);
    for (let tick = 0; tick < 121; tick++) authority.step();
    expect(walker(authority, id).pace).toBe(1);
    const other = createAuthority(character, 0, 1);
    const far = other.join();
    other.command(far, 121, [ahead]);
    for (let tick = 0; tick < 125; tick++) other.step();
    expect(walker(other, far).pace).toBe(0);
  });

  it('keeps ten seconds of inputs', () => {
    const authority = createAuthority(character, 0, 1);
    const inputs = Array.from({ length: 620 }, () => authority.step());
    expect(authority.inputsFrom(19)).toBeUndefined();
    expect(authority.inputsFrom(20)).toEqual(inputs.slice(20));
    expect(authority.inputsFrom(620)).toEqual([]);
    expect(authority.hashesFrom(0).map(({ tick }) => tick)).toEqual([
      60, 120, 180, 240, 300, 360, 420, 480, 540, 600,
    ]);
  });
});
