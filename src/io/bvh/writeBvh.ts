/** `writeBvh`: {@link Bvh} in, text out. Every number is the shortest decimal that reads back to the same bits. */
import type { Bvh, BvhEnd, BvhJoint } from './bvh.js';

/**
 * The text of a BVH file. Reading it again gives the same joints, frames and frame time, bit for bit; what reading
 * repaired (names, commas, broken lines) stays repaired.
 *
 * @example
 * await writeFile('mended.bvh', writeBvh(repairLeaves([readBvh(bytes)]).files[0]!));
 */
export function writeBvh(bvh: Bvh): string {
  const lines = ['HIERARCHY', ...hierarchy(bvh.joints), 'MOTION', `Frames: ${bvh.frameCount}`];
  lines.push(`Frame Time: ${numberText(bvh.frameTime)}`);
  const { channelCount, frames } = bvh;
  for (let frame = 0; frame < bvh.frameCount; frame++) {
    const values: string[] = [];
    for (let c = 0; c < channelCount; c++) values.push(numberText(frames[frame * channelCount + c]!));
    lines.push(values.join(' '));
  }
  return `${lines.join('\n')}\n`;
}

/** Joints with their braces. They stand depth first, so that a joint closes all that are no ancestors of it. */
function hierarchy(joints: readonly BvhJoint[]): string[] {
  const lines: string[] = [];
  const open: number[] = [];
  const close = (): void => {
    open.pop();
    lines.push(`${indent(open.length)}}`);
  };
  for (const [j, joint] of joints.entries()) {
    while (open.length > 0 && open.at(-1) !== joint.parent) close();
    const depth = indent(open.length);
    const inner = indent(open.length + 1);
    lines.push(`${depth}${joint.parent < 0 ? 'ROOT' : 'JOINT'} ${joint.name}`, `${depth}{`);
    lines.push(`${inner}OFFSET ${joint.offset.map(numberText).join(' ')}`);
    lines.push(`${inner}${['CHANNELS', joint.channels.length, ...joint.channels].join(' ')}`);
    for (const end of joint.ends) lines.push(...endSite(end, inner));
    open.push(j);
  }
  while (open.length > 0) close();
  return lines;
}

function endSite({ name, offset }: BvhEnd, depth: string): string[] {
  const title = name === '' ? 'End Site' : `End Site ${name}`;
  return [
    `${depth}${title}`,
    `${depth}{`,
    `${depth}\tOFFSET ${offset.map(numberText).join(' ')}`,
    `${depth}}`,
  ];
}

function indent(depth: number): string {
  return '\t'.repeat(depth);
}

/** Shortest digits, never with an exponent: not every reader knows one. */
function numberText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (parts === null) return text;
  const [, sign, first, rest = '', power] = parts;
  const digits = first! + rest;
  const point = 1 + Number(power);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}
