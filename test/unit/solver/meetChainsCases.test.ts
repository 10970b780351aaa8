/**
 * Chains against chains where something changes: mirrored and turned characters on the move, teleports, sizes, neighbours that
 * go away, and the scene in which nothing lets two strands slip past each other.
 */
import { describe, expect, it } from 'vitest';
import {
  addCharacter,
  enableChain,
  orderOf,
  removeChain,
  setChain,
  setRoot,
  setWind,
  step,
  teleport,
  type ChainOptions,
} from '../../../src/index.js';
import { links, strands, strandScene, strandTips, type StrandScene } from '../../support/strands.js';
import { add, axisAngle, identity, len, qrot, sub, type Q4, type V3 } from '../../support/referenceMath.js';

const pair: V3[] = [
  [-0.03, 0, 0.004],
  [0.03, 0, 0],
];
const pressed: ChainOptions[] = [
  { wind: 0, chainMask: 1 },
  { groups: 1, chainMask: 1 },
];

describe('chains that meet', () => {
  it('do the same on a mirrored head that sways', () => {
    const run = (side: number): V3[][] => {
      const two = strandScene(
        pair,
        [
          { air: 0.2, chainMask: 1 },
          { air: 1, chainMask: 1 },
        ],
        [side, 1, 1],
      );
      return Array.from({ length: 240 }, (_, k) => {
        const x = side * 0.08 * Math.sin(k / 15);
        setRoot(two.world, two.character, { position: [x, 0, 0], scale: [side, 1, 1] });
        step(two.world);
        return [...strandTips(two, 0), ...strandTips(two, 1)];
      });
    };
    const mirrored = run(-1);
    const worst = Math.max(
      ...run(1).flatMap((all, k) =>
        all.map((tip, i) => len(sub(tip, [-mirrored[k]![i]![0], mirrored[k]![i]![1], mirrored[k]![i]![2]]))),
      ),
    );
    expect(worst).toBeLessThan(1e-12);
  });

  it('go on through a teleport that turns them, in the motion they were in', () => {
    const run = (turn: Q4, jump: V3): V3[][] => {
      const two = strandScene(pair, [
        { air: 0, chainMask: 1 },
        { air: 1, chainMask: 1 },
      ]);
      const out: V3[][] = [];
      for (let k = 0; k < 240; k++) {
        const place: V3 = [-k / 120, 0, 0];
        const position = k < 120 ? place : add(qrot(turn, place), jump);
        if (k === 120) teleport(two.world, two.character);
        setRoot(two.world, two.character, { position, rotation: k < 120 ? identity : turn });
        step(two.world);
        if (k >= 120) out.push([...strandTips(two, 0), ...strandTips(two, 1)]);
      }
      return out;
    };
    const turn = axisAngle([0, 1, 0], Math.PI);
    const jump: V3 = [3, 0, -2];
    const plain = run(identity, [0, 0, 0]).map((all) => all.map((tip) => add(qrot(turn, tip), jump)));
    const worst = Math.max(
      ...run(turn, jump).flatMap((all, k) => all.map((tip, i) => len(sub(tip, plain[k]![i]!)))),
    );
    expect(worst).toBeLessThan(1e-9);
  });

  it('begin at rest after a teleport that asks for it', () => {
    const two = strandScene(pair, [
      { ...pressed[0], teleport: 'reset' },
      { ...pressed[1], teleport: 'reset' },
    ]);
    step(two.world);
    const rest = [...strandTips(two, 0), ...strandTips(two, 1)];
    setWind(two.world, { velocity: [-6, 0, 0] });
    for (let k = 0; k < 240; k++) step(two.world);
    const position: V3 = [5, 0, 0];
    teleport(two.world, two.character);
    setRoot(two.world, two.character, { position, rotation: axisAngle([0, 1, 0], 1) });
    setWind(two.world);
    step(two.world);
    [...strandTips(two, 0), ...strandTips(two, 1)].forEach((tip, i) => {
      const expected = add(qrot(axisAngle([0, 1, 0], 1), rest[i]!), position);
      expect(len(sub(tip, expected))).toBeLessThan(1e-4);
    });
  });

  it.each([1, 3, 0.1])('keep both radii at the size of the character, %d', (size) => {
    const two = strandScene(pair, pressed, [size, size, size]);
    setWind(two.world, { velocity: [-6, 0, 0] });
    for (let k = 0; k < 480; k++) step(two.world);
    const [a, b] = [strandTips(two, 0), strandTips(two, 1)];
    const least = Math.min(...a.flatMap((p) => b.map((q) => len(sub(p, q)))));
    expect(least / size).toBeGreaterThan(0.0199);
    expect(least / size).toBeLessThan(0.03);
  });

  it.each<[string, (two: StrandScene) => void]>([
    ['is removed', (two) => removeChain(two.world, two.chains[1]!)],
    ['is switched off', (two) => enableChain(two.world, two.chains[1]!, false)],
    ['is given to clips', (two) => setChain(two.world, two.chains[1]!, { owner: 'clip' })],
    ['goes to another group', (two) => setChain(two.world, two.chains[1]!, { groups: 2, chainMask: 0 })],
  ])('one that slept pressed comes to rest when the other %s', (_, change) => {
    const two = strandScene(pair, pressed);
    step(two.world);
    const rest = strandTips(two, 0);
    setWind(two.world, { velocity: [-6, 0, 0] });
    for (let k = 0; k < 7200; k++) step(two.world);
    expect([...two.world.views.chain.status.subarray(0, 2)]).toEqual([1, 1]);
    expect(len(sub(strandTips(two, 0).at(-1)!, rest.at(-1)!))).toBeGreaterThan(0.003);
    change(two);
    for (let k = 0; k < 2400; k++) step(two.world);
    expect(len(sub(strandTips(two, 0).at(-1)!, rest.at(-1)!))).toBeLessThan(1e-6);
  });

  it('keep what a clip moves out of how near they may stand', () => {
    const run = (unrelated: boolean): V3[] => {
      const two = strandScene(
        pair,
        pressed.map((one) => ({ ...one, restPose: 'animated' as const })),
      );
      setWind(two.world, { velocity: [-6, 0, 0] });
      for (let k = 0; k < 240; k++) {
        if (k === 60 && unrelated)
          addCharacter(two.world, strands([[0, 0, 0]]).asset, { position: [9, 0, 0] });
        step(two.world);
      }
      return [...strandTips(two, 0), ...strandTips(two, 1)];
    };
    expect(run(true)).toEqual(run(false));
  });

  it('setChain rebuilds pairs only where chains meet', () => {
    const two = strandScene(pair, [{}]);
    step(two.world);
    const order = orderOf(two.world);
    setChain(two.world, two.chains[0]!, { carry: 0.1, radius: 0.02 });
    expect(orderOf(two.world)).toBe(order);
    setChain(two.world, two.chains[0]!, { chainMask: 1 });
    expect(orderOf(two.world).meeting!.pairs[0]).toHaveLength(1);
  });

  it('lie in one plane: pressed, they come to rest', () => {
    const flat: V3[] = [
      [-0.03, 0, 0],
      [0.03, 0, 0],
    ];
    for (const speed of [2, 6]) {
      const two = strandScene(flat, pressed);
      setWind(two.world, { velocity: [-speed, 0, 0] });
      let before = [...strandTips(two, 0), ...strandTips(two, 1)];
      let most = 0;
      let least = Infinity;
      for (let k = 0; k < 4800; k++) {
        step(two.world);
        const now = [...strandTips(two, 0), ...strandTips(two, 1)];
        if (k > 3600) {
          most = Math.max(most, ...now.map((tip, i) => len(sub(tip, before[i]!))));
          least = Math.min(
            least,
            ...now.slice(0, links).flatMap((p) => now.slice(links).map((q) => len(sub(p, q)))),
          );
        }
        before = now;
      }
      console.log(
        `in one plane, ${speed} m/s: movement per tick after 30 s ${most} m, nearest tips ${least} m`,
      );
      expect(most).toBeLessThan(1e-4);
    }
  });
});
