/** Chromium for tests: from the PATH, in CI from Debian's packages; elsewhere tests that need it are skipped without it. */
import { engineNamed, ensureDebian, type FoundEngine } from '../../../scripts/engines/index.mjs';

export async function findChromium(): Promise<FoundEngine | undefined> {
  const chromium = engineNamed('chromium');
  const found = await chromium.find();
  if (found !== undefined) return found;
  const installed = await ensureDebian(['chromium']);
  if (!installed) console.warn(`Chromium is missing (${chromium.hint}): its tests are skipped`);
  return installed ? chromium.find() : undefined;
}
