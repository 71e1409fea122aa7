/**
 * The desktop client on the real runtime: killed right after a sign-in and at each stage of a start that waits for its
 * server, and with the event streams of many left pages.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { hasKeychain, whyNoElectron } from '../../scripts/electron-runtime.ts';
import { DOUBLE, clientPortal, type ClientPortal, type Person } from './support/client-portal.ts';
import { killBench, KILL_POINTS, type KillBench } from './support/kills.ts';
import { openPortal, type Bridged } from './support/pages.ts';
import { createMachine, type Client, type Machine } from './support/runtime.ts';
import { wayTo, type Way } from './support/way.ts';

/** Each kill takes a restart of the program. */
const KILLS = Number(process.env['RUNSHEET_FAULT_RESTARTS']) || 2 * KILL_POINTS.length;
const missing = whyNoElectron() || (hasKeychain() ? '' : 'no keychain');

describe.skipIf(missing !== '')('the desktop client', () => {
  let portal: ClientPortal;
  let person: Person;
  let machine: Machine;
  let way: Way;
  let client: Client;
  let page: Page;
  let bench: KillBench;

  beforeAll(async () => {
    [portal, machine] = await Promise.all([clientPortal(), createMachine()]);
    person = await portal.createPerson();
    bench = await killBench(person, await person.publish('Double offline', DOUBLE));
    way = await wayTo(portal.address);
    client = await machine.start({ keychain: true });
    page = await openPortal(client, way, person);
  });
  afterAll(async () => {
    await client?.close();
    await way?.close();
    await machine?.remove();
  });

  const startAgain = async (): Promise<void> => {
    client = await machine.start({ keychain: true });
    page = await client.window('app');
  };

  test('killed right after the sign-in is signed in at its next start', async () => {
    // By now the page has made calls with its session.
    await page.getByRole('link', { name: 'Double offline', exact: true }).first().waitFor();
    await client.kill();
    await startAgain();
    await page.getByRole('link', { name: 'Double offline', exact: true }).first().waitFor();
  });

  test('makes calls beside any number of streams of pages that were left before these were answered', async () => {
    way.letEventsPass(false);
    for (let left = 0; left < 8; left += 1) {
      await page.goto('runsheet://app/activities/');
      await page.getByRole('link', { name: 'Double offline', exact: true }).first().waitFor();
    }
    way.letEventsPass(true);
    await page.reload();
    // The streams of the program and of the current page; the others end.
    await expect.poll(() => way.streams()).toBeLessThanOrEqual(2);
  });

  const rounds = Array.from({ length: KILLS }, (_, round) => ({
    turn: round,
    moment: KILL_POINTS[round % KILL_POINTS.length]!,
  }));
  test.each(rounds)(
    'killed at the moment "$moment" of start $turn: the confirmed start is one run',
    async ({ turn: round, moment }) => {
      await way.cut();
      await page.evaluate(() => (window as unknown as Bridged).runsheet.connection.poll());
      await page.getByRole('status').filter({ hasText: 'The server cannot be reached.' }).waitFor();
      const wasStored = await bench.killAt(moment, round, { client, page, way });
      await startAgain();
      const stored = await bench.settled(page, wasStored);
      const runs = await bench.runsOf(round);
      expect(runs).toEqual(stored);
      expect(stored.length).toBeGreaterThanOrEqual(wasStored ? 1 : 0);
      await bench.clear(page);
    },
  );
});
