/** Runs the golden scene and prints the SHA-256 of its state region, tick by tick folded into one, as hex. */
import { createHash } from 'node:crypto';
import { stateBytes } from './chains.js';
import { mixedScene } from './fixturesScene.js';

const { world, tick } = mixedScene(24);
const hash = createHash('sha256');
for (let k = 0; k < 400; k++) {
  tick();
  hash.update(stateBytes(world));
}
process.stdout.write(hash.digest('hex'));
