/** Offline reading in plain Node with a real server; the network, the keychain and the clock are simulated. */
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { withPageKey } from '#bridge/page-key.ts';
import { offlineReading } from '#shared/contract/offline-reading.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { streamingNet } from '#test/support/node-net.ts';
import { insertActivity } from '#test/support/runs.ts';
import { bearer, createUser, encryptPasswords, TEST_PASSWORD, type TestUser } from '#test/support/users.ts';
import { openAccountPortal, type AccountPortal } from './account-portal.ts';
import type { Account } from './accounts.ts';
import { createBlobs } from './node-blobs.ts';
import type { Secrets } from './ports.ts';
import { DAY } from './reading-lease.ts';

let app: TestApp;
let root: string;
let address: string;
let user: TestUser;
let ActivityId: number;
beforeAll(async () => {
  app = await testApp();
  address = `${await app.http.listen({ port: 0, host: '127.0.0.1' })}/`;
  user = await createUser(app, { rights: ['sk.RunActivity'] });
  ActivityId = await insertActivity(app.database.knex, { UserId: user.UserId, Name: 'Loan' });
  root = await mkdtemp(join(tmpdir(), 'runsheet-offline-'));
});
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true, force: true });
});

let isAway: boolean;
/** The server does not respond, but is not yet known to be unreachable. */
let isSilent: boolean;
/** Returns the response of a proxy that answers in place of the server; undefined for calls that reach the server. */
let proxy: (path: string) => Response | undefined;
let isLocked: boolean;
let now: number;
let data: string;
let items: Map<string, string>;
let account: Account;
let opened: AccountPortal[];
beforeEach(async () => {
  [isAway, isSilent, isLocked, now, items, opened] = [false, false, false, Date.now(), new Map(), []];
  proxy = () => undefined;
  data = await mkdtemp(join(root, 'data-'));
  account = { id: 'a'.repeat(16), address, title: 'Portal', userName: null };
  await setDays(7);
});
afterEach(() => opened.forEach((portal) => portal.stop()));

const net = streamingNet(async (url, { body, ...init }) => {
  if (isAway) throw new TypeError('net::ERR_CONNECTION_REFUSED');
  if (isSilent) await once(init.signal!, 'abort').then(() => init.signal!.throwIfAborted());
  return proxy(new URL(url).pathname) ?? fetch(url, { ...init, body: body as BodyInit, redirect: 'manual' });
});
const unlocked = async <T>(work: () => T): Promise<T> => {
  if (isLocked) throw new Error('The keychain of the system is locked');
  return work();
};
const secrets: Secrets = {
  get: (name) => unlocked(() => items.get(name) ?? null),
  set: (name, secret) => unlocked(() => void items.set(name, secret)),
  remove: (name) => unlocked(() => void items.delete(name)),
};

/** Simulates a restart with the stored data. */
async function open(): Promise<AccountPortal> {
  const portal = await openAccountPortal(account, {
    net,
    secrets,
    shell: { openExternal: async () => undefined },
    clock: {
      now: () => now,
      after: (milliseconds, work) => {
        const timer = setTimeout(work, milliseconds);
        return () => clearTimeout(timer);
      },
    },
    folders: { renderer: root, servers: root },
    blobs: (name) => createBlobs(join(data, name)),
    log: () => undefined,
    flush: () => undefined,
    onSessionChanged: (_problem, userName) => (account = { ...account, userName: userName ?? account.userName }),
    onOutbox: () => undefined,
    onOutboxNotification: () => undefined,
    onUnreadable: () => undefined,
  });
  opened.push(portal);
  return portal;
}

async function setDays(days: number): Promise<void> {
  const { knex } = app.database;
  await knex('Settings').where('Name', 'OfflineDays').delete();
  await knex('Settings').insert({ Name: 'OfflineDays', Value: String(days) });
}

const ask = (portal: AccountPortal, path: string, init: RequestInit = {}): Promise<Response> =>
  portal.handle(new Request(withPageKey(`runsheet://app${path}`, portal.openPage().key), init));

async function signIn(portal: AccountPortal, who = user): Promise<string> {
  const [password = ''] = await encryptPasswords(app.http, who.UserName, [TEST_PASSWORD]);
  const body = new URLSearchParams({ grant_type: 'password', username: who.UserName, password });
  const answer = await ask(portal, '/token', { method: 'POST', body });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { access_token: string }).access_token;
}

const LIST = '/api/activities';
const read = async (portal: AccountPortal, handle: string, path = LIST): Promise<[string | null, string]> => {
  const answer = await ask(portal, path, { headers: bearer(handle) });
  return [answer.headers.get('x-kept-at'), await answer.text()];
};
const folder = (): string => join(data, `kept-${account.id}`);
const entries = async (): Promise<string[]> =>
  (await readdir(folder()).catch(() => [])).filter((name) => /^[0-9a-f]{40}$/.test(name));
/** In addition to the stored server settings. */
const waitForStored = (count: number): Promise<void> =>
  expect.poll(async () => (await entries()).length).toBeGreaterThanOrEqual(count + 1) as unknown as Promise<void>;

async function openedBefore(): Promise<{ portal: AccountPortal; handle: string }> {
  const portal = await open();
  const handle = await signIn(portal);
  const [storedAt, text] = await read(portal, handle);
  expect([storedAt, text]).toEqual([null, expect.stringContaining('Loan')]);
  await waitForStored(1);
  return { portal, handle };
}

describe('what was opened before', () => {
  test('is read while the server is away, also after a restart, and says its age', async () => {
    const { portal, handle } = await openedBefore();
    isAway = true;
    expect(await read(portal, handle)).toEqual([new Date(now).toISOString(), expect.stringContaining('Loan')]);
    const again = await open();
    expect(again.connectionInfo()).toEqual({ State: 'unreachable', IsReadable: true, CanQueue: true });
    expect(again.title()).toBe('Runsheet');
    expect(await read(again, handle)).toEqual([new Date(now).toISOString(), expect.stringContaining('Loan')]);
    await expect(read(again, handle, `/api/activities/details/${ActivityId}`)).rejects.toThrow();
  });

  test('is read though the server neither answers nor is known to be away, and what was not opened ends soon', async () => {
    const { handle } = await openedBefore();
    isSilent = true;
    // Timeouts longer than a page would wait never fire here, so nothing may depend on them.
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const limits = vi.spyOn(AbortSignal, 'timeout');
    onTestFinished(() => limits.mockRestore());
    limits.mockImplementation((limit) => (limit <= 5000 ? timeout(limit) : new AbortController().signal));
    const again = await open();
    expect(again.connectionInfo()).toEqual({ State: 'unreachable', IsReadable: true, CanQueue: true });
    expect((await read(again, handle))[0]).toBe(new Date(now).toISOString());
    await expect(read(again, handle, `/api/activities/details/${ActivityId}`)).rejects.toThrow();
  });

  test('is fetched again once the server is back', async () => {
    const { portal, handle } = await openedBefore();
    isAway = true;
    await read(portal, handle);
    await expect.poll(() => portal.connection.state()).toBe('unreachable');
    isAway = false;
    portal.connection.poll();
    await expect.poll(() => portal.connection.state()).toBe('online');
    expect((await read(portal, handle))[0]).toBeNull();
  });

  test('is nothing for a page that names no session, and calls that change something are not answered', async () => {
    const { portal, handle } = await openedBefore();
    isAway = true;
    await expect(ask(portal, LIST)).rejects.toThrow();
    await expect(ask(portal, LIST, { headers: bearer('handle-of-nobody') })).rejects.toThrow();
    const cancel = { method: 'POST', headers: bearer(handle) };
    await expect(ask(portal, '/api/activities/cancel/1', cancel)).rejects.toThrow();
  });
});

describe('reading ends', () => {
  const isRefused = async (portal: AccountPortal, handle: string): Promise<void> => {
    isAway = true;
    await expect(read(portal, handle)).rejects.toThrow();
    expect(portal.connectionInfo().IsReadable).toBe(false);
  };

  test('with the days that the server allows, and is erased then', async () => {
    const { portal, handle } = await openedBefore();
    isAway = true;
    now += 7 * DAY - 1000;
    expect((await read(portal, handle))[0]).not.toBeNull();
    now += 2000;
    await isRefused(portal, handle);
    await expect(open()).rejects.toThrow('there is no portal');
    expect([await entries(), [...items.keys()].filter((name) => name.endsWith('|kept'))]).toEqual([[], []]);
  });

  test('where the clock was moved back, until the server was reached', async () => {
    const { portal, handle } = await openedBefore();
    now -= 60 * 60_000;
    await isRefused(portal, handle);
    await expect(open()).rejects.toThrow('there is no portal');
    isAway = false;
    const again = await open();
    await read(again, handle);
    isAway = true;
    expect((await read(again, handle))[0]).not.toBeNull();
  });

  test('with the sign-out, though the server cannot be reached', async () => {
    const { portal, handle } = await openedBefore();
    isAway = true;
    const body = { method: 'POST', headers: { ...bearer(handle), 'content-type': 'application/json' }, body: 'null' };
    await expect(ask(portal, '/api/logout', body)).rejects.toThrow();
    await isRefused(portal, handle);
    expect([await entries(), items.size]).toEqual([[], 0]);
  });

  test('where the session was revoked', async () => {
    const { portal, handle } = await openedBefore();
    await app.database.knex('Sessions').where('UserId', user.UserId).delete();
    expect((await ask(portal, LIST, { headers: bearer(handle) })).status).toBe(401);
    await expect.poll(entries).toEqual([]);
    expect([...items.keys()].some((name) => name.endsWith('|kept'))).toBe(false);
    await isRefused(portal, handle);
  });

  test('for anybody but the person who had opened it', async () => {
    const { portal } = await openedBefore();
    const other = await createUser(app, { rights: ['sk.RunActivity'] });
    const handle = await signIn(portal, other);
    isAway = true;
    await expect(read(portal, handle)).rejects.toThrow();
  });

  test('not where a proxy has no such page as the one that allows it', async () => {
    const { portal, handle } = await openedBefore();
    portal.stop();
    let asked = 0;
    proxy = (path) => {
      if (path !== offlineReading.path) return undefined;
      asked += 1;
      return new Response('no such page', { status: 404 });
    };
    const again = await open();
    await expect.poll(() => asked).toBeGreaterThan(0);
    // A server that answers late at the start counts as unreachable until the next poll.
    await expect.poll(() => again.connection.state()).toBe('online');
    expect((await read(again, handle))[0]).toBeNull();
    isAway = true;
    expect((await read(again, handle))[0]).not.toBeNull();
  });

  test('with a setting of 0, which keeps nothing and erases what was kept', async () => {
    const { portal, handle } = await openedBefore();
    await setDays(0);
    isAway = true;
    await read(portal, handle);
    await expect.poll(() => portal.connection.state()).toBe('unreachable');
    isAway = false;
    portal.connection.poll();
    await expect.poll(entries).toEqual([]);
    await read(portal, handle);
    expect(await entries()).toEqual([]);
  });
});

describe('the keychain', () => {
  test('that is missing keeps nothing on the disk', async () => {
    isLocked = true;
    const portal = await open();
    const handle = await signIn(portal);
    await read(portal, handle);
    isAway = true;
    await expect(read(portal, handle)).rejects.toThrow();
    // Starts cannot wait here either: the page does not offer that.
    expect(portal.connectionInfo().CanQueue).toBe(false);
    expect(await readdir(data)).toEqual([]);
  });

  test('that is locked at a start closes what is kept and loses none of it', async () => {
    const { handle } = await openedBefore();
    isLocked = true;
    const closed = await open();
    isAway = true;
    await expect(read(closed, handle)).rejects.toThrow();
    isLocked = false;
    expect((await read(await open(), handle))[0]).not.toBeNull();
  });
});
