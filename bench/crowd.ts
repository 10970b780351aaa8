/** The skeleton of the benchmarks: a head with chains of hair around it that hang down and a little outward. */
import type { Asset, ChainDefinition } from '../src/index.js';

/** An asset with `chains` chains of `links` links (and an end bone each) under one attachment bone. */
export function crowdAsset(chains: number, links: number): Asset {
  const names = ['Head'];
  const parents = [-1];
  const translations = [0, 1.6, 0];
  for (let c = 0; c < chains; c++) {
    const angle = (2 * Math.PI * c) / chains;
    for (let l = 0; l <= links; l++) {
      names.push(`Tail_${String.fromCharCode(65 + c)}${l + 1}`);
      parents.push(l === 0 ? 0 : names.length - 2);
      if (l === 0) translations.push(0.1 * Math.cos(angle), 0, 0.1 * Math.sin(angle));
      else translations.push(0.02 * Math.cos(angle), -0.057, 0.02 * Math.sin(angle));
    }
  }
  const count = names.length;
  const rotations = new Float64Array(count * 4);
  for (let b = 0; b < count; b++) rotations[b * 4 + 3] = 1;
  return {
    name: 'crowd',
    skeleton: {
      count,
      names,
      parents: Int32Array.from(parents),
      nodes: Int32Array.from(names, (_, i) => i),
      translations: Float64Array.from(translations),
      rotations,
      scales: new Float64Array(count * 3).fill(1),
    },
    skins: [],
    meshes: [],
    clips: [],
    warnings: [],
  };
}

/** The chains of {@link crowdAsset}. */
export function crowdChains(chains: number, links: number): ChainDefinition[] {
  return Array.from({ length: chains }, (_, c) => {
    const first = 1 + c * (links + 1);
    const bones = Array.from({ length: links }, (__, l) => first + l);
    return { name: `chain ${c}`, attachment: 0, bones, end: first + links, origin: 'artist' };
  });
}
