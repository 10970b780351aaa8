/**
 * What colliders owe to chains at rest. A chain that lies in a collider at rest would be thrown out of it in the first
 * tick: so a collider of the file grows no farther than its chains let it, one that was made shrinks a little, and where
 * that is not enough the chain does not feel it. And which chains are tested as whole segments.
 */
import type { BodyParts } from './bodyParts.js';
import { depthAtRest, longestSeen, reaches, rootGap, sagitta, type RestingChain } from './chainsAtRest.js';
import { larger, type Proxy } from './proxy.js';

/** A proxy that chains may feel. */
export interface FeltProxy {
  proxy: Proxy;
  /** Part of the body, -1 for none. */
  part: number;
  /** What it is called in a reason. */
  name: string;
}

/** What of a chain's links is tested, and why. */
export interface Contact {
  contactPart: 'tip' | 'segment';
  reason: string;
}

/** Most that a made proxy gives way, as a share of its smaller radius. */
const SHRINK = 0.1;

/**
 * Decides what of a chain's links is tested. A tip test misses what a link does between its ends: up to its sagitta over
 * the collider. Where that could be seen the whole link is tested. The part of the body on which the chain sits does not
 * ask for it: there the roots are inside, and short locks lie on it.
 *
 * @param felt - proxies that the chain may feel
 * @param seen - depth from which one is seen
 */
export function contactOf(
  chain: RestingChain,
  body: BodyParts | undefined,
  felt: readonly FeltProxy[],
  seen: number,
): Contact {
  const link = longestSeen(chain);
  if (link === 0) return { contactPart: 'tip', reason: 'its bones move no skin' };
  const own = body?.partOf[chain.definition.attachment] ?? -1;
  let worst = 0;
  let where = '';
  let feels = false;
  let comes = false;
  for (const { proxy, part, name } of felt) {
    if (part >= 0 && part === own) continue;
    feels = true;
    // Its middle comes there, not its end alone.
    if (rootGap(chain, proxy) + link / 2 > chain.length) continue;
    comes = true;
    const depth = sagitta(proxy, link);
    if (depth > worst) [worst, where] = [depth, name];
  }
  const round = (value: number): string => value.toPrecision(2);
  if (!feels) return { contactPart: 'tip', reason: 'it feels nothing but what it sits on' };
  if (!comes)
    return {
      contactPart: 'tip',
      reason: `${round(chain.length)} long: the middle of no link comes to another part than the one it sits on`,
    };
  return worst > seen
    ? {
        contactPart: 'segment',
        reason: `a link of ${round(link)} could lie ${round(worst)} deep in the ${where} between its ends`,
      }
    : { contactPart: 'tip', reason: `its links are short: ${round(worst)} deep in the ${where} at most` };
}

/**
 * How far a collider of the file may grow.
 *
 * @param felt - chains that feel it, with their contact
 * @param slack - depth up to which a chain at rest is pushed without its being seen
 */
export function roomToGrow(
  proxy: Proxy,
  felt: readonly { chain: RestingChain; contact: Contact }[],
  slack: number,
): number {
  let room = Infinity;
  for (const { chain, contact } of felt) {
    if (!reaches(chain, proxy)) continue;
    // As authored it may lie deeper; its artist meant it, and growing would make it worse.
    room = Math.min(room, Math.max(slack - depthAtRest(chain, proxy, contact.contactPart === 'tip'), 0));
  }
  return room;
}

/**
 * Fits a made proxy between the chains that come to it. It gives way to those that come from elsewhere; for locks that
 * sit on it and lie in it, it does not: it would vanish.
 *
 * @param part - part of the body that it stands for
 * @param isChosen - the file has colliders: which of them a spring feels where it sits was its author's choice, none included
 * @returns the proxy, as it is or a little smaller and by how much, and which chains feel it
 */
export function giveWay(
  proxy: Proxy,
  part: number,
  body: BodyParts | undefined,
  chains: readonly { chain: RestingChain; contact: Contact }[],
  isChosen: boolean,
  slack: number,
): { proxy: Proxy; shrunk: number; feels: boolean[]; spares: boolean[] } {
  const most = SHRINK * Math.min(proxy.ra, proxy.rb);
  const isOwn = chains.map(({ chain }) => body?.partOf[chain.definition.attachment] === part);
  const over = chains.map(({ chain, contact }, i) =>
    reaches(chain, proxy) && !(isOwn[i]! && isChosen && chain.spring >= 0)
      ? depthAtRest(chain, proxy, contact.contactPart === 'tip') - slack
      : Infinity,
  );
  const feels = over.map((depth, i) => depth <= (isOwn[i]! ? 0 : most));
  const shrunk = Math.max(0, ...over.filter((_, i) => feels[i]!));
  return {
    proxy: larger(proxy, -shrunk),
    shrunk,
    feels,
    spares: over.map((depth, i) => !feels[i]! && depth < Infinity),
  };
}
