/** Warnings that may come a thousand times in a file: each kind is said once, with its number and its first line. */
import type { Warning } from '../../asset/errors.js';
import { lineAt, type Words } from './words.js';

/** Counts what is wrong by kind. */
export interface Notes {
  /** Notes something at the position of the text. */
  note(code: string): void;
  /** What was noted. */
  report(): Warning[];
}

const messages: Readonly<Record<string, (count: number) => string>> = {
  braces: (count) => `${count} braces too many or too few`,
  'channel-count': (count) => `${count} joints have another number of channels than they announce`,
  'decimal-comma': (count) => `${count} numbers have a comma for the decimal point`,
  'missing-blank': (count) => `${count} times a sign follows a digit without a blank; read as two numbers`,
};

/** Notes of a text. */
export function createNotes(words: Words): Notes {
  const found = new Map<string, { count: number; line: number }>();
  return {
    note(code) {
      const one = found.get(code);
      if (one) one.count++;
      else found.set(code, { count: 1, line: lineAt(words, words.at) });
    },
    report: () =>
      [...found].map(([code, { count, line }]) => ({
        code,
        message: messages[code]!(count),
        at: `line ${line}`,
      })),
  };
}
