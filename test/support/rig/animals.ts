/**
 * Real animals with a tail whose bones were taken out, by the files of ../shared/data: four ablated files with their
 * truth, five more ablated here from their originals.
 */
import { readFileSync } from 'node:fs';
import { loadGltf } from '../../../src/io/gltf/index.js';
import type { Asset } from '../../../src/index.js';
import { readBytes } from '../gltfBuilder.js';
import { shared } from '../shared.js';
import { ablateTail, type TailTruth } from './ablate.js';

export interface Animal {
  asset: Asset;
  truth: TailTruth;
}

const derived = ['rat', 'qfox', 'khronosfox', 'velociraptor'] as const;
const originals = {
  wolf: 'quaternius_animals_Wolf',
  shiba: 'quaternius_animals_ShibaInu',
  horse: 'quaternius_animals_Horse',
  stag: 'quaternius_animals_Stag',
  apatosaurus: 'quaternius_dinosaurs_Apatosaurus',
} as const;

export type AnimalName = (typeof derived)[number] | keyof typeof originals;

export const animalNames: readonly AnimalName[] = [
  ...derived,
  ...(Object.keys(originals) as (keyof typeof originals)[]),
];

/** Bones of a tail in these files. */
const isTailBone = (name: string): boolean => /^(?:b_)?Tail\d/.test(name);

export async function animal(name: AnimalName): Promise<Animal> {
  if (name in originals) {
    const file = `glb-tail/${originals[name as keyof typeof originals]}.glb`;
    return ablateTail(await loadGltf(readBytes(`${shared}/${file}`), { name }), isTailBone);
  }
  const path = `${shared}/derived/${name}_tail_ablated`;
  return {
    asset: await loadGltf(readBytes(`${path}.glb`), { name }),
    truth: JSON.parse(readFileSync(`${path}.truth.json`, 'utf8')) as TailTruth,
  };
}
