/** Numbers of a text one after another, whatever stands between them; what had to be guessed is noted. */
import type { Notes } from './notes.js';
import { commaMeaning, numbersIn, plainNumber } from './numbers.js';
import { nextWord, quoted, refuseAt, refuseWord, type Words } from './words.js';

/** Reads numbers. */
export interface NumberReader {
  /** The next number; anything else refuses the file. */
  next(): number;
  /** The next number, undefined at the end of the text or before something else, which stays to be read. */
  tryNext(): number | undefined;
  /** Refuses the file unless all numbers of the last word have been read. */
  end(expected: string): void;
  /** Refuses the file because of the last word read. */
  refuse(expected: string): never;
}

/** Reads numbers from a text, from wherever its position is. */
export function numberReader(words: Words, notes: Notes): NumberReader {
  const comma = commaMeaning(words.text);
  /** The last word, and how many of its numbers have been given out. */
  let word = '';
  let several: number[] = [];
  let given = 0;

  function refuse(expected: string): never {
    return refuseAt(words, words.at - word.length, `expected ${expected}, found ${quoted(word)}`);
  }

  function tryNext(): number | undefined {
    if (given < several.length) return several[given++];
    const before = words.at;
    const text = nextWord(words);
    const single = plainNumber(text);
    const values = single === undefined ? numbersIn(text, comma) : [single];
    if (values === undefined) {
      words.at = before;
      return undefined;
    }
    word = text;
    several = values;
    given = 1;
    if (single === undefined) {
      if (comma === 'decimal' && text.includes(',')) notes.note('decimal-comma');
      if (/[\d.][+-]/.test(text.replace(/e[+-]/gi, 'e'))) notes.note('missing-blank');
    }
    return values[0];
  }

  return {
    tryNext,
    refuse,
    next() {
      const value = tryNext() ?? refuseWord(words, nextWord(words), 'a number');
      return Number.isFinite(value) ? value : refuse('a number that fits 64 bits');
    },
    end(expected) {
      if (given < several.length) refuse(expected);
    },
  };
}
