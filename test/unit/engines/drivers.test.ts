/** What runs programs in engines: it tells what failed from what is done, ends what hangs and leaves nothing behind. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  bundleProgram,
  engineNamed,
  ensureDebian,
  firstDifference,
  inLanes,
  prelude,
  runInShell,
} from '../../../scripts/engines/index.mjs';
import { findChromium } from './chromium.js';

const node = { command: [process.execPath] };
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'followthrough-drivers-'));
  vi.stubEnv('TMPDIR', folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Command lines of all processes, where the system shows them. */
function commandLines(): string[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });
}

describe('a shell', () => {
  it('gives the lines before the end', async () => {
    expect(await runInShell(node, "console.log('1 a'); console.log('end');", 60)).toEqual(['1 a']);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('fails where the program throws, and where it stops before its end', async () => {
    await expect(runInShell(node, "throw new Error('broken here')", 60)).rejects.toThrow(/broken here/);
    await expect(runInShell(node, "console.log('1 a')", 60)).rejects.toThrow(/ended with 0/);
    await expect(runInShell({ command: ['/no/such/engine'] }, '', 60)).rejects.toThrow(/ENOENT/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is ended with all that it started when it takes too long', async () => {
    const mark = `followthrough-mark-${process.pid}`;
    const started = `const child = ['-e', 'setInterval(() => {}, 9)', '${mark}'];
      require('node:child_process').spawn(process.execPath, child); for (;;);`;
    await expect(runInShell(node, started, 2)).rejects.toThrow(/not done after 2 s/);
    await vi.waitFor(() => expect(commandLines().filter((line) => line.includes(mark))).toEqual([]));
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a browser', () => {
  it('tells what a page throws, ends one that hangs, leaves no process and no profile', async ({ skip }) => {
    const chromium = await findChromium();
    if (chromium === undefined) return skip('Chromium is missing');
    await expect(chromium.run("throw new Error('broken here')", 60)).rejects.toThrow(/broken here/);
    await expect(chromium.run('Promise.reject(new Error("later"))', 60)).rejects.toThrow(/later/);
    await expect(chromium.run('', 3)).rejects.toThrow(/no answer after 3 s/);
    await vi.waitFor(() => expect(commandLines().filter((line) => line.includes(folder))).toEqual([]));
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('an engine', () => {
  it('is known by its name', () => {
    expect(engineNamed('node').name).toBe('node');
    expect(() => engineNamed('v8')).toThrow(/no engine v8; there are node, /);
  });

  it('that is missing is none', async () => {
    vi.stubEnv('PATH', folder);
    for (const name of ['jsc', 'gjs', 'firefox', 'chromium', 'node-arm64'])
      expect(await engineNamed(name).find(), name).toBeUndefined();
  });

  it('gets nothing before a program that changes what it has', () => {
    // Taken from the text, as engines get it, and run here, where nothing is missing.
    const before = [Array.prototype.toSorted, Int8Array.from, TextDecoder, setTimeout];
    new Function(prelude)();
    expect([Array.prototype.toSorted, Int8Array.from, TextDecoder, setTimeout]).toEqual(before);
  });
});

describe('a bundle', () => {
  it('refuses a change of a text that stands there not once', async () => {
    const change = { file: 'test/engines/say.ts', from: 'no such text', to: '' };
    await expect(bundleProgram('test/engines/main.ts', change)).rejects.toThrow(/0 times, not once/);
  });
});

describe('the comparison', () => {
  it('finds the first line that differs', () => {
    expect(firstDifference(['a', 'b'], ['a', 'b'])).toBeUndefined();
    expect(firstDifference(['a', 'b'], ['a', 'c'])).toEqual({ line: 1, expected: 'b', actual: 'c' });
    expect(firstDifference(['a', 'b'], ['a'])).toEqual({ line: 1, expected: 'b', actual: undefined });
  });

  it('runs jobs side by side and keeps their order', async () => {
    let most = 0;
    let now = 0;
    const jobs = [30, 1, 20, 2].map((wait) => async () => {
      most = Math.max(most, ++now);
      await new Promise((done) => {
        setTimeout(done, wait);
      });
      now--;
      return wait;
    });
    expect(await inLanes(2, jobs)).toEqual([30, 1, 20, 2]);
    expect(most).toBe(2);
  });
});

describe('packages of Debian', () => {
  it('are not installed unasked', async () => {
    vi.stubEnv('CI', '');
    vi.stubEnv('FOLLOWTHROUGH_INSTALL', '');
    expect(await ensureDebian(['chromium'])).toBe(false);
  });
});
