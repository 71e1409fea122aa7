/** Signing in to the desktop client with the system's browser, here a real Chromium, on the real runtime. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoElectron } from '../../scripts/electron-runtime.ts';
import { openBrowser, type Browser } from '../e2e/support/portal.ts';
import { clientPortal, type ClientPortal, type Person } from './support/client-portal.ts';
import { addServer, signIn, type Bridged } from './support/pages.ts';
import { createMachine, type Client, type Machine } from './support/runtime.ts';

const missing = whyNoElectron();

describe.skipIf(missing !== '')('the desktop client', () => {
  let portal: ClientPortal;
  let person: Person;
  let machine: Machine;
  let client: Client;
  let browser: Browser;

  beforeAll(async () => {
    [portal, machine, browser] = await Promise.all([clientPortal(), createMachine(), openBrowser()]);
    person = await portal.createPerson();
    client = await machine.start();
  });
  afterAll(async () => {
    await client?.close();
    await browser?.close();
    await machine?.remove();
  });

  test('signs in through the browser of the system, where the person is known already', async () => {
    const page = await addServer(client, portal.address);
    await page.getByLabel('Username').waitFor();
    // Does what the button of a provider does.
    await page.evaluate(() =>
      (window as unknown as Bridged).runsheet.leaveFor('https://provider.example.org', '/sessions'),
    );
    const waiting = await client.window('servers');
    await waiting.getByText('Your browser has opened').waitFor();
    await browser.page.goto(`${portal.address}login`);
    await signIn(browser.page, person);
    await expect.poll(() => client.openedOutside()).toHaveLength(1);
    const [address] = await client.openedOutside();
    await browser.page.goto(address!);
    await browser.page.getByRole('heading', { name: 'Sign in to the desktop client' }).waitFor();
    await browser.page.getByRole('button', { name: 'Continue' }).click();
    await browser.page.getByText('Login successful. You can go back to Runsheet.').waitFor();
    const shown = await client.window('app');
    await shown.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(shown.url()).not.toMatch(/ott|sso/);
  });
});
