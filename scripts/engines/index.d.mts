// Types of index.mjs for the tests.

/** An engine that is there. */
export interface FoundEngine {
  version: string;
  /** The lines that a program says; throws when it fails or takes longer. */
  run: (program: string, seconds: number) => Promise<string[]>;
}

export interface Engine {
  name: string;
  /** How to get it. */
  hint: string;
  find: () => Promise<FoundEngine | undefined>;
}

export interface Change {
  /** End of the path of a source file. */
  file: string;
  from: string;
  to: string;
}

export interface Difference {
  line: number;
  expected: string | undefined;
  actual: string | undefined;
}

export interface GivenFile {
  name: string;
  bytes: Buffer;
}

export function assetFiles(): Promise<GivenFile[]>;
export function filesAsScript(files: readonly GivenFile[]): string;
export function bundleProgram(entry: string, change?: Change): Promise<string>;
export function firstDifference(
  expected: readonly string[],
  actual: readonly string[],
): Difference | undefined;
export function inLanes<T>(lanes: number, jobs: readonly (() => Promise<T>)[]): Promise<T[]>;
export function ensureDebian(packages: readonly string[]): Promise<boolean>;
export function locate(
  engine: Pick<FoundEngine, 'run'>,
  other: Pick<FoundEngine, 'run'>,
  program: string,
  difference: Difference,
  seconds: number,
): Promise<string>;
export const prelude: string;
export function runInShell(
  shell: { command: string[]; env?: Record<string, string> },
  program: string,
  seconds: number,
): Promise<string[]>;
export function engineNamed(name: string): Engine;
