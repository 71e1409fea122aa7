/**
 * The actions of users on the pages of the desktop client before a test: adding a server and signing in. Also prints
 * what its pages show when a test fails.
 */
import type { Page } from 'playwright-core';
import { afterEach } from 'vitest';
import type { DesktopBridge } from '#bridge/desktop-bridge.ts';
import type { ClientPortal, Person } from './client-portal.ts';
import { openClients, type Client } from './runtime.ts';

const MAX_SHOWN = 3000;

// Without this, a failure that occurs only elsewhere would name only the condition that was not met.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const client of openClients) {
    for (const page of client.app.windows()) {
      const text = await page.evaluate(() => document.body.innerText).catch(String);
      process.stderr.write(`${task.name}: ${page.url()} showed\n${text.slice(0, MAX_SHOWN)}\n`);
    }
    process.stderr.write(`${task.name}: main said\n${client.log().slice(-MAX_SHOWN)}\n`);
  }
});

/** The window of a page, as seen by scripts that a test runs in it. */
export interface Bridged {
  runsheet: Omit<DesktopBridge, 'addressOf'> & { addressOf: (path: string) => string };
}

/** Enters the address of a portal on the page of servers and returns the portal's page. */
export async function addServer(client: Client, address: string): Promise<Page> {
  const servers = await client.window('servers');
  await servers.getByLabel('Address').fill(address);
  await servers.getByRole('button', { name: 'Add' }).click();
  return client.window('app');
}

export async function signIn(page: Page, { userName, password }: Pick<Person, 'userName' | 'password'>): Promise<void> {
  await page.getByLabel('Username').fill(userName);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('heading', { name: 'Activities' }).waitFor();
}

/** Adds the server, signs in and returns the page with the list of activities. */
export async function openPortal(
  client: Client,
  { address }: Pick<ClientPortal, 'address'>,
  person: Person,
): Promise<Page> {
  const page = await addServer(client, address);
  await signIn(page, person);
  return page;
}
