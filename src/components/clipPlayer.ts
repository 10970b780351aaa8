/** A clip that plays on a character. Time follows the tick count, so a frame rate cannot change it. */
export const ClipPlayer = {
  /** Name of the store. */
  name: 'player',
  /** Columns: element type, region, elements per row. */
  fields: {
    /** Stable id, 0 in a free row. */
    id: ['u32', 'state', 1],
    /** bitECS entity. */
    eid: ['u32', 'derived', 1],
    /** Row of the character. */
    character: ['i32', 'state', 1],
    /** Index of the clip in the asset. */
    clip: ['i32', 'state', 1],
    /** Tick at which `startTime` was shown. */
    startTick: ['f64', 'state', 1],
    /** Clip time at `startTick`, seconds. */
    startTime: ['f64', 'state', 1],
    /** Clip seconds per second. */
    speed: ['f64', 'state', 1],
    /** 1 when chains would feel a jump where the clip wraps around: there they are moved along instead. */
    jumps: ['u8', 'state', 1],
    /** 1: wraps around, 0: holds its ends. */
    loop: ['u8', 'state', 1],
    /** Share in the blend with the character's other players, 0..1. */
    weight: ['f64', 'state', 1],
  },
} as const;
