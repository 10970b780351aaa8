/** Numbers of the world itself; one row. Kept as a component so that a snapshot holds them too. */
export const Global = {
  /** Name of the store. */
  name: 'global',
  /** Columns: element type, region, elements per row. */
  fields: {
    /** Always 1: the row is taken. */
    id: ['u32', 'state', 1],
    /** Next stable id; ids are never used twice in a world. */
    nextId: ['u32', 'state', 1],
    /** Ticks run so far. */
    tick: ['f64', 'state', 1],
    /** Real time handed to `advance` and not yet run, in ticks, 0 to 1. */
    pending: ['f64', 'state', 1],
    /** 1 when a floor plane moved, came or went since the last tick: wakes every chain that feels floors. */
    floorsMoved: ['u8', 'state', 1],
    /** 1 when a collider that stands in the world moved, came or went since the last tick: wakes every chain that feels it. */
    collidersMoved: ['u8', 'state', 1],
    /** 1 after `advance`: a reader interpolates; 0 after `step`: it reads the tick. */
    betweenTicks: ['u8', 'derived', 1],
  },
} as const;
