/**
 * `npm run demo`: makes the fox, simulates its tail over the Walk clip, prints what the skin does, bakes every
 * clip, and draws the tail over one pass. Everything lands in out/.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { findChains } from 'followthrough';
import { bakeGltf } from 'followthrough/bake';
import { loadGltf } from 'followthrough/gltf';
import { measureClip, type MeasureReport } from 'followthrough/measure';
import { foxGlb } from '../characters/fox.js';
import { walkPicture } from './picture.js';
import { tailOverPass } from './tailOverPass.js';

const clip = 'Walk';
const started = performance.now();
await mkdir('out', { recursive: true });

const bytes = await foxGlb();
await writeFile('out/fox.glb', bytes);
const fox = await loadGltf(bytes, { name: 'fox' });
const [tail] = findChains(fox);
if (!tail) throw new Error('the fox has no tail');
print(
  `fox: ${fox.skeleton.count} bones, ${vertexCount()} vertices, clips ${fox.clips.map((c) => c.name).join(', ')}`,
  `tail: ${tail.bones.map((bone) => fox.skeleton.names[bone]).join(' > ')} from ${fox.skeleton.names[tail.attachment]}`,
  '',
);

const rigid = measureClip(fox, clip, { pose: 'rigid' });
const chain = measureClip(fox, clip, { pose: 'chain' });
print(
  `Stretch of the skin on ${clip}: posed / bind length of every edge at ${chain.samples} instants`,
  '',
  'edges of                   edges    p95    p99    max    torn',
  row('tail, rigid (hips)', rigid.tail),
  row('tail, simulated chain', chain.tail),
  row('collar of that chain', chain.collar),
  row('body, for comparison', chain.body),
  '',
  `the tip travels ${chain.tipTravel.toFixed(3)} of the tail's length (rigid ${rigid.tipTravel.toFixed(3)}), ` +
    `no link bends more than ${chain.maxBendDeg.toFixed(1)} degrees`,
  '',
);

const { bytes: baked, report } = await bakeGltf(bytes, { name: 'fox' });
await writeFile('out/fox-baked.glb', baked);
print('Baked clips', '', 'clip       passes  seam degrees   keys  largest error degrees');
for (const c of report.clips)
  print(
    `${c.name.padEnd(10)} ${String(c.passes ?? '-').padStart(6)}  ${(c.seamDeg?.toExponential(1) ?? '-').padStart(12)}  ` +
      `${String(c.keys).padStart(5)}  ${c.maxErrorDeg.toFixed(3).padStart(21)}`,
  );

await writeFile('out/fox-walk.svg', walkPicture(fox, tail, tailOverPass(fox, tail, clip, 24)));
print(
  '',
  'out/fox.glb        the character',
  'out/fox-baked.glb  the same with the tail in every clip, for any viewer',
  'out/fox-walk.svg   the tail over one pass of Walk',
  `done in ${((performance.now() - started) / 1000).toFixed(1)} s`,
);

function vertexCount(): number {
  return fox.meshes.reduce((sum, mesh) => sum + mesh.positions.length / 3, 0);
}

function row(name: string, { edges, p95, p99, max, torn }: MeasureReport['tail']): string {
  const figures = [p95, p99, max].map((value) => (value ?? 0).toFixed(2).padStart(5));
  return `${name.padEnd(24)} ${String(edges).padStart(7)}  ${figures.join('  ')}  ${`${(100 * (torn ?? 0)).toFixed(1)}%`.padStart(6)}`;
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
