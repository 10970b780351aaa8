/** Redis for tests: from the PATH, in CI from Debian's packages; elsewhere tests that need it are skipped without it. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensureDebian } from '../../scripts/engines/index.mjs';

/** Whether there is a redis-server; installs it where that may be done. */
export async function hasRedis(): Promise<boolean> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.some((folder) => existsSync(join(folder, 'redis-server')));
  if (found || (await ensureDebian(['redis-server']))) return true;
  console.warn('no redis-server on the PATH (apt-get install redis-server): what needs it is skipped');
  return false;
}
