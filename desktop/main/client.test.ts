/** The client's logic in plain Node, with a real server behind it; only its windows and its keychain are played. */
import { mkdtemp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withPageKey } from '#bridge/page-key.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { codeOf } from '#test/support/authenticator.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { bearer, createUser, encryptPasswords, signIn, TEST_PASSWORD, type TestUser } from '#test/support/users.ts';
import type { AccountPortal } from './account-portal.ts';
import { loadAccounts, type Accounts } from './accounts.ts';
import { createClient, type Client, type ClientWindow } from './client.ts';
import { createDraggedFiles } from './dragged-files.ts';
import { createBlobs } from './node-blobs.ts';
import { createFiles } from './node-files.ts';
import type { Policy } from './policy.ts';
import { systemClock, type Net, type Secrets } from './ports.ts';

let isAway = false;
const nodeNet: Net = {
  fetch: async (url, { body, ...init }) => {
    if (isAway) throw new TypeError('net::ERR_INTERNET_DISCONNECTED');
    return fetch(url, { ...init, body: body as BodyInit, redirect: 'manual' });
  },
};

interface PlayedWindow extends ClientWindow {
  url: string;
  isClosed: boolean;
  focused: number;
}

let app: TestApp;
let folder: string;
let address: string;
let user: TestUser;
beforeAll(async () => {
  app = await testApp();
  address = `${await app.http.listen({ port: 0, host: '127.0.0.1' })}/`;
  user = await createUser(app);
  folder = await mkdtemp(join(tmpdir(), 'runsheet-client-'));
  await mkdir(join(folder, 'renderer/assets'), { recursive: true });
  await mkdir(join(folder, 'servers'));
  await writeFile(join(folder, 'renderer/index.html'), '<head><base href="/" /><title>Runsheet</title></head>');
  await writeFile(join(folder, 'renderer/assets/a.js'), '1');
  await writeFile(join(folder, 'servers/index.html'), '<title>Servers</title>');
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

let windows: PlayedWindow[];
let outside: string[];
let items: Map<string, string>;
let erased: string[];
let told: [string, unknown][];
let wake: () => void;
let accounts: Accounts;
let client: Client;

const secrets: Secrets = {
  get: async (name) => items.get(name) ?? null,
  set: async (name, secret) => void items.set(name, secret),
  remove: async (name) => void items.delete(name),
};

function playedWindow(portal: ClientWindow['portal'], url: string): PlayedWindow {
  const window: PlayedWindow = {
    portal,
    url,
    isClosed: false,
    focused: 0,
    load: (to) => void (window.url = to),
    focus: () => void (window.focused += 1),
    drag: () => undefined,
    close: () => {
      window.isClosed = true;
      windows = windows.filter((one) => one !== window);
    },
    tell: (name, content) => void told.push([name, content]),
    isShowing: (path) => window.url === `runsheet://app${path}`,
  };
  windows.push(window);
  return window;
}

/** As a browser's window does, which fetch would not say. */
async function follow(url: string): Promise<IncomingMessage> {
  const sent = request(url, { headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

/** As after a restart, with what was kept. */
async function startClient(data: string, policy?: Policy): Promise<void> {
  windows = [];
  accounts = await loadAccounts(createFiles(data));
  client = createClient({
    accounts,
    windows: { list: () => windows, open: playedWindow },
    netOf: () => nodeNet,
    erase: async ({ id }) => void erased.push(id),
    secrets,
    shell: { openExternal: async (url) => void outside.push(url) },
    notifier: { show: () => undefined },
    files: createFiles(data),
    blobs: (name) => createBlobs(join(data, name)),
    draggedFiles: createDraggedFiles(join(data, 'dragged')),
    clock: systemClock,
    power: { onWake: (listener) => ((wake = listener), () => undefined) },
    log: () => undefined,
    folders: { renderer: join(folder, 'renderer'), servers: join(folder, 'servers') },
    policy,
  });
  await client.start();
}

let data: string;
beforeEach(async () => {
  [outside, items, erased, told] = [[], new Map(), [], []];
  data = await mkdtemp(join(folder, 'data-'));
  await startClient(data);
});

const only = (): PlayedWindow => {
  expect(windows).toHaveLength(1);
  return windows[0]!;
};
const ask = (path: string, init: RequestInit = {}): Promise<Response> => askOf(only().portal!, path, init);
const askOf = (portal: AccountPortal, path: string, init: RequestInit): Promise<Response> =>
  portal.handle(new Request(withPageKey(`runsheet://app${path}`, keyOf(portal)), init));
const keys = new WeakMap<AccountPortal, string>();
const keyOf = (portal: AccountPortal): string => {
  const key = keys.get(portal) ?? portal.openPage().key;
  keys.set(portal, key);
  return key;
};
const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function add(): Promise<void> {
  expect(await client.handlers.addServer(only(), address)).toMatchObject({ Problem: '' });
}

/** Answers the handle that the page gets. */
async function signInByPassword(): Promise<string> {
  const [password = ''] = await encryptPasswords(app.http, user.UserName, [TEST_PASSWORD]);
  const body = new URLSearchParams({ grant_type: 'password', username: user.UserName, password });
  const answer = await ask('/token', { method: 'POST', body });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function personWithFactor(): Promise<{ factored: TestUser; key: string }> {
  const factored = await createUser(app);
  const headers = bearer(await signIn(app, factored));
  const [Password] = await encryptPasswords(app.http, factored.UserName, [TEST_PASSWORD]);
  const call = async (url: string, payload: object): Promise<{ Key?: string }> =>
    (await app.http.inject({ method: 'POST', url: `/api/users/secondfactor/${url}`, headers, payload })).json<{
      result: { Key?: string };
    }>().result;
  const { Key: key = '' } = await call('begin', { Password });
  await call('confirm', { Code: codeOf(key) });
  // As if half a minute had passed since that code.
  await app.database.knex('Users').where({ UserId: factored.UserId }).update({ SecondFactorStep: 0 });
  return { factored, key };
}

const nameOf = async (handle: string): Promise<unknown> =>
  ((await (await post('/api/users/profile', [], bearer(handle))).json()) as { result?: { UserName: string } }).result
    ?.UserName;

describe('a policy', () => {
  test('names the servers that everybody has, and opens no others, whether they are new or were there before', async () => {
    const policy = { servers: [address], otherServers: false, handOff: true };
    await startClient(data, policy);
    expect(accounts.list().map((account) => account.address)).toEqual([address]);
    expect(only().url).toBe('runsheet://app/');
    const Problem = 'Your administrator does not allow this server';
    const local = address.replace('127.0.0.1', 'localhost');
    expect(await client.handlers.addServer(only(), local)).toEqual({ Id: null, Problem });
    await startClient(data, { ...policy, servers: ['https://portal.example.org/'] });
    expect(accounts.list()).toHaveLength(2);
    expect(only().url).toBe('runsheet://servers/choose');
    const { id } = accounts.list()[0]!;
    expect(await client.handlers.openServer(only(), id)).toEqual({ Id: id, Problem });
    const asked = { Portal: address, ClientKind: 'excel', Port: 22_222, Challenge: 'c', State: 's' };
    expect(await client.handOffs.show(asked)).toEqual({ Shown: false, Message: Problem });
  });
});

describe('servers', () => {
  test('the first start asks for one; what answers otherwise is not kept', async () => {
    expect(only().url).toBe('runsheet://servers/choose');
    const stranger = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await new Promise((resolve) => stranger.once('listening', resolve));
    const { port } = stranger.address() as AddressInfo;
    const wrong = await client.handlers.addServer(only(), `http://127.0.0.1:${port}`);
    expect(wrong).toEqual({ Id: null, Problem: expect.stringContaining('is not a Runsheet portal') });
    stranger.close();
    await new Promise((resolve) => stranger.once('close', resolve));
    const gone = await client.handlers.addServer(only(), `http://127.0.0.1:${port}`);
    expect(gone.Problem).toContain('no portal listens');
    expect(accounts.list()).toEqual([]);
  });

  test('one that fits opens in a window of its own, and at the next start by itself', async () => {
    const [servers] = windows;
    await add();
    expect([servers!.isClosed, only().url]).toEqual([true, 'runsheet://app/']);
    await startClient(data);
    expect(only()).toMatchObject({ url: 'runsheet://app/', portal: { account: { address, title: 'Runsheet' } } });
  });

  test('one that is away at the start is told of where servers are chosen', async () => {
    await add();
    await accounts.remove(accounts.list()[0]!.id);
    await accounts.add('http://127.0.0.1:9/', 'Away');
    await startClient(data);
    expect(only().url).toBe('runsheet://servers/choose');
    const { Problem, Servers } = await client.handlers.listServers(only());
    expect([Problem, Servers.map(({ Title }) => Title)]).toEqual([
      expect.stringContaining('http://127.0.0.1:9/'),
      ['Away'],
    ]);
  });

  test('several stand side by side, each account with its own session', async () => {
    await add();
    const handle = await signInByPassword();
    client.openServers();
    const servers = windows.find(({ portal }) => portal === null)!;
    await client.handlers.addServer(servers, address);
    expect(windows.map(({ portal }) => portal!.account.address)).toEqual([address, address]);
    const [first, second] = windows;
    const headers = { ...bearer(handle), 'content-type': 'application/json' };
    const profileOf = async ({ portal }: PlayedWindow): Promise<number> =>
      (await askOf(portal!, '/api/users/profile', { method: 'POST', headers, body: '[]' })).status;
    expect([await profileOf(second!), await profileOf(first!)]).toEqual([401, 200]);
    expect([...items.keys()].filter((name) => !name.endsWith('|kept'))).toHaveLength(1);
  });

  test('one that is removed is signed out, its windows closed, and what was kept erased', async () => {
    await add();
    await signInByPassword();
    const { token } = JSON.parse([...items.values()][0]!) as { token: string };
    const { id } = accounts.list()[0]!;
    client.openServers();
    await client.handlers.removeServer(
      windows.find(({ portal }) => portal === null)!,
      id,
    );
    expect([only().portal, items.size, erased, accounts.list()]).toEqual([null, 0, [id], []]);
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/users/profile',
      headers: bearer(token),
      payload: [],
    });
    expect(answer.statusCode).toBe(401);
  });
});

describe('the session', () => {
  test('is the page’s by a handle alone, is there after a restart, and ends with the sign-out', async () => {
    await add();
    const handle = await signInByPassword();
    expect(handle).toMatch(/^handle-/);
    expect(await nameOf(handle)).toBe(user.UserName);
    expect(await nameOf([...items.values()][0]!)).toBeUndefined();
    expect(accounts.list()[0]!.userName).toBe(user.UserName);

    await startClient(data);
    expect(await nameOf(handle)).toBe(user.UserName);
    const renewed = await post('/api/renewtoken', null, bearer(handle));
    const { result } = (await renewed.json()) as { result: { access_token: string } };
    expect(result.access_token).toMatch(/^handle-/);
    expect(result.access_token).not.toBe(handle);
    expect(await nameOf(result.access_token)).toBe(user.UserName);
    expect((await post('/api/logout', null, bearer(result.access_token))).status).toBe(200);
    expect(items.size).toBe(0);
    expect(await nameOf(result.access_token)).toBeUndefined();
  });

  test('that is ended elsewhere closes and erases what was opened, though no page asks for anything', async () => {
    await add();
    const handle = await signInByPassword();
    const kept = async (): Promise<number> =>
      (await readdir(join(data, `kept-${accounts.last()!.id}`)).catch(() => [])).length;
    await ask('/api/activities/notifications', { headers: bearer(handle) });
    await expect.poll(kept).toBeGreaterThan(0);
    const { knex } = app.database;
    const ActivityId = await insertActivity(knex, { UserId: user.UserId, Name: `Loan ${user.UserId}` });
    await knex('Sessions').where('UserId', user.UserId).delete();
    // The stream looks at the session anew before it tells of something.
    const run = { ActivityId, UserId: user.UserId, Status: 'Failed', EndTime: new Date() };
    app.signals.changed(await insertRun(knex, run));
    await expect.poll(kept, { timeout: 15_000 }).toBe(0);
    expect([...items.keys()].some((name) => name.endsWith('|kept'))).toBe(false);
  });

  test('a refused sign-in is told as the server tells it', async () => {
    await add();
    const [password = ''] = await encryptPasswords(app.http, user.UserName, ['Wrong-Horse-7']);
    const body = new URLSearchParams({ grant_type: 'password', username: user.UserName, password });
    const answer = await ask('/token', { method: 'POST', body });
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
    expect(items.size).toBe(0);
  });

  test('of a person with a second factor asks for its code, and is given and kept by it alone', async () => {
    await add();
    const { factored, key } = await personWithFactor();
    const enter = async (code?: string): Promise<Response> => {
      const [password = ''] = await encryptPasswords(app.http, factored.UserName, [TEST_PASSWORD]);
      const fields = { grant_type: 'password', username: factored.UserName, password, ...(code ? { code } : {}) };
      return ask('/token', { method: 'POST', body: new URLSearchParams(fields) });
    };
    expect(await (await enter()).json()).toMatchObject({ error: 'second_factor_required' });
    expect(await (await enter('000000')).json()).toMatchObject({ error: 'second_factor_wrong' });
    expect(items.size).toBe(0);
    const answer = (await (await enter(codeOf(key))).json()) as { access_token: string };
    expect(await nameOf(answer.access_token)).toBe(factored.UserName);
    await startClient(data);
    expect(await nameOf(answer.access_token)).toBe(factored.UserName);
  });

  test('comes from the browser of the system, and the page takes it over as after any sign-in elsewhere', async () => {
    await add();
    const window = only();
    await client.handlers.signInElsewhere(window, '/activities/runstatus/5?x=1');
    expect(window.url).toBe('runsheet://servers/waiting');
    expect(await client.handlers.signInWaiting(window)).toEqual({ Address: address, Title: 'Runsheet' });
    await client.handlers.openBrowserAgain(window);
    expect(outside).toEqual([outside[0], outside[0]]);
    const query = new URL(outside[0]!).searchParams;
    const [ClientKind = '', port] = (query.get('c') ?? '').split(':');
    const { result } = (
      await app.http.inject({
        method: 'POST',
        url: '/api/addin/code',
        headers: bearer(await signIn(app, user)),
        payload: { ClientKind, Challenge: query.get('challenge'), IsCopied: false },
      })
    ).json<{ result: { Code: string } }>();
    const back = await follow(`http://127.0.0.1:${port}/?code=${result.Code}&state=${query.get('state')}`);
    expect([back.statusCode, back.headers.location]).toEqual([303, `${address}?c=desktop&result=success`]);
    await expect.poll(() => window.url).toContain('runsheet://app/activities/runstatus/5?x=1&sso=1&ott=own-');
    const Ott = new URL(window.url).searchParams.get('ott');
    const taken = await (await post('/api/sso/ott', { Ott })).json();
    expect(taken).toMatchObject({ result: { UserName: user.UserName, ssoProvider: null } });
    expect(await nameOf((taken as { result: { access_token: string } }).result.access_token)).toBe(user.UserName);
    expect((await post('/api/sso/ott', { Ott })).status).toBe(400);
  });

  test('a sign-in in the browser that is given up, or fails, leads back to the form, with what went wrong', async () => {
    await add();
    const window = only();
    await client.handlers.signInElsewhere(window, '/');
    await client.handlers.cancelSignIn(window);
    await expect.poll(() => window.url).toBe('runsheet://app/login?sso=0');
    await client.handlers.signInElsewhere(window, '/');
    const query = new URL(outside[1]!).searchParams;
    const port = query.get('c')!.split(':')[1];
    await follow(`http://127.0.0.1:${port}/?code=made-up&state=${query.get('state')}`);
    await expect.poll(() => window.url).toContain('ssoError=The+code+is+not+valid');
  });
});

describe('a page', () => {
  test('is the portal’s, with its settings and a policy that lets in nothing else', async () => {
    await add();
    const page = await ask('/activities/runstatus/5');
    expect(await page.text()).toContain('<meta name="runsheet-settings" content="{&#34;title&#34;:&#34;Runsheet&#34;');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; script-src-attr 'none'");
    expect((await ask('/assets/a.js')).headers.get('content-type')).toContain('javascript');
    expect((await ask('/assets/none.js')).status).toBe(404);
    expect((await ask('/assets/../../data')).status).not.toBe(500);
    expect((await ask('/activities', { method: 'POST' })).status).toBe(405);
  });

  test('without the key of the pages is refused before the server hears of it, with the session or without', async () => {
    await add();
    const handle = await signInByPassword();
    const shown = only().portal!;
    const pageKey = keyOf(shown);
    const heard: unknown[] = [];
    app.http.server.on('request', ({ url }) => String(url).includes('mark') && heard.push(url));
    const paths = ['api/settings?mark', 'token?mark', 'api/users/profile?mark'];
    const keys = ['', 'AAAA', `${pageKey}A`, pageKey.slice(1), 'A'.repeat(pageKey.length)];
    const refused = paths.flatMap((path) => [path, ...keys.map((key) => withPageKey(path, key))]);
    for (const path of [...refused, `${withPageKey('api/settings', pageKey)}&mark`]) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
        const got = await shown.handle(new Request(`runsheet://app/${path}`, { method, headers: bearer(handle) }));
        expect([method, path, got.status, await got.text()]).toEqual([method, path, 403, '']);
        expect(got.headers.get('content-security-policy')).toContain('sandbox');
      }
    }
    expect(heard).toEqual([]);
    expect(await (await ask('/')).text()).not.toContain(pageKey);
    await ask('/api/settings?mark');
    expect(heard).toEqual(['/api/settings?mark']);
  });

  test('of another origin is refused; cookies, origin and address of the page never reach the server', async () => {
    await add();
    const handle = await signInByPassword();
    expect((await ask('/api/settings', { headers: { origin: 'https://evil.example.org' } })).status).toBe(403);
    const seen: Record<string, unknown>[] = [];
    app.http.server.on('request', ({ url, headers }) => url === '/api/settings' && seen.push(headers));
    await ask('/api/settings', {
      headers: {
        ...bearer(handle),
        origin: 'runsheet://app',
        referer: 'runsheet://app/x',
        'x-unattended': '1',
        'x-forwarded-for': '1.2.3.4',
      },
    });
    expect(seen[0]).toMatchObject({ 'x-unattended': '1', authorization: expect.not.stringContaining('handle') });
    expect(seen[0]).not.toMatchObject({ 'x-forwarded-for': '1.2.3.4' });
    expect(['origin', 'referer', 'cookie'].filter((name) => name in seen[0]!)).toEqual([]);
  });

  test('that stops to read ends the call of the server too', async () => {
    await add();
    const handle = await signInByPassword();
    const closed = new Promise((resolve) =>
      app.http.server.on('request', ({ headers }, response) => {
        // The client has a stream of its own beside the page's.
        if (headers.pragma === 'no-cache') response.once('close', resolve);
      }),
    );
    const stream = await ask('/api/events', {
      headers: { ...bearer(handle), accept: 'text/event-stream', pragma: 'no-cache' },
    });
    expect(stream.status).toBe(200);
    const reader = stream.body!.getReader();
    await reader.read();
    await reader.cancel();
    await closed;
  });

  test('of a server that is away sees a lost network', async () => {
    await add();
    isAway = true;
    await expect(ask('/api/settings')).rejects.toThrow('net::ERR');
    isAway = false;
    expect((await ask('/api/settings')).status).toBe(200);
  });
});

describe('the server that is away', () => {
  const lastTold = (): unknown => told.filter(([name]) => name === 'connection').at(-1)?.[1];

  test('is told to the pages, and that it is back; after a sleep it is looked for at once', async () => {
    await add();
    expect(only().portal?.connectionInfo().State).toBe('online');
    isAway = true;
    try {
      await expect(ask('/api/settings')).rejects.toThrow();
      await expect.poll(lastTold).toMatchObject({ State: 'offline' });
    } finally {
      isAway = false;
    }
    wake();
    await expect.poll(lastTold).toEqual({ State: 'online', IsReadable: false });
  });

  test('is removed with what waits for it, which is counted for the person before', async () => {
    await add();
    await signInByPassword();
    const [window, { id }] = [only(), accounts.list()[0]!];
    expect(await client.handlers.countWaiting(window, id)).toBe(0);
    isAway = true;
    try {
      await expect(ask('/api/settings')).rejects.toThrow();
      await expect.poll(lastTold).toMatchObject({ State: 'offline' });
      const start = { ActivityId: 1, ActivityVersion: 1, UniqueId: 'once', Inputs: [] };
      const queued = { ActivityName: 'Double', Start: JSON.stringify(start), WasSent: false, Form: '{}' };
      expect(await client.handlers.queueStart(window, queued)).toEqual({ Problem: '' });
      expect(await client.handlers.countWaiting(window, id)).toBe(1);
      await client.handlers.removeServer(window, id);
      expect(await client.handlers.countWaiting(window, id)).toBe(0);
    } finally {
      isAway = false;
    }
  });
});
