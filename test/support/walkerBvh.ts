/**
 * A small body in BVH with names as Mixamo has them, that swings its legs and arms: made up here, so that every number of
 * it is known. Lengths are centimetres, +Y is up, it faces +Z.
 */

/** Joints: name, parent, offset. */
const JOINTS: readonly [string, string | undefined, readonly [number, number, number]][] = [
  ['Hips', undefined, [0, 0, 0]],
  ['Spine', 'Hips', [0, 12, 0]],
  ['Spine1', 'Spine', [0, 20, 0]],
  ['Neck', 'Spine1', [0, 18, 0]],
  ['Head', 'Neck', [0, 10, 0]],
  ...(['Left', 'Right'] as const).flatMap((side): [string, string, [number, number, number]][] => {
    const x = side === 'Left' ? 1 : -1;
    return [
      [`${side}Shoulder`, 'Spine1', [4 * x, 12, 0]],
      [`${side}Arm`, `${side}Shoulder`, [12 * x, 0, 0]],
      [`${side}ForeArm`, `${side}Arm`, [28 * x, 0, 0]],
      [`${side}Hand`, `${side}ForeArm`, [25 * x, 0, 0]],
      [`${side}UpLeg`, 'Hips', [9 * x, -5, 0]],
      [`${side}Leg`, `${side}UpLeg`, [0, -42, 0]],
      [`${side}Foot`, `${side}Leg`, [0, -40, 0]],
      [`${side}ToeBase`, `${side}Foot`, [0, -6, 12]],
    ];
  }),
];

/** Height of the hips of the standing body, cm. */
const hipHeight = 95;

/**
 * Text of the file.
 *
 * @param frames - number of frames, 30 a second; one stride takes 30 of them
 */
export function walkerBvh(frames: number): string {
  const lines = ['HIERARCHY'];
  const open = (name: string, depth: number): void => {
    const tab = '\t'.repeat(depth);
    const [, parent, offset] = JOINTS.find(([own]) => own === name)!;
    lines.push(
      `${tab}${parent === undefined ? 'ROOT' : 'JOINT'} ${name}`,
      `${tab}{`,
      `${tab}\tOFFSET ${offset.join(' ')}`,
    );
    const positions = parent === undefined ? 'Xposition Yposition Zposition ' : '';
    lines.push(`${tab}\tCHANNELS ${parent === undefined ? 6 : 3} ${positions}Zrotation Xrotation Yrotation`);
    const children = JOINTS.filter(([, above]) => above === name);
    for (const [child] of children) open(child, depth + 1);
    if (children.length === 0)
      lines.push(`${tab}\tEnd Site`, `${tab}\t{`, `${tab}\t\tOFFSET 0 0 8`, `${tab}\t}`);
    lines.push(`${tab}}`);
  };
  open('Hips', 0);
  const order: string[] = [];
  for (const line of lines) {
    const found = /(?:ROOT|JOINT) (\w+)/.exec(line);
    if (found) order.push(found[1]!);
  }
  lines.push('MOTION', `Frames: ${frames}`, `Frame Time: ${1 / 30}`);
  for (let frame = 0; frame < frames; frame++) {
    const phase = (2 * Math.PI * frame) / 30;
    const values = order.flatMap((name) => {
      const side = name.startsWith('Left') ? 1 : -1;
      if (name === 'Hips') return [0, hipHeight, (140 * frame) / 30, 0, 0, 0];
      if (name.endsWith('UpLeg')) return [0, -25 * side * Math.sin(phase), 0];
      if (name.endsWith('Leg')) return [0, 20 * (1 + side * Math.cos(phase)), 0];
      if (/(?:Left|Right)Arm/.test(name)) return [-70 * side, 0, 20 * Math.sin(phase)];
      if (name.endsWith('ForeArm')) return [0, 0, -25 * side];
      return [0, 0, 0];
    });
    lines.push(values.map((value) => value.toFixed(4)).join(' '));
  }
  return `${lines.join('\n')}\n`;
}
