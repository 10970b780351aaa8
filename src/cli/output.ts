/**
 * What the commands print: aligned tables and plain lines on stdout, warnings on stderr, and with `--json` exactly
 * one JSON value on stdout.
 */
import Table from 'cli-table3';
import type { Warning } from '../asset/index.js';
import { oneLine } from './errors.js';

/** Prints one JSON value. Numbers that are not finite become null. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints lines on stdout. */
export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Prints warnings on stderr, one line each. */
export function printWarnings(warnings: readonly Warning[]): void {
  for (const { message, at } of warnings) {
    const place = message.startsWith(`${at}:`) ? '' : `${at}: `;
    process.stderr.write(`warning: ${oneLine(place + message)}\n`);
  }
}

/** Every line that cli-table3 would draw, left out. */
const noBorders = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid']
    .flatMap((side) => [side, `${side}-left`, `${side}-mid`, `${side}-right`])
    .concat('middle')
    .map((name) => [name, '']),
);

/**
 * A table with a heading row, columns aligned: text left, figures right.
 *
 * @param head - names of the columns
 * @param rows - cells as text
 * @param left - how many columns from the left hold text, default 1
 */
export function table(head: string[], rows: string[][], left: number = 1): string {
  const lines = new Table({
    head,
    colAligns: head.map((_, column) => (column < left ? 'left' : 'right')),
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  });
  lines.push(...rows.map((cells) => cells.map(oneLine)));
  return lines
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** A figure with a fixed number of digits after the point, `-` for none. */
export function figure(value: number | null, digits: number): string {
  return value === null ? '-' : value.toFixed(digits);
}

/** A share 0..1 as per cent. */
export function percent(share: number | null): string {
  return share === null ? '-' : `${(100 * share).toFixed(1)}%`;
}

/** `1 clip`, `2 clips`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
