/**
 * The logic of the desktop client in plain Node.js with a real server. Only its windows and its keychain are simulated.
 */
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { withPageKey } from '#bridge/page-key.ts';
import type { AccountPortal } from '#main/account-portal.ts';
import { loadAccounts, type Accounts } from '#main/accounts.ts';
import { createClient, type Client } from '#main/client.ts';
import type { ClientWindow } from '#main/client-windows.ts';
import { createDraggedFiles } from '#main/dragged-files.ts';
import { createBlobs } from '#main/node-blobs.ts';
import { createFiles } from '#main/node-files.ts';
import type { Policy } from '#main/policy.ts';
import { systemClock, type Secrets } from '#main/ports.ts';
import { testApp, type TestApp } from './app.ts';
import { streamingNet } from './node-net.ts';
import { bearer, createUser, encryptPasswords, TEST_PASSWORD, type TestUser } from './users.ts';

export interface PlayedWindow extends ClientWindow {
  url: string;
  isClosed: boolean;
  focused: number;
}

/** The current state; each test starts with its own client. */
interface Played {
  /** The server of the client. */
  app: TestApp;
  address: string;
  user: TestUser;
  /** The data folder of the client. */
  data: string;
  client: Client;
  accounts: Accounts;
  windows: PlayedWindow[];
  /** Addresses opened in the system's browser. */
  outside: string[];
  /** Contents of the keychain. */
  items: Map<string, string>;
  /** Accounts whose window data was deleted. */
  erased: string[];
  /** Accounts whose window data was written to disk, one entry per write. */
  flushed: string[];
  /** Messages sent to pages. */
  published: [string, unknown][];
  /** Simulates that the machine wakes from sleep. */
  wake: () => void;
  /** True if the network is down. */
  isAway: boolean;
  /** Response of a proxy that answers in place of the server; null if there is none. */
  proxy: (() => Response) | null;
}

const keychainOf = (items: Map<string, string>): Secrets => ({
  get: async (name) => items.get(name) ?? null,
  set: async (name, secret) => void items.set(name, secret),
  remove: async (name) => void items.delete(name),
});

/** Call it once per test file. */
export function playClient() {
  const played = { isAway: false, proxy: null } as Played;
  let folder: string;
  const nodeNet = streamingNet(async (url, { body, ...init }) => {
    if (played.isAway) throw new TypeError('net::ERR_INTERNET_DISCONNECTED');
    return played.proxy?.() ?? fetch(url, { ...init, body: body as BodyInit, redirect: 'manual' });
  });
  beforeAll(async () => {
    played.app = await testApp();
    played.address = `${await played.app.http.listen({ port: 0, host: '127.0.0.1' })}/`;
    played.user = await createUser(played.app);
    folder = await mkdtemp(join(tmpdir(), 'runsheet-client-'));
    await mkdir(join(folder, 'renderer/assets'), { recursive: true });
    await mkdir(join(folder, 'servers'));
    await writeFile(join(folder, 'renderer/index.html'), '<head><base href="/" /><title>Runsheet</title></head>');
    await writeFile(join(folder, 'renderer/assets/a.js'), '1');
    await writeFile(join(folder, 'servers/index.html'), '<title>Servers</title>');
  });
  afterAll(async () => {
    await played.app.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    Object.assign(played, { isAway: false, proxy: null, items: new Map() });
    Object.assign(played, { outside: [], erased: [], flushed: [], published: [] });
    played.data = await mkdtemp(join(folder, 'data-'));
    await startClient(played.data);
  });

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
        played.windows = played.windows.filter((one) => one !== window);
      },
      publish: (name, content) => void played.published.push([name, content]),
      isShowing: (path) => window.url === `runsheet://app${path}`,
    };
    played.windows.push(window);
    return window;
  }

  /** Starts a client with stored data, as after a restart. */
  async function startClient(data: string, policy?: Policy): Promise<void> {
    played.windows = [];
    played.accounts = await loadAccounts(createFiles(data));
    // A client of an earlier test may still be writing, into the keychain of that test.
    const secrets = keychainOf(played.items);
    played.client = createClient({
      accounts: played.accounts,
      windows: { list: () => played.windows, open: playedWindow },
      netOf: () => nodeNet,
      erase: async ({ id }) => void played.erased.push(id),
      flush: ({ id }) => void played.flushed.push(id),
      secrets,
      shell: { openExternal: async (url) => void played.outside.push(url) },
      notifier: { show: () => undefined },
      files: createFiles(data),
      blobs: (name) => createBlobs(join(data, name)),
      draggedFiles: createDraggedFiles(join(data, 'dragged')),
      clock: systemClock,
      power: { onWake: (listener) => ((played.wake = listener), () => undefined) },
      log: () => undefined,
      folders: { renderer: join(folder, 'renderer'), servers: join(folder, 'servers') },
      policy,
    });
    await played.client.start();
  }

  const only = (): PlayedWindow => {
    expect(played.windows).toHaveLength(1);
    return played.windows[0]!;
  };
  const keys = new WeakMap<AccountPortal, string>();
  const keyOf = (portal: AccountPortal): string => {
    const key = keys.get(portal) ?? portal.openPage().key;
    keys.set(portal, key);
    return key;
  };
  const askOf = (portal: AccountPortal, path: string, init: RequestInit): Promise<Response> =>
    portal.handle(new Request(withPageKey(`runsheet://app${path}`, keyOf(portal)), init));
  const ask = (path: string, init: RequestInit = {}): Promise<Response> => askOf(only().portal!, path, init);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  async function add(): Promise<void> {
    expect(await played.client.handlers.addServer(only(), played.address)).toMatchObject({ Problem: '' });
  }

  /** Returns the handle that the page gets. */
  async function signInByPassword(): Promise<string> {
    const { app, user } = played;
    const [password = ''] = await encryptPasswords(app.http, user.UserName, [TEST_PASSWORD]);
    const body = new URLSearchParams({ grant_type: 'password', username: user.UserName, password });
    const answer = await ask('/token', { method: 'POST', body });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  const nameOf = async (handle: string): Promise<unknown> =>
    ((await (await post('/api/users/profile', [], bearer(handle))).json()) as { result?: { UserName: string } }).result
      ?.UserName;

  return { played, startClient, only, keyOf, ask, askOf, post, add, signInByPassword, nameOf };
}
