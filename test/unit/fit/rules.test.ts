/** What the fit does to colliders of a file, which chains it tests as segments, rest, originals, bad input. */
import { describe, expect, it } from 'vitest';
import {
  addChains,
  addCharacter,
  addCollider,
  createWorld,
  rowOf,
  step,
  type ChainDefinition,
  type ColliderDefinition,
  type SecondaryMotion,
  type SpringDefinition,
} from '../../../src/index.js';
import { contactPart } from '../../../src/components/codes.js';
import { fitColliders } from '../../../src/io/rig/index.js';
import { sagitta } from '../../../src/rig/fit/chainsAtRest.js';
import type { Proxy } from '../../../src/rig/fit/proxy.js';
import type { V3 } from '../../support/referenceMath.js';
import { makePerson, tube, type Person, type PersonSpec } from './support.js';
import { worldShape } from './worldShape.js';

/** A lock of hair on the head: its bones, its skin, its spring. */
interface Lock {
  name: string;
  /** Heads of its bones and its end. */
  points: V3[];
  /** Whether it has skin; default true. */
  skin?: boolean;
  groups?: number[];
}

const plain = {
  hitRadius: 0.01,
  stiffness: 1,
  gravityPower: 0,
  gravityDir: [0, -1, 0] as V3,
  dragForce: 0.4,
};

/** A person with locks and with colliders by bone name. */
function withHair(
  locks: Lock[],
  colliders: (ColliderDefinition & { on: string })[] = [],
  spec: PersonSpec = {},
): Person {
  const bones = locks.flatMap(({ name, points }) =>
    points.map((point, i): [string, string, V3] => [
      `${name}${i}`,
      i === 0 ? 'head' : `${name}${i - 1}`,
      point,
    ]),
  );
  const more = locks.flatMap(({ name, points, skin = true }) =>
    skin
      ? points
          .slice(1)
          .map((to, i) => ({ name: `${name}${i}`, bone: `${name}${i}`, ...tube(points[i]!, to, 0.01, 0.01) }))
      : [],
  );
  const person = makePerson({ ...spec, bones, more: [...more, ...(spec.more ?? [])] });
  const springs = locks.map(({ name, points, groups = [] }): SpringDefinition => ({
    name,
    joints: points.slice(1).map((_, i) => ({ ...plain, bone: person.bone(`${name}${i}`) })),
    end: person.bone(`${name}${points.length - 1}`),
    endOffset: undefined,
    groups,
    center: -1,
  }));
  const secondary: SecondaryMotion = {
    ...person.asset.secondary!,
    colliders: colliders.map(({ on, shape }) => ({ bone: person.bone(on), shape })),
    groups: colliders.map((_, i) => ({ name: `group${i}`, colliders: [i] })),
    springs,
  };
  return { ...person, asset: { ...person.asset, secondary } };
}

const line = (from: V3, to: V3, links: number): V3[] =>
  Array.from(
    { length: links + 1 },
    (_, i) => [0, 1, 2].map((k) => from[k]! + ((to[k]! - from[k]!) * i) / links) as V3,
  );

const sphere = (on: string, offset: V3, radius: number): ColliderDefinition & { on: string } => ({
  on,
  bone: 0,
  shape: { kind: 'sphere', offset, radius, inside: false },
});
const capsule = (on: string, offset: V3, tail: V3, radius: number): ColliderDefinition & { on: string } => ({
  on,
  bone: 0,
  shape: { kind: 'capsule', offset, tail, radius, tailRadius: radius, inside: false },
});

const arm = capsule('leftLowerArm', [0, 0, 0], [0.25, 0, 0], 0.02);

describe('colliders of the file', () => {
  it('grow to the skin, and nothing is made where they cover it', () => {
    const { asset, bone } = withHair([], [arm]);
    const { secondary, report } = fitColliders(asset);
    const { ra, rb } = worldShape(asset, secondary.colliders[0]!);
    // The skin is a cone from 4 to 3 cm: four fifths of it are inside.
    expect(ra).toBe(rb);
    expect(ra).toBeGreaterThan(0.036);
    expect(ra).toBeLessThan(0.04);
    expect(report.colliders[0]).toMatchObject({ made: false, limit: 'skin', radiiBefore: [0.02, 0.02] });
    const more = secondary.colliders.slice(1).map((one) => one.bone);
    expect(more).not.toContain(bone('leftLowerArm'));
    expect(more).toContain(bone('rightLowerArm'));
  });

  it('grow by no more than the bound, a share of the height', () => {
    const { asset } = withHair([], [arm]);
    const { secondary, report } = fitColliders(asset, { maxGrowth: 0.005 });
    const grown = worldShape(asset, secondary.colliders[0]!).ra - 0.02;
    expect(grown).toBeCloseTo(0.005 * report.height, 12);
    expect(report.colliders[0]!.limit).toBe('growth');
    expect(fitColliders(asset, { maxGrowth: 0 }).secondary.colliders[0]).toEqual(
      asset.secondary!.colliders[0],
    );
  });

  it('do not shrink, and stay where they are', () => {
    const thick = capsule('leftLowerArm', [0, 0, 0], [0.25, 0, 0], 0.06);
    const { asset } = withHair([], [thick]);
    const { secondary, report } = fitColliders(asset);
    expect(secondary.colliders[0]).toEqual(asset.secondary!.colliders[0]);
    expect(report.colliders[0]!.limit).toBe('covered');
  });

  it('are kept when they are planes, insides, or stand off the skin of their bone; all are reported', () => {
    const odd: (ColliderDefinition & { on: string })[] = [
      { on: 'head', bone: 0, shape: { kind: 'plane', offset: [0, 0.3, 0], normal: [0, -1, 0] } },
      { on: 'head', bone: 0, shape: { kind: 'sphere', offset: [0, 0.1, 0], radius: 0.3, inside: true } },
      sphere('head', [0, 1.3, 0], 1),
      sphere('leftHand', [0, 0, 0], 0.03),
      sphere('root', [0, 0, 0], 0.1),
    ];
    const { asset } = withHair([], odd);
    const { secondary, report } = fitColliders(asset);
    expect(secondary.colliders.slice(0, 5)).toEqual(asset.secondary!.colliders);
    expect(report.colliders.slice(0, 5).map(({ limit }) => limit)).toEqual(
      Array.from({ length: 5 }, () => 'kept'),
    );
    expect(report.warnings.filter(({ code }) => code === 'collider-kept').length).toBe(5);
  });

  it('are all there is with make: false', () => {
    const { asset } = withHair([], [arm]);
    expect(fitColliders(asset, { make: false }).secondary.colliders.length).toBe(1);
  });
});

// Behind the head down to the waist, close to the back; short locks on the forehead.
const strand = line([0, 1.6, -0.14], [0, 1.15, -0.14], 5);
const bang = line([0.03, 1.73, 0.09], [0.03, 1.66, 0.135], 2);

describe('contact', () => {
  const { asset } = withHair([
    { name: 'strand', points: strand },
    { name: 'bang', points: bang },
    { name: 'bare', points: line([0.05, 1.6, -0.14], [0.05, 1.15, -0.14], 5), skin: false },
    { name: 'fine', points: line([-0.05, 1.6, -0.14], [-0.05, 1.15, -0.14], 40) },
  ]);
  const fit = fitColliders(asset);
  const by = (name: string): (typeof fit.report.chains)[number] =>
    fit.report.chains.find((chain) => chain.name === `${name}0`)!;

  it('tests whole links of a long strand, tips of a short one, of one without skin, and of fine links', () => {
    expect(by('strand')).toMatchObject({ contactPart: 'segment', spring: 0 });
    expect(by('strand').reason).toMatch(
      /a link of 0\.090 could lie .* deep in the (?:torso|neck|left arm|right arm)/,
    );
    expect(by('bang')).toMatchObject({ contactPart: 'tip' });
    expect(by('bang').reason).toMatch(/the middle of no link comes to another part than the one it sits on/);
    expect(by('bare')).toMatchObject({ contactPart: 'tip', reason: 'its bones move no skin' });
    expect(by('fine')).toMatchObject({ contactPart: 'tip' });
    expect(by('fine').reason).toMatch(/links are short/);
  });

  it('does not go by names', () => {
    const { asset: renamed } = withHair(
      [
        { name: 'strand', points: strand },
        { name: 'bang', points: bang },
      ],
      [],
      { nameOf: (name) => (name.startsWith('strand') ? name.replace('strand', 'FrontBang') : name) },
    );
    expect(fitColliders(renamed).report.chains.map((chain) => chain.contactPart)).toEqual(['segment', 'tip']);
  });

  it('comes as chains that a world takes', () => {
    const world = createWorld();
    const character = addCharacter(world, asset);
    const chains = addChains(world, character, { chains: fit.chains });
    expect(chains.length).toBe(4);
    const parts = chains.map((chain) => world.views.chain.contactPart[rowOf(world, 'chain', chain)]!);
    expect(parts).toEqual([contactPart.segment, contactPart.tip, contactPart.tip, contactPart.tip]);
    for (const [i, chain] of chains.entries())
      expect(world.views.chain.colliderMask[rowOf(world, 'chain', chain)]).toBe(
        fit.chains[i]!.suggested!.colliderMask,
      );
  });

  it('has masks that say what the report says', () => {
    const { groups, springs } = fit.secondary;
    for (const chain of fit.report.chains) {
      const mask = fit.chains[chain.spring]!.suggested!.colliderMask!;
      const felt = groups.flatMap(({ colliders }, g) => ((mask >>> g) & 1 ? colliders : []));
      expect(felt.toSorted((a, b) => a - b)).toEqual(chain.feels);
      expect(
        springs[chain.spring]!.groups.flatMap((g) => groups[g]!.colliders).toSorted((a, b) => a - b),
      ).toEqual(chain.feels);
    }
  });
});

describe('rest', () => {
  /** Moves of the tips, of their height, in the first tick with the fitted colliders. */
  const movesOf = (person: Person): number => {
    const fit = fitColliders(person.asset);
    const world = createWorld({ tickRate: 60 });
    const character = addCharacter(world, person.asset);
    const chains = addChains(world, character, { chains: fit.chains, floor: false });
    const tips = (): number[] =>
      chains.flatMap((chain) => {
        const row = rowOf(world, 'chain', chain);
        const { first, count } = world.views.chain;
        return [...world.views.particle.position.slice(3 * first[row]!, 3 * (first[row]! + count[row]!))];
      });
    step(world);
    const before = tips();
    for (const [i, { bone, shape }] of fit.secondary.colliders.entries()) {
      let groups = 0;
      for (const [g, { colliders }] of fit.secondary.groups.entries())
        if (colliders.includes(i)) groups |= 1 << g;
      addCollider(world, { character, bone, shape, groups: groups >>> 0 });
    }
    for (let tick = 0; tick < 60; tick++) step(world);
    const after = tips();
    let most = 0;
    for (let i = 0; i < before.length; i += 3)
      most = Math.max(most, Math.hypot(...[0, 1, 2].map((k) => after[i + k]! - before[i + k]!)));
    return most / fit.report.height;
  };

  it.each([
    ['a strand along the back', strand],
    ['a strand that lies in the back', line([0, 1.6, -0.13], [0, 1.1, -0.06], 5)],
    ['one through the shoulder', line([0.1, 1.6, 0], [0.14, 1.3, 0], 4)],
    ['bangs in the forehead', bang],
    ['a lock inside the head', line([0, 1.68, 0.05], [0, 1.6, 0.08], 3)],
  ])('%s is not thrown out', (_, points) => {
    expect(movesOf(withHair([{ name: 'lock', points }]))).toBeLessThan(0.004);
  });

  it('spares what lies deep, and says so', () => {
    const { asset } = withHair([{ name: 'lock', points: line([0, 1.6, -0.1], [0, 1.15, 0], 5) }]);
    const [chain] = fitColliders(asset).report.chains;
    expect(chain!.spared.length).toBeGreaterThan(0);
    expect(chain!.feels.length).toBeGreaterThan(0);
  });

  it('stops the growth of a collider of the file', () => {
    const points = line([0.3, 1.7, -0.036], [0.3, 1.2, -0.036], 5);
    const grow = (groups: number[]): number => {
      const upper = capsule('leftUpperArm', [0, 0, 0], [0.26, 0, 0], 0.02);
      const { asset } = withHair([{ name: 'lock', points, groups }], [upper]);
      const { report } = fitColliders(asset);
      expect(report.colliders[0]!.limit).toBe(groups.length > 0 ? 'rest' : 'skin');
      return report.colliders[0]!.radii[0]!;
    };
    expect(grow([0])).toBeLessThan(grow([]));
    // As far from the lock as the lock is thick.
    expect(grow([0])).toBeCloseTo(0.036 - 0.01, 2);
  });
});

describe('data', () => {
  const made = (): Person => withHair([{ name: 'strand', points: strand, groups: [0] }], [arm]);

  it('in is not touched, and is handed back', () => {
    const { asset } = made();
    const copy = structuredClone(asset);
    const fit = fitColliders(asset);
    expect(asset).toEqual(copy);
    expect(fit.original).toBe(asset.secondary);
    expect(fit.secondary).not.toBe(asset.secondary);
  });

  it('keeps indices, groups and springs of the file', () => {
    const { asset } = made();
    const { secondary } = fitColliders(asset);
    const before = asset.secondary!;
    expect(secondary.colliders[0]!.bone).toBe(before.colliders[0]!.bone);
    expect(secondary.groups[0]).toEqual(before.groups[0]);
    expect(secondary.springs[0]!.groups[0]).toBe(0);
    const { groups: _, ...spring } = secondary.springs[0]!;
    expect(before.springs[0]).toMatchObject(spring);
    expect(secondary.humanoid).toEqual(before.humanoid);
  });

  it('of a file without springs gives colliders in groups, felt by the chains that are found', () => {
    const { asset, bone } = makePerson({
      bones: [
        ['Tail_1', 'hips', [0, 0.9, -0.1]],
        ['Tail_2', 'Tail_1', [0, 0.7, -0.25]],
        ['Tail_End', 'Tail_2', [0, 0.5, -0.4]],
      ],
      more: [{ name: 'tail', bone: 'Tail_1', ...tube([0, 0.9, -0.1], [0, 0.7, -0.25], 0.03, 0.03) }],
    });
    delete asset.secondary;
    const { secondary, original, chains, report } = fitColliders(asset, { unit: 1 });
    expect(original).toBeUndefined();
    expect(secondary.springs).toEqual([]);
    expect(secondary.colliders.length).toBeGreaterThan(10);
    expect(secondary.groups.flatMap(({ colliders }) => colliders).length).toBe(secondary.colliders.length);
    expect(chains.map(({ bones }) => bones[0])).toEqual([bone('Tail_1')]);
    expect(chains[0]!.suggested!.colliderMask).toBeGreaterThan(0);
    expect(report.chains[0]!.spring).toBe(-1);
  });

  it('takes chains that are given', () => {
    const person = withHair([{ name: 'strand', points: strand }]);
    const definition: ChainDefinition = {
      name: 'strand',
      attachment: person.bone('head'),
      bones: [0, 1, 2, 3, 4].map((i) => person.bone(`strand${i}`)),
      end: person.bone('strand5'),
      origin: 'hair',
    };
    const { asset } = person;
    const fit = fitColliders(
      { ...asset, secondary: { ...asset.secondary!, springs: [] } },
      { chains: [definition] },
    );
    expect(fit.report.chains).toMatchObject([{ name: 'strand', spring: -1, contactPart: 'segment' }]);
  });

  it('tells more than 32 groups that they share bits', () => {
    const { asset } = made();
    const many: SecondaryMotion = {
      ...asset.secondary!,
      groups: Array.from({ length: 31 }, (_, i) => ({ name: `g${i}`, colliders: [0] })),
    };
    const { report, secondary } = fitColliders({ ...asset, secondary: many });
    expect(report.warnings.map(({ code }) => code)).toContain('too-many-collider-groups');
    expect(secondary.groups.slice(0, 31)).toEqual(many.groups);
  });
});

describe('how deep the middle of a link can lie', () => {
  it.each([
    [0.05, 0.05, 0.02],
    [0.05, 0.05, 0.3],
    [0.02, 0.1, 0.15],
    [0.02, 0.1, 0.03],
    [0.02, 0.1, 0.5],
  ])(
    'in a capsule of radii %d and %d, a link of %d: as deep as in the worst of its balls',
    (ra, rb, link) => {
      let worst = 0;
      for (let i = 0; i <= 2000; i++) {
        const radius = ra + ((rb - ra) * i) / 2000;
        // Both ends on the ball, or on its far sides: the middle is nearer to its centre by the chord.
        const off = link >= 2 * radius ? 0 : Math.sqrt(radius * radius - (link / 2) ** 2);
        worst = Math.max(worst, radius - off);
      }
      const proxy = { a: Float64Array.of(0, 0, 0), b: Float64Array.of(0, 1, 0), ra, rb };
      expect(sagitta(proxy as Proxy, link)).toBeCloseTo(worst, 3);
    },
  );
});
