/**
 * A picture by which a person judges the rig pass at a glance: the character in its bind pose from the front, the side
 * and behind, skin coloured by the bone that moved it before, the pieces outlined by verdict, collars, new joints; below
 * that the figures. SVG text, no browser and no font needed.
 */
import type { Asset } from '../asset/asset.js';
import { ownerColors } from './pictureColors.js';
import { badges, labelled } from './pictureLabels.js';
import { collarDots, newJoints, pieceOutlines, skeletonLines } from './pictureMarks.js';
import { type PieceMark, pieceMarks } from './picturePieces.js';
import { createScene, type Scene, type View, views } from './pictureScene.js';
import { type Panel, panelMargin, project, skinPaths } from './pictureSkin.js';
import { type Block, boneColors, legend, mostPieces, pieceTable, tableWidth } from './pictureTable.js';
import { escapeXml, px, shortened } from './pictureText.js';
import type { RigPlan, Verdict } from './plan.js';

/** Most pixels that the figure is tall, and that the views together are wide. */
const figureHeight = 520;
const figureWidth = 1080;

/** Room beside each view for labels, and around the page, pixels. */
const labelRoom = 150;
const pageMargin = 24;

/** Size of a cell in pixels: the finest that keeps the picture small. */
const cellSizes = [1.5, 2.2, 3.2];
const mostCharacters = 400_000;

/**
 * Draws a plan.
 *
 * The character stands upright in its own left, up and forward, whatever axes the file has. Skin is coloured by the bone
 * with most weight before the pass, hidden skin is left out. Pieces are outlined whole, hidden or not: filled where they
 * become a chain or rigid, dashed where they are left.
 *
 * @param asset - the character as it came
 * @param plan - of that character, from `planRig`
 * @returns an SVG document, under 400,000 characters unless names are extraordinarily long
 * @example
 * await writeFile('fox-rig.svg', rigPicture(fox, planRig(fox)));
 */
export function rigPicture(asset: Asset, plan: RigPlan): string {
  const scene = createScene(asset, plan.surface);
  let svg = '';
  for (const cell of cellSizes) {
    svg = page(asset, plan, scene, cell);
    if (svg.length <= mostCharacters) break;
  }
  return svg;
}

function page(asset: Asset, plan: RigPlan, scene: Scene, cell: number): string {
  const colors = ownerColors(plan.surface, scene.owners);
  const figures =
    plan.surface.triangles.length === 0
      ? { svg: '<text y="16">There is no skin.</text>', width: 0, height: 24 }
      : viewRow(asset, plan, scene, cell, colors);
  const width = Math.max(figures.width, tableWidth);
  const blocks: Block[] = [
    { svg: heading(asset, plan), height: 34 },
    figures,
    legend(width),
    boneColors(width, colors, asset.skeleton.names),
    pieceTable(width, plan),
  ];
  let y = pageMargin;
  const body = blocks.map(({ svg, height }) => {
    const placedBlock = `<g transform="translate(${pageMargin} ${px(y)})">\n${svg}\n</g>`;
    y += height + 10;
    return placedBlock;
  });
  const [w, h] = [Math.ceil(width + 2 * pageMargin), Math.ceil(y + pageMargin - 10)];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="12" fill="#222">
<title>${escapeXml(`What the rig pass finds in ${asset.name}`)}</title>
<rect width="${w}" height="${h}" fill="#fbfaf7"/>
${body.join('\n')}
</svg>
`;
}

/** Name of the character and what becomes of its pieces. */
function heading(asset: Asset, { pieces, bones, warnings }: RigPlan): string {
  const count = (verdict: Verdict): number =>
    pieces.filter(({ report }) => report.verdict === verdict).length;
  const several = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
  const said = [
    `${several(count('chain'), 'chain')} (${several(bones.length, 'new bone')})`,
    `${count('rigid')} rigid`,
    `${count('left')} left`,
    ...(warnings.length > 0 ? [several(warnings.length, 'warning')] : []),
  ];
  return `<text y="18" font-size="20" font-weight="600">${escapeXml(shortened(asset.name, 60))}<tspan font-weight="400" font-size="15" dx="14" fill="#555">${said.join(', ')}</tspan></text>`;
}

/** The views side by side at one scale. */
function viewRow(
  asset: Asset,
  plan: RigPlan,
  scene: Scene,
  cell: number,
  colors: ReadonlyMap<number, string>,
): Block & { width: number } {
  const extent = (axis: 0 | 1 | 2): number => scene.high[axis] - scene.low[axis];
  const across = views.reduce((sum, view) => sum + extent(view.across), 0);
  const scale = Math.min(figureHeight / extent(1), figureWidth / across);
  const panels = views.map((view) => panelOf(scene, view, Number.isFinite(scale) ? scale : 1, cell));
  const projections = panels.map(project);
  const pieces = plan.pieces.slice(0, mostPieces);
  const marks = panels.map((panel, i) => pieceMarks(panel, projections[i]!, pieces));
  let x = 0;
  let height = 0;
  const drawn = panels.map((panel, i) => {
    const skin = skinPaths(panel, projections[i]!, colors);
    const labels = badges(labelled(marks, i), panel, labelRoom);
    height = Math.max(height, panel.height + 22, labels.bottom + 8);
    x += labelRoom;
    const view = `<g transform="translate(${px(x)} 0)">\n${viewSvg(asset, panel, skin, marks[i]!, labels.svg)}\n</g>`;
    x += panel.width + labelRoom;
    return view;
  });
  return { svg: drawn.join('\n'), width: x, height };
}

function panelOf(scene: Scene, view: View, scale: number, cell: number): Panel {
  const size = (axis: 0 | 1 | 2): number => (scene.high[axis] - scene.low[axis]) * scale + 2 * panelMargin;
  return { scene, view, scale, cell, width: size(view.across), height: size(1) };
}

function viewSvg(
  asset: Asset,
  panel: Panel,
  skin: string,
  marks: readonly PieceMark[],
  labels: string,
): string {
  const pieces = marks.map(({ piece }) => piece);
  return `<g transform="scale(.1)" fill-rule="evenodd" stroke-linejoin="round">
${skin}</g>
${skeletonLines(asset, panel)}<g transform="scale(.1)" fill-rule="evenodd" stroke-linejoin="round">
${pieceOutlines(marks, panel.cell)}</g>
${collarDots(panel, pieces)}${labels}<g stroke-linecap="round" stroke-linejoin="round">${newJoints(panel, pieces)}</g>
<text x="${px(panel.width / 2)}" y="${px(panel.height + 16)}" text-anchor="middle" fill="#666">${panel.view.title}</text>`;
}
