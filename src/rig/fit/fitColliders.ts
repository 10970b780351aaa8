/**
 * The collider fit (docs/rigging.md, "Collider fit"; the idea: published account of hair on VRM characters): grows the
 * proxies of a file to the visible body and clothes within a share of the body's size, makes those that are missing, and
 * chooses the chains whose links must be tested as a whole. Pure: data in, data out, and what came in is handed back.
 */
import type { Asset, ChainDefinition } from '../../asset/asset.js';
import { FollowthroughError, type Warning } from '../../asset/errors.js';
import type { SecondaryMotion } from '../../asset/secondary.js';
import { rotateVec3 } from '../../math/quat.js';
import { dot3 } from '../../math/vec3.js';
import { anatomicalFrame, type AnatomicalFrame } from '../../setup/anatomicalFrame.js';
import { skinWeights } from '../../setup/dominatedSkin.js';
import { findChains } from '../../setup/findChains.js';
import { nearestNames } from '../../setup/nearestNames.js';
import { recoverNeutral } from '../../setup/neutral.js';
import type { Neutral } from '../../setup/neutralPose.js';
import { springChains } from '../../setup/springs.js';
import { findParts, partName, type BodyParts } from './bodyParts.js';
import { chainsAtRest, type RestingChain } from './chainsAtRest.js';
import { contactOf, giveWay, roomToGrow, type Contact, type FeltProxy } from './giveWay.js';
import { growProxies, type Authored, type Grown } from './growProxies.js';
import { groupColliders, masksOf, type MadeCollider } from './groups.js';
import { makeProxies } from './makeProxies.js';
import { grownCollider, asAuthored } from './marks.js';
import { isStretched, larger, largestScale, proxyOf, shapeOf, type Proxy } from './proxy.js';
import { checkFitOptions, type FitOptions, type FitReport } from './report.js';
import type { FitWork, SeenBody } from './work.js';
import { writeReport } from './writeReport.js';
import { skinSamples } from './samples.js';
import { visibleSkin } from './visibleSkin.js';

/** Result of {@link fitColliders}. */
export interface ColliderFit {
  /**
   * Springs and colliders after the fit. Those of the file keep their indices, and their groups; colliders and groups
   * that were made stand behind them.
   */
  secondary: SecondaryMotion;
  /**
   * What the author left: what came in, the very object, or without what an earlier fit did to it. Give it to `addSprings`
   * or `writeSprings` to have the file's own colliders; undefined without any.
   */
  original: SecondaryMotion | undefined;
  /**
   * Springs, then the other chains, ready for `addChains`: `suggested` holds `colliderMask` and `contactPart`.
   */
  chains: ChainDefinition[];
  /** What was done, chosen and not done. */
  report: FitReport;
}

/** Default of `maxGrowth`: clothes and hair of the head stand off by 1 to 3% of the height. */
const GROWTH = 0.03;
/** Distance up to which skin counts as covered, and depth that nobody sees, as a share of the height. */
const NEAR = 0.005;
/** Depth of a chain at rest that is not seen as a push, as a share of the height. */
const SLACK = 0.001;

/**
 * Fits colliders to a character. One that was fitted before is fitted from what its author left, so that the same fit
 * again changes nothing.
 *
 * @param asset - character; not changed
 * @param options - bounds, and what is known better
 * @returns new springs and colliders, the old ones, chains with their contact, and a report
 * @throws FollowthroughError `invalid-argument` for an option out of range, `unknown-name` for a hidden thing that does
 * not exist
 *
 * @example
 * const asset = await loadVrm(bytes);
 * const fit = fitColliders(asset);
 * const avatar = addCharacter(world, asset);
 * addChains(world, avatar, { chains: fit.chains });
 * addSpringColliders(world, avatar, fit.secondary, fit.chains);
 */
export function fitColliders(asset: Asset, options: FitOptions = {}): ColliderFit {
  checkFitOptions(options);
  const given = options.secondary ?? asset.secondary;
  const original = given && asAuthored(given);
  const before: SecondaryMotion = original ?? {
    source: 'springbone',
    colliders: [],
    groups: [],
    springs: [],
    constraints: [],
    humanoid: {},
  };
  const springs = springChains({ ...asset, secondary: before });
  const others = otherChains(asset, springs, options.chains);
  const all = [...springs, ...others];
  const neutral = recoverNeutral(asset);
  const frame = anatomicalFrame(asset, neutral, options.frame);
  const resting = chainsAtRest(
    asset,
    neutral,
    frame,
    all,
    springs.length,
    skinWeights(asset),
    options.unit ?? 1,
  );
  const warnings: Warning[] = [];
  const seen = lookAtBody(asset, neutral, frame, before, all, options.hidden ?? [], warnings);
  const { body, skins, directions, height } = seen;
  const near = NEAR * height;
  const slack = SLACK * height;

  const authored = before.colliders.map(({ bone, shape }): Authored => ({
    bone,
    proxy: proxyOf(shape, neutral.worlds, bone),
  }));
  const wanted = body
    ? growProxies(authored, body, skins, (options.maxGrowth ?? GROWTH) * height)
    : authored.map((): Grown => ({
        growth: 0,
        limit: 'kept',
        part: -1,
        points: new Float64Array(0),
        kept: 'no body was found',
      }));
  const grownProxies = authored.flatMap(({ proxy }, i) =>
    proxy === undefined ? [] : [larger(proxy, wanted[i]!.growth)],
  );
  const made =
    body && options.make !== false
      ? makeProxies(asset, body, skins, directions, options.taper ?? true, grownProxies, near, warnings)
      : [];

  const felt = authored.map((_, i) => feltBy(before, i, resting));
  const contacts = resting.map((chain) => {
    const may: FeltProxy[] = [
      ...authored.flatMap(({ proxy }, i) =>
        proxy !== undefined && felt[i]!.includes(chain)
          ? [
              {
                proxy: larger(proxy, wanted[i]!.growth),
                part: wanted[i]!.part,
                name: nameIn(body, wanted[i]!.part),
              },
            ]
          : [],
      ),
      ...made.map(({ proxy, part }) => ({ proxy, part, name: nameIn(body, part) })),
    ];
    return contactOf(chain, body, may, near);
  });
  const pairs = resting.map((chain, i) => ({ chain, contact: contacts[i]! }));
  const grown = authored.map(({ proxy }, i) =>
    settle(
      proxy,
      wanted[i]!,
      pairs.filter(({ chain }) => felt[i]!.includes(chain)),
      slack,
    ),
  );
  const placed = made.map((one) => ({
    ...one,
    ...giveWay(one.proxy, one.part, body, pairs, before.colliders.length > 0, slack),
  }));
  return assemble({
    asset,
    neutral,
    before,
    original,
    springs,
    others,
    resting,
    contacts,
    authored,
    grown,
    placed,
    felt,
    near,
    warnings,
    ...seen,
  });
}

function assemble(work: FitWork): ColliderFit {
  const { asset, neutral, before, original, springs, others, contacts, grown, placed, warnings } = work;
  const kept = before.colliders.map((collider, i) => {
    const { growth } = grown[i]!;
    const scale = growth > 0 ? largestScale(neutral.worlds, collider.bone) : 0;
    return scale > 0 ? grownCollider(collider, growth / scale) : collider;
  });
  const made: MadeCollider[] = placed.flatMap((one) => {
    const shape = shapeOf(one.proxy, neutral.worlds, one.bone);
    return shape === undefined ? [] : [{ ...one, shape, region: work.body!.parts[one.part]!.region }];
  });
  for (const bone of new Set([...before.colliders, ...made].map((collider) => collider.bone)))
    if (neutral.worlds.length > 16 * bone && bone >= 0 && isStretched(neutral.worlds, bone))
      warnings.push({
        code: 'collider-scale',
        message: `bone ${asset.skeleton.names[bone]!} is stretched: a collider on it fits in the bind pose alone`,
        at: asset.skeleton.names[bone]!,
      });
  const { groups, groupOf } = groupColliders(before, made, springs.length, warnings);
  const secondary: SecondaryMotion = {
    ...before,
    colliders: [
      ...kept,
      ...made.map(({ bone, shape }) => ({ bone, shape, fitted: { made: true as const } })),
    ],
    groups: [...before.groups, ...groups],
    springs: before.springs.map((spring, s) => ({ ...spring, groups: [...spring.groups, ...groupOf(s)] })),
  };
  const masks = masksOf(secondary, before.groups.length, springs.length, others.length, groupOf);
  const chains = [...springChains({ ...asset, secondary }), ...others].map((definition, i) => ({
    ...definition,
    suggested: { ...definition.suggested, colliderMask: masks[i]!, contactPart: contacts[i]!.contactPart },
  }));
  return { secondary, original, chains, report: writeReport(work, secondary, made) };
}

function settle(
  proxy: Proxy | undefined,
  wanted: Grown,
  felt: { chain: RestingChain; contact: Contact }[],
  slack: number,
): Grown {
  if (proxy === undefined || wanted.growth === 0) return wanted;
  const room = roomToGrow(proxy, felt, slack);
  return room < wanted.growth ? { ...wanted, growth: room, limit: 'rest' } : wanted;
}

/** Chains that feel a collider of the file: springs that name a group of it; others feel all. */
function feltBy(
  { groups, springs }: SecondaryMotion,
  collider: number,
  resting: readonly RestingChain[],
): RestingChain[] {
  const own = groups.flatMap(({ colliders }, g) => (colliders.includes(collider) ? [g] : []));
  return resting.filter(({ spring }) =>
    spring < 0 ? own.length > 0 : springs[spring]!.groups.some((group) => own.includes(group)),
  );
}

function nameIn(body: BodyParts | undefined, part: number): string {
  const found = body?.parts[part];
  return found === undefined ? 'collider' : partName(found.region, found.side);
}

/** Chains beside the springs: those given, else what is found; none that shares a bone with a spring. */
function otherChains(
  asset: Asset,
  springs: readonly ChainDefinition[],
  given: readonly ChainDefinition[] | undefined,
): ChainDefinition[] {
  const held = new Set(springs.flatMap(({ bones }) => bones));
  return [...(given ?? findChains(asset))].filter(({ bones }) => !bones.some((bone) => held.has(bone)));
}

function lookAtBody(
  asset: Asset,
  neutral: Neutral,
  frame: AnatomicalFrame,
  { humanoid }: SecondaryMotion,
  chains: readonly ChainDefinition[],
  hidden: readonly string[],
  warnings: Warning[],
): SeenBody {
  const { count, parents } = asset.skeleton;
  const isChain = new Uint8Array(count);
  for (const { bones } of chains) for (const bone of bones) isChain[bone] = 1;
  for (let bone = 0; bone < count; bone++)
    if (parents[bone]! >= 0 && isChain[parents[bone]!] === 1) isChain[bone] = 1;
  const direction = (x: number, y: number, z: number): Float64Array => {
    const out = new Float64Array(3);
    rotateVec3(out, 0, frame.rotation, 0, [x, y, z], 0);
    return out;
  };
  const directions = { lateral: direction(1, 0, 0), up: direction(0, 1, 0), forward: direction(0, 0, 1) };
  const body = findParts(asset, neutral, directions, humanoid, isChain, frame.source === 'four-footed');
  const samples = skinSamples(asset, neutral, hiddenMeshes(asset, hidden));
  if (body === undefined)
    warnings.push({
      code: 'no-body',
      message:
        'no legs and no humanoid map were found, so no part of the body is known: no collider is fitted',
      at: asset.name,
    });
  const skins = body ? visibleSkin(samples, body, directions) : [];
  const seen = skins.some(({ points }) => points.length > 0)
    ? skins.map(({ points }) => points)
    : [samples.positions];
  return { body, directions, skins, height: heightOf(seen, directions.up) };
}

/** Height of the visible skin of the body, of all skin without one. */
function heightOf(lists: readonly Float64Array[], up: Float64Array): number {
  let low = Infinity;
  let high = -Infinity;
  for (const points of lists)
    for (let o = 0; o < points.length; o += 3) {
      const at = dot3(up, 0, points, o);
      low = Math.min(low, at);
      high = Math.max(high, at);
    }
  return high > low ? high - low : 0;
}

function hiddenMeshes(asset: Asset, hidden: readonly string[]): (mesh: Asset['meshes'][number]) => boolean {
  const namesOf = (mesh: Asset['meshes'][number]): string[] => [
    asset.skeleton.names[mesh.bone]!,
    mesh.name.replace(/\.\d+$/, ''),
    mesh.material,
  ];
  const known = asset.meshes.flatMap(namesOf).filter((name) => name !== '');
  for (const name of hidden) {
    if (known.includes(name)) continue;
    const near = nearestNames(name, [...new Set(known)]);
    const hint = near.length > 0 ? `; nearest: ${near.join(', ')}` : '';
    throw new FollowthroughError(
      'unknown-name',
      `hidden: no node, mesh or material is called '${name}'${hint}`,
    );
  }
  return (mesh) => namesOf(mesh).some((name) => hidden.includes(name));
}
