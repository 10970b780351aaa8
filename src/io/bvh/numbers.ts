/**
 * Numbers as exporters of many countries write them: a comma for the decimal point, a blank forgotten before a minus
 * sign. Both are read where only one meaning is possible, and said.
 */

const plain = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** A sign that follows a digit or a point, not an exponent. */
const gluedSign = /(?<=[\d.])(?=[+-])/;

/** Value of a token that is one number with a point, else undefined. */
export function plainNumber(token: string): number | undefined {
  return plain.test(token) ? Number(token) : undefined;
}

/** What a comma means in a file. */
export type CommaMeaning = 'decimal' | 'separator';

/**
 * Reads what stands between two blanks.
 *
 * @param comma - what a comma means in this file
 * @returns one number or several, undefined when it is none
 */
export function numbersIn(token: string, comma: CommaMeaning): number[] | undefined {
  const parts = (comma === 'separator' ? token.split(',').filter((part) => part !== '') : [token]).flatMap(
    (part) => part.split(gluedSign),
  );
  const values: number[] = [];
  for (const part of parts) {
    const value = plainNumber(comma === 'decimal' ? part.replace(',', '.') : part);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values.length > 0 ? values : undefined;
}

/**
 * What commas mean in a text: decimal points, unless some number has two of them, one at its end, or a point beside one.
 * Names do not count.
 */
export function commaMeaning(text: string): CommaMeaning {
  if (!text.includes(',')) return 'decimal';
  for (const word of text.split(/\s+/)) {
    if (!word.includes(',') || !/\d/.test(word) || !/^[-+.,\deE]+$/.test(word)) continue;
    if (word.endsWith(',') || word.includes('.')) return 'separator';
    if (word.split(gluedSign).some((part) => part.indexOf(',') !== part.lastIndexOf(','))) return 'separator';
  }
  return 'decimal';
}
