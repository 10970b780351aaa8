/**
 * The characters that most tests of the rig pass use: three with a tail without bones, fused or of tubes; two without
 * a tail. What is made once is kept for the test file.
 */
import { fusedSkin, limbShells, makeBody, type Body, type Proportions } from './body.js';
import { character, type CharacterSpec, type TestCharacter } from './character.js';
import type { Shell } from './shells.js';
import { bodyFor, furTube, namedTail, tailCones, tailTube, type Tail, type TailName } from './tails.js';

export const makes = ['fused', 'tubes'] as const;
export type Make = (typeof makes)[number];

const kept = new Map<string, TestCharacter>();

function once(key: string, make: () => TestCharacter): TestCharacter {
  const known = kept.get(key) ?? make();
  kept.set(key, known);
  return known;
}

/** Body with its named tail; fox and toon wear fur. */
export function tailed(name: TailName, make: Make): TestCharacter {
  return once(`${name} ${make}`, () => {
    const body = bodyFor(name);
    return withTail(body, namedTail(name, body), make);
  });
}

/** A body with any tail. */
export function withTail(
  body: Body,
  tail: Tail,
  make: Make,
  spec: Partial<CharacterSpec> = {},
): TestCharacter {
  const skin =
    make === 'fused' ? [fusedSkin(body, tailCones(body, tail))] : [...limbShells(body), tailTube(body, tail)];
  const fur = tail.fur ? [furTube(body, tail)] : [];
  return withShells(body, [...skin, ...fur], { ...spec }, tail);
}

/** Shells of one body in one mesh. */
export function withShells(
  body: Body,
  shells: readonly Shell[],
  spec: Partial<CharacterSpec> = {},
  tail?: Tail,
): TestCharacter {
  const made = character({ rig: body.rig, meshes: [{ name: 'Skin', shells }], ...spec });
  return tail ? { ...made, centreLine: tail.curve } : made;
}

/** A body without a tail. */
export function tailless(name: string, proportions: Proportions, make: Make): TestCharacter {
  return once(`${name} ${make}`, () => {
    const body = makeBody(proportions);
    return withShells(body, make === 'fused' ? [fusedSkin(body, [])] : limbShells(body));
  });
}
