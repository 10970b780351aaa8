/**
 * The first character of the scenario: four feet, a hanging tail in the form of the rig pass, ears that end where their skin
 * ends; stored in units of 1/128 m under a scaled armature, bones turned as riggers leave them, clips that loop and jump.
 */
import type { Asset } from '../../src/index.js';
import {
  bothSides,
  buildRig,
  chainRows,
  moved,
  skinAt,
  track,
  turned,
  withClips,
  type BoneRow,
} from './buildRig.js';
import { turn, wave } from './exact.js';

/** The hips' rotation at bind, which the tail shares. */
const hipsTurn = turn([1, 0.25, -0.5], 0.5);

const body: BoneRow[] = [
  ['Hips', 'Armature', [0, 0.625, -0.375], hipsTurn],
  ['Spine', 'Hips', [0, 0.65625, -0.125], turn([0, 0, 1], 0.25)],
  ['Chest', 'Spine', [0, 0.65625, 0.1875]],
  ['Neck', 'Chest', [0, 0.71875, 0.3125], turn([1, 0, 0], -0.375)],
  ['Head', 'Neck', [0, 0.84375, 0.4375]],
  ...bothSides([
    ['HindLeg_L', 'Hips', [0.109375, 0.5625, -0.375]],
    ['HindShin_L', 'HindLeg_L', [0.109375, 0.3125, -0.3125]],
    ['HindPaw_L', 'HindShin_L', [0.109375, 0.0625, -0.375]],
    ['FrontLeg_L', 'Chest', [0.109375, 0.5625, 0.25]],
    ['FrontShin_L', 'FrontLeg_L', [0.109375, 0.3125, 0.21875]],
    ['FrontPaw_L', 'FrontShin_L', [0.109375, 0.0625, 0.25]],
    ['Ear_L1', 'Head', [0.0625, 0.9375, 0.40625]],
    ['Ear_L2', 'Ear_L1', [0.078125, 1.015625, 0.40625]],
  ]),
  ...chainRows('Tail', 'Hips', [0, 0.609375, -0.5], [0, -0.0703125, -0.03125], 5, hipsTurn),
  ['Tail_End', 'Tail_5', [0, 0.2578125, -0.65625], hipsTurn],
];

/** Makes the fox. */
export function makeFox(): Asset {
  const asset = buildRig('fox', body, 0.0078125);
  asset.meshes = [
    skinAt(asset, [
      ['Ear_L2', [0.09375, 1.0625, 0.40625]],
      ['Ear_R2', [-0.09375, 1.0625, 0.40625]],
      ['Ear_L1', [0.0625, 0.953125, 0.40625]],
      ['Ear_R1', [-0.0625, 0.953125, 0.40625]],
      ['Tail_3', [0, 0.453125, -0.5625]],
      ['Tail_5', [0, 0.28125, -0.640625]],
      ['Chest', [0, 0.75, 0.1875]],
    ]),
  ];
  const eighths = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const steps = eighths.map((k) => 2 * wave(k / 8) - 1);
  // Units of the file are 128 to the metre.
  const sway = eighths.map((k) =>
    moved(asset, 'Hips', [4 * wave(((k + 2) % 8) / 8), wave(((2 * k) % 8) / 8), 0]),
  );
  return withClips(asset, {
    Walk: [
      track(
        asset,
        'Hips',
        'translation',
        'linear',
        eighths.map((k) => k / 8),
        sway,
      ),
      track(
        asset,
        'Hips',
        'rotation',
        'linear',
        eighths.map((k) => k / 8),
        steps.map((s) => turned(asset, 'Hips', turn([0.25, 1, 0], s / 8))),
      ),
      track(
        asset,
        'Head',
        'rotation',
        'linear',
        eighths.map((k) => k / 8),
        steps.map((s) => turned(asset, 'Head', turn([1, 0, 0.5], s / 4))),
      ),
    ],
    // Root motion that starts anew: where it wraps around the fox is 1.5 m further back, which no chain may feel.
    Leap: [
      track(
        asset,
        'Hips',
        'translation',
        'cubic',
        [0, 0.5, 1.25],
        [
          [0, 0, 0],
          moved(asset, 'Hips', [0, 0, 0]),
          [0, 96, 96],
          [0, 16, 192],
          moved(asset, 'Hips', [0, 32, 96]),
          [0, 16, 192],
          [0, -96, 96],
          moved(asset, 'Hips', [0, 0, 192]),
          [0, 0, 0],
        ],
      ),
      track(
        asset,
        'Spine',
        'scale',
        'linear',
        [0, 0.625, 1.25],
        [
          [1, 1, 1],
          [1, 1.125, 0.9375],
          [1, 1, 1],
        ],
      ),
    ],
    // The artist's own motion of the tail, in jumps: the clip owns the tail as long as it plays.
    Shake: [
      track(
        asset,
        'Tail_2',
        'rotation',
        'step',
        [0, 0.25, 0.5, 0.75],
        [0.25, -0.25, 0.125, 0.25].map((s) => turned(asset, 'Tail_2', turn([0, 0, 1], s))),
      ),
      track(
        asset,
        'Neck',
        'rotation',
        'step',
        [0, 0.5, 0.75],
        [0.125, -0.125, 0.125].map((s) => turned(asset, 'Neck', turn([0, 1, 0], s))),
      ),
    ],
  });
}
