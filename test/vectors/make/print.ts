/**
 * JSON as the formatter of this repository leaves it (110 columns, lists of numbers filled), so that what the generator
 * writes is what is committed, byte for byte. Numbers are JavaScript's shortest that read back the same.
 */
const width = 110;

export function print(value: unknown): string {
  return `${block(value, 0, 0, 0)}\n`;
}

function isEntry(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A list of two or more objects or lists, of two or more members each, stands on lines of its own. */
function mustBreak(value: unknown): boolean {
  if (!isEntry(value)) return false;
  const members: unknown[] = Object.values(value);
  if (members.some(mustBreak)) return true;
  if (!Array.isArray(value) || members.length < 2) return false;
  const lists = members.every(Array.isArray);
  const objects = members.every((m) => isEntry(m) && !Array.isArray(m));
  return (lists || objects) && members.every((m) => Object.keys(m as object).length > 1);
}

function flat(value: unknown): string {
  if (!isEntry(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`;
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${flat(inner)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/**
 * @param before - columns of the line that are taken, the indent included
 * @param after - 1 where a comma follows
 */
function block(value: unknown, indent: number, before: number, after: number): string {
  const line = flat(value);
  if (!isEntry(value) || (!mustBreak(value) && before + line.length + after <= width)) return line;
  const inner = ' '.repeat(indent + 2);
  const end = ' '.repeat(indent);
  if (Array.isArray(value)) {
    const body = value.every((v) => typeof v === 'number')
      ? filled(value, inner)
      : value.map((v, i) => inner + block(v, indent + 2, indent + 2, comma(i, value))).join(',\n');
    return `[\n${body}\n${end}]`;
  }
  const members = Object.entries(value).map(([key, v], i, all) => {
    const name = `${inner}${JSON.stringify(key)}: `;
    return name + block(v, indent + 2, name.length, comma(i, all));
  });
  return `{\n${members.join(',\n')}\n${end}}`;
}

function comma(i: number, list: unknown[]): number {
  return i + 1 < list.length ? 1 : 0;
}

/** Numbers, as many to a line as go. */
function filled(numbers: number[], inner: string): string {
  const lines: string[] = [];
  let line = inner;
  numbers.forEach((number, i) => {
    const text = JSON.stringify(number) + (i + 1 < numbers.length ? ',' : '');
    const next = line === inner ? inner + text : `${line} ${text}`;
    if (next.length > width && line !== inner) {
      lines.push(line);
      line = inner + text;
    } else line = next;
  });
  return [...lines, line].join('\n');
}
