/**
 * Text and numbers as an SVG document takes them.
 */

/** Text between tags or in an attribute: markup escaped, what XML 1.0 forbids replaced. */
export function escapeXml(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** At most so many characters, the middle left out: names that differ do so at both ends. */
export function shortened(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (most - 1 - head)).join('')}`;
}

/** Rough width of a text in pixels, for boxes and columns: no font is at hand. */
export const textWidth = (text: string, fontSize: number): number => [...text].length * fontSize * 0.57;

/** A coordinate in pixels. */
export const px = (value: number): string => (Math.round(value * 10) / 10).toString();

/** A figure with about three digits; `-` for what is no number. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  if (size >= 0.1 || size === 0) return value.toFixed(2);
  return size >= 0.001 ? value.toPrecision(2) : value.toExponential(1);
}
