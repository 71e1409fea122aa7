/**
 * What goes wrong while waiting starts are sent, with a real server and real files; the network, the keychain, the disk
 * and the end of the program are simulated.
 */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { OutboxEntry } from '#bridge/outbox.ts';
import { newServerState } from '#server/base/server-state.ts';
import { nameIt, withOutbox } from '#test/support/fixtures/outbox.ts';
import type { PlayedMachine } from '#test/support/played-outbox.ts';
import { isFullSet } from '#test/support/test-set.ts';

const state = newServerState();
let machine: PlayedMachine;
let notified: OutboxEntry[];
let unreadable: number[];

const test = withOutbox(state, () => ({ machine, notified, unreadable }));
test.beforeEach(async ({ server: { newMachine } }) => {
  [notified, unreadable, state.maintenance] = [[], [], null];
  machine = await newMachine();
});

describe('what goes wrong', () => {
  test('a session that has ended: it waits, and continues after the next sign-in', async ({
    server: { open, startOf, only, runsOf },
  }) => {
    const [UniqueId, token] = [nameIt(), machine.token];
    machine.token = 'x'.repeat(43);
    const one = open();
    await one.outbox.add(startOf(UniqueId));
    await one.outbox.work();
    expect(await only(one)).toMatchObject({ State: 'waiting', Why: 'It is sent after you sign in again.' });
    const sent = machine.steps;
    await one.outbox.work();
    expect(machine.steps).toBe(sent);
    machine.token = token;
    await one.outbox.work();
    expect([(await only(one)).State, (await runsOf(UniqueId)).length]).toEqual(['started', 1]);
  });

  test('a portal under maintenance: it waits, says why, and continues after the maintenance', async ({
    server: { open, startOf, runsOf },
  }) => {
    const one = open();
    const [first, second] = [nameIt(), nameIt()];
    machine.isAway = true;
    await one.outbox.add(startOf(first));
    machine.now += 1000;
    await one.outbox.add(startOf(second));
    machine.isAway = false;
    state.maintenance = 'Back at noon';
    const sent = machine.steps;
    one.connection.poll();
    await expect.poll(async () => (await one.outbox.list())[0]!.Why).toBe('Back at noon');
    await one.outbox.work();
    expect(await one.outbox.list()).toMatchObject([
      { State: 'waiting', MayHaveStarted: false },
      { State: 'waiting', Why: '' },
    ]);
    expect([machine.steps > sent, await runsOf(first), await runsOf(second), notified]).toEqual([true, [], [], []]);
    state.maintenance = null;
    await one.outbox.work();
    expect((await one.outbox.list()).map(({ State }) => State)).toEqual(['started', 'started']);
  });

  test('a full disk: what cannot be stored is not reported as stored, and what was sent is still one run', async ({
    server: { open, startOf, runsOf },
  }) => {
    const one = open();
    machine.isFull = true;
    const UniqueId = nameIt();
    expect((await one.outbox.add(startOf(UniqueId))).Problem).toContain('no space');
    await expect(one.spool('a.csv', 'a')).rejects.toThrow('no space');
    machine.isFull = false;
    machine.isAway = true;
    await one.outbox.add(startOf(UniqueId));
    machine.isFull = true;
    machine.isAway = false;
    await one.outbox.work();
    expect(await runsOf(UniqueId)).toEqual([]);
    machine.isFull = false;
    await one.outbox.work();
    expect((await runsOf(UniqueId)).length).toBe(1);
  });

  test('a locked keychain: it stores and loses nothing, and continues when the keychain is unlocked', async ({
    server: { open, startOf, only, runsOf },
  }) => {
    machine.isAway = true;
    const UniqueId = nameIt();
    const first = open();
    await first.outbox.add(startOf(UniqueId));
    machine.isLocked = true;
    // Makes sure that the key is already loaded.
    await only(first);
    const locked = open();
    expect((await locked.outbox.add(startOf(nameIt()))).Problem).toContain('locked');
    machine.isAway = false;
    await locked.outbox.work();
    expect(await runsOf(UniqueId)).toEqual([]);
    machine.isLocked = false;
    locked.connection.poll();
    await expect.poll(async () => (await runsOf(UniqueId)).length).toBe(1);
  });

  test('an answer that was lost: the run that there is, not a second one', async ({
    portal,
    server: { open, startOf, only, runsOf },
  }) => {
    const UniqueId = nameIt();
    const { body } = await portal.start({ UniqueId });
    const one = open();
    await one.outbox.add({ ...startOf(UniqueId), WasSent: true });
    await one.outbox.work();
    expect(await only(one)).toMatchObject({ State: 'started', RunId: body.result.Id });
    expect(await runsOf(UniqueId)).toHaveLength(1);
  });

  const KILLS = Number(process.env['RUNSHEET_FAULT_RESTARTS']) || 44;

  test.runIf(isFullSet)(
    `the program killed ${KILLS} times, at every step: one run or still waiting, its file whole`,
    { timeout: 280_000 },
    async ({ portal, server: { root, open, startOf, runsOf, fileOf } }) => {
      let killed = 0;
      for (let round = 0; round < KILLS; round += 1) {
        const UniqueId = nameIt();
        machine = { ...machine, folder: await mkdtemp(join(root, 'killed-')), items: new Map(), steps: 0 };
        machine.diesAt = { step: 1 + (round % 44) / 2, isAfter: round % 2 === 1 };
        const dying = open();
        const work = async (): Promise<boolean> => {
          const file = await dying.spool('a.csv', `file ${round}`);
          const { Problem } = await dying.outbox.add(startOf(UniqueId, [portal.amount(5), file]));
          await dying.outbox.work();
          return Problem === '';
        };
        // A killed program responds to nobody.
        const wasStored = await Promise.race([work(), dying.death.then(() => null)]);
        killed += wasStored === null ? 1 : 0;
        machine = { ...machine, diesAt: null };
        const again = open();
        const before = (await again.outbox.list()).length;
        await again.outbox.work();
        const left = (await again.outbox.list()).map(({ State, Why }) => ({ State, Why }));
        expect({ turn: round, left }).toEqual({ turn: round, left: left.map(() => ({ State: 'started', Why: '' })) });
        const runs = await runsOf(UniqueId);
        // If it was killed before the start was stored, the page received no response.
        expect([runs.length, UniqueId]).toEqual([before, UniqueId]);
        for (const { Id } of runs) expect(await fileOf(Id)).toBe(`file ${round}`);
        [dying, again].forEach(({ outbox, connection }) => [outbox, connection].forEach((part) => part.stop()));
      }
      expect(killed).toBeGreaterThan(KILLS / 3);
    },
  );
});
