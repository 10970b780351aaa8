/**
 * Options that several commands share: how numbers are read, `--set chain.option=value`, and which chains a file
 * has for `--chain`. Angles are in degrees here and in radians inside.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { type Asset, type ChainDefinition, FollowthroughError } from '../asset/index.js';
import { type ChainOptions, checkOptions } from '../setup/chainOptions.js';
import { fileChains } from '../setup/fileChains.js';
import { radians } from '../math/index.js';

/** One `--set`, split. */
export interface Setting {
  /** Name of a chain, `*` for all. */
  chain: string;
  /** Option and value, angles in radians. */
  options: ChainOptions;
}

const angles = ['limit', 'carry', 'maxTurn'];
const choices = ['model', 'restFrame', 'restPose', 'owner', 'teleport', 'contactPart'];
const flags = ['keepOut', 'floor'];
const bits = ['colliderMask', 'groups', 'chainMask'];

/** Reads a number above zero. */
export function positive(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value < Infinity))
    throw new InvalidArgumentError('expected a number above 0.');
  return value;
}

/** Reads a number from zero. */
export function notNegative(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value < Infinity))
    throw new InvalidArgumentError('expected a number from 0.');
  return value;
}

/** Reads a finite number. */
export function finite(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('expected a number.');
  return value;
}

/** Reads a whole number above zero. */
export function whole(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text.trim()) || value < 1)
    throw new InvalidArgumentError('expected a whole number above 0.');
  return value;
}

/** Container that the name of an output file asks for. */
export function containerOf(path: string): 'glb' | 'gltf' | undefined {
  if (/\.(glb|vrm)$/i.test(path)) return 'glb';
  return /\.gltf$/i.test(path) ? 'gltf' : undefined;
}

/** Reads numbers with commas between them; NaN for what is none. */
export function numberList(text: string): number[] {
  return text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
}

/** Reads the name of a file to write. */
export function outputFile(path: string): string {
  if (containerOf(path) === undefined)
    throw new InvalidArgumentError('expected a name that ends in .glb, .vrm or .gltf.');
  return path;
}

/** Adds the options that say which chains there are and how they move: `--chain`, `--set`, `--unit`. */
export function withChainOptions(command: Command): Command {
  return command
    .option(
      '--chain <bone>',
      'root bone of a chain, instead of every spring and Tail*; may be repeated',
      collect,
    )
    .option(
      '--set <chain.option=value>',
      'option of a chain, * for all; angles in degrees (see bake --help); may be repeated',
      collectSetting,
    )
    .option('--unit <n>', 'file units per metre', positive, 1);
}

/** Collects a repeatable option. */
export function collect(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), text];
}

/** Collects `--set`. */
function collectSetting(text: string, before: Setting[] | undefined): Setting[] {
  return [...(before ?? []), parseSetting(text)];
}

/**
 * Splits `chain.option=value` at the last `=` and the last dot before it: names of bones may hold dots.
 *
 * @throws InvalidArgumentError in words that fit behind the option
 */
export function parseSetting(text: string): Setting {
  const equals = text.lastIndexOf('=');
  const dot = text.lastIndexOf('.', equals);
  if (equals < 0 || dot < 1)
    throw new InvalidArgumentError('expected chain.option=value, for instance *.damping=0.5.');
  const name = text.slice(dot + 1, equals);
  if (name === 'wind')
    throw new InvalidArgumentError('chain option wind: no wind blows in a bake or a measurement.');
  const options = { [name]: parseValue(name, text.slice(equals + 1)) } as ChainOptions;
  try {
    checkOptions(options);
  } catch (error) {
    if (error instanceof FollowthroughError)
      throw new InvalidArgumentError(`${inDegrees(name, error.message)}.`);
    throw error;
  }
  return { chain: text.slice(0, dot), options };
}

function parseValue(name: string, text: string): number | boolean | string {
  if (choices.includes(name)) return text;
  if (flags.includes(name)) {
    if (/^(true|on|1)$/i.test(text)) return true;
    if (/^(false|off|0)$/i.test(text)) return false;
    throw new InvalidArgumentError(`chain option ${name} is ${text}, expected on or off.`);
  }
  if (bits.includes(name)) {
    if (/^(all|none)$/i.test(text)) return /^all$/i.test(text) ? 0xffffffff : 0;
    if (!/^\d+$/.test(text.trim()) || Number(text) > 0xffffffff)
      throw new InvalidArgumentError(
        `chain option ${name} is ${text}, expected all, none or a number from 0 to 4294967295, one bit per group.`,
      );
    return Number(text);
  }
  const value = /^(off|inf|infinity)$/i.test(text) ? Infinity : Number(text);
  if (text.trim() === '' || Number.isNaN(value))
    throw new InvalidArgumentError(`chain option ${name} is ${text}, expected a number.`);
  return angles.includes(name) ? radians(value) : value;
}

/** The core speaks of radians; the user typed degrees. */
function inDegrees(name: string, message: string): string {
  if (!angles.includes(name)) return message;
  const range = name === 'carry' ? 'from -360 to 360' : 'above 0';
  return `chain option ${name}: expected degrees ${range}`;
}

/** Chains of a file: those named with `--chain`, else its springs and all tails. */
export function chainsOf(asset: Asset, roots: string[] | undefined): ChainDefinition[] {
  for (const root of roots ?? []) if (!asset.skeleton.names.includes(root)) throw noBone(asset, root);
  return fileChains(asset, roots);
}

/** Names the bones that the user may have meant. */
function noBone({ skeleton: { names } }: Asset, root: string): FollowthroughError {
  const part = root.toLowerCase();
  const near = names.filter((name) => part !== '' && name.toLowerCase().includes(part)).slice(0, 8);
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : 'inspect --bones lists them';
  return new FollowthroughError('unknown-name', `--chain ${root}: no bone is called that; ${hint}`);
}

/**
 * Options of every chain, later settings over earlier ones.
 *
 * @throws FollowthroughError `unknown-name` when a setting names a chain that is not there
 */
export function optionsByChain(
  chains: ChainDefinition[],
  settings: Setting[] | undefined,
): (chain: ChainDefinition) => ChainOptions {
  const names = chains.map((chain) => chain.name);
  for (const { chain } of settings ?? [])
    if (chain !== '*' && !names.includes(chain))
      throw new FollowthroughError(
        'unknown-name',
        `--set ${chain}: there is no such chain; the file has ${names.join(', ') || 'none'}`,
      );
  return (chain) =>
    Object.assign(
      {},
      ...(settings ?? []).filter((s) => s.chain === '*' || s.chain === chain.name).map((s) => s.options),
    );
}
