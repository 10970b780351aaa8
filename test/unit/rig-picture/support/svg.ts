/** Just enough of an SVG reader to check what a picture shows. */
import { expect } from 'vitest';

/** Throws unless tags are balanced, attributes quoted and text free of bare markup. */
export function expectWellFormed(svg: string): void {
  const open: string[] = [];
  let rest = svg.trim();
  while (rest !== '') {
    const text = /^[^<]+/.exec(rest)?.[0];
    if (text !== undefined) {
      expect(text.replace(/&(amp|lt|gt|quot|#39);/g, ''), 'text').not.toMatch(/&/);
      rest = rest.slice(text.length);
      continue;
    }
    const tag = /^<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>/i.exec(rest);
    if (!tag) throw new Error(`not well-formed at: ${rest.slice(0, 60)}`);
    rest = rest.slice(tag[0].length);
    if (tag[1] === '/') expect(open.pop()).toBe(tag[2]);
    else if (tag[4] === '') open.push(tag[2]!);
  }
  expect(open).toEqual([]);
  // oxlint-disable-next-line no-control-regex
  expect(svg).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
}

/** A patch of colour in a view, pixels. */
export interface Patch {
  fill: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** By the shoelace formula, holes taken off. */
  area: number;
}

/** The skin of the three views: patches filled with a colour, in the order in which they are drawn. */
export function skinOf(svg: string): Patch[][] {
  const layers = [...svg.matchAll(/<g transform="scale\(\.1\)"[^>]*>\n([^]*?)<g fill="#1d1a2b"/g)];
  return layers.map(([, layer]) =>
    [...layer!.matchAll(/<path fill="(#[0-9a-f]{6})"[^>]* d="([^"]*)"/g)].map(([, fill, d]) => ({
      fill: fill!,
      ...extent(d!),
    })),
  );
}

function extent(d: string): Omit<Patch, 'fill'> {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity, area: 0 };
  for (const loop of d.split('z').filter((part) => part !== '')) {
    const numbers = [...loop.matchAll(/-?\d+/g)].map(([text]) => Number(text) / 10);
    const corners: [number, number][] = [];
    let [x, y] = [0, 0];
    for (let i = 0; i < numbers.length; i += 2) {
      [x, y] = [x + numbers[i]!, y + numbers[i + 1]!];
      corners.push([x, y]);
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
    corners.forEach(([ax, ay], i) => {
      const [bx, by] = corners[(i + 1) % corners.length]!;
      box.area += (ax * by - bx * ay) / 2;
    });
  }
  return { ...box, area: Math.abs(box.area) };
}

/** Colour of each bone as the list under the views has it. */
export function colorsByName(svg: string): Map<string, string> {
  const entries = svg.matchAll(/fill="(#[0-9a-f]{6})" stroke="#555"[^>]*\/><text x="24">([^<]*)</g);
  return new Map([...entries].map(([, color, name]) => [name!, color!]));
}

/** All texts. */
export function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text!);
}
