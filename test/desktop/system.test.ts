/**
 * The client's integration with the system, on the real runtime: dragged files, clicked messages, a locked keychain.
 */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import type { Page } from 'playwright-core';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import type { Activity } from '#shared/contract/activities.ts';
import { hasKeychain, hasMessages, whyNoElectron } from '../../scripts/electron-runtime.ts';
import { DOUBLE, clientPortal, type ClientPortal, type Person } from './support/client-portal.ts';
import { openPortal, signIn } from './support/pages.ts';
import { createMachine, type Client, type Machine } from './support/runtime.ts';

const missing = whyNoElectron() || (hasKeychain() ? '' : 'no keychain');

describe.skipIf(missing !== '')('with its system the desktop client', () => {
  let portal: ClientPortal;
  let person: Person;
  let machine: Machine;
  let client: Client;
  let page: Page;
  let activity: number;

  beforeAll(async () => {
    [portal, machine] = await Promise.all([clientPortal(), createMachine()]);
    person = await portal.createPerson();
    activity = await person.publish('Twice', DOUBLE);
    client = await machine.start({ keychain: true });
    page = await openPortal(client, portal, person);
  });
  afterAll(async () => {
    await client?.close();
    await machine?.remove();
  });

  const go = (path: string): Promise<unknown> => page.goto(`runsheet://app${path}`);
  const run = async (): Promise<void> => {
    await go(`/activities/run/${activity}/`);
    await page.getByLabel('Amount').fill('123');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('246').first().waitFor();
  };

  test('lets a result be dragged out, as a file under its name', async () => {
    await run();
    await client.app.evaluate(({ BrowserWindow }) => {
      const dragged: string[] = [];
      Object.assign(globalThis, { dragged });
      for (const { webContents } of BrowserWindow.getAllWindows())
        webContents.startDrag = (({ file }: { file: string }) => void dragged.push(file)) as never;
    });
    const dragged = () => client.app.evaluate(() => (globalThis as unknown as { dragged: string[] }).dragged);
    const file = page.getByTitle(/^Download .*\.xlsx$/).first();
    const box = (await file.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 40, { steps: 8 });
    await expect.poll(dragged).toHaveLength(1);
    await page.mouse.up();
    const [path = ''] = await dragged();
    expect(basename(path)).toMatch(/\.xlsx$/);
    expect(readFileSync(path).subarray(0, 2).toString()).toBe('PK');
  });

  test('hands on addresses of the portal, which others can open', async () => {
    await go(`/activities/run/${activity}/`);
    await page.getByLabel('Amount').fill('123');
    await page.getByRole('button', { name: 'Copy link with values' }).click();
    const copied = () => client.app.evaluate(({ clipboard }) => clipboard.readText());
    await expect.poll(copied).toBe(`${portal.address}activities/run/${activity}/#Amount=123`);
    await go(`/activities/${activity}/`);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Create public link' }).click();
    const asked = page.getByRole('dialog', { name: 'Create public link' });
    await asked.getByRole('button', { name: 'Create public link' }).click();
    await page.getByText(`${portal.address}public/activities/run/${activity}`).waitFor();
  });

  test('takes a file that is dropped', async () => {
    await go('/activities/new/');
    const file = join(machine.home, 'Dropped.xlsx');
    await writeFile(file, await buildWorkbook(DOUBLE), { mode: 0o644 });
    const zone = page.locator('.rs-drop').first();
    const box = (await zone.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [file], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, x, y, data });
    await page.getByText('Amount').first().waitFor();
    // For a page with unsaved work, the program asks whether to leave it.
    await client.app.evaluate(({ dialog }) => void (dialog.showMessageBoxSync = (() => 1) as never));
    // A file dropped outside the drop zone is not opened as a page.
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, x: 5, y: 5, data });
    expect(page.url()).toMatch(/^runsheet:\/\/app\//);
  });

  test('reports a failed run, and a click on the message leads to it', async (context) => {
    if (!hasMessages()) context.skip('no dunst here');
    const shown = (): number => Number(machine.onBus('dunstctl', 'count', 'displayed'));
    const ActivityId = await person.publish('Fails', {
      sheets: [{ name: 'S', cells: { A1: 1, B1: { formula: '1/(A1-1)', error: '#DIV/0!' } } }],
      names: { in_Amount: 'S!$A$1', out_Ratio: 'S!$B$1' },
    });
    const { Inputs } = await person.call<Activity>(`api/activities/details/${ActivityId}`);
    await go('/activities/');
    const before = shown();
    const input = { ActivityParameterId: Inputs[0]!.Id, Value: '1' };
    await person.call('api/activities/start', { ActivityId, ActivityVersion: 1, UniqueId: null, Inputs: [input] });
    await expect.poll(shown).toBeGreaterThan(before);
    machine.onBus('dunstctl', 'action');
    await page.waitForURL('**/activities/runstatus/**');
    await page.getByRole('heading', { name: 'Fails' }).waitFor();
  });

  fullSetTest(
    'continues where the keychain is locked while it runs: says so, and forgets the new session at its end',
    async () => {
      machine.onBus(
        'dbus-send',
        '--session',
        '--print-reply',
        '--dest=org.freedesktop.secrets',
        '/org/freedesktop/secrets',
        'org.freedesktop.Secret.Service.Lock',
        'array:objpath:/org/freedesktop/secrets/collection/login',
      );
      // What was opened before and the current session need no keychain.
      await run();
      await page.getByRole('button', { name: /^User menu/ }).click();
      const shown = (): number => (hasMessages() ? Number(machine.onBus('dunstctl', 'count', 'displayed')) : 1);
      await page.getByRole('menuitem', { name: 'Log out', exact: true }).click();
      await page.getByLabel('Username').waitFor();
      // The client waits ten seconds for each call to an unresponsive keychain.
      page.setDefaultTimeout(60_000);
      await signIn(page, person);
      await client.menu('Servers…');
      const servers = await client.window('servers');
      await servers.getByText(/keychain/).waitFor();
      await expect.poll(shown).toBeGreaterThan(0);
      await client.close();
      // The keychain is unlocked at the next start and contains no session.
      client = await machine.start({ keychain: true });
      page = await client.window('app');
      await page.getByLabel('Username').waitFor();
    },
  );

  fullSetTest('forgets everything of a server that is removed', async () => {
    await signIn(page, person);
    await client.menu('Servers…');
    const servers = await client.window('servers');
    await servers.getByText(person.userName).waitFor();
    await servers.getByRole('button', { name: /^Remove Runsheet/ }).click();
    await servers.getByRole('button', { name: 'Remove', exact: true }).click();
    await servers.getByRole('heading', { name: 'Welcome to Runsheet' }).waitFor();
    expect(client.app.windows()).toHaveLength(1);
  });
});
