/** The effect of an administrator's policy on existing accounts, on the real runtime. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoElectron } from '../../scripts/electron-runtime.ts';
import { clientPortal, type ClientPortal } from './support/client-portal.ts';
import { addServer } from './support/pages.ts';
import { createMachine, type Client, type Machine } from './support/runtime.ts';

const missing = whyNoElectron() || (process.getuid?.() === 0 ? '' : 'only root can lay down a policy');

describe.skipIf(missing !== '')('a policy', () => {
  let portal: ClientPortal;
  let machine: Machine;
  let client: Client;

  beforeAll(async () => {
    [portal, machine] = await Promise.all([clientPortal(), createMachine()]);
    client = await machine.start();
    await addServer(client, portal.address);
  });
  afterAll(async () => {
    await client?.close();
    await machine?.remove();
  });

  test('without dictionaries offers no check of spelling', async () => {
    await client.close();
    client = await machine.start({ policy: { version: 1, dictionaries: 'none' } });
    await client.window('app');
    const options = await client.app.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()!
        .items.find(({ label }) => label === 'Options')!
        .submenu!.items.map(({ label }) => label),
    );
    expect(options).toContain('Start at Login');
    expect(options).not.toContain('Check Spelling');
  });

  test('of other servers opens none of the accounts that it does not allow', async () => {
    await client.close();
    const policy = { version: 1, servers: ['https://other.example.org'], otherServers: false };
    client = await machine.start({ policy });
    await client.window('servers');
    // No window was created for the account opened last: Electron numbers windows from 1.
    expect(await client.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map(({ id }) => id))).toEqual(
      [1],
    );
  });
});
