/** World transform of a bone: its parent's times its shown local pose. */
import type { Bone } from '../components/bone.js';
import type { Columns } from '../components/field.js';

/** Writes the world transform of the bone in row `b`; the parent's must be up to date. */
export function boneWorld(bone: Columns<typeof Bone>, b: number): void {
  const { localTranslation: t, localRotation: r, localScale: s, world: w } = bone;
  const x = r[b * 4]!;
  const y = r[b * 4 + 1]!;
  const z = r[b * 4 + 2]!;
  const q = r[b * 4 + 3]!;
  const s0 = s[b * 3]!;
  const s1 = s[b * 3 + 1]!;
  const s2 = s[b * 3 + 2]!;
  const x2 = x + x;
  const y2 = y + y;
  const z2 = z + z;
  const m0 = (1 - (y * y2 + z * z2)) * s0;
  const m1 = (x * y2 + q * z2) * s0;
  const m2 = (x * z2 - q * y2) * s0;
  const m3 = (x * y2 - q * z2) * s1;
  const m4 = (1 - (x * x2 + z * z2)) * s1;
  const m5 = (y * z2 + q * x2) * s1;
  const m6 = (x * z2 + q * y2) * s2;
  const m7 = (y * z2 - q * x2) * s2;
  const m8 = (1 - (x * x2 + y * y2)) * s2;
  const t0 = t[b * 3]!;
  const t1 = t[b * 3 + 1]!;
  const t2 = t[b * 3 + 2]!;
  const to = b * 12;
  const parent = bone.parent[b]!;
  if (parent < 0) {
    w[to] = m0;
    w[to + 1] = m1;
    w[to + 2] = m2;
    w[to + 3] = m3;
    w[to + 4] = m4;
    w[to + 5] = m5;
    w[to + 6] = m6;
    w[to + 7] = m7;
    w[to + 8] = m8;
    w[to + 9] = t0;
    w[to + 10] = t1;
    w[to + 11] = t2;
    return;
  }
  const from = parent * 12;
  for (let i = 0; i < 3; i++) {
    const a = w[from + i]!;
    const c = w[from + i + 3]!;
    const e = w[from + i + 6]!;
    w[to + i] = a * m0 + c * m1 + e * m2;
    w[to + i + 3] = a * m3 + c * m4 + e * m5;
    w[to + i + 6] = a * m6 + c * m7 + e * m8;
    w[to + i + 9] = w[from + i + 9]! + a * t0 + c * t1 + e * t2;
  }
}
