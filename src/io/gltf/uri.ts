/**
 * Data URIs (RFC 2397) and base64 (RFC 4648), alike in browsers and Node.
 */
import { refuse } from './json.js';

/** True for a data URI. */
export function isDataUri(uri: string): boolean {
  return /^data:/i.test(uri);
}

/**
 * The bytes of a data URI.
 *
 * @throws FollowthroughError `invalid-file` when it is malformed
 */
export function decodeDataUri(uri: string, place: string): Uint8Array {
  const comma = uri.indexOf(',');
  if (comma < 0) refuse(place, 'a data URI without a comma');
  const body = uri.slice(comma + 1);
  if (!/;base64$/i.test(uri.slice(0, comma))) return decodePercent(body, place);
  let text: string;
  try {
    text = atob(body.includes('%') ? decodeURIComponent(body) : body);
  } catch {
    return refuse(place, 'a data URI whose base64 cannot be decoded');
  }
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

function decodePercent(body: string, place: string): Uint8Array {
  const text = new TextEncoder().encode(body);
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== 0x25) {
      bytes.push(text[i]!);
      continue;
    }
    const digits = String.fromCharCode(text[i + 1] ?? 0, text[i + 2] ?? 0);
    if (!/^[\da-f]{2}$/i.test(digits)) return refuse(place, 'a data URI with a broken percent sign');
    bytes.push(Number.parseInt(digits, 16));
    i += 2;
  }
  return Uint8Array.from(bytes);
}

/** A data URI of the given type. */
export function encodeDataUri(bytes: Uint8Array, mimeType: string): string {
  const pieces: string[] = [];
  // A multiple of three, so that the pieces join without padding; small enough for the argument list.
  for (let at = 0; at < bytes.length; at += 24_573)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 24_573))));
  return `data:${mimeType};base64,${pieces.join('')}`;
}
