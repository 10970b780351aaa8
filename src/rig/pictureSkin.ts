/**
 * The skin in one view as SVG paths: a patch per bone that owned it, shaded in steps, what is hidden left out; and where
 * points of the scene fall in that view.
 */
import { type Loop, outlinesByLabel, pathData } from './pictureOutline.js';
import {
  createRaster,
  depthSteps,
  paintTriangle,
  type Projection,
  shadeLevels,
  withoutSpecks,
} from './pictureRaster.js';
import type { Scene, View } from './pictureScene.js';

/** Brightness below which each step of shade begins. */
const shades = [0.86, 0.7, 0.52, 0.34];

/** A view with a size. */
export interface Panel {
  scene: Scene;
  view: View;
  /** Pixels per world unit. */
  scale: number;
  /** Size of a cell in pixels. */
  cell: number;
  /** Pixels. */
  width: number;
  height: number;
}

/** Room around the skin in a panel, pixels. */
export const panelMargin = 6;

/** Pixels across and down of the point at `o` of a list in the scene's axes. */
export function placed({ scene, view, scale }: Panel, points: Float64Array, o: number): [number, number] {
  const { across, acrossSign } = view;
  const edge = acrossSign > 0 ? scene.low[across] : -scene.high[across];
  return [
    panelMargin + (acrossSign * points[o + across]! - edge) * scale,
    panelMargin + (scene.high[1] - points[o + 1]!) * scale,
  ];
}

/** All points in cells, with depth and brightness. */
export function project(panel: Panel): Projection {
  const { scene, view, scale, cell } = panel;
  const { count } = scene.surface;
  const out: Projection = {
    x: new Float64Array(count),
    y: new Float64Array(count),
    depth: new Float64Array(count),
    light: new Float64Array(count),
  };
  for (let p = 0; p < count; p++) {
    const [x, y] = placed(panel, scene.points, 3 * p);
    out.x[p] = x / cell;
    out.y[p] = y / cell;
    out.depth[p] = (view.towardSign * scene.points[3 * p + view.toward]! * scale) / cell;
    out.light[p] = brightness(scene, view, p);
  }
  return out;
}

/** Light from above, a little from the left of the picture, and from the viewer; both sides of a face are lit. */
function brightness({ normals }: Scene, view: View, p: number): number {
  const facing = view.towardSign * normals[3 * p + view.toward]!;
  const side = facing < 0 ? -1 : 1;
  const across = side * view.acrossSign * normals[3 * p + view.across]!;
  const up = side * normals[3 * p + 1]!;
  const lit = -0.36 * across + 0.48 * up + 0.8 * side * facing;
  return 0.65 * Math.max(0, lit) + 0.35 * side * facing;
}

/** Columns and rows of cells that cover a panel. */
export const gridOf = ({ width, height, cell }: Panel): [number, number] => [
  Math.ceil(width / cell) + 1,
  Math.ceil(height / cell) + 1,
];

/** The skin in the colours of its owners, shaded; coordinates in tenths of a pixel. */
export function skinPaths(panel: Panel, projection: Projection, colors: ReadonlyMap<number, string>): string {
  const { scene, cell } = panel;
  const { triangles } = scene.surface;
  const [width, height] = gridOf(panel);
  const raster = createRaster(width, height);
  for (let t = 0; t < triangles.length; t += 3)
    paintTriangle(raster, projection, triangles[t]!, triangles[t + 1]!, triangles[t + 2]!);
  const bones = [...colors.keys()];
  const labelOf = new Map(bones.map((bone, i) => [bone, i + 1]));
  const labels = Int32Array.from(raster.point, (p) => (p < 0 ? 0 : labelOf.get(scene.owners[p]!)!));
  const patches = outlinesByLabel(withoutSpecks(labels, width, height), width, height);
  const path = (loops: readonly Loop[] | undefined, attributes: string): string =>
    loops === undefined ? '' : `<path${attributes} d="${pathData(loops, cell)}"/>\n`;
  const masked = (cells: ArrayLike<number>, attributes: string): string =>
    path(outlinesByLabel(cells, width, height).get(1), attributes);

  const size = Math.max(...[0, 1, 2].map((k) => scene.high[k as 0 | 1 | 2] - scene.low[k as 0 | 1 | 2]));
  const step = (0.025 * size * panel.scale) / cell;
  const levels = shadeLevels(raster, step, shades);
  // Below everything: joints between patches show this, not the paper.
  let svg = masked(
    raster.point.map((p) => (p < 0 ? 0 : 1)),
    ' fill="#b9b4ab" stroke="#4a4742" stroke-width="10"',
  );
  bones.forEach((bone, i) => (svg += path(patches.get(i + 1), ` fill="${colors.get(bone)!}"`)));
  svg += '<g fill="#1d1a2b" fill-opacity=".13">\n';
  for (let level = 1; level <= shades.length; level++)
    svg += masked(
      levels.map((value) => (value >= level ? 1 : 0)),
      '',
    );
  svg += '</g>\n';
  return svg + masked(depthSteps(raster, step), ' fill="#1d1a2b" fill-opacity=".5"');
}
