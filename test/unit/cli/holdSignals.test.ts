/** Ctrl-C in the middle of a write: the write is finished first. Signals are made up here, no process is ended. */
import { EventEmitter, once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { holdSignals } from '../../../src/cli/holdSignals.js';

describe('holdSignals', () => {
  test('a signal takes effect after the last of the writes that have begun', async () => {
    const log: string[] = [];
    const hold = holdSignals((signal) => log.push(signal));
    const disk = new EventEmitter();
    const write = (name: string) =>
      hold(async () => {
        await once(disk, name);
        log.push(name);
      });
    const before = process.listenerCount('SIGINT');
    const writes = [write('first'), write('second')];
    expect(process.listenerCount('SIGINT')).toBe(before + 1);
    process.emit('SIGINT', 'SIGINT');
    disk.emit('first');
    await writes[0];
    expect(log).toEqual(['first']);
    disk.emit('second');
    await writes[1];
    expect(log).toEqual(['first', 'second', 'SIGINT']);
    expect(process.listenerCount('SIGINT')).toBe(before);
  });

  test('without a signal nothing ends, and a write that fails says so', async () => {
    const ended: string[] = [];
    const hold = holdSignals((signal) => ended.push(signal));
    const before = process.listenerCount('SIGTERM');
    expect(await hold(async () => 7)).toBe(7);
    await expect(hold(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
    expect([ended, process.listenerCount('SIGTERM')]).toEqual([[], before]);
  });
});
