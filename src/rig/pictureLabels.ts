/**
 * Words in and beside the views: names at joints where there is room, and a label per piece at the side, joined to it
 * by a line.
 */
import { verdictColors } from './pictureColors.js';
import type { PieceMark } from './picturePieces.js';
import { escapeXml, figure, px, textWidth } from './pictureText.js';
import type { RigPiece } from './plan.js';

/** Font size of names at joints, pixels. */
const nameSize = 10.5;

/** Where a name may stand beside its joint: offset of its start (or, for `end`, its end) and baseline. */
const nameOffsets = [
  { dx: 8, dy: 3.5, end: false },
  { dx: 5, dy: -7, end: false },
  { dx: 5, dy: 15, end: false },
  { dx: -8, dy: 3.5, end: true },
] as const;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Names at joints, each in the first free place beside its joint; a name without one is left out of this view. */
export function jointNames(spots: readonly [number, number][], names: readonly string[]): string {
  const dots = spots.map(([x, y]): Box => ({ left: x - 3, top: y - 3, right: x + 3, bottom: y + 3 }));
  const full: Box[] = [];
  let svg = '';
  spots.forEach(([x, y], i) => {
    const name = names[i] ?? '';
    const width = textWidth(name, nameSize);
    for (const { dx, dy, end } of nameOffsets) {
      const left = x + dx - (end ? width : 0);
      const box: Box = { left, top: y + dy - 8, right: left + width, bottom: y + dy + 2 };
      if ([...dots, ...full].some((other) => overlap(box, other))) continue;
      full.push(box);
      svg += `<text x="${px(x + dx)}" y="${px(y + dy)}"${end ? ' text-anchor="end"' : ''}>${escapeXml(name)}</text>`;
      return;
    }
  });
  return svg;
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** A label beside a view. */
interface Badge {
  mark: PieceMark;
  lines: string[];
  /** Of the middle, pixels. */
  y: number;
  height: number;
}

const badgeGap = 4;

/** Labels beside a view. */
export interface Badges {
  svg: string;
  /** How far down they reach, pixels. */
  bottom: number;
}

/**
 * Labels beside a view, each on the side that is nearer to its piece, pushed apart where they crowd.
 *
 * @param width - of the view, pixels
 * @param height - of the view
 * @param room - on both sides of the view
 */
export function badges(
  marks: readonly PieceMark[],
  { width, height }: { width: number; height: number },
  room: number,
): Badges {
  const all = marks
    .filter(({ middle }) => Number.isFinite(middle[0] + middle[1]))
    .map((mark, order) => {
      const lines = words(mark.piece.report);
      return { mark, lines, order, y: mark.middle[1], height: 3 + 14 * lines.length };
    })
    .toSorted((a, b) => a.y - b.y || a.order - b.order);
  const sides = ([0, 1] as const).map((side) => {
    const own = all.filter(({ mark }) => (mark.middle[0] > width / 2 ? 1 : 0) === side);
    spread(own, height);
    return own.map((badge) => badgeSvg(badge, side, width, room));
  });
  return {
    svg: sides.flat().join(''),
    bottom: Math.max(0, ...all.map((badge) => badge.y + badge.height / 2)),
  };
}

/** What is changed says why; what is left only what it is, its figures stand in the table. */
function words({ id, kind, verdict, aspect, boneRatio }: RigPiece): string[] {
  const title = `${id} ${kind}: ${verdict}`;
  return verdict === 'left' ? [title] : [title, `aspect ${figure(aspect)}, q ${figure(boneRatio)}`];
}

/** Pushes labels down until they keep their distance, then up from the bottom, never above the top. */
function spread(own: Badge[], height: number): void {
  const apart = (a: Badge, b: Badge): number => (a.height + b.height) / 2 + badgeGap;
  let least = 0;
  own.forEach((badge, i) => {
    least = i === 0 ? badge.height / 2 : least + apart(own[i - 1]!, badge);
    const before = own[i - 1];
    badge.y = Math.max(badge.y, before ? before.y + apart(before, badge) : least);
  });
  const last = own.at(-1);
  if (last === undefined) return;
  last.y = Math.min(last.y, Math.max(least, height - last.height / 2));
  for (let i = own.length - 2; i >= 0; i--)
    own[i]!.y = Math.min(own[i]!.y, own[i + 1]!.y - apart(own[i]!, own[i + 1]!));
}

function badgeSvg({ mark, lines, y, height }: Badge, side: 0 | 1, viewWidth: number, room: number): string {
  const { verdict } = mark.piece.report;
  const color = verdictColors[verdict];
  const isLeft = verdict === 'left';
  const width = room - 14;
  const x = side === 0 ? 2 - room : viewWidth + 12;
  const [toX, toY] = mark.middle;
  const look = isLeft
    ? `fill="#fff" stroke="${color}" stroke-dasharray="3 2"`
    : `fill="${color}" stroke="${color}"`;
  const text = lines.map(
    (line, i) =>
      `<text x="${px(x + width / 2)}" y="${px(y - height / 2 + 12.5 + 13.5 * i)}">${escapeXml(line)}</text>`,
  );
  return `<path d="M${px(side === 0 ? x + width : x)} ${px(y)}L${px(toX)} ${px(toY)}" stroke="${color}"/>
<circle cx="${px(toX)}" cy="${px(toY)}" r="2.5" fill="${color}"/>
<rect x="${px(x)}" y="${px(y - height / 2)}" width="${width}" height="${height}" rx="3" ${look}/>
<g text-anchor="middle" font-size="11" fill="${isLeft ? color : '#fff'}">${text.join('')}</g>
`;
}

/** Pieces whose label belongs into a view: what is changed into all, what is left into the one that shows most of it. */
export function labelled(marksByView: readonly PieceMark[][], view: number): PieceMark[] {
  return marksByView[view]!.filter((mark, i) => {
    if (mark.piece.report.verdict !== 'left') return true;
    const cells = marksByView.map((marks) => marks[i]!.cells);
    return cells.indexOf(Math.max(...cells)) === view;
  });
}
