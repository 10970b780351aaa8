/**
 * The text below the views: what the marks mean, which bone has which colour, and the figures of every piece.
 */
import { verdictColors } from './pictureColors.js';
import { escapeXml, figure, px, shortened, textWidth } from './pictureText.js';
import type { PlannedPiece, RigPlan } from './plan.js';

/** A block of the page. */
export interface Block {
  svg: string;
  /** Pixels. */
  height: number;
}

const fontSize = 12;
const rowHeight = 18;

/** What lines and dots mean. */
export function legend(width: number): Block {
  const { chain, rigid, left } = verdictColors;
  const area = (color: string): string =>
    `<rect x="0" y="-9" width="18" height="10" fill="${color}" fill-opacity=".2" stroke="${color}" stroke-width="2"/>`;
  return flow(width, [
    { sign: area(chain), text: 'chain: gets bones of its own' },
    { sign: area(rigid), text: 'rigid: bound to one bone' },
    {
      sign: `<rect x="0" y="-9" width="18" height="10" fill="none" stroke="${left}" stroke-dasharray="3 2"/>`,
      text: 'left: stays as it is',
    },
    {
      sign: '<path d="M2-4h0M9-4h0M16-4h0" stroke="#c2185b" stroke-width="4" stroke-linecap="round"/>',
      text: 'collar, where a piece begins',
    },
    {
      sign: `<path d="M0-4h18" stroke="${chain}" stroke-width="3"/><path d="M9-4h0" stroke="${chain}" stroke-width="7" stroke-linecap="round"/>`,
      text: 'new joints',
    },
    {
      sign: '<path d="M0-4h18" stroke="#222" stroke-width=".9"/><path d="M9-4h0" stroke="#222" stroke-width="2.6" stroke-linecap="round"/>',
      text: 'bones of the file',
    },
  ]);
}

/**
 * Which bone has which colour.
 *
 * @param names - name by bone; -1 is skin without weight
 */
export function boneColors(
  width: number,
  colors: ReadonlyMap<number, string>,
  names: readonly string[],
): Block {
  const entries = [...colors].slice(0, mostColors).map(([bone, color]) => ({
    sign: `<rect x="4" y="-10" width="12" height="12" fill="${color}" stroke="#555" stroke-width=".5"/>`,
    text: bone < 0 ? 'no bone' : shortened(names[bone]!, 28),
  }));
  const more = colors.size - entries.length;
  if (more > 0) entries.push({ sign: '', text: `and ${more} more` });
  const block = flow(width, entries);
  return {
    svg: `<text y="12" fill="#555">The skin has the colour of the bone that moved most of it before:</text>
<g transform="translate(0 ${rowHeight})">${block.svg}</g>`,
    height: block.height + rowHeight,
  };
}

/** Most bones in the list of colours, and most pieces in the table. */
const mostColors = 36;
export const mostPieces = 24;

/** Signs with texts one after another, in as many rows as they need. */
function flow(width: number, entries: readonly { sign: string; text: string }[]): Block {
  let [x, y] = [0, 12];
  let svg = '';
  for (const { sign, text } of entries) {
    const room = 24 + textWidth(text, fontSize) + 18;
    if (x > 0 && x + room > width) [x, y] = [0, y + rowHeight];
    svg += `<g transform="translate(${px(x)} ${y})">${sign}<text x="24">${escapeXml(text)}</text></g>\n`;
    x += room;
  }
  return { svg, height: y + 8 };
}

interface Column {
  head: string;
  /** Pixels. */
  width: number;
  /** Figures stand on the right. */
  right?: boolean;
  cell: (piece: PlannedPiece) => string;
}

const columns: Column[] = [
  { head: 'piece', width: 62, cell: ({ report }) => report.id },
  { head: 'kind', width: 82, cell: ({ report }) => report.kind },
  { head: 'verdict', width: 58, cell: ({ report }) => report.verdict },
  { head: 'hangs from', width: 170, cell: ({ report }) => shortened(report.attachment, 24) },
  { head: 'length', width: 56, right: true, cell: ({ report }) => figure(report.length) },
  { head: 'points', width: 56, right: true, cell: ({ report }) => String(report.vertices) },
  { head: 'aspect', width: 56, right: true, cell: ({ report }) => figure(report.aspect) },
  { head: 'q', width: 56, right: true, cell: ({ report }) => figure(report.boneRatio) },
  { head: 'flatness', width: 64, right: true, cell: ({ report }) => figure(report.flatness) },
  { head: 'off middle', width: 76, right: true, cell: ({ report }) => figure(report.lateral) },
  { head: 'confidence', width: 78, right: true, cell: ({ report }) => figure(report.confidence) },
  {
    head: 'to its bones',
    width: 104,
    right: true,
    cell: ({ report: { weightDistanceBefore: before, weightDistanceAfter: after } }) =>
      before === after ? figure(before) : `${figure(before)} → ${figure(after)}`,
  },
];

/** The figures of the pieces, and under each the reason of its verdict. */
export function pieceTable(width: number, plan: RigPlan): Block {
  if (plan.pieces.length === 0)
    return { svg: '<text y="12">Nothing sticks out of the skin.</text>', height: rowHeight };
  let y = 12;
  let svg = `<g fill="#555">${cells((column) => column.head, y)}</g>\n`;
  y += 5;
  svg += `<path d="M0 ${y}h${px(tableWidth)}" stroke="#bbb"/>\n`;
  for (const piece of plan.pieces.slice(0, mostPieces)) {
    y += rowHeight;
    svg += `<g fill="${verdictColors[piece.report.verdict]}" font-weight="600">${cells((column) => column.cell(piece), y)}</g>\n`;
    y += 15;
    const reason = shortened(piece.report.reason, Math.floor((width - 12) / textWidth('m', 11)));
    svg += `<text x="12" y="${y}" font-size="11" fill="#555">${escapeXml(reason)}</text>\n`;
  }
  const more = plan.pieces.length - mostPieces;
  if (more > 0) {
    y += rowHeight;
    svg += `<text y="${y}" fill="#555">and ${more} more</text>\n`;
  }
  return { svg, height: y + 6 };
}

const gap = 12;

/** Width of the table of pieces, pixels. */
export const tableWidth: number = columns.reduce((sum, column) => sum + column.width + gap, 0);

function cells(text: (column: Column) => string, y: number): string {
  let x = 0;
  return columns
    .map((column) => {
      const at = column.right ? x + column.width : x;
      x += column.width + gap;
      return `<text x="${at}" y="${y}"${column.right ? ' text-anchor="end"' : ''}>${escapeXml(text(column))}</text>`;
    })
    .join('');
}
