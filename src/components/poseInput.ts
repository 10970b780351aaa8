/** Poses given by the game: one row per bone of a character that the game poses itself. */
export const PoseInput = {
  /** Name of the store. */
  name: 'input',
  /** Columns: element type, region, elements per row. */
  fields: {
    /** Stable id of the character, 0 in a free row. */
    id: ['u32', 'state', 1],
    /** Local pose at the start of the current frame: translation 3, rotation 4, scale 3. */
    from: ['f64', 'state', 10],
    /** Local pose as last given. */
    to: ['f64', 'state', 10],
  },
} as const;
