/**
 * The third character: no names that say anything, any bone axes, a curled tail that adds to its clip, a horn so stiff that it
 * comes to rest within a second, a wing without an end. The scenario mirrors it.
 */
import type { Asset, ChainDefinition } from '../../src/index.js';
import { boneOf, buildRig, track, turned, withClips, type BoneRow } from './buildRig.js';
import { anyTurn, noise, turn, wave } from './exact.js';

const plain: BoneRow[] = [
  ['b0', 'Armature', [0, 0.5, 0]],
  ['b1', 'b0', [0, 0.75, 0.03125]],
  ['b2', 'b1', [0, 0.9375, 0]],
  ['b3', 'b0', [0.125, 0.46875, 0]],
  ['b4', 'b3', [0.125, 0.03125, 0]],
  ['b5', 'b0', [-0.125, 0.46875, 0]],
  ['b6', 'b5', [-0.125, 0.03125, 0]],
  // The tail: up and over, and to one side.
  ['t1', 'b0', [0, 0.46875, -0.125]],
  ['t2', 't1', [0, 0.4375, -0.25]],
  ['t3', 't2', [0.03125, 0.46875, -0.375]],
  ['t4', 't3', [0.0625, 0.5625, -0.4375]],
  ['t5', 't4', [0.09375, 0.6875, -0.4375]],
  ['t6', 't5', [0.09375, 0.78125, -0.375]],
  ['t_end', 't6', [0.0625, 0.828125, -0.3125]],
  ['h1', 'b2', [0.0625, 1, 0.03125]],
  ['h2', 'h1', [0.09375, 1.078125, 0.046875]],
  ['h_end', 'h2', [0.140625, 1.125, 0.0625]],
  ['w1', 'b1', [0.0625, 0.8125, -0.0625]],
  ['w2', 'w1', [0.25, 0.875, -0.125]],
  ['w3', 'w2', [0.4375, 0.84375, -0.1875]],
];

/** Chains of the imp by name. */
export function impChains(asset: Asset): Record<'tail' | 'horn' | 'wing', ChainDefinition> {
  const chain = (name: string, hangsFrom: string, bones: string[], end: string): ChainDefinition => ({
    name,
    attachment: boneOf(asset, hangsFrom),
    bones: bones.map((bone) => boneOf(asset, bone)),
    end: end === '' ? -1 : boneOf(asset, end),
    origin: 'artist',
  });
  return {
    tail: chain('tail', 'b0', ['t1', 't2', 't3', 't4', 't5', 't6'], 't_end'),
    horn: chain('horn', 'b2', ['h1', 'h2'], 'h_end'),
    wing: { ...chain('wing', 'b1', ['w1', 'w2', 'w3'], ''), endOffset: [0.0625, 0.125, -0.03125] },
  };
}

/** Makes the imp. */
export function makeImp(): Asset {
  const random = noise(77);
  const asset = buildRig(
    'imp',
    plain.map(([name, parent, head]): BoneRow => [name, parent, head, anyTurn(random)]),
  );
  const thirds = [0, 0.25, 0.5, 0.75];
  const curl = (bone: string, size: number): number[][] =>
    thirds.map((t) => turned(asset, bone, turn([0, 0.5, 1], size * wave(t / 0.75))));
  return withClips(asset, {
    Curl: [
      track(asset, 't2', 'rotation', 'linear', thirds, curl('t2', 0.25)),
      track(asset, 't4', 'rotation', 'linear', thirds, curl('t4', 0.375)),
      track(asset, 'b1', 'rotation', 'linear', thirds, curl('b1', 0.125)),
    ],
  });
}
