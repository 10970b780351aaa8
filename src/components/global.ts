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
    /** Speed of the wind, m/s; 0 is still air. */
    windSpeed: ['f64', 'state', 1],
    /** Its direction, the level one square to it, the one square to both; world, unit. */
    windAxes: ['f64', 'state', 9],
    /** How much the speed comes and goes, 0..1. */
    windGusts: ['f64', 'state', 1],
    /** Seconds from gust to gust. */
    windGustSeconds: ['f64', 'state', 1],
    /** How much of the speed goes sideways, 0..1. */
    windSway: ['f64', 'state', 1],
    /** Which gusts. */
    windSeed: ['u32', 'state', 1],
    /** Groups of chains that feel it, one bit each. */
    windGroups: ['u32', 'state', 1],
    /** How the wind changed since the last tick, see `windChange`; wakes the chains that feel it. */
    windMoved: ['u8', 'state', 1],
    /** 1 after `advance`: a reader interpolates; 0 after `step`: it reads the tick. */
    betweenTicks: ['u8', 'derived', 1],
  },
} as const;
