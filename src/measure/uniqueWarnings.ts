/**
 * Warnings from several stages in one list.
 */
import type { Warning } from '../asset/index.js';

/** Each warning once, in the order of first appearance. */
export function uniqueWarnings(warnings: readonly Warning[]): Warning[] {
  const seen = new Set<string>();
  return warnings.filter(({ code, message, at }) => {
    const key = JSON.stringify([code, message, at]);
    return !seen.has(key) && seen.add(key);
  });
}
