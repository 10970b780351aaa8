// What stands in front of every program: members of ES2023 and of the web that an engine lacks, each only where it is missing.
// In Node, Bun, Firefox and Chromium that is none. None of them computes with numbers.

/** Runs in the engine, so it names nothing of this file. */
function fillIn(global) {
  const add = (owner, name, value) => {
    if (owner[name] === undefined)
      Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  };
  const typed = Object.getPrototypeOf(Int8Array);
  // gjs (SpiderMonkey 102) and Hermes.
  add(Array.prototype, 'toSorted', function (order) {
    return Array.prototype.sort.call(Array.from(this), order);
  });
  add(Array.prototype, 'toReversed', function () {
    return Array.prototype.reverse.call(Array.from(this));
  });
  // Hermes, whose typed arrays are empty when they are made from what is iterable and no list.
  add(Array.prototype, 'findLast', function (test) {
    for (let i = this.length - 1; i >= 0; i--) if (test(this[i], i, this)) return this[i];
    return undefined;
  });
  add(Array.prototype, 'findLastIndex', function (test) {
    for (let i = this.length - 1; i >= 0; i--) if (test(this[i], i, this)) return i;
    return -1;
  });
  add(typed.prototype, 'toSorted', function (order) {
    return typed.prototype.sort.call(this.slice(), order);
  });
  for (const lists of [Array.prototype, String.prototype, typed.prototype])
    add(lists, 'at', function (index) {
      return this[index < 0 ? this.length + index : index];
    });
  if (Int8Array.from([1].keys()).length === 0) {
    const fromList = typed.from;
    typed.from = function (things, ...change) {
      return fromList.call(this, Array.from(things), ...change);
    };
  }
  // jsc and QuickJS: what the loader of files asks for. Nothing there waits for time, so a timer may come at once.
  add(global, 'setTimeout', (run) => {
    void Promise.resolve().then(run);
    return 0;
  });
  add(global, 'clearTimeout', () => {});
  add(global, 'TextDecoder', function () {
    this.decode = (bytes) => {
      const escaped = Array.from(bytes, (byte) => `%${(byte + 256).toString(16).slice(1)}`);
      return decodeURIComponent(escaped.join(''));
    };
  });
}

/** The text of it. */
export const prelude = `(${fillIn})(globalThis);\n`;
