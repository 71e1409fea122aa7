/**
 * Starts that wait for their server, with a real server and real files; the network, the keychain, the clock and the
 * end of the program are simulated.
 */
import { readdir } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import type { OutboxEntry } from '#bridge/outbox.ts';
import { SERVER_TIME_HEADER } from '#shared/contract/headers.ts';
import { startRun } from '#shared/contract/runs.ts';
import { newServerState } from '#server/base/server-state.ts';
import { nameIt, withOutbox } from '#test/support/fixtures/outbox.ts';
import type { PlayedMachine } from '#test/support/played-outbox.ts';
import { insertSecondVersion } from '#test/support/runs.ts';
import { rounds } from '#test/support/test-set.ts';
import { HOUR, OLD } from './outbox-rules.ts';
import type { PageCall } from './page-call.ts';

const state = newServerState();
let machine: PlayedMachine;
let notified: OutboxEntry[];
let unreadable: number[];

const test = withOutbox(state, () => ({ machine, notified, unreadable }));
test.beforeEach(async ({ server: { newMachine } }) => {
  [notified, unreadable, state.maintenance] = [[], [], null];
  machine = await newMachine();
});

describe('a start that waits', () => {
  test('is not called started before the server has answered, and is one run then, with its file', async ({
    portal,
    server: { open, startOf, only, runsOf, fileOf },
  }) => {
    machine.isAway = true;
    const first = open();
    const file = await first.spool('Zürich.csv', 'a;b');
    const UniqueId = nameIt();
    expect(await first.outbox.add(startOf(UniqueId, [portal.amount(5), file]))).toEqual({ Problem: '' });
    await first.outbox.work();
    expect(await only(first)).toMatchObject({ State: 'waiting', RunId: null, FileNames: ['Zürich.csv'] });
    expect(await runsOf(UniqueId)).toEqual([]);
    machine.isAway = false;
    const second = open();
    await second.outbox.work();
    const [run] = await runsOf(UniqueId);
    expect(await only(second)).toMatchObject({ State: 'started', RunId: run?.Id, Why: '' });
    expect(await fileOf(run!.Id)).toBe('a;b');
    expect(notified.map(({ State }) => State)).toEqual(['started']);
    expect((await readdir(machine.folder)).filter((name) => name.startsWith('spool-'))).toEqual([]);
    await second.outbox.work();
    expect(await runsOf(UniqueId)).toHaveLength(1);
  });

  test('of several, continues with the next if one is refused, and never retries a refused one automatically', async ({
    portal,
    server: { open, startOf, runsOf },
  }) => {
    machine.isAway = true;
    const one = open();
    const [bad, good] = [nameIt(), nameIt()];
    await one.outbox.add(startOf(bad, [portal.amount('no number')]));
    machine.now += 1000;
    await one.outbox.add(startOf(good));
    machine.isAway = false;
    one.connection.poll();
    await expect.poll(async () => (await one.outbox.list()).map(({ State }) => State)).toEqual(['needsYou', 'started']);
    const [refused] = await one.outbox.list();
    expect(refused!.Why).toContain('Amount');
    const sent = machine.steps;
    await one.outbox.work();
    expect([machine.steps, await runsOf(bad)]).toEqual([sent, []]);
  });

  test('is sent with the same session after a proxy has answered 401 in place of the server', async ({
    server: { open, startOf, only, runsOf },
  }) => {
    const UniqueId = nameIt();
    const one = open();
    machine.proxy = () => new Response('Sign in to the network', { status: 401 });
    await one.outbox.add(startOf(UniqueId));
    await one.outbox.work();
    expect([(await only(one)).State, await runsOf(UniqueId)]).toEqual(['waiting', []]);
    machine.proxy = null;
    await one.outbox.work();
    expect((await only(one)).State).toBe('started');
    expect(await runsOf(UniqueId)).toHaveLength(1);
  });

  test('of a page whose session has ended is refused as the server refuses it, so that the page ends its session', async ({
    portal,
    server: { open },
  }) => {
    const one = open();
    const Inputs = [await one.spool('a.csv', 'a')];
    const start = { ActivityId: portal.ActivityId, ActivityVersion: 1, UniqueId: nameIt(), Inputs };
    const call: PageCall = {
      method: 'POST',
      path: startRun.path,
      search: '',
      body: Buffer.from(JSON.stringify(start)),
      contentType: 'application/json',
      isSignedIn: true,
    };
    machine.token = 'ended';
    const refusal = (await one.bodyOf(call)) as Response;
    expect(refusal.status).toBe(401);
    expect(Date.parse(refusal.headers.get(SERVER_TIME_HEADER) ?? '')).not.toBeNaN();
    machine.proxy = () => new Response('Sign in to the network', { status: 401 });
    await expect(one.bodyOf(call)).rejects.toThrow('not reached');
  });

  test('for an older version starts nothing, and names the newest', async ({
    portal,
    server: { open, startOf, only, runsOf },
  }) => {
    const ActivityId = await portal.publish();
    await insertSecondVersion(portal.app.database.knex, ActivityId);
    const UniqueId = nameIt();
    const one = open();
    const Start = JSON.stringify({ ActivityId, ActivityVersion: 1, UniqueId, Inputs: [] });
    await one.outbox.add({ ...startOf(UniqueId), Start, Form: '[{"Name":"Amount"}]' });
    await one.outbox.work();
    expect(await only(one)).toMatchObject({ State: 'needsYou', NewestVersion: 2, MayHaveStarted: false });
    expect(await runsOf(UniqueId)).toEqual([]);
    expect(await one.outbox.formOf((await only(one)).Id)).toBe('[{"Name":"Amount"}]');
  });

  test('can be taken out, with its files', async ({ server: { open, startOf, only } }) => {
    machine.isAway = true;
    const one = open();
    await one.outbox.add(startOf(nameIt(), [await one.spool('a.csv', 'a')]));
    await one.outbox.remove((await only(one)).Id);
    expect([await one.outbox.list(), await readdir(machine.folder)]).toEqual([[], []]);
  });

  test('is not sent while it is edited, also after a restart, and by the person’s word later', async ({
    server: { open, startOf, only, runsOf },
  }) => {
    machine.isAway = true;
    const UniqueId = nameIt();
    const one = open();
    await one.outbox.add(startOf(UniqueId));
    const { Id } = await only(one);
    expect(await one.outbox.holdForEditing(Id)).toBe(true);
    machine.isAway = false;
    for (const each of [one, open()]) {
      await each.outbox.work();
      expect(await only(each)).toMatchObject({ State: 'needsYou', Why: expect.stringContaining('edit') });
      expect(await runsOf(UniqueId)).toEqual([]);
    }
    // The user sees the entry on screen: no system notification is needed.
    expect(notified).toEqual([]);
    const last = open();
    await last.outbox.startNow(Id);
    await expect.poll(async () => (await only(last)).State).toBe('started');
    expect(await last.outbox.holdForEditing(Id)).toBe(false);
  });

  test('that is edited or taken out at the moment at which it would be sent is one or the other', async ({
    server: { open, startOf, only, runsOf },
  }) => {
    for (let round = 0; round < rounds(3); round += 1) {
      machine.isAway = true;
      const [edited, removed] = [nameIt(), nameIt()];
      const one = open();
      await one.outbox.add(startOf(edited));
      const { Id } = await only(one);
      await one.outbox.add(startOf(removed));
      const other = (await one.outbox.list()).find((entry) => entry.Id !== Id)!;
      machine.isAway = false;
      one.connection.poll();
      await expect.poll(() => one.connection.state()).toBe('online');
      const [isHeld] = await Promise.all([
        one.outbox.holdForEditing(Id),
        one.outbox.remove(other.Id),
        one.outbox.work(),
      ]);
      const entries = await one.outbox.list();
      const isStarted = entries.find((entry) => entry.Id === Id)!.State === 'started';
      expect([isHeld, (await runsOf(edited)).length]).toEqual(isStarted ? [false, 1] : [true, 0]);
      const isThere = entries.some((entry) => entry.Id === other.Id);
      expect((await runsOf(removed)).length).toBe(isThere ? 1 : 0);
      for (const entry of entries) await one.outbox.remove(entry.Id);
    }
  });

  test('is deleted by a log-out, with its files; what others have there stays', async ({
    portal,
    server: { open, startOf, only },
  }) => {
    machine.isAway = true;
    const one = open();
    await one.outbox.add(startOf(nameIt(), [await one.spool('a.csv', 'a')]));
    machine.userName = portal.stranger.UserName;
    await one.outbox.add(startOf(nameIt()));
    machine.userName = portal.owner.UserName;
    await one.outbox.discard();
    expect(await one.outbox.list()).toEqual([]);
    expect((await readdir(machine.folder)).filter((name) => name.startsWith('spool-'))).toEqual([]);
    machine.userName = portal.stranger.UserName;
    await only(one);
  });

  test('is seen and sent by nobody but who made it', async ({ portal, server: { open, startOf, runsOf } }) => {
    machine.isAway = true;
    const UniqueId = nameIt();
    await open().outbox.add(startOf(UniqueId));
    machine.isAway = false;
    machine.userName = portal.stranger.UserName;
    machine.token = portal.stranger.headers.authorization.slice('Bearer '.length);
    const other = open();
    await other.outbox.work();
    expect([await other.outbox.list(), await runsOf(UniqueId)]).toEqual([[], []]);
  });

  test('kept twice is one', async ({ server: { open, startOf, only } }) => {
    machine.isAway = true;
    const one = open();
    const UniqueId = nameIt();
    for (let round = 0; round < 2; round += 1) await one.outbox.add(startOf(UniqueId));
    await only(one);
  });
});

describe('what lies there', () => {
  test('and was started takes no place of what waits; the newest of it stays', async ({
    server: { open, startOf },
  }) => {
    machine.isAway = true;
    machine.bounds = { bytes: 1e6, entries: 3, started: 3 };
    const one = open();
    await one.outbox.add(startOf(nameIt()));
    const [entry] = await one.store.entries();
    const before = Array.from({ length: 4 }, (_, index) => ({
      ...entry!,
      Id: index.toString(16).padStart(16, '0'),
      QueueTime: new Date(machine.now - HOUR - index).toISOString(),
      State: 'started' as const,
    }));
    await Promise.all(before.map((started) => one.store.write(started)));
    for (let more = 0; more < 2; more += 1) {
      machine.now += 1000;
      expect(await one.outbox.add(startOf(nameIt()))).toEqual({ Problem: '' });
    }
    expect((await one.outbox.add(startOf(nameIt()))).Problem).toBe('Too many starts are already waiting');
    machine.isAway = false;
    const again = open();
    await again.outbox.work();
    const remaining = await again.outbox.list();
    expect(remaining.map(({ State, QueueTime }) => [State, QueueTime >= entry!.QueueTime])).toEqual(
      Array.from({ length: 3 }, () => ['started', true]),
    );
  });

  test('under a key that the keychain has lost is reported, and stays for a while in case the key comes back', async ({
    server: { open, startOf },
  }) => {
    machine.isAway = true;
    const first = open();
    await first.outbox.add(startOf(nameIt()));
    const key = [...machine.items];
    machine.items.clear();
    const without = open();
    await expect.poll(() => unreadable).toEqual([1]);
    expect(await without.outbox.list()).toEqual([]);
    expect(await without.outbox.add(startOf(nameIt()))).toEqual({ Problem: '' });
    // Lets both instances finish their pending work before time advances.
    for (const { outbox } of [first, without]) await outbox.work();
    machine.items = new Map(key);
    expect((await open().outbox.list()).map(({ State }) => State)).toEqual(['waiting']);
    machine.now += 8 * 24 * HOUR;
    const late = open();
    await late.store.sweep();
    expect((await readdir(machine.folder)).length).toBe(1);
  });
});

describe('time', () => {
  test('of less than an hour asks nobody', async ({ server: { waitsFor } }) => {
    expect((await waitsFor(HOUR - 1000))[0].State).toBe('started');
  });

  test('of more than an hour asks, and the person’s word starts it', async ({ server: { waitsFor, runsOf, only } }) => {
    const [entry, UniqueId, one] = await waitsFor(HOUR + 1000);
    expect([entry.State, entry.Why, await runsOf(UniqueId)]).toEqual(['needsYou', expect.stringContaining('hour'), []]);
    await one.outbox.startNow(entry.Id);
    await one.outbox.work();
    expect([(await only(one)).State, (await runsOf(UniqueId)).length]).toEqual(['started', 1]);
  });

  test('of more than a day ends it, unless the person starts it', async ({ server: { waitsFor, runsOf } }) => {
    const [entry, UniqueId, one] = await waitsFor(OLD + 1000);
    expect([entry.State, await runsOf(UniqueId)]).toEqual(['expired', []]);
    await one.outbox.startNow(entry.Id);
    await one.outbox.work();
    expect((await runsOf(UniqueId)).length).toBe(1);
  });

  test('that was set back asks', async ({ server: { waitsFor, runsOf } }) => {
    const [entry, UniqueId] = await waitsFor(-HOUR);
    expect([entry.State, entry.Why, await runsOf(UniqueId)]).toEqual([
      'needsYou',
      expect.stringContaining('clock'),
      [],
    ]);
  });
});
