/** Keyboard focus on the desktop client's pages for servers, in a browser that simulates the program's main process. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { build, type Rolldown } from 'vite';
import type { ServersBridge, ShownServer } from '#bridge/messages.ts';
import { openBrowser, type Browser } from './support/browser.ts';

const ORIGIN = 'http://servers.test/';
const CONFIG = fileURLToPath(new URL('../../build/desktop.config.ts', import.meta.url));
const TYPES: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};
const SALES: ShownServer = {
  Id: 'a'.repeat(16),
  Address: 'https://sales.example.org/',
  Title: 'Sales',
  UserName: null,
};
const LEDGER: ShownServer = { ...SALES, Id: 'b'.repeat(16), Address: 'https://ledger.example.org/', Title: 'Ledger' };

let browser: Browser;
beforeAll(async () => {
  const built = (await build({
    configFile: CONFIG,
    mode: 'servers',
    logLevel: 'warn',
    build: { write: false },
  })) as Rolldown.RolldownOutput;
  const files = new Map(built.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]));
  browser = await openBrowser();
  await browser.context.addInitScript(playMain, [SALES, LEDGER]);
  await browser.context.route(`${ORIGIN}**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1) || 'index.html';
    const body = files.get(name);
    const contentType = TYPES[name.split('.').at(-1)!];
    if (body === undefined) await route.fulfill({ status: name.endsWith('.svg') ? 204 : 404 });
    else await route.fulfill({ body: Buffer.from(body), ...(contentType && { contentType }) });
  });
});
afterAll(async () => {
  await browser.close();
  expect(browser.errors).toEqual([]);
});
beforeEach(async () => {
  await browser.page.goto(ORIGIN);
  await browser.page.getByRole('heading', { name: 'Add a server' }).waitFor();
});

/** Runs in the page. The first server is known from the start; the second one can be added, and none can be opened. */
function playMain([known, added]: ShownServer[]): void {
  let servers = [known!];
  const Problem = 'The server cannot be reached';
  const main: Partial<ServersBridge> = {
    language: 'en',
    listServers: async () => ({ Servers: servers, KeychainProblem: '', Problem: servers.length > 1 ? Problem : '' }),
    addServer: async (address) => {
      if (address === '') return { Id: null, Problem: 'Please enter the address of the portal' };
      servers = [known!, added!];
      return { Id: added!.Id, Problem };
    },
    openServer: async (Id) => {
      // Long enough for the browser to take the focus from a disabled button, which it does with the next frame.
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { Id, Problem };
    },
    countWaiting: async () => 0,
    removeServer: async (id) => {
      servers = servers.filter(({ Id }) => Id !== id);
      return null;
    },
  };
  Object.assign(window, { runsheetServers: main });
}

const focused = (): Promise<string> =>
  browser.page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute('aria-label') ?? activeElement?.closest('label, button')?.textContent ?? '';
  });
const press = async (name: string | RegExp): Promise<void> => {
  await browser.page.getByRole('button', { name }).focus();
  await browser.page.keyboard.press('Enter');
};

test('the address has the focus after an attempt to add a server, whether it was added or not', async () => {
  const { page } = browser;
  await press('Add');
  await page.getByRole('alert').getByText('Please enter the address of the portal').waitFor();
  await expect.poll(focused).toBe('Address');
  await page.keyboard.type('ledger.example.org');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove Ledger' }).waitFor();
  expect(await page.getByRole('alert').innerText()).toBe('The server cannot be reached');
  await expect.poll(focused).toBe('Address');
});

test('a server that cannot be opened keeps the focus', async () => {
  await press(/^Sales/);
  await browser.page.getByRole('alert').getByText('The server cannot be reached').waitFor();
  await expect.poll(focused).toBe('Saleshttps://sales.example.org/');
});

test('after a question about a removal, the focus is where the person continues', async () => {
  const { page } = browser;
  await press('Remove Sales');
  await page.getByRole('heading', { name: 'Remove this server?' }).waitFor();
  await expect.poll(focused).toBe('Cancel');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Add a server' }).waitFor();
  await expect.poll(focused).toMatch(/^Remove Sales/);
  await page.getByLabel('Address').fill('ledger.example.org');
  await page.keyboard.press('Enter');
  await press('Remove Ledger');
  await page.getByRole('heading', { name: 'Remove this server?' }).waitFor();
  await press('Remove');
  await page.getByRole('heading', { name: 'Add a server' }).waitFor();
  await expect.poll(focused).toBe('Address');
});
