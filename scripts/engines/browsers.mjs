// Engines that are a browser: it opens a page of ours without a window, and the page sends back the lines of the program. The
// profile and all else that it writes lies in a folder that is gone afterwards.
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { inFolder, start } from './processes.mjs';

const page = '<!doctype html><meta charset="utf-8"><script src="/program.js"></script>';

/** What the page says goes into a list, and at the end of the program to us. */
const collect = `
var followthroughLines = [];
function followthroughSay(line) {
  if (line === 'end') fetch('/lines', { method: 'POST', body: followthroughLines.join('\\n') });
  else followthroughLines.push(line);
}
function followthroughFail(event) {
  fetch('/failed', { method: 'POST', body: String(event.message || event.reason) });
}
addEventListener('error', followthroughFail);
addEventListener('unhandledrejection', followthroughFail);
`;

/** Serves the page on the loopback interface; `answer` is what it sends back. */
async function servePage(program) {
  const server = createServer();
  const answer = new Promise((resolve, reject) => {
    server.on('request', (request, response) => {
      const isScript = request.url === '/program.js';
      if (request.method === 'GET') {
        response.writeHead(200, {
          'content-type': isScript ? 'text/javascript; charset=utf-8' : 'text/html',
        });
        response.end(isScript ? collect + program : page);
        return;
      }
      let text = '';
      request.setEncoding('utf8').on('data', (piece) => (text += piece));
      request.on('end', () => {
        response.end();
        if (request.url === '/lines') resolve(text.split('\n'));
        else reject(new Error(text));
      });
    });
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, answer, close };
}

/** No window, no first run, nothing that asks the network. Its sandbox needs rights that root in a container lacks. */
const chromiumFlags = [
  '--headless',
  '--disable-gpu',
  '--no-first-run',
  '--disable-extensions',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-breakpad',
  '--disable-dev-shm-usage',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

const firefoxPrefs = `
user_pref('browser.shell.checkDefaultBrowser', false);
user_pref('browser.startup.homepage_override.mstone', 'ignore');
user_pref('datareporting.policy.dataSubmissionEnabled', false);
user_pref('app.update.enabled', false);
user_pref('network.captive-portal-service.enabled', false);
user_pref('network.connectivity-service.enabled', false);
user_pref('services.settings.server', 'http://127.0.0.1:9');
`;

/** Commands by browser, with a profile of their own. */
const commands = {
  chromium: (browser, folder, url) => [browser, ...chromiumFlags, `--user-data-dir=${folder}/profile`, url],
  firefox: (browser, folder, url) => [browser, '--headless', '--no-remote', '--profile', folder, url],
};

/**
 * Runs a program in a page.
 *
 * @param {{ kind: 'chromium' | 'firefox', command: string }} browser
 * @returns {Promise<string[]>} what the program said
 */
export function runInBrowser({ kind, command }, program, seconds) {
  return inFolder(async (folder) => {
    await writeFile(`${folder}/user.js`, firefoxPrefs);
    const { url, answer, close } = await servePage(program);
    const env = { HOME: folder, TMPDIR: folder, XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder };
    const { stop, done } = start(commands[kind](command, folder, url), { env });
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer after ${seconds} s`)), seconds * 1000);
    });
    const gone = done.then(({ code, error }) => {
      throw new Error(`ended with ${code}\n${error.slice(-1000)}`);
    });
    try {
      return await Promise.race([answer, gone, late]);
    } finally {
      clearTimeout(timer);
      stop();
      await done.catch(() => {});
      close();
    }
  });
}
