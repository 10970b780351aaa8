/** The axis of a link's half turn, where the shortest rotation from its rest direction is not defined. */
import { halfTurnAxis } from './registers.js';

/**
 * Writes `halfTurnAxis`: the axis of half a turn of link `p`, where the shortest rotation is not defined: the axis of the last
 * bend, else the lateral axis (which a mirrored character mirrors), made square to the rest direction.
 */
export function findHalfTurnAxis(direction: Float64Array, bend: Float64Array, p: number): void {
  const ux = direction[p * 3]!;
  const uy = direction[p * 3 + 1]!;
  const uz = direction[p * 3 + 2]!;
  let x = bend[p * 4]!;
  let y = bend[p * 4 + 1]!;
  let z = bend[p * 4 + 2]!;
  for (let attempt = 0; attempt < 3; attempt++) {
    const along = x * ux + y * uy + z * uz;
    x -= along * ux;
    y -= along * uy;
    z -= along * uz;
    const square = x * x + y * y + z * z;
    if (square > 1e-12) {
      const n = 1 / Math.sqrt(square);
      halfTurnAxis[0] = x * n;
      halfTurnAxis[1] = y * n;
      halfTurnAxis[2] = z * n;
      return;
    }
    x = attempt === 0 ? 1 : 0;
    y = 0;
    z = attempt === 0 ? 0 : 1;
  }
}
