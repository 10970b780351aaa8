/**
 * The solver beside @pixiv/three-vrm-springbone: 1, 10, 100 characters with 12 chains of 6 links, no colliders, the root
 * turning so that everything moves.
 */
import { step } from '../src/index.js';
import { beside, cpuNanoseconds, ours, threeVrm, time } from './contenders.js';

console.log(
  'ns per link per step (quietest round), times faster than three-vrm 3.5.5 (median of round ratios)',
);
console.log('characters   ours   three-vrm   per step   per 60 Hz frame at 120 ticks');
const bare = { law: 'spring', colliders: 0 } as const;
for (const characters of [1, 10, 100, 1000]) {
  const withPeer = characters <= 100;
  const contenders = [ours(characters, bare), ...(withPeer ? [threeVrm(characters, 0)] : [])];
  const { ns, ratios } = beside(contenders, Math.max(1, Math.round(4000 / characters)), 15);
  console.log(
    String(characters).padStart(10),
    ns[0]!.toFixed(0).padStart(6),
    (withPeer ? ns[1]!.toFixed(0) : '-').padStart(11),
    (withPeer ? `${ratios[1]!.toFixed(1)}x` : '-').padStart(10),
    (withPeer ? `${(ratios[1]! / 2).toFixed(1)}x` : '-').padStart(12),
  );
}

// Asleep: the same crowd without motion.
const awake = ours(100, bare);
const perAwake = time(awake, 100, 0);
for (let i = 0; i < 3000; i++) step(awake.world);
const begin = cpuNanoseconds();
for (let i = 0; i < 500; i++) step(awake.world);
const perAsleep = (cpuNanoseconds() - begin) / 500 / awake.links;
console.log(
  `asleep: ${perAsleep.toFixed(2)} ns per link, ${((100 * perAsleep) / perAwake).toFixed(1)} % of awake`,
);
