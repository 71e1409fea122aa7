/**
 * The hosts that the desktop client contacts: only its server, and dictionaries for the spelling check if the user
 * agrees. An administrator's policy applies. On the real runtime.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoElectron } from '../../scripts/electron-runtime.ts';
import { clientPortal, type ClientPortal } from './support/client-portal.ts';
import { addServer } from './support/pages.ts';
import { createMachine, type Client, type Machine } from './support/runtime.ts';

const missing = whyNoElectron();
const isRoot = process.getuid?.() === 0;
const CONTROL = 'asked-on-purpose.example.org:443';
const OFFERED = 'Check Spelling';

describe.skipIf(missing !== '')('the desktop client', () => {
  let portal: ClientPortal;
  let machine: Machine;
  let client: Client;
  let proxy: Server;
  /** Hosts that the program tried to reach through its proxy: all except this computer. */
  const asked: string[] = [];
  /** Files fetched from the company's folder. */
  const fetched: string[] = [];

  beforeAll(async () => {
    [portal, machine] = await Promise.all([clientPortal(), createMachine()]);
    proxy = createServer((request, response) => {
      fetched.push(request.url ?? '');
      response.writeHead(404).end();
    });
    proxy.on('connect', ({ url }: { url: string }, socket: NodeJS.WritableStream) => {
      asked.push(url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    client = await machine.start({ args: args() });
  });
  afterAll(async () => {
    await client?.close().catch(() => undefined);
    await machine?.remove();
    proxy?.close();
  });

  const address = (): string => `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const args = (): string[] => [`--proxy-server=http://${address()}`];
  const options = (): Promise<Record<string, boolean>> =>
    client.app.evaluate(({ Menu }) =>
      Object.fromEntries(
        Menu.getApplicationMenu()!
          .items.find(({ label }) => label === 'Options')!
          .submenu!.items.map(({ label, checked }) => [label, checked]),
      ),
    );
  /** Types text with a spelling error into the current page. */
  const write = async (): Promise<void> => {
    const page = await client.window('app');
    await page.getByLabel('Username').fill('');
    await page.getByLabel('Username').pressSequentially('somebdy ');
  };
  const answerOfDialogs = (response: number): Promise<void> =>
    client.app.evaluate(({ dialog }, chosen) => {
      dialog.showMessageBox = (async () => ({ response: chosen, checkboxChecked: false })) as never;
    }, response);

  test('asks nobody but its server', async () => {
    await addServer(client, portal.address);
    await write();
    // Acts as a marker: requests made before it have arrived by then.
    await client.app.evaluate(
      ({ BrowserWindow }, url) => BrowserWindow.getAllWindows()[0]!.webContents.session.fetch(url).then(String, String),
      `https://${CONTROL}/`,
    );
    expect(asked.splice(0)).toEqual([CONTROL]);
  });

  test('asks where dictionaries are before it fetches them, and checks no spelling unless that is agreed to', async () => {
    await answerOfDialogs(0);
    await client.menu(OFFERED);
    await expect.poll(async () => (await options())[OFFERED]).toBe(false);
    await write();
    expect(asked).toEqual([]);
    await answerOfDialogs(1);
    await client.menu(OFFERED);
    await expect.poll(async () => (await options())[OFFERED]).toBe(true);
    await write();
    await expect.poll(() => asked).toContain('redirector.gvt1.com:443');
    await client.menu(OFFERED);
    await expect.poll(async () => (await options())[OFFERED]).toBe(false);
  });

  test('takes what an administrator has laid down: the servers, and where dictionaries come from', async (context) => {
    if (!isRoot) context.skip('only root can lay down a policy');
    await client.close();
    asked.length = 0;
    // As on a computer where the program was never started.
    await rm(join(machine.home, '.config/Runsheet'), { recursive: true });
    const policy = {
      version: 1,
      servers: [portal.address],
      otherServers: false,
      dictionaries: `http://${address()}/dictionaries`,
    };
    client = await machine.start({ args: args(), policy });
    expect((await options())[OFFERED]).toBe(true);
    // The address did not have to be entered.
    await write();
    await expect.poll(() => fetched).toContainEqual(expect.stringMatching(/^\/dictionaries\/en-us-.*\.bdic$/i));
    expect(asked).toEqual([]);
    await client.menu('Servers…');
    const servers = await client.window('servers');
    await servers.getByLabel('Address').fill('https://other.example.org');
    await servers.getByRole('button', { name: 'Add' }).click();
    await servers.getByText('Your administrator does not allow this server').waitFor();
  });
});
