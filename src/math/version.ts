/** Version of the arithmetic. */

/**
 * Rises whenever the same inputs may give other bits than before: golden hashes, snapshots and replays of another
 * version do not compare.
 */
export const mathVersion = 1;
