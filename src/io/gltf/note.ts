/**
 * What this library notes beside things of a file, for itself: a member of `extras.followthrough`. All other members of
 * the extras stay (docs/files.md, "Rigging").
 */
import { FollowthroughError } from '../../asset/errors.js';
import { isObject, memberOf, oneLine, type JsonObject } from './json.js';

const OURS = 'followthrough';

/** The note of that name, undefined without one. */
export function noteOf(owner: JsonObject, name: string): unknown {
  const extras = memberOf(owner, 'extras');
  const ours = isObject(extras) ? memberOf(extras, OURS) : undefined;
  return isObject(ours) ? memberOf(ours, name) : undefined;
}

/**
 * The extras of something with a note in them.
 *
 * @param note - undefined takes it out, and with it the objects that held nothing else
 * @param place - JSON pointer of the owner
 * @returns new extras, undefined when nothing is left
 * @throws FollowthroughError `unsupported-file` where extras stand that are no object: nothing can be put beside them
 */
export function extrasWith(
  owner: JsonObject,
  name: string,
  note: unknown,
  place: string,
): JsonObject | undefined {
  const extras = holder(memberOf(owner, 'extras'), `${place}/extras`);
  const ours = holder(memberOf(extras, OURS), `${place}/extras/${OURS}`);
  const noted = { ...ours, [name]: note };
  if (note !== undefined) return { ...extras, [OURS]: noted };
  delete noted[name];
  const rest: JsonObject = { ...extras, [OURS]: noted };
  if (Object.keys(noted).length === 0) delete rest[OURS];
  return Object.keys(rest).length === 0 ? undefined : rest;
}

function holder(value: unknown, place: string): JsonObject {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw new FollowthroughError(
    'unsupported-file',
    oneLine(`${place}: is no object, so that nothing can be noted beside it`),
  );
}
