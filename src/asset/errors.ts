/**
 * The one error class of the library: a stable `code` to branch on, a message of one line that
 * names the place and what was expected there.
 */

/** Codes of {@link FollowthroughError}; stable within a major version. */
export type ErrorCode =
  /** A file cannot be read: broken container, broken JSON, a reference or size that points nowhere. */
  | 'invalid-file'
  /** A file needs something that is not supported here (a required extension, a newer version). */
  | 'unsupported-file'
  /** An argument has the wrong type or lies outside its range. */
  | 'invalid-argument'
  /** A name (clip, bone, chain, option) that does not exist or fits more than one thing. */
  | 'unknown-name'
  /** A handle of an entity that was removed or never existed in this world. */
  | 'unknown-entity'
  /** There is nothing to simulate, for instance because the clip owns every chain. */
  | 'nothing-to-simulate';

/**
 * Every error the library throws on purpose.
 *
 * @example
 * try { await loadGltf(bytes) } catch (error) { if (error instanceof FollowthroughError) console.log(error.code) }
 */
export class FollowthroughError extends Error {
  /** Stable, machine-readable kind of the error. */
  readonly code: ErrorCode;

  /**
   * @param code - stable kind
   * @param message - one line: place, what was found, what was expected
   */
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'FollowthroughError';
    this.code = code;
  }
}

/** Something that was repaired, guessed or left out: data in a report, never console output. */
export interface Warning {
  /** Stable kind, kebab-case, for instance `saved-pose-differs`. */
  code: string;
  /** One readable line with the figures. */
  message: string;
  /** Where: a bone, clip, mesh or file part. */
  at: string;
}
