/** Chain definitions as they come out of a file: nothing about them is believed. */
import type { ChainDefinition } from '../asset/index.js';

const isWhole = (value: unknown): boolean => Number.isInteger(value);
const areNumbers = (value: unknown, count: number): boolean =>
  Array.isArray(value) && value.length === count && value.every((x) => Number.isFinite(x));
const isOneOf = (value: unknown, ...names: string[]): boolean => names.includes(value as string);
const optional = (value: unknown, test: (value: unknown) => boolean): boolean =>
  value === undefined || test(value);

/** A chain definition of a value that has the shape of one, made of what belongs to it and nothing else; whether it fits a skeleton is asked elsewhere. */
export function chainDefinitionFrom(value: unknown): ChainDefinition | undefined {
  if (!isChainDefinition(value)) return undefined;
  const { name, attachment, bones, end, origin, suggested, endOffset, center, joints } = value;
  return {
    name,
    attachment,
    bones,
    end,
    origin,
    ...(suggested && { suggested }),
    ...(endOffset && { endOffset }),
    ...(center !== undefined && { center }),
    ...(joints && {
      joints: joints.map(({ bone, hitRadius, stiffness, gravityPower, gravityDir, dragForce }) => ({
        bone,
        hitRadius,
        stiffness,
        gravityPower,
        gravityDir,
        dragForce,
      })),
    }),
  };
}

function isChainDefinition(value: unknown): value is ChainDefinition {
  const given = Object(value) as Record<string, unknown>;
  return (
    typeof given.name === 'string' &&
    isWhole(given.attachment) &&
    isWhole(given.end) &&
    Array.isArray(given.bones) &&
    given.bones.length > 0 &&
    given.bones.every((bone) => isWhole(bone)) &&
    isOneOf(given.origin, 'rigged', 'hair', 'artist') &&
    optional(given.endOffset, (offset) => areNumbers(offset, 3)) &&
    optional(given.center, (bone) => isWhole(bone)) &&
    optional(given.suggested, isSuggestion) &&
    optional(given.joints, (joints) => Array.isArray(joints) && joints.every((joint) => isJoint(joint)))
  );
}

function isSuggestion(value: unknown): boolean {
  const { contactPart, ...numbers } = Object(value) as Record<string, unknown>;
  return (
    optional(contactPart, (part) => isOneOf(part, 'tip', 'segment')) &&
    Object.values(numbers).every((number) => typeof number === 'number')
  );
}

function isJoint(value: unknown): boolean {
  const { gravityDir, bone, ...numbers } = Object(value) as Record<string, unknown>;
  return (
    areNumbers(gravityDir, 3) &&
    isWhole(bone) &&
    ['hitRadius', 'stiffness', 'gravityPower', 'dragForce'].every((name) => typeof numbers[name] === 'number')
  );
}
