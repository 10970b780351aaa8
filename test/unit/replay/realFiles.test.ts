/** Real characters: a world that is restored with assets that have lost their meshes goes on alike, whatever is set. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  addChains,
  addCharacter,
  addConstraints,
  addFloor,
  addSpringColliders,
  createWorld,
  entitiesOf,
  play,
  setChain,
  setRoot,
  setWind,
  step,
  type World,
} from '../../../src/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import {
  assetHash,
  createRecorder,
  hash,
  restore,
  rigHash,
  snapshot,
  verifyReplay,
} from '../../../src/replay/index.js';
import { fileChains } from '../../../src/setup/fileChains.js';
import { shared } from '../../support/shared.js';

const files = shared
  ? [
      'glb-tail/khronos_Fox.glb',
      'glb-tail/quaternius_animals_Wolf.glb',
      'derived/seedsan_rebuilt.vrm',
      'vrm/Godette_vrm0.vrm',
    ]
  : [];

function input(world: World): void {
  const [character] = entitiesOf(world, 'character');
  setRoot(world, character!, { position: [0, 0, world.tick / 128] });
  if (world.tick === 60) setWind(world, { velocity: [2, 0, 1], gusts: 0.5 });
  // The rest shape is made anew, from the definition: the reach of the skin must not be asked for again.
  if (world.tick === 80)
    for (const chain of entitiesOf(world, 'chain')) setChain(world, chain, { carry: 0.25, restCurve: 0.5 });
}

describe.skipIf(!shared)('real files', () => {
  it.each(files)('%s', async (file) => {
    const asset = await loadGltf(readFileSync(`${shared}/${file}`), { name: file });
    const world = createWorld();
    const character = addCharacter(world, asset);
    addConstraints(world, character);
    const chains = fileChains(asset);
    addSpringColliders(world, character, undefined, chains);
    for (const definition of chains) addChains(world, character, { chains: [definition], owner: 'solver' });
    addFloor(world);
    if (asset.clips.length > 0) play(world, character, 0);
    expect(entitiesOf(world, 'chain').length).toBeGreaterThan(0);

    const bare = { ...asset, meshes: [] };
    expect(rigHash(bare)).toBe(rigHash(asset));
    expect(assetHash(bare)).not.toBe(assetHash(asset));
    const other = createWorld();
    restore(other, snapshot(world), [bare]);
    const recorder = createRecorder(world);
    for (let i = 0; i < 160; i++) {
      input(world);
      recorder.step();
      input(other);
      step(other);
      expect(hash(other)).toBe(hash(world));
    }
    expect(verifyReplay(recorder.finish())).toMatchObject({ ticks: 160, mismatches: 0, hash: hash(world) });
  });
});
