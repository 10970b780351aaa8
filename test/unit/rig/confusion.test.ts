/**
 * Every file that others made and that lies beside the checkout: what the pass makes of it. A wrong chain is worse than
 * none, so the whole table is fixed in confusion.txt: file, verdict, pieces, bone of the chain, number of its bones.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { FollowthroughError } from '../../../src/index.js';
import { loadGltf } from '../../../src/io/gltf/index.js';
import { planRig } from '../../../src/rig/planRig.js';
import type { RigPlan } from '../../../src/rig/plan.js';
import { gltfFilesUnder, readBytes, resolveBeside } from '../../support/gltfBuilder.js';
import { chainsOf } from '../../support/rig/score.js';
import { shared } from '../../support/shared.js';

const folders = ['glb-tail', 'glb-humanoid', 'glb-anim', 'gltf-features', 'derived', 'vrm'];

/** Files with a tail that has no bones. */
const positives = [
  'derived/khronosfox_tail_ablated.glb',
  'derived/qfox_tail_ablated.glb',
  'derived/quaternius_Pug_assimp.glb',
  'derived/rat_tail_ablated.glb',
  'derived/velociraptor_tail_ablated.glb',
];

const expected = readFileSync(new URL('confusion.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

function line(file: string, plan: RigPlan): string {
  const counts = new Map<string, number>();
  for (const { report } of plan.pieces) {
    // What is too short or too thick to say is no piece of anything.
    if (report.kind === 'bump') continue;
    const text = `${report.kind}:${report.verdict}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const pieces = [...counts].toSorted().map(([text, n]) => (n > 1 ? `${n} ${text}` : text));
  const chains = chainsOf(plan).map(({ report }) => `${report.attachment} ${report.joints.length - 1}`);
  const rigid = plan.pieces.some(({ report }) => report.verdict === 'rigid');
  const verdict = chains.length > 0 ? 'chain' : rigid ? 'rigid' : counts.size > 0 ? 'left' : 'none';
  return [file, verdict, pieces.join(', ') || '-', chains.join(', ') || '-'].join(' | ');
}

describe.skipIf(!shared)('all files', () => {
  const lines: string[] = [];
  beforeAll(async () => {
    for (const path of folders.flatMap((folder) => gltfFilesUnder(`${shared}/${folder}`))) {
      const file = path.slice(shared!.length + 1);
      try {
        const asset = await loadGltf(readBytes(path), {
          name: file,
          resolve: resolveBeside(path),
          validate: false,
        });
        lines.push(line(file, planRig(asset)));
      } catch (error) {
        if (!(error instanceof FollowthroughError)) throw error;
        lines.push(`${file} | refused | ${error.code} | -`);
      }
    }
    console.log(lines.join('\n'));
  });

  test('no false chain, no miss', () => {
    const chained = lines.filter((text) => text.includes(' | chain | ')).map((text) => text.split(' | ')[0]!);
    const missed = positives.filter((file) => !chained.includes(file));
    const invented = chained.filter((file) => !positives.includes(file));
    const negatives = lines.filter((text) => !text.includes(' | refused | ')).length - positives.length;
    console.log(
      `chains found: ${positives.length - missed.length} of ${positives.length}; ` +
        `false chains: ${invented.length} in ${negatives} other files`,
    );
    expect(invented).toEqual([]);
    expect(missed).toEqual([]);
    for (const text of lines.filter((row) => row.includes(' | chain | ')))
      expect(text.match(/:chain/g)).toHaveLength(1);
  });

  test('the curled tail of the pug hangs from its back', () => {
    expect(lines.find((text) => text.startsWith('derived/quaternius_Pug'))).toMatch(
      /tail:chain.*\| Back \d$/,
    );
  });

  test('the table is the fixed one', () => {
    expect(lines).toEqual(expected);
  });
});
