/**
 * What is drawn over the skin in each view: pieces outlined in the colour of their verdict, collars, the skeleton that
 * the file has, and the joints that the pass would add. Coordinates in pixels of the panel.
 */
import type { Asset } from '../asset/asset.js';
import { verdictColors } from './pictureColors.js';
import { pathData } from './pictureOutline.js';
import type { PieceMark } from './picturePieces.js';
import { inAxes } from './pictureScene.js';
import { type Panel, placed } from './pictureSkin.js';
import { jointNames } from './pictureLabels.js';
import { px } from './pictureText.js';
import type { PlannedPiece } from './plan.js';

/** Most collar points that are drawn. */
const mostCollarPoints = 240;

/** Outlines of the pieces, what is left alone below what is changed. */
export function pieceOutlines(marks: readonly PieceMark[], cell: number): string {
  const drawn = (changed: boolean): string =>
    marks
      .filter(({ piece, loops }) => (piece.report.verdict !== 'left') === changed && loops.length > 0)
      .map(({ piece: { report }, loops }) => {
        const color = verdictColors[report.verdict];
        const d = pathData(loops, cell);
        if (!changed)
          return `<path fill="none" stroke="${color}" stroke-width="11" stroke-dasharray="36 24" d="${d}"/>\n`;
        return (
          `<path fill="none" stroke="#fff" stroke-width="42" d="${d}"/>\n` +
          `<path fill="${color}" fill-opacity=".1" stroke="${color}" stroke-width="22" d="${d}"/>\n`
        );
      })
      .join('');
  return drawn(false) + drawn(true);
}

/** Points of the collars as dots. */
export function collarDots(panel: Panel, pieces: readonly PlannedPiece[]): string {
  const dots = (changed: boolean): string =>
    pieces
      .filter(({ report }) => (report.verdict !== 'left') === changed)
      .flatMap(({ collar }) => {
        const every = Math.ceil(collar.length / mostCollarPoints);
        return Array.from(collar).filter((_, i) => i % every === 0);
      })
      .map((p) => {
        const [x, y] = placed(panel, panel.scene.points, 3 * p);
        return Number.isFinite(x + y) ? `M${px(x)} ${px(y)}h0` : '';
      })
      .join('');
  const path = (d: string, look: string): string =>
    d === '' ? '' : `<path d="${d}" fill="none" stroke-linecap="round" ${look}/>\n`;
  const found = dots(true);
  return (
    path(dots(false), `stroke="${verdictColors.left}" stroke-width="1.6"`) +
    path(found, 'stroke="#fff" stroke-width="4.4"') +
    path(found, 'stroke="#c2185b" stroke-width="3"')
  );
}

/** Lines from bone to bone of the file's skeleton: only of bones that move skin, so that handles and roots stay out. */
export function skeletonLines(asset: Asset, panel: Panel): string {
  const { parents } = asset.skeleton;
  const { heads, surface } = panel.scene;
  const moves = new Set<number>();
  surface.weights.forEach((weight, k) => {
    if (weight > 0) moves.add(surface.bones[k]!);
  });
  let lines = '';
  let dots = '';
  for (const bone of [...moves].toSorted((a, b) => a - b)) {
    const [x, y] = placed(panel, heads, 3 * bone);
    if (!Number.isFinite(x + y)) continue;
    dots += `M${px(x)} ${px(y)}h0`;
    let above = parents[bone] ?? -1;
    while (above >= 0 && !moves.has(above)) above = parents[above]!;
    if (above < 0) continue;
    const [fromX, fromY] = placed(panel, heads, 3 * above);
    if (Number.isFinite(fromX + fromY)) lines += `M${px(fromX)} ${px(fromY)}L${px(x)} ${px(y)}`;
  }
  return (
    `<path d="${lines}" fill="none" stroke="#fff" stroke-width="2.2" stroke-opacity=".6"/>\n` +
    `<path d="${lines}" fill="none" stroke="#222" stroke-width=".9"/>\n` +
    `<path d="${dots}" fill="none" stroke="#222" stroke-width="2.6" stroke-linecap="round"/>\n`
  );
}

/** The new chains: a bold line through the joints, a dot and a name for each. */
export function newJoints(panel: Panel, pieces: readonly PlannedPiece[]): string {
  return pieces
    .filter(({ heads }) => heads.length > 0)
    .map(({ report, heads }) => {
      const points = inAxes(panel.scene.axes, heads, heads.length / 3);
      const spots = Array.from({ length: heads.length / 3 }, (_, i) => placed(panel, points, 3 * i));
      const line = spots.map(([x, y]) => `${px(x)} ${px(y)}`).join('L');
      const names = jointNames(
        spots,
        report.joints.map(({ name }) => name),
      );
      return `<path d="M${line}" fill="none" stroke="#fff" stroke-width="6"/>
<path d="M${line}" fill="none" stroke="${verdictColors.chain}" stroke-width="3"/>
<path d="${spots.map(([x, y]) => `M${px(x)} ${px(y)}h0`).join('')}" fill="none" stroke="#fff" stroke-width="9"/>
<path d="${spots.map(([x, y]) => `M${px(x)} ${px(y)}h0`).join('')}" fill="none" stroke="${verdictColors.chain}" stroke-width="6.5"/>
<g font-size="10.5" fill="#06331a" stroke="#fff" stroke-width="3" paint-order="stroke">${names}</g>
`;
    })
    .join('');
}
