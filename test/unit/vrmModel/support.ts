/** Tails whose joints follow VRM's law, in the library and in the naive implementation, moved alike. */
import { setRoot, step, type SpringJoint } from '../../../src/index.js';
import { makeScene, makeTail, tipsOf, type TailSpec } from '../../support/chains.js';
import { add, len, qmul, qrot, sub, type Q4, type V3 } from '../../support/referenceMath.js';
import { frame, restJoints, type NaiveJoint } from './naive.js';

export type Values = NaiveJoint['values'];

export const plain: Values = { stiffness: 1, gravityPower: 0, gravityDir: [0, -1, 0], dragForce: 0.4 };

export interface Root {
  position: V3;
  rotation: Q4;
}

export type Motion = (timeSeconds: number) => Root;

export function vrmTail(spec: TailSpec, values: Values[]): ReturnType<typeof makeTail> {
  const tail = makeTail(spec);
  const joints = tail.bones.links.map((bone, i): SpringJoint => ({
    ...values[i % values.length]!,
    bone,
    hitRadius: 0,
  }));
  return { ...tail, definition: { ...tail.definition, origin: 'hair', joints } };
}

/** Tips per tick, of the library. */
export function played(
  tail: ReturnType<typeof makeTail>,
  motion: Motion,
  seconds: number,
  tickRate: number,
): V3[][] {
  const scene = makeScene(tail, { tickRate, teleport: 'none', floor: false, ...motion(0) });
  step(scene.world); // begins at rest
  return Array.from({ length: Math.round(seconds * tickRate) }, (_, k) => {
    setRoot(scene.world, scene.character, motion((k + 1) / tickRate));
    step(scene.world);
    return tipsOf(scene);
  });
}

/** Tips per 60 Hz frame, of the naive implementation. */
export function naive(
  tail: ReturnType<typeof makeTail>,
  hips: V3,
  values: Values[],
  motion: Motion,
  seconds: number,
): V3[][] {
  const { attachment, locals, offsets } = tail.bind;
  const place = ({ position, rotation }: Root): [V3, Q4] => [
    add(position, qrot(rotation, hips)),
    qmul(rotation, attachment),
  ];
  const joints = restJoints(
    ...place(motion(0)),
    locals.map((local, i) => ({ local, tail: offsets[i]!, values: values[i % values.length]! })),
  );
  frame(...place(motion(0)), joints);
  return Array.from({ length: Math.round(seconds * 60) }, (_, k) => {
    frame(...place(motion((k + 1) / 60)), joints);
    return joints.map(({ current }) => current);
  });
}

/** Largest distance of any tip at any frame. */
export function worstDistance(a: V3[][], b: V3[][]): number {
  return Math.max(...a.map((tips, k) => Math.max(...tips.map((tip, i) => len(sub(tip, b[k]![i]!))))));
}
