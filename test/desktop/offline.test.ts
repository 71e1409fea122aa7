/**
 * The desktop client while its server is unreachable, on the real runtime: reading, and starts that survive a kill and
 * a restart.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import type { Page } from 'playwright-core';
import { runHistory, type History } from '#shared/contract/run-history.ts';
import { rounds } from '#test/support/test-set.ts';
import { hasKeychain, whyNoElectron } from '../../scripts/electron-runtime.ts';
import { DOUBLE, clientPortal, type ClientPortal, type Person } from './support/client-portal.ts';
import { openPortal, signIn, type Bridged } from './support/pages.ts';
import { createMachine, type Client, type Machine } from './support/runtime.ts';
import { wayTo, type Way } from './support/way.ts';

/** Folder for pictures of the states, if requested. */
const PICTURES = process.env['RUNSHEET_PICTURES'] ?? '';
const missing = whyNoElectron() || (hasKeychain() ? '' : 'no keychain');

describe.skipIf(missing !== '')('without its server the desktop client', () => {
  let portal: ClientPortal;
  let person: Person;
  let machine: Machine;
  let way: Way;
  let client: Client;
  let page: Page;
  let activity: number;

  beforeAll(async () => {
    [portal, machine] = await Promise.all([clientPortal(), createMachine()]);
    person = await portal.createPerson();
    activity = await person.publish('Double', DOUBLE);
    way = await wayTo(portal.address);
    client = await machine.start({ keychain: true });
    page = await openPortal(client, way, person);
  });
  afterAll(async () => {
    await client?.close();
    await way?.close();
    await machine?.remove();
  });

  const go = (path: string): Promise<unknown> => page.goto(`runsheet://app${path}`);
  const bar = (text: string) => page.getByRole('status').filter({ hasText: text });
  const picture = async (name: string): Promise<void> => {
    if (PICTURES === '') return;
    await mkdir(PICTURES, { recursive: true });
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.screenshot({ path: join(PICTURES, `${name}-${theme}.png`) });
    }
  };
  const startAgain = async (): Promise<void> => {
    client = await machine.start({ keychain: true });
    page = await client.window('app');
  };
  const fillIn = async (amount: string): Promise<void> => {
    await go(`/activities/run/${activity}/`);
    await page.getByLabel('Amount').fill(amount);
  };
  /** Makes the client look for its server, as after waking from sleep. */
  const pollServer = (): Promise<void> =>
    page.evaluate(() => (window as unknown as Bridged).runsheet.connection.poll());
  const cut = async (): Promise<void> => {
    await way.cut();
    await pollServer();
    await bar('The server cannot be reached.').waitFor();
  };
  /** The client may find the server before the button is pressed. */
  const restore = async (): Promise<void> => {
    await way.restore();
    const gone = bar('The server cannot be reached.').waitFor({ state: 'detached' });
    const pressed = page.getByRole('button', { name: 'Try now' }).click();
    await Promise.all([gone, Promise.race([pressed, gone]).catch(() => undefined)]);
  };
  const countRuns = async (): Promise<number> =>
    (await person.call<History>(runHistory.path.slice(1), { ActivityId: activity, ApproxRows: 10 })).Runs.length;

  test('has the key for what will be typed before a form was opened', async () => {
    const keyStatus = (): Promise<number> =>
      page.evaluate(async () => {
        const { token } = JSON.parse(localStorage.getItem('runsheet.session') ?? '{}') as { token: string };
        const { addressOf } = (window as unknown as Bridged).runsheet;
        const headers = { authorization: `Bearer ${token}` };
        const answered = fetch(addressOf('api/users/draftkey'), { headers });
        return answered.then(
          ({ status }) => status,
          () => 0,
        );
      });
    // The test requests the key only while the server is unreachable; it must come from the client.
    await expect
      .poll(async () => {
        await way.cut();
        const status = await keyStatus();
        if (status !== 200) await way.restore();
        return status;
      })
      .toBe(200);
    await bar('The server cannot be reached.').waitFor();
    await restore();
  });

  test('continues after connections are lost in the middle of answers', async () => {
    const streams = () =>
      page.evaluate(async () => {
        const { token } = JSON.parse(localStorage.getItem('runsheet.session') ?? '{}') as { token: string };
        const { addressOf } = (window as unknown as Bridged).runsheet;
        const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
        // In addition to the streams of the page and the program. Chromium opens at most six connections per session to
        // a server.
        const answers = Array.from({ length: 7 }, () => fetch(addressOf('api/events'), { headers }));
        for (const answer of await Promise.all(answers)) await answer.body!.getReader().read();
      });
    for (let round = 0; round < rounds(1, 3); round += 1) {
      await streams();
      await way.cut();
      await bar('The server cannot be reached.').waitFor();
      await restore();
    }
    // Other unexpected errors in main do not stop it with a dialog either.
    await client.app.evaluate(
      () =>
        void setImmediate(() => {
          throw new Error('nobody has expected this');
        }),
    );
    await expect.poll(() => client.log()).toContain('an unexpected error: nobody has expected this');
    expect(await client.app.evaluate(() => 'it goes on')).toBe('it goes on');
  });

  test('distinguishes a computer without network, a required update, and a server that cannot be reached', async () => {
    await go('/activities/');
    await page.getByRole('link', { name: 'Double', exact: true }).first().waitFor();
    const network = (offline: boolean): Promise<void> =>
      client.app.evaluate(({ net }, isOff) => {
        // Chromium's own emulation covers only calls of pages.
        const globals = globalThis as { realNet?: object };
        globals.realNet ??= { ...net };
        const nothing = (): void => undefined;
        const lost = {
          on: (name: string, listener: (error: Error) => void) => {
            if (name === 'error') setImmediate(listener, new Error('net::ERR_INTERNET_DISCONNECTED'));
          },
          setHeader: nothing,
          end: nothing,
          abort: nothing,
        };
        Object.assign(net, isOff ? { request: () => lost } : globals.realNet);
      }, offline);
    await network(true);
    await pollServer();
    await bar('This computer has no network connection').waitFor();
    const invite = page.locator('a', { hasText: 'Create user' });
    expect(await invite.getAttribute('title')).toBe('This computer has no network connection');
    expect(await invite.getAttribute('href')).toBeNull();
    await picture('offline');
    await network(false);
    await pollServer();
    await bar('This computer has no network connection').waitFor({ state: 'detached' });
    way.pretendOther(true);
    await pollServer();
    await bar('Update required').waitFor();
    await picture('update-needed');
    way.pretendOther(false);
    await pollServer();
    await bar('Update required').waitFor({ state: 'detached' });
  });

  test('shows what was opened before, as of when it was, and disables what needs the server', async () => {
    await go('/activities/');
    await page.getByRole('link', { name: 'Double', exact: true }).first().waitFor();
    await go(`/activities/run/${activity}/`);
    await page.getByLabel('Amount').waitFor();
    await picture('online');
    await cut();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await go('/');
    await page.getByRole('link', { name: 'Double', exact: true }).first().waitFor();
    await bar('Shown as of').waitFor();
    expect(asked).toContain('/api/activities');
    expect(asked).not.toContain('/api/startPage');
    await picture('not-reached');
    const administration = page.getByRole('navigation', { name: 'Main' }).getByText('Administration', { exact: true });
    expect(await administration.locator('..').getAttribute('title')).toBe('The server cannot be reached');
    expect(await page.locator('a', { hasText: 'New activity' }).last().getAttribute('title')).toBe(
      'The server cannot be reached',
    );
    expect(await page.locator('a', { hasText: 'New activity' }).last().getAttribute('href')).toBeNull();
  });

  test('keeps what was typed over a restart of the program, though the server is away', async () => {
    await fillIn('77');
    await page.waitForFunction(() => Object.keys(window.localStorage).some((key) => key.includes('run-form.')));
    await client.close();
    await startAgain();
    await go(`/activities/run/${activity}/`);
    await page.getByText('What you entered earlier is back.').waitFor();
    expect(await page.getByLabel('Amount').inputValue()).toMatch(/^77/);
  });

  test('keeps a start, through a kill and a restart, and starts it once', async () => {
    await fillIn('123');
    await page.getByRole('button', { name: 'Start when the server is available' }).click();
    await page.getByRole('heading', { name: 'Outbox' }).waitFor();
    await page.getByText('Waiting', { exact: true }).waitFor();
    await page.getByRole('definition').getByText('123').waitFor();
    await picture('waiting');
    await client.kill();
    await startAgain();
    await go('/outbox');
    await page.getByText('Waiting', { exact: true }).waitFor();
    await bar('The server cannot be reached.').waitFor();
    expect(await countRuns()).toBe(0);
    await restore();
    await page.getByText('Started', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open the run' }).click();
    await page.getByText('246').first().waitFor();
    expect(await countRuns()).toBe(1);
    await go('/outbox');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Nothing is waiting').waitFor();
  });

  fullSetTest('lets a start be edited before it is sent, and starts what it was changed to', async () => {
    const before = await countRuns();
    await fillIn('50');
    await cut();
    await page.getByRole('button', { name: 'Start when the server is available' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByText('This start is waiting in the').waitFor();
    expect(await page.getByLabel('Amount').inputValue()).toMatch(/^50/);
    await page.getByLabel('Amount').fill('60');
    await page.getByRole('button', { name: 'Start when the server is available' }).click();
    await page.getByRole('definition').getByText('60').waitFor();
    await page.getByRole('definition').getByText('50').waitFor({ state: 'detached' });
    await restore();
    await page.getByText('Started', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open the run' }).click();
    await page.getByText('120').first().waitFor();
    expect(await countRuns()).toBe(before + 1);
  });

  test('shows what changed if the activity has a newer version, with the form filled in', async () => {
    await fillIn('5');
    await cut();
    await page.getByRole('button', { name: 'Start when the server is available' }).click();
    await page.getByText('Waiting', { exact: true }).waitFor();
    const withExtra = {
      sheets: [{ name: 'S', cells: { A1: 21, A2: 1, B1: { formula: 'A1*2+A2', value: 43 } } }],
      names: { in_Amount: 'S!$A$1', in_Extra: 'S!$A$2', out_Double: 'S!$B$1' },
    };
    await person.publish('Double', withExtra, activity);
    await restore();
    await page.getByText('Waiting for you', { exact: true }).waitFor();
    await picture('needs-you');
    await page.getByRole('link', { name: 'Review version 2' }).click();
    await page.getByText('Extra is new.').waitFor();
    expect(await page.getByLabel('Amount').inputValue()).toMatch(/^5/);
    await picture('newer-version');
  });

  test('asks before a log-out deletes what waits, and after it begins with the servers while its server is away, and opens it from there later', async () => {
    const logOut = async (): Promise<void> => {
      await page.getByRole('button', { name: /^User menu/ }).click();
      await page.getByRole('menuitem', { name: 'Log out', exact: true }).click();
    };
    await cut();
    await logOut();
    // The start of the previous test, which waits for the user.
    const question = page.getByRole('dialog').filter({ hasText: '1 start waits to be sent. Logging out deletes it.' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    await restore();
    await logOut();
    await question.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Username').waitFor();
    await way.cut();
    await client.close();
    client = await machine.start({ keychain: true });
    const servers = await client.window('servers');
    await servers.getByRole('alert').getByText('there is no portal at this address').waitFor();
    const count = () => client.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
    // The window of the account that could not be opened is gone.
    await expect.poll(count).toBe(1);
    await way.restore();
    await servers.getByRole('button', { name: /^Runsheet/ }).click();
    page = await client.window('app');
    await page.getByLabel('Username').waitFor();
    await expect.poll(count).toBe(1);
  });

  fullSetTest('without a keychain offers no start while its server is away, and says why and what to do', async () => {
    await client.close();
    client = await machine.start();
    page = await client.window('app');
    await signIn(page, person);
    await fillIn('9');
    expect(await page.getByRole('button', { name: 'Start', exact: true }).isEnabled()).toBe(true);
    await cut();
    await page.getByText('this computer has no keychain that Runsheet can use').waitFor();
    expect(await page.getByRole('button', { name: 'Start', exact: true }).isEnabled()).toBe(false);
    expect(await page.getByRole('button', { name: 'Start when the server is available' }).count()).toBe(0);
    await restore();
    await page.getByText('this computer has no keychain that Runsheet can use').waitFor({ state: 'detached' });
  });
});
