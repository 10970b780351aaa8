/**
 * From cells of a grid to smooth outlines: the border of each patch of equal labels is followed from cell corner to cell
 * corner, averaged over its neighbours and freed of points that hardly matter (Douglas and Peucker 1973).
 */

/** A closed line: x and y in turn, in cells. */
export type Loop = number[];

/** Borders shorter than this many cell sides are no patch but a speck. */
const shortest = 10;

/** How far a point may lie off the simplified line, in cells. */
const tolerance = 0.35;

/**
 * Outlines of all patches.
 *
 * @param labels - label of each cell, row by row; 0 has no outline
 * @returns outlines by label, holes among them (fill rule: even-odd)
 */
export function outlinesByLabel(
  labels: ArrayLike<number>,
  width: number,
  height: number,
): Map<number, Loop[]> {
  const found = new Map<number, Loop[]>();
  const done = new Uint8Array(width * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const cell = row * width + column;
      const label = labels[cell]!;
      // A border runs along the upper side of every cell that has another label above.
      if (label === 0 || done[cell] === 1) continue;
      if (row > 0 && labels[cell - width] === label) continue;
      const inside = (x: number, y: number): boolean =>
        x >= 0 && y >= 0 && x < width && y < height && labels[y * width + x] === label;
      const border = follow(inside, column, row, (x, y) => (done[y * width + x] = 1));
      if (border.length < 2 * shortest) continue;
      const loop = simplified(smoothed(border));
      const loops = found.get(label);
      if (loops) loops.push(loop);
      else found.set(label, [loop]);
    }
  return found;
}

/** Walks around a patch with the patch on the right hand (rows grow downwards) until it is back. */
function follow(
  inside: (x: number, y: number) => boolean,
  startX: number,
  startY: number,
  alongTop: (x: number, y: number) => void,
): Loop {
  const border: Loop = [];
  let [x, y] = [startX, startY];
  let [dx, dy] = [1, 0];
  do {
    if (dx === 1) alongTop(x, y);
    border.push(x, y);
    x += dx;
    y += dy;
    // The two cells ahead of the corner, on the patch's side of the way and on the other.
    const own = inside(x + (dx - dy - 1) / 2, y + (dy + dx - 1) / 2);
    const other = inside(x + (dx + dy - 1) / 2, y + (dy - dx - 1) / 2);
    if (!own) [dx, dy] = [-dy, dx];
    else if (other) [dx, dy] = [dy, -dx];
  } while (x !== startX || y !== startY || dx !== 1);
  return border;
}

/** Averages over two neighbours on both sides, the nearer counting double: 1 2 3 2 1. */
function smoothed(border: Loop): Loop {
  const count = border.length / 2;
  const out: Loop = [];
  for (let i = 0; i < count; i++)
    for (let side = 0; side < 2; side++) {
      let sum = 0;
      for (let k = -2; k <= 2; k++) sum += (3 - Math.abs(k)) * border[2 * ((i + k + count) % count) + side]!;
      out.push(sum / 9);
    }
  return out;
}

/** Leaves out points that lie within the tolerance of the line without them. */
function simplified(loop: Loop): Loop {
  const count = loop.length / 2;
  // A closed line is cut at its first point and at the one farthest from there.
  let far = 0;
  let most = -1;
  for (let i = 0; i < count; i++) {
    const [dx, dy] = [loop[2 * i]! - loop[0]!, loop[2 * i + 1]! - loop[1]!];
    if (dx * dx + dy * dy <= most) continue;
    most = dx * dx + dy * dy;
    far = i;
  }
  const kept = new Uint8Array(count);
  kept[0] = 1;
  kept[far] = 1;
  const spans: [number, number][] = [
    [0, far],
    [far, count],
  ];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span;
    let worst = tolerance * tolerance;
    let at = -1;
    for (let i = from + 1; i < to; i++) {
      const off = squaredDistance(loop, i, from, to % count);
      if (off > worst) [worst, at] = [off, i];
    }
    if (at < 0) continue;
    kept[at] = 1;
    spans.push([from, at], [at, to]);
  }
  return loop.filter((_, i) => kept[i >> 1] === 1);
}

/** Squared distance of point i to the line from point a to point b. */
function squaredDistance(loop: Loop, i: number, a: number, b: number): number {
  const [dx, dy] = [loop[2 * b]! - loop[2 * a]!, loop[2 * b + 1]! - loop[2 * a + 1]!];
  const [px, py] = [loop[2 * i]! - loop[2 * a]!, loop[2 * i + 1]! - loop[2 * a + 1]!];
  const along = dx * dx + dy * dy;
  const t = along > 0 ? Math.max(0, Math.min(1, (px * dx + py * dy) / along)) : 0;
  const [x, y] = [px - t * dx, py - t * dy];
  return x * x + y * y;
}

/**
 * Path data of closed lines, in tenths of a pixel relative to the point before: short enough for many.
 *
 * @param cell - size of a cell in pixels
 */
export function pathData(loops: readonly Loop[], cell: number): string {
  return loops
    .map((loop) => {
      let [x, y] = [Math.round(loop[0]! * cell * 10), Math.round(loop[1]! * cell * 10)];
      let text = `M${x} ${y}l`;
      for (let i = 2; i < loop.length; i += 2) {
        const [nextX, nextY] = [Math.round(loop[i]! * cell * 10), Math.round(loop[i + 1]! * cell * 10)];
        text += `${separated(nextX - x, i > 2)}${separated(nextY - y, true)}`;
        [x, y] = [nextX, nextY];
      }
      return `${text}z`;
    })
    .join('');
}

const separated = (value: number, needed: boolean): string =>
  needed && value >= 0 ? ` ${value}` : `${value}`;
