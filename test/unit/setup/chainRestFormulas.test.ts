/**
 * The rest shape once more, written straight from the published formulas with three.js, on random chains.
 */
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { anatomicalFrame } from '../../../src/setup/anatomicalFrame.js';
import { chainRest } from '../../../src/setup/chainRest.js';
import { recoverNeutral } from '../../../src/setup/neutral.js';
import { bindWorlds, makeAsset, numbers, randomQuat } from './support/assets.js';
import type { NodeSpec, Triple } from './support/assets.js';

/** F, given to the library and to the formulas alike: up (0, 0, 1), forward (1, 0, 0). */
const frame = { up: [0, 0, 1], forward: [1, 0, 0] } as { up: Triple; forward: Triple };
const F = new Quaternion().setFromRotationMatrix(
  new Matrix4().makeBasis(new Vector3(0, 1, 0), new Vector3(0, 0, 1), new Vector3(1, 0, 0)),
);

/** slerp(I, swing(a, b), share) as axis and angle. */
function swing(a: Vector3, b: Vector3, share = 1): Quaternion {
  const axis = a.clone().cross(b);
  const angle = Math.atan2(axis.length(), a.dot(b));
  return new Quaternion().setFromAxisAngle(axis.normalize(), share * angle);
}

/** How far two quaternions lie apart, whatever their signs. */
function apart(a: Quaternion, b: Quaternion): number {
  const distance = (sign: number): number =>
    Math.hypot(a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z, a.w - sign * b.w);
  return Math.min(distance(1), distance(-1));
}

/** u_i and A_i for a chain of nodes, each the child of the one before; the first is the attachment. */
function byFormula(nodes: NodeSpec[], carry: number, restCurve: number): { u: Vector3[]; A: Quaternion[] } {
  const links = nodes.length - 2;
  const local = nodes.map(({ r }) => new Quaternion(...r!));
  const offset = nodes.map(({ t }) => new Vector3(...t!));
  const dir = Array.from({ length: links }, (_, i) =>
    offset[i + 2]!.clone()
      .applyQuaternion(local[i + 1]!)
      .normalize(),
  );
  const attachment = new Quaternion().setFromRotationMatrix(
    new Matrix4().extractRotation(bindWorlds(nodes)[0]!),
  );
  const first = F.clone().invert().multiply(attachment);

  const a: Vector3[] = [];
  let plain = first.clone();
  for (let i = 0; i < links; i++) {
    a.push(dir[i]!.clone().applyQuaternion(plain));
    plain = plain.clone().multiply(local[i + 1]!);
  }
  const c = new Vector3(0, a[0]!.y, a[0]!.z).normalize();
  const lateral = new Vector3(1, 0, 0);
  const u: Vector3[] = [];
  const A = [first];
  for (let i = 0; i < links; i++) {
    const q = swing(c, a[i]!, restCurve);
    const lift = new Quaternion().setFromAxisAngle(lateral, (carry * (i + 1)) / links);
    u.push(c.clone().applyQuaternion(q).applyQuaternion(lift));
    const r = u[i]!.clone().applyQuaternion(A[i]!.clone().invert());
    A.push(
      A[i]!.clone()
        .multiply(swing(dir[i]!, r))
        .multiply(local[i + 1]!),
    );
  }
  return { u, A };
}

describe('the rest shape by its formulas', () => {
  it('has the directions u_i and the frames A_0..A_N, on random chains', () => {
    const next = numbers(2026);
    for (let round = 0; round < 100; round++) {
      const links = 1 + Math.floor(next() * 8);
      const nodes = Array.from({ length: links + 2 }, (_, i): NodeSpec => {
        const t: Triple = [next() - 0.5, next() - 0.5, next() - 0.5];
        const node: NodeSpec = { name: `n${i}`, t, r: randomQuat(next) };
        return i === 0 ? node : { ...node, parent: `n${i - 1}` };
      });
      const carry = 2 * next() - 1;
      const restCurve = next();
      const expected = byFormula(nodes, carry, restCurve);

      const asset = makeAsset(nodes, [{ joints: nodes.map(({ name }) => name) }]);
      const neutral = recoverNeutral(asset);
      const bones = Array.from({ length: links }, (_, i) => i + 1);
      const chain = { name: 'n1', attachment: 0, bones, end: links + 1, origin: 'artist' } as const;
      const rest = chainRest(asset, neutral, anatomicalFrame(asset, neutral, frame), chain, {
        carry,
        restCurve,
      });

      expect(rest.count).toBe(links);
      for (const [i, u] of expected.u.entries())
        expect(new Vector3().fromArray(rest.directions, 3 * i).distanceTo(u)).toBeLessThan(1e-12);
      for (const [i, A] of expected.A.entries())
        expect(apart(new Quaternion().fromArray(rest.frames, 4 * i), A)).toBeLessThan(1e-12);
      expect([...rest.framesBefore]).toEqual([...rest.frames.slice(0, 4 * links)]);
    }
  });
});
