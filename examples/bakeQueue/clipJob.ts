/**
 * What one job is: a clip of a file and how it is baked; and its id, the SHA-256 of all that its result depends on. Two
 * jobs with one id have one result, so that a job may be queued twice, run twice, and run again after years: the result
 * is looked up by id. A result holds the file whole, so the file counts whole: a library with a file per clip bakes anew
 * only the clips that changed.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mathVersion } from 'followthrough';
import type { BakeOptions } from 'followthrough/bake';
import { loadGltf } from 'followthrough/gltf';

/** Options of the bake that JSON can hold. */
export type Settings = Omit<BakeOptions, 'name' | 'asset' | 'resolve' | 'clips' | 'onProgress' | 'options'>;

/** A clip to bake. Paths are relative to the library, which may be mounted elsewhere on another machine. */
export interface ClipJob {
  /** Path of the file below the library, with `/`. */
  file: string;
  /** SHA-256 of the file: the rig with everything that hangs from it. */
  rig: string;
  /** Index of the clip in the file. */
  clip: number;
  /** Its name, for people. */
  name: string;
  /** SHA-256 of the clip's tracks. */
  tracks: string;
  /** How it is baked. */
  settings: Settings;
}

/** Hex SHA-256. */
export function sha256(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/**
 * Id of a job: other bits for another clip, rig, setting, version of the library or of its arithmetic.
 *
 * @param version - version of the library that bakes
 */
export function jobId({ rig, clip, name, tracks, settings }: ClipJob, version: string): string {
  const sorted = Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([version, mathVersion, rig, clip, name, tracks, sorted]));
}

/** Version of the library; a program of yours reads `followthrough/package.json`. */
export async function libraryVersion(): Promise<string> {
  return (JSON.parse(await readFile('package.json', 'utf8')) as { version: string }).version;
}

/** A job for every clip of every .glb and .vrm below a folder, in the order of paths by code unit. */
export async function clipJobs(library: string, settings: Settings): Promise<ClipJob[]> {
  const jobs: ClipJob[] = [];
  const names = await readdir(library, { recursive: true });
  const files = names.map((name) => name.replaceAll('\\', '/')).filter((name) => /\.(glb|vrm)$/i.test(name));
  for (const file of files.toSorted((a, b) => (a < b ? -1 : 1))) {
    const bytes = await readFile(join(library, file));
    const asset = await loadGltf(bytes, { name: file });
    const rig = sha256(bytes);
    for (const { index, name, tracks } of asset.clips)
      jobs.push({ file, rig, clip: index, name, tracks: hashTracks(tracks), settings });
  }
  return jobs;
}

type Tracks = Awaited<ReturnType<typeof loadGltf>>['clips'][number]['tracks'];

function hashTracks(tracks: Tracks): string {
  const bytes = (values: Float64Array): Uint8Array =>
    new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return sha256(
    ...tracks.flatMap(({ bone, path, interpolation, times, values }) => [
      JSON.stringify([bone, path, interpolation, times.length, values.length]),
      bytes(times),
      bytes(values),
    ]),
  );
}
