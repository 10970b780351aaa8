/**
 * The work of `followthrough verify` as text, for every engine: it imports nothing but the library and takes nothing but
 * bytes, so that an engine without files runs it, too.
 */
import { hashText, verifyReplay, type VerifyOptions, type VerifyReport } from '../replay/index.js';

/** What an engine answers: the report with its hash as 16 hex digits, or the error. */
export type Answer =
  | { report: Omit<VerifyReport, 'hash'> & { hash: string } }
  | { error: { code: string; message: string } };

/** Verifies a replay and answers in JSON. */
export function verifyJson(bytes: Uint8Array, options: VerifyOptions = {}): string {
  return JSON.stringify(answer(bytes, options));
}

function answer(bytes: Uint8Array, options: VerifyOptions): Answer {
  try {
    const { hash, ...rest } = verifyReplay(bytes, options);
    return { report: { ...rest, hash: hashText(hash) } };
  } catch (error) {
    const { code = 'unexpected', message } = error as Error & { code?: string };
    return { error: { code, message } };
  }
}
