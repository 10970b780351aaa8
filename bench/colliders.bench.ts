/**
 * Hair among colliders beside @pixiv/three-vrm-springbone: 12 chains of 6 links, 0 to 16 colliders of a body, the root
 * turning. The spring tests whole segments and sweeps; the VRM law tests tips, which is what the peer does.
 */
import { beside, chains, ours, threeVrm } from './contenders.js';

console.log('ns per link per step (quietest round); times faster than three-vrm 3.5.5 per step');
console.log('(per 60 Hz frame half of that: ours takes two steps of 120 a second, the peer one)');
console.log('characters  colliders  segment    tip  three-vrm   segment    tip');
for (const characters of [1, 10, 100])
  for (const colliders of [0, 4, 8, 16]) {
    const { ns, ratios } = beside(
      [
        ours(characters, { law: 'spring', colliders }),
        ours(characters, { law: 'vrm', colliders }),
        threeVrm(characters, colliders),
      ],
      Math.max(1, Math.round(2000 / characters)),
      9,
    );
    console.log(
      String(characters).padStart(10),
      String(colliders).padStart(10),
      ...ns.map((value, k) => value.toFixed(0).padStart([8, 6, 10][k]!)),
      `${ratios[2]!.toFixed(1)}x`.padStart(9),
      `${(ratios[2]! / ratios[1]!).toFixed(1)}x`.padStart(6),
    );
  }

// A layered hairstyle: milliseconds per 60 Hz frame at 120 ticks.
const { ns } = beside([ours(1, { law: 'spring', colliders: 8 })], 2000, 9);
console.log(`one character, 8 colliders: ${((ns[0]! * chains * 6 * 2) / 1e6).toFixed(3)} ms per 60 Hz frame`);
