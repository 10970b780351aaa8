/**
 * `npm run demo`: makes the fox as a humanoid rigger leaves it, finds its tail and gives it bones, simulates the tail
 * over the Walk clip, prints what the skin does before and after, bakes every clip, and draws the tail over one pass.
 * Everything lands in out/.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { findChains } from 'followthrough';
import { bakeGltf } from 'followthrough/bake';
import { loadGltf } from 'followthrough/gltf';
import { measureClip, type MeasureReport } from 'followthrough/measure';
import { rigGltf, rigPicture } from 'followthrough/rig';
import { foxGlb } from '../characters/fox.js';
import { walkPicture } from './picture.js';
import { tailOverPass } from './tailOverPass.js';

const clip = 'Walk';
const started = performance.now();
await mkdir('out', { recursive: true });

const bytes = await foxGlb();
await writeFile('out/fox.glb', bytes);
const fox = await loadGltf(bytes, { name: 'fox' });
print(
  `fox, as a humanoid rigger leaves it: ${fox.skeleton.count} nodes, ${vertexCount()} vertices, ` +
    `clips ${fox.clips.map((c) => c.name).join(', ')}`,
);

const rig = await rigGltf(bytes, { name: 'fox', asset: fox });
await writeFile('out/fox-rigged.glb', rig.bytes);
await writeFile('out/fox-rig.svg', rigPicture(fox, rig.plan));
const rigged = await loadGltf(rig.bytes, { name: 'fox-rigged' });
const [tail] = findChains(rigged);
const piece = rig.report.pieces.find(({ verdict }) => verdict === 'chain');
if (!tail || !piece) throw new Error('the tail of the fox was not found');
print(
  `${piece.kind} found: ${piece.vertices} points, ${cm(piece.length)} cm long, from ${piece.attachment}; ${piece.reason}`,
  `${piece.joints.map(({ name, position }) => `${name} (${position.map((x) => x.toFixed(2)).join(', ')})`).join(' > ')}`,
  `its skin stood ${cm(piece.weightDistanceBefore)} cm from the bones that moved it, ` +
    `now ${cm(piece.weightDistanceAfter)} cm; ${rig.report.pieces.length - 1} other pieces left alone`,
  '',
);

const asRigged = measureClip(fox, clip, { pose: 'clip', edgesOf: rigged });
const rigid = measureClip(rigged, clip, { pose: 'rigid' });
const chain = measureClip(rigged, clip, { pose: 'chain' });
print(
  `Stretch of the skin on ${clip}: posed / bind length of every edge at ${chain.samples} instants`,
  '',
  'edges of               edges    p95    p99    max    torn',
  row('tail, as rigged', asRigged.tail),
  row('tail, rigid', rigid.tail),
  row('tail, chain', chain.tail),
  row('body', chain.body),
  '',
  `the tip travels ${chain.tipTravel.toFixed(3)} of the tail's length (rigid ${rigid.tipTravel.toFixed(3)}), ` +
    `no link bends more than ${chain.maxBendDeg.toFixed(1)} degrees`,
  '',
);

const { bytes: baked, report } = await bakeGltf(rig.bytes, { name: 'fox-rigged' });
await writeFile('out/fox-baked.glb', baked);
print('Baked clips', '', 'clip       passes  seam degrees   keys  largest error degrees');
for (const c of report.clips)
  print(
    `${c.name.padEnd(10)} ${String(c.passes ?? '-').padStart(6)}  ${(c.seamDeg?.toExponential(1) ?? '-').padStart(12)}  ` +
      `${String(c.keys).padStart(5)}  ${c.maxErrorDeg.toFixed(3).padStart(21)}`,
  );

await writeFile('out/fox-walk.svg', walkPicture(rigged, tail, tailOverPass(rigged, tail, clip, 24)));
print(
  '',
  'out/fox.glb         the character as a humanoid rigger leaves it',
  'out/fox-rigged.glb  the same with bones in its tail',
  'out/fox-rig.svg     what was found, to judge by eye',
  'out/fox-baked.glb   with the tail in every clip, for any viewer',
  'out/fox-walk.svg    the tail over one pass of Walk',
  `done in ${((performance.now() - started) / 1000).toFixed(1)} s`,
);

function vertexCount(): number {
  return fox.meshes.reduce((sum, mesh) => sum + mesh.positions.length / 3, 0);
}

function cm(metres: number): string {
  return (100 * metres).toFixed(0);
}

function row(name: string, { edges, p95, p99, max, torn }: MeasureReport['tail']): string {
  const figures = [p95, p99, max].map((value) => (value ?? 0).toFixed(2).padStart(5));
  return `${name.padEnd(20)} ${String(edges).padStart(7)}  ${figures.join('  ')}  ${`${(100 * (torn ?? 0)).toFixed(1)}%`.padStart(6)}`;
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
