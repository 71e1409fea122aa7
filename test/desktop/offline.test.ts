/** The desktop client while its server is away, on the real runtime: reading, and starts that wait through a kill and a restart. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from '../e2e/support/portal.ts';
import { publish } from '../e2e/support/publish.ts';
import { hasKeychain, whyNoElectron } from '../../scripts/electron-runtime.ts';
import { killBench, MOMENTS, type Bridged } from './support/kills.ts';
import { createMachine, type Client, type Machine } from './support/runtime.ts';
import { wayTo, type Way } from './support/way.ts';

const PASSWORD = 'Newcomer-Pass-1';
/** Where pictures of the states are wanted. */
const PICTURES = process.env['RUNSHEET_PICTURES'] ?? '';
const KILLS = Number(process.env['RUNSHEET_FAULT_RESTARTS']) || 0;
/** Nobody is at work meanwhile, and Chromium writes in its own time when somebody was. */
const SETTINGS: Record<string, string> = KILLS > 100 ? { RUNSHEET_INACTIVITY_MINUTES: '1440' } : {};
const missing = whyNoElectron() || (hasKeychain() ? '' : 'no keychain');

const DOUBLE: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 21, B1: { formula: 'A1*2', value: 42 } } }],
  names: { in_Amount: 'S!$A$1', out_Double: 'S!$B$1' },
};

describe.skipIf(missing !== '')('without its server the desktop client', () => {
  let portal: Portal;
  let machine: Machine;
  let author: Browser;
  let way: Way;
  let client: Client;
  let page: Page;
  let activity: number;

  beforeAll(async () => {
    [portal, machine, author] = await Promise.all([startPortal(SETTINGS), createMachine(), openBrowser()]);
    await firstSignIn(author.page, portal, PASSWORD);
    activity = await publish(author, portal, { Name: 'Double', workbook: DOUBLE, hasSimultaneousRuns: true });
    way = await wayTo(portal.address);
    client = await machine.start({ keychain: true });
    const servers = await client.window('servers');
    await servers.getByLabel('Address').fill(way.address);
    await servers.getByRole('button', { name: 'Add' }).click();
    page = await client.window('app');
    await page.getByLabel('Username').fill(portal.userName);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByRole('heading', { name: 'Activities' }).waitFor();
  }, 240_000);
  afterAll(async () => {
    await client?.close();
    await author?.close();
    await way?.cut();
    await machine?.remove();
    await portal?.stop();
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
  const again = async (): Promise<void> => {
    client = await machine.start({ keychain: true });
    page = await client.window('app');
    await page.reload().catch(() => page.waitForLoadState());
  };
  const fillIn = async (amount: string): Promise<void> => {
    await go(`/activities/run/${activity}/`);
    await page.getByLabel('Amount').fill(amount);
  };
  /** The client may find the server by itself, before the button is pressed. */
  const mend = async (): Promise<void> => {
    await way.mend();
    const gone = bar('The server is not reached.').waitFor({ state: 'detached' });
    const pressed = page.getByRole('button', { name: 'Try now' }).click();
    await Promise.all([gone, Promise.race([pressed, gone]).catch(() => undefined)]);
  };
  const runsOf = async (): Promise<string> => {
    await author.page.goto(`${portal.address}/activities/runhistory/${activity}/`);
    await author.page.getByRole('heading', { level: 1 }).waitFor();
    await author.page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
    return author.page.getByRole('main').innerText();
  };

  test('is signed in after it was killed right after the sign-in', async () => {
    // By now the page has called with its session.
    await page.getByRole('link', { name: 'Double', exact: true }).first().waitFor();
    await client.kill();
    await again();
    await page.getByRole('link', { name: 'Double', exact: true }).first().waitFor();
  });

  test('has the key for what will be typed before a form was opened', async () => {
    const keyStatus = (): Promise<number> =>
      page.evaluate(async () => {
        const { token } = JSON.parse(localStorage.getItem('runsheet.session') ?? '{}') as { token: string };
        const { addressOf } = (window as unknown as { runsheet: { addressOf: (path: string) => string } }).runsheet;
        const headers = { authorization: `Bearer ${token}` };
        const answered = fetch(addressOf('api/users/draftkey'), { headers });
        return answered.then(
          ({ status }) => status,
          () => 0,
        );
      });
    // Asked for by the test only while the server is away.
    await expect
      .poll(async () => {
        await way.cut();
        const status = await keyStatus();
        if (status !== 200) await way.mend();
        return status;
      })
      .toBe(200);
    await bar('The server is not reached.').waitFor();
    await mend();
  });

  test('goes on where connections are lost in the middle of answers', async () => {
    const streams = () =>
      page.evaluate(async () => {
        const { token } = JSON.parse(localStorage.getItem('runsheet.session') ?? '{}') as { token: string };
        const { addressOf } = (window as unknown as { runsheet: { addressOf: (path: string) => string } }).runsheet;
        const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
        // Beside the page's own and the program's; of one session Chromium opens six connections to a server at most.
        const answers = Array.from({ length: 7 }, () => fetch(addressOf('api/events'), { headers }));
        for (const answer of await Promise.all(answers)) await answer.body!.getReader().read();
      });
    for (let round = 0; round < 3; round += 1) {
      await streams();
      await way.cut();
      await bar('The server is not reached.').waitFor();
      await mend();
    }
    // Nor does a dialog stop it, whatever else goes wrong in main.
    await client.app.evaluate(
      () =>
        void setImmediate(() => {
          throw new Error('nobody has expected this');
        }),
    );
    await expect.poll(() => client.log()).toContain('an unexpected error: nobody has expected this');
    expect(await client.app.evaluate(() => 'it goes on')).toBe('it goes on');
  });

  test('makes calls beside any number of streams of pages that were left before these were answered', async () => {
    way.letEventsPass(false);
    for (let left = 0; left < 8; left += 1) {
      await go('/activities/');
      await page.getByRole('link', { name: 'Double', exact: true }).first().waitFor();
    }
    way.letEventsPass(true);
    await page.reload();
    // The program's own, and that of the page that is shown: the others end.
    await expect.poll(() => way.streams(), { timeout: 10_000 }).toBeLessThanOrEqual(2);
  });

  test('tells that this computer has no network, and that an update is needed, from a server that is not reached', async () => {
    const look = (): Promise<void> =>
      page.evaluate(() =>
        (window as unknown as { runsheet: { connection: { look(): void } } }).runsheet.connection.look(),
      );
    await go('/activities/');
    await page.getByRole('link', { name: 'Double', exact: true }).first().waitFor();
    const network = (offline: boolean): Promise<void> =>
      client.app.evaluate(({ net }, isOff) => {
        // Chromium's own emulation knows calls of pages alone.
        const kept = globalThis as { realNet?: object };
        kept.realNet ??= { ...net };
        const nothing = (): void => undefined;
        const lost = {
          on: (name: string, listener: (error: Error) => void) => {
            if (name === 'error') setImmediate(listener, new Error('net::ERR_INTERNET_DISCONNECTED'));
          },
          setHeader: nothing,
          end: nothing,
          abort: nothing,
        };
        Object.assign(net, isOff ? { request: () => lost } : kept.realNet);
      }, offline);
    await network(true);
    await look();
    await bar('This computer has no network').waitFor();
    const invite = page.locator('a', { hasText: 'Add a user' });
    expect(await invite.getAttribute('title')).toBe('This computer has no network');
    expect(await invite.getAttribute('href')).toBeNull();
    await picture('offline');
    await network(false);
    await look();
    await bar('This computer has no network').waitFor({ state: 'detached' });
    way.pretendOther(true);
    await look();
    await bar('Update needed').waitFor();
    await picture('update-needed');
    way.pretendOther(false);
    await look();
    await bar('Update needed').waitFor({ state: 'detached' });
  });

  test('shows what was opened before, as of when it was, and disables what needs the server', async () => {
    await go('/activities/');
    await page.getByRole('link', { name: 'Double', exact: true }).first().waitFor();
    await go(`/activities/run/${activity}/`);
    await page.getByLabel('Amount').waitFor();
    await picture('online');
    await way.cut();
    await bar('The server is not reached.').waitFor({ timeout: 45_000 });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await go('/');
    await page.getByRole('link', { name: 'Double', exact: true }).first().waitFor();
    await bar('Shown as of').waitFor();
    expect(asked).toContain('/api/activities');
    expect(asked).not.toContain('/api/startPage');
    await picture('not-reached');
    const users = page.getByRole('navigation', { name: 'Main' }).getByText('Users', { exact: true });
    expect(await users.locator('..').getAttribute('title')).toBe('The server is not reached');
    expect(await page.locator('a', { hasText: 'New activity' }).last().getAttribute('title')).toBe(
      'The server is not reached',
    );
    expect(await page.locator('a', { hasText: 'New activity' }).last().getAttribute('href')).toBeNull();
  });

  test('keeps what was typed over a restart of the program, though the server is away', async () => {
    await fillIn('77');
    await page.waitForFunction(() => Object.keys(window.localStorage).some((key) => key.includes('run-form.')));
    await client.close();
    await again();
    await go(`/activities/run/${activity}/`);
    await page.getByText('What you entered earlier is back.').waitFor();
    expect(await page.getByLabel('Amount').inputValue()).toMatch(/^77/);
  });

  test('keeps a start, through a kill and a restart, and starts it once', async () => {
    await fillIn('123');
    await page.getByRole('button', { name: 'Start once the server is reached' }).click();
    await page.getByRole('heading', { name: 'Outbox' }).waitFor();
    await page.getByText('Waiting', { exact: true }).waitFor();
    await picture('waiting');
    await client.kill();
    await again();
    await go('/outbox');
    await page.getByText('Waiting', { exact: true }).waitFor();
    await bar('The server is not reached.').waitFor();
    expect(await runsOf()).not.toMatch(/Success|Finished|Succeeded/);
    await mend();
    await page.getByText('Started', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open the run' }).click();
    await page.getByText('246').first().waitFor();
    await go('/outbox');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Nothing waits').waitFor();
  });

  // Each takes a restart of the program: where so many are asked for.
  test.skipIf(KILLS === 0)(
    `killed ${KILLS} times while it queues, sends and is answered: what it said to keep is one run`,
    { timeout: 60_000 + KILLS * 30_000 },
    async () => {
      const bench = await killBench(author.page, portal.address, activity);
      for (let turn = 0; turn < KILLS; turn += 1) {
        await way.cut();
        await page.evaluate(() => (window as unknown as Bridged).runsheet.connection.look());
        await bar('The server is not reached.')
          .waitFor({ timeout: 45_000 })
          .catch(async (cause: unknown) => {
            const shown = await page.locator('body').innerText();
            throw new Error(`Turn ${turn}. The page shows:\n${shown}\nMain says:\n${client.log()}`, { cause });
          });
        const moment = MOMENTS[turn % MOMENTS.length]!;
        const wasKept = await bench.killAt(moment, turn, { client, page, way });
        await again();
        const left = await bench.settled(page, wasKept);
        const runs = await bench.runsOf(turn);
        expect({ turn, moment, runs }).toEqual({ turn, moment, runs: left });
        expect(left.length, `start ${turn}, ${moment}`).toBeGreaterThanOrEqual(wasKept ? 1 : 0);
        await bench.clear(page);
        // It takes its time.
        if ((turn + 1) % 10 === 0) process.stdout.write(`${turn + 1} of ${KILLS} kills\n`);
      }
    },
  );

  test('shows what changed where the activity has a newer version meanwhile, with the form filled in', async () => {
    await fillIn('5');
    await way.cut();
    await bar('The server is not reached.').waitFor({ timeout: 45_000 });
    await page.getByRole('button', { name: 'Start once the server is reached' }).click();
    await page.getByText('Waiting', { exact: true }).waitFor();
    await author.page.goto(`${portal.address}/activities/edit/${activity}/`);
    const buffer = await buildWorkbook({
      ...DOUBLE,
      sheets: [{ name: 'S', cells: { A1: 21, A2: 1, B1: { formula: 'A1*2+A2', value: 43 } } }],
      names: { in_Amount: 'S!$A$1', in_Extra: 'S!$A$2', out_Double: 'S!$B$1' },
    });
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    await author.page.locator('input[type=file]').first().setInputFiles({ name: 'Double.xlsx', mimeType, buffer });
    await author.page.getByLabel('Change Description').fill('One more input');
    await author.page.getByRole('button', { name: 'Update Activity' }).click();
    await author.page.getByText('Activity updated', { exact: false }).first().waitFor();
    await mend();
    await page.getByText('Needs you', { exact: true }).waitFor();
    await picture('needs-you');
    await page.getByRole('link', { name: 'Look over version 2' }).click();
    await page.getByText('Extra is new.').waitFor();
    expect(await page.getByLabel('Amount').inputValue()).toMatch(/^5/);
    await picture('newer-version');
  });

  test('after a sign-out begins with the servers while its server is away, and opens it from there later', async () => {
    await page.getByRole('button', { name: /^User menu/ }).click();
    await page.getByRole('menuitem', { name: 'Log out', exact: true }).click();
    await page.getByLabel('Username').waitFor();
    await way.cut();
    await client.close();
    client = await machine.start({ keychain: true });
    const servers = await client.window('servers');
    await servers.getByRole('alert').getByText('no portal listens at this address').waitFor();
    const count = () => client.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
    // The window of the account that could not be opened is gone.
    await expect.poll(count).toBe(1);
    await way.mend();
    await servers.getByRole('button', { name: /^Runsheet/ }).click();
    page = await client.window('app');
    await page.reload().catch(() => page.waitForLoadState());
    await page.getByLabel('Username').waitFor();
    expect(await count()).toBe(1);
  });
});
