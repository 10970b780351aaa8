/**
 * Which bones are those of a human body: `humanoid.humanBones` of VRM 0.x and 1.0, under the names of 1.0. Thumbs are
 * counted differently in 0.x: its proximal bone is the metacarpal of 1.0 (VRMC_vrm 1.0, "humanoid").
 */
import type { SecondaryMotion } from '../../asset/secondary.js';
import { humanoidNames } from '../../setup/humanoidNames.js';
import type { JsonObject } from '../gltf/json.js';
import { memberOf } from '../gltf/json.js';
import { boneIn, boneName, objectIn, objectsIn, report, stringIn, type VrmReading } from './reading.js';

const OLD_THUMBS: ReadonlyMap<string, string> = new Map(
  ['left', 'right'].flatMap((side): [string, string][] => [
    [`${side}ThumbProximal`, `${side}ThumbMetacarpal`],
    [`${side}ThumbIntermediate`, `${side}ThumbProximal`],
    [`${side}ThumbMetacarpal`, ''],
  ]),
);

/** The bones of `VRMC_vrm` or `VRMC_vrm_animation`, an object by name. */
export function readHumanoid(
  reading: VrmReading,
  extension: JsonObject,
  extensionName: string,
): SecondaryMotion['humanoid'] {
  const root = `/extensions/${extensionName}`;
  const humanoid = objectIn(extension, 'humanoid', root) ?? {};
  const bones = objectIn(humanoid, 'humanBones', `${root}/humanoid`) ?? {};
  const place = `${root}/humanoid/humanBones`;
  return collect(
    reading,
    Object.keys(bones).flatMap((name) => {
      const json = objectIn(bones, name, place);
      return json ? [{ name, json, place: `${place}/${name}` }] : [];
    }),
  );
}

/** The bones of `VRM` 0.x, a list. */
export function readHumanoid0(reading: VrmReading, extension: JsonObject): SecondaryMotion['humanoid'] {
  const root = '/extensions/VRM';
  const humanoid = objectIn(extension, 'humanoid', root) ?? {};
  const place = `${root}/humanoid/humanBones`;
  return collect(
    reading,
    objectsIn(humanoid, 'humanBones', `${root}/humanoid`).map((json, i) => {
      const name = stringIn(json, 'bone', `${place}/${i}`) ?? '';
      return { name: OLD_THUMBS.get(name) ?? name, json, place: `${place}/${i}` };
    }),
  );
}

function collect(
  reading: VrmReading,
  listed: readonly { name: string; json: JsonObject; place: string }[],
): SecondaryMotion['humanoid'] {
  const found = new Map<string, number>();
  const used = new Set<number>();
  for (const { name, json, place } of listed) {
    // Writers put -1 where the body has no such bone.
    if (memberOf(json, 'node') === -1) continue;
    const bone = boneIn(reading, json, 'node', place);
    if (bone < 0) continue;
    const problem = !humanoidNames.has(name)
      ? `'${name}' is no bone of a human body`
      : found.has(name)
        ? `${name} for the second time`
        : used.has(bone)
          ? `${boneName(reading, bone)} is another bone of the body already`
          : undefined;
    if (problem !== undefined) report(reading, 'vrm-humanoid', place, `${problem}; left out`);
    else {
      found.set(name, bone);
      used.add(bone);
    }
  }
  return Object.fromEntries(found);
}
