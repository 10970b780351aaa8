/**
 * Where the pieces fall in one view: their whole silhouette, hidden or not, and their middle.
 */
import { type Loop, outlinesByLabel } from './pictureOutline.js';
import { createRaster, paintTriangle, type Projection } from './pictureRaster.js';
import { gridOf, type Panel } from './pictureSkin.js';
import type { PlannedPiece } from './plan.js';

/** A piece in one view. */
export interface PieceMark {
  piece: PlannedPiece;
  /** Its whole silhouette, hidden parts too, in cells. */
  loops: Loop[];
  /** Cells that it covers. */
  cells: number;
  /** Its middle, in pixels of the panel; NaN without points. */
  middle: [number, number];
}

/** Finds the pieces in a view. */
export function pieceMarks(
  panel: Panel,
  projection: Projection,
  pieces: readonly PlannedPiece[],
): PieceMark[] {
  const { count } = panel.scene.surface;
  return pieces.map((piece) => {
    const inPart = new Uint8Array(count);
    for (const p of piece.points) inPart[p] = 1;
    for (const p of piece.collar) inPart[p] = 1;
    let [x, y] = [0, 0];
    for (const p of piece.points) {
      x += projection.x[p]! * panel.cell;
      y += projection.y[p]! * panel.cell;
    }
    const { length } = piece.points;
    return { piece, ...silhouette(panel, projection, inPart), middle: [x / length, y / length] };
  });
}

/**
 * The whole silhouette of a part of the skin, hidden or not.
 *
 * @param inPart - 1 for its points
 * @returns outlines in cells, and the number of cells
 */
function silhouette(
  panel: Panel,
  projection: Projection,
  inPart: Uint8Array,
): { loops: Loop[]; cells: number } {
  const { triangles } = panel.scene.surface;
  const [width, height] = gridOf(panel);
  const raster = createRaster(width, height);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!];
    if (inPart[a] === 1 && inPart[b] === 1 && inPart[c] === 1) paintTriangle(raster, projection, a, b, c);
  }
  const mask = raster.point.map((p) => (p < 0 ? 0 : 1));
  const cells = mask.reduce((sum, value) => sum + value, 0);
  return { loops: outlinesByLabel(mask, width, height).get(1) ?? [], cells };
}
