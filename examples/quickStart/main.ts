/**
 * The short example of README.md, run: a second of frames, then where the tip of the tail stands. A renderer would
 * copy `pose` into its skeleton each frame.
 */
import { addChains, addCharacter, advance, createPose, createWorld, play, readPose } from 'followthrough';
import { loadGltf } from 'followthrough/gltf';
import { foxWithTailGlb } from '../characters/fox.js';

const asset = await loadGltf(await foxWithTailGlb());
const world = createWorld({ tickRate: 120 });
const fox = addCharacter(world, asset);
addChains(world, fox, { damping: 0.65 });
play(world, fox, 'Walk');
const pose = createPose(world, fox);
for (let frame = 0; frame < 60; frame++) {
  advance(world, 1 / 60);
  readPose(world, fox, pose);
}

const tip = asset.skeleton.names.indexOf('Tail_End');
const place = [...pose.worlds.subarray(16 * tip + 12, 16 * tip + 15)].map((value) => value.toFixed(3));
console.log(`tick ${world.tick}: the tip of the tail stands at (${place.join(', ')})`);
