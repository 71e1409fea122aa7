/** The servers of the desktop client: added, opened, unreachable and removed ones. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { playClient, type PlayedWindow } from '#test/support/played-client.ts';
import { bearer } from '#test/support/users.ts';

const { played, startClient, only, ask, askOf, post, add, signInByPassword } = playClient();

describe('a policy', () => {
  test('names the servers that everybody has, and opens no others, whether they are new or were there before', async () => {
    const policy = { servers: [played.address], otherServers: false, handOff: true };
    await startClient(played.data, policy);
    expect(played.accounts.list().map((account) => account.address)).toEqual([played.address]);
    expect(only().url).toBe('runsheet://app/');
    const Problem = 'Your administrator does not allow this server';
    const local = played.address.replace('127.0.0.1', 'localhost');
    expect(await played.client.handlers.addServer(only(), local)).toEqual({ Id: null, Problem });
    await startClient(played.data, { ...policy, servers: ['https://portal.example.org/'] });
    expect(played.accounts.list()).toHaveLength(2);
    expect(only().url).toBe('runsheet://servers/choose');
    const { id } = played.accounts.list()[0]!;
    expect(await played.client.handlers.openServer(only(), id)).toEqual({ Id: id, Problem });
    const asked = { Portal: played.address, ClientKind: 'excel', Port: 22_222, Challenge: 'c', State: 's' };
    expect(await played.client.sessionHandoffs.show(asked)).toEqual({ Shown: false, Message: Problem });
  });
});

describe('servers', () => {
  test('the first start asks for one; what answers otherwise is not kept', async () => {
    expect(only().url).toBe('runsheet://servers/choose');
    const stranger = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await new Promise((resolve) => stranger.once('listening', resolve));
    const { port } = stranger.address() as AddressInfo;
    const wrong = await played.client.handlers.addServer(only(), `http://127.0.0.1:${port}`);
    expect(wrong).toEqual({ Id: null, Problem: expect.stringContaining('is not a Runsheet portal') });
    stranger.close();
    await new Promise((resolve) => stranger.once('close', resolve));
    const gone = await played.client.handlers.addServer(only(), `http://127.0.0.1:${port}`);
    expect(gone.Problem).toContain('there is no portal');
    expect(played.accounts.list()).toEqual([]);
  });

  test('one that fits opens in its own window, and automatically at the next start', async () => {
    const [servers] = played.windows;
    await add();
    expect([servers!.isClosed, only().url]).toEqual([true, 'runsheet://app/']);
    await startClient(played.data);
    expect(only()).toMatchObject({
      url: 'runsheet://app/',
      portal: { account: { address: played.address, title: 'Runsheet' } },
    });
  });

  test('the page of servers names one that is unreachable at the start', async () => {
    await add();
    await played.accounts.remove(played.accounts.list()[0]!.id);
    await played.accounts.add('http://127.0.0.1:9/', 'Away');
    await startClient(played.data);
    expect(only().url).toBe('runsheet://servers/choose');
    const { Problem, Servers } = await played.client.handlers.listServers(only());
    expect([Problem, Servers.map(({ Title }) => Title)]).toEqual([
      expect.stringContaining('http://127.0.0.1:9/'),
      ['Away'],
    ]);
  });

  test('several stand side by side, each account with its own session', async () => {
    await add();
    const handle = await signInByPassword();
    played.client.openServers();
    const servers = played.windows.find(({ portal }) => portal === null)!;
    await played.client.handlers.addServer(servers, played.address);
    expect(played.windows.map(({ portal }) => portal!.account.address)).toEqual([played.address, played.address]);
    const [first, second] = played.windows;
    const headers = { ...bearer(handle), 'content-type': 'application/json' };
    const profileOf = async ({ portal }: PlayedWindow): Promise<number> =>
      (await askOf(portal!, '/api/users/profile', { method: 'POST', headers, body: '[]' })).status;
    expect([await profileOf(second!), await profileOf(first!)]).toEqual([401, 200]);
    expect([...played.items.keys()].filter((name) => !name.endsWith('|kept'))).toHaveLength(1);
  });

  test('one that is removed is signed out, its windows closed, and what was kept erased', async () => {
    await add();
    await signInByPassword();
    const { token } = JSON.parse([...played.items.values()][0]!) as { token: string };
    const { id } = played.accounts.list()[0]!;
    played.client.openServers();
    await played.client.handlers.removeServer(
      played.windows.find(({ portal }) => portal === null)!,
      id,
    );
    expect([only().portal, played.items.size, played.erased, played.accounts.list()]).toEqual([null, 0, [id], []]);
    const answer = await played.app.http.inject({
      method: 'POST',
      url: '/api/users/profile',
      headers: bearer(token),
      payload: [],
    });
    expect(answer.statusCode).toBe(401);
  });
});

describe('the server that is away', () => {
  const lastPublished = (): unknown => played.published.filter(([name]) => name === 'connection').at(-1)?.[1];

  test('is reported to the pages, as is its return; after a sleep it is polled immediately', async () => {
    await add();
    expect(only().portal?.connectionInfo().State).toBe('online');
    played.isAway = true;
    try {
      await expect(ask('/api/settings')).rejects.toThrow();
      await expect.poll(lastPublished).toMatchObject({ State: 'offline' });
    } finally {
      played.isAway = false;
    }
    played.wake();
    await expect.poll(lastPublished).toEqual({ State: 'online', IsReadable: false, CanQueue: true });
  });

  test('is removed with what waits for it, which is counted for the person before', async () => {
    await add();
    await signInByPassword();
    const [window, { id }] = [only(), played.accounts.list()[0]!];
    expect(await played.client.handlers.countWaiting(window, id)).toBe(0);
    played.isAway = true;
    try {
      await expect(ask('/api/settings')).rejects.toThrow();
      await expect.poll(lastPublished).toMatchObject({ State: 'offline' });
      const start = { ActivityId: 1, ActivityVersion: 1, UniqueId: 'once', Inputs: [] };
      const queued = { ActivityName: 'Double', Start: JSON.stringify(start), WasSent: false, Form: '{}' };
      expect(await played.client.handlers.queueStart(window, queued)).toEqual({ Problem: '' });
      expect(await played.client.handlers.countWaiting(window, id)).toBe(1);
      await played.client.handlers.removeServer(window, id);
      expect(await played.client.handlers.countWaiting(window, id)).toBe(0);
    } finally {
      played.isAway = false;
    }
  });

  test.each([
    ['offline', true],
    ['online', false],
  ])('keeps no start of a person who logs out %s, and all of one whose session has ended', async (_name, isAway) => {
    await add();
    const handle = await signInByPassword();
    const [window, { id }] = [only(), played.accounts.list()[0]!];
    const count = (): unknown => played.client.handlers.countWaiting(window, id);
    played.isAway = true;
    try {
      await expect(ask('/api/settings')).rejects.toThrow();
      await expect.poll(lastPublished).toMatchObject({ State: 'offline', CanQueue: true });
      const start = { ActivityId: 1, ActivityVersion: 1, UniqueId: 'once', Inputs: [] };
      const queued = { ActivityName: 'Double', Start: JSON.stringify(start), WasSent: false, Form: '[]' };
      expect(await played.client.handlers.queueStart(window, queued)).toEqual({ Problem: '' });
      // Makes it wait for the user, whether or not the server is reachable.
      const [entry] = await played.client.handlers.listOutbox(window);
      expect(await played.client.handlers.editQueued(window, entry!.Id)).toBe(true);
      played.isAway = isAway;
      if (!isAway) {
        await played.app.database.knex('Sessions').where({ UserId: played.user.UserId }).delete();
        expect((await post('/api/users/profile', [], bearer(handle))).status).toBe(401);
        expect(await count()).toBe(1);
      }
      await post('/api/logout', null, bearer(handle)).catch(() => undefined);
      expect(await count()).toBe(0);
    } finally {
      played.isAway = false;
    }
  });
});
