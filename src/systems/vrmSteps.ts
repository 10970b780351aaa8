/**
 * Steps within a tick: VRM's law asks for at least 60 steps a second, so below that tick rate the attachment is taken
 * from where it stood to where it stands in as many as are missing (docs/solver.md, "VRM model").
 */
import { teleportState } from '../components/codes.js';
import { orthonormalise } from '../setup/columns3.js';
import type { World } from '../setup/world.js';
import { walkLinks } from './links.js';
import { baseFrame, feltVelocity, floorDecay, frameBefore, rootPoint, tickSeconds } from './registers.js';

/** Frame and point of the attachment after the tick. */
const frameAfter = new Float64Array(9);
const pointAfter = new Float64Array(3);
const between = new Float64Array(9);

/** Walks the chain in `world.vrmSteps` steps; a chain that began or leapt in this tick sees the new attachment only. */
export function walkInSteps(world: World, row: number, fresh: boolean): void {
  const { chain, character } = world.views;
  const steps = world.vrmSteps;
  const leapt = character.teleported[chain.character[row]!] !== teleportState.none;
  frameAfter.set(baseFrame);
  pointAfter.set(rootPoint);
  const decay = floorDecay[0]!;
  floorDecay[0] = world.vrmFloorDecay;
  for (let k = 1; k <= steps; k++) {
    const ahead = 1 - k / steps;
    if (k < steps && !fresh && !leapt) {
      for (let i = 0; i < 3; i++) rootPoint[i] = pointAfter[i]! - ahead * tickSeconds[0]! * feltVelocity[i]!;
      for (let i = 0; i < 9; i++) between[i] = ahead * frameBefore[i]! + (1 - ahead) * frameAfter[i]!;
      orthonormalise(baseFrame, between);
    } else {
      rootPoint.set(pointAfter);
      baseFrame.set(frameAfter);
    }
    walkLinks(world.views, row, fresh, world.order!.meeting);
  }
  floorDecay[0] = decay;
}
