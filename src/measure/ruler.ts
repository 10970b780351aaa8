/**
 * Collects the stretch ratios of one skin, class by class, one value per edge and sample.
 */
import type { Asset } from '../asset/index.js';
import type { Neutral } from '../setup/neutral.js';
import type { BonePose } from './bonePose.js';
import { stretchFigures, type StretchFigures } from './figures.js';
import { edgeKind, type SkinnedEdges } from './skinnedEdges.js';
import { createSkinPoser, edgeRatios, type SkinPoser, skinPoints } from './skinning.js';

/** Ratios of one skin over all samples. */
export interface Ruler {
  /** Poses the points. */
  poser: SkinPoser;
  /** Bones that the chains hang from. */
  attachments: number[];
  /** Number of samples. */
  samples: number;
  /** Posed / bind length, sample after sample, edge after edge. */
  ratios: Float64Array;
}

/** Prepares a skin for a number of samples. */
export function createRuler(
  asset: Asset,
  neutral: Neutral,
  mesh: SkinnedEdges,
  attachments: number[],
  samples: number,
): Ruler {
  return {
    poser: createSkinPoser(asset, neutral, mesh, attachments),
    attachments,
    samples,
    ratios: new Float64Array(mesh.bindLengths.length * samples),
  };
}

/** Measures all edges in a pose. */
export function measureSample(
  ruler: Ruler,
  asset: Asset,
  pose: BonePose,
  sample: number,
  rigid: boolean,
): void {
  skinPoints(asset, ruler.poser, ruler.attachments, pose, rigid);
  edgeRatios(ruler.poser, ruler.ratios, sample * ruler.poser.mesh.bindLengths.length);
}

/** Figures of tail, collar and body over all skins. */
export function classFigures(rulers: Ruler[]): Record<'tail' | 'collar' | 'body', StretchFigures> {
  return {
    tail: figuresOf(rulers, 'tail'),
    collar: figuresOf(rulers, 'collar'),
    body: figuresOf(rulers, 'body'),
  };
}

function figuresOf(rulers: Ruler[], kind: keyof typeof edgeKind): StretchFigures {
  let edges = 0;
  let count = 0;
  for (const { poser, samples } of rulers) {
    const own = poser.mesh.kinds.reduce((sum, k) => sum + (k === edgeKind[kind] ? 1 : 0), 0);
    edges += own;
    count += own * samples;
  }
  const all = new Float64Array(count);
  let next = 0;
  for (const { poser, ratios } of rulers) {
    const { kinds } = poser.mesh;
    for (let i = 0; i < ratios.length; i++)
      if (kinds[i % kinds.length] === edgeKind[kind]) all[next++] = ratios[i]!;
  }
  return stretchFigures(all, edges);
}
