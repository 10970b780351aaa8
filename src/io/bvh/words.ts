/**
 * The text of a BVH file as words: blanks, tabs and any line ends part them, braces stand for themselves. Lines count
 * only for names, which go on to the end of theirs.
 */
import { FollowthroughError } from '../../asset/errors.js';
import { oneLine } from '../gltf/json.js';

/** A position in a text. */
export interface Words {
  /** The whole text. */
  readonly text: string;
  /** Index of the next character that has not been read. */
  at: number;
  /** For messages: the name of the file. */
  readonly file: string;
}

/** Opens a text. */
export function openWords(text: string, file: string): Words {
  return { text, at: 0, file };
}

/** The next word, empty at the end of the text. */
export function nextWord(words: Words): string {
  const { text } = words;
  let from = words.at;
  while (isBlank(text.charCodeAt(from))) from++;
  let to = from;
  if (isBrace(text.charCodeAt(from))) to++;
  else while (to < text.length && !isBrace(text.charCodeAt(to)) && !isBlank(text.charCodeAt(to))) to++;
  words.at = to;
  return text.slice(from, to);
}

/** Control characters count as blanks, as some files end with a NUL, and so does a byte order mark; past the end the code is no number. */
function isBlank(code: number): boolean {
  return code <= 32 || code === 0xa0 || code === 0xfeff;
}

function isBrace(code: number): boolean {
  return code === 0x7b || code === 0x7d;
}

/** The next word, which stays to be read. */
export function peekWord(words: Words): string {
  const { at } = words;
  const word = nextWord(words);
  words.at = at;
  return word;
}

/** What is left of the line, up to a brace: a name, blanks in it included. */
export function restOfLine(words: Words): string {
  const from = words.at;
  let to = from;
  while (to < words.text.length && !/[\r\n{}]/.test(words.text[to]!)) to++;
  words.at = to;
  return words.text.slice(from, to).trim();
}

/**
 * Refuses the file.
 *
 * @param at - index in the text
 * @throws FollowthroughError always, `invalid-file`
 */
export function refuseAt(words: Words, at: number, problem: string): never {
  throw new FollowthroughError(
    'invalid-file',
    oneLine(`${words.file}: line ${lineAt(words, at)}: ${problem}`),
  );
}

/** Refuses the file because another word was expected than the one just read. */
export function refuseWord(words: Words, word: string, expected: string): never {
  return refuseAt(words, words.at - word.length, `expected ${expected}, found ${quoted(word)}`);
}

/** A word for a message. */
export function quoted(word: string): string {
  if (word === '') return 'the end of the file';
  return `'${word.length > 40 ? `${word.slice(0, 37)}...` : word}'`;
}

/** Number of the line at an index, from 1; CR, LF and both together end one. */
export function lineAt({ text }: Words, at: number): number {
  return 1 + (text.slice(0, at).match(/\r\n|\r|\n/g)?.length ?? 0);
}
