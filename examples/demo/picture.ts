/**
 * Draws the tail over one pass as SVG: from the side and from behind, the body as a silhouette, the tail's skin at
 * one instant and its bones at all of them, early ones pale, late ones dark.
 */
import type { Asset, ChainDefinition } from 'followthrough';
import { outlines, projectedTriangles } from './silhouette.js';
import type { TailOverPass } from './tailOverPass.js';

/** Pixels per metre. */
const scale = 210;
const height = 470;
const panel = 400;

interface View {
  title: string;
  /** World axes that point right and up. */
  axes: readonly [number, number];
  /** 1 or -1: which way the right axis points. */
  flip: number;
}

const views: View[] = [
  { title: 'from the side', axes: [2, 1], flip: 1 },
  { title: 'from behind', axes: [0, 1], flip: -1 },
];

/** The picture as an SVG document. */
export function walkPicture(asset: Asset, tail: ChainDefinition, pass: TailOverPass): string {
  const bones = [...tail.bones, ...(tail.end >= 0 ? [tail.end] : [])];
  const own = new Set(bones);
  const panels = views.map((view, i) => panelOf(asset, bones, own, pass, view, panel * (i + 0.5)));
  const width = panel * views.length;
  const label = `${pass.clip}: the tail at ${pass.worlds.length} instants of a pass of ${pass.duration.toFixed(2)} s`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="14">
<title>${label}</title>
<rect width="${width}" height="${height}" fill="#fbfaf7"/>
<text x="20" y="28" fill="#333">${label}</text>
${panels.join('\n')}
</svg>
`;
}

function panelOf(
  asset: Asset,
  bones: number[],
  own: ReadonlySet<number>,
  pass: TailOverPass,
  { title, axes, flip }: View,
  centre: number,
): string {
  const ground = height - 40;
  const x = (value: number): string => (centre + flip * value * scale).toFixed(1);
  const y = (value: number): string => (ground - value * scale).toFixed(1);
  const path = (points: number[]): string => {
    const corners: string[] = [];
    for (let i = 0; i < points.length; i += 2) corners.push(`${x(points[i]!)} ${y(points[i + 1]!)}`);
    return corners.join('L');
  };
  const first = pass.worlds[0]!;
  const shape = (wants: (bone: number) => boolean, fill: string): string => {
    const d = outlines(projectedTriangles(asset, first, axes, wants)).map((outline) => `M${path(outline)}Z`);
    return `<path d="${d.join('')}" fill="${fill}" fill-rule="evenodd"/>`;
  };
  const body = shape((bone) => !own.has(bone), '#c9c4ba');
  const skin = shape((bone) => own.has(bone), '#e9b183');
  const lines = pass.worlds.map((worlds, i) => {
    const points = bones.flatMap((bone) => axes.map((axis) => worlds[16 * bone + 12 + axis]!));
    const dark = i / pass.worlds.length;
    const colour = `hsl(${(18 - 8 * dark).toFixed(0)} 75% ${(72 - 48 * dark).toFixed(0)}%)`;
    return `<path d="M${path(points)}" stroke="${colour}"/>`;
  });
  return `<g>
<line x1="${centre - panel / 2 + 20}" x2="${centre + panel / 2 - 20}" y1="${ground}" y2="${ground}" stroke="#999"/>
<text x="${centre}" y="${height - 14}" text-anchor="middle" fill="#666">${title}</text>
${axes[0] === 2 ? skin + body : body + skin}
<g fill="none" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round">
${lines.join('\n')}
</g>
</g>`;
}
