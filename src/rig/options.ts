/**
 * Options of the rig pass.
 */
import { FollowthroughError } from '../asset/errors.js';

/** A tuft or ponytail that the caller names, since no geometry says that something is hair. */
export interface HairOption {
  /** Exact name of a node, mesh or material whose primitives hold the hair. */
  name: string;
  /** Number of the island (connected part of the named primitives), as `islands` of the plan lists them. */
  island?: number;
  /** Name of the bone from which it hangs, default the head. */
  attach?: string;
  /** Bones of the chain, 1 to 64; default clamp(round(L / (0.1 H)), 3, 8). */
  joints?: number;
}

/** What a caller can decide about a piece. */
export type ForcedVerdict = 'chain' | 'rigid' | 'leave';

/** Options of `planRig`. */
export interface RigOptions {
  /** Bind what would become a chain to its attachment alone: no stretch, the yardstick. Default false. */
  rigid?: boolean;
  /** Verdicts by the id of a piece, over what the pass decides. */
  force?: Readonly<Record<string, ForcedVerdict>>;
  /** Confidence from which a piece becomes a chain, 0..1, default 0.25. */
  minConfidence?: number;
  /** Hair to give a chain; with hair named, nothing else is looked for. */
  hair?: readonly HairOption[];
  /** Called now and then: share of the work done, 0..1, and what is being done. */
  onProgress?: (share: number, what: string) => void;
}

/** @throws FollowthroughError `invalid-argument` for a value out of range */
export function checkRigOptions(options: RigOptions): void {
  const { minConfidence, force, hair } = options;
  const invalid = (what: string): never => {
    throw new FollowthroughError('invalid-argument', what);
  };
  if (minConfidence !== undefined && !(minConfidence >= 0 && minConfidence <= 1))
    invalid(`minConfidence is ${String(minConfidence)}, expected a number from 0 to 1`);
  for (const [piece, verdict] of Object.entries(force ?? {}))
    if (!['chain', 'rigid', 'leave'].includes(verdict))
      invalid(`force ${piece} is ${String(verdict)}, expected chain, rigid or leave`);
  for (const { name, joints, island } of hair ?? []) {
    if (name === '') invalid('hair has an empty name, expected that of a node, mesh or material');
    if (joints !== undefined && !(Number.isInteger(joints) && joints >= 1 && joints <= 64))
      invalid(`joints of hair ${name} is ${String(joints)}, expected a whole number from 1 to 64`);
    if (island !== undefined && !(Number.isInteger(island) && island >= 0))
      invalid(`island of hair ${name} is ${String(island)}, expected a whole number from 0`);
  }
}
