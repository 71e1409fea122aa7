/** The desktop client on the real runtime, with a real server. */
import { createServer, get, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCertificate } from '#test/support/peers/certificates.ts';
import { whyNoElectron } from '../../scripts/electron-runtime.ts';
import { clientPortal, type ClientPortal, type Person } from './support/client-portal.ts';
import { addServer, type Bridged } from './support/pages.ts';
import { createMachine, type Client, type Machine } from './support/runtime.ts';

const LINK = 'runsheet://open/activities/runhistory';
const NEW_PASSWORD = 'Newcomer-Pass-1';
const missing = whyNoElectron();

describe.skipIf(missing !== '')('the desktop client', () => {
  let portal: ClientPortal;
  let person: Person;
  let machine: Machine;
  let client: Client;

  beforeAll(async () => {
    [portal, machine] = await Promise.all([clientPortal(), createMachine()]);
    person = await portal.createPerson({ mustChangePassword: true });
    client = await machine.start();
  });
  afterAll(async () => {
    await client?.close();
    await machine?.remove();
  });

  test('asks for the address of a portal, and says what is wrong with one', async () => {
    const page = await client.window('servers');
    await page.getByRole('heading', { name: 'Welcome to Runsheet' }).waitFor();
    const other = createServer((_request, response) => response.end('<h1>Welcome to nginx</h1>')).listen(
      0,
      '127.0.0.1',
    );
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { key, certificate: cert } = await makeCertificate('portal.example.org');
    const unknown = createSecureServer({ key, cert }).listen(0, '127.0.0.1');
    await once(unknown, 'listening');
    const { port: securePort } = unknown.address() as AddressInfo;
    const wrong: [string, string][] = [
      ['', 'Please enter the address of the portal'],
      ['http://portal.example.org', 'must begin with https://'],
      ['http://127.0.0.1:1', 'The port of this address is not used for web pages'],
      [`https://127.0.0.1:${port}`, 'An encrypted connection'],
      [`https://127.0.0.1:${securePort}`, 'does not trust the authority that issued the certificate'],
      [`http://127.0.0.1:${port}`, 'is not a Runsheet portal'],
      ['https://no-such-host.invalid', 'server'],
    ];
    for (const [address, text] of wrong) {
      await page.getByLabel('Address').fill(address);
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByRole('alert').getByText(text).waitFor();
    }
    other.close();
    unknown.close();
  });

  test('shows the portal of an address, and signs in by password; the page never holds a token', async () => {
    const page = await addServer(client, `${portal.address}activities/`);
    await page.getByLabel('Username').fill(person.userName);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByLabel('New Password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Confirm New Password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('heading', { name: 'Activities' }).waitFor();
    const session = JSON.parse(await page.evaluate(() => localStorage.getItem('runsheet.session') ?? '{}'));
    expect(session).toMatchObject({ userName: person.userName, token: expect.stringMatching(/^handle-/) });
    const direct = await fetch(`${portal.address}api/users/profile`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
      body: '[]',
    });
    expect(direct.status).toBe(401);
  });

  test('gives its page named functions alone, which cannot be changed', async () => {
    const page = await client.window('app');
    const found = await page.evaluate(() => {
      const bridge = (window as unknown as { runsheet: Record<string, unknown> }).runsheet;
      return {
        frozen: Object.isFrozen(bridge) && Object.isFrozen(bridge['shared']),
        names: Object.keys(bridge).toSorted(),
        node: [
          typeof (globalThis as { require?: unknown }).require,
          typeof (globalThis as { process?: unknown }).process,
        ],
      };
    });
    expect(found.frozen).toBe(true);
    expect(found.node).toEqual(['undefined', 'undefined']);
    expect(found.names).toContain('openExternal');
    expect(found.names.filter((name) => /ipc|invoke|send|channel/i.test(name))).toEqual([]);
  });

  test('goes nowhere but to the portal, opens the web outside, and permits nothing', async () => {
    const page = await client.window('app');
    const before = page.url();
    await page.evaluate(() => window.location.assign('https://elsewhere.example.org/'));
    await page.evaluate(() => window.location.assign('file:///etc/passwd'));
    await page.evaluate(() => void window.open('https://window.example.org/'));
    await page.evaluate(() => void window.open('file:///etc/passwd'));
    await expect
      .poll(() => client.openedOutside())
      .toEqual(['https://elsewhere.example.org/', 'https://window.example.org/']);
    expect(page.url()).toBe(before);
    expect(client.app.windows()).toHaveLength(1);
    const refused = await page.evaluate(async () => {
      const asked = await Notification.requestPermission();
      const permission = await navigator.permissions.query({ name: 'geolocation' });
      const scripts = await fetch('https://elsewhere.example.org/').then(String, () => 'refused');
      return [asked, permission.state, scripts];
    });
    expect(refused).toEqual(['denied', 'denied', 'refused']);
  });

  test('saves a file of the portal among the downloads, under a name that is free', async () => {
    const page = await client.window('app');
    const save = (): Promise<void> =>
      page.evaluate(() => {
        const link = document.createElement('a');
        link.href = (window as unknown as Bridged).runsheet.addressOf('api/docs/json');
        link.download = 'calls.json';
        link.click();
      });
    await save();
    await expect.poll(() => readdir(machine.downloads)).toEqual(['calls.json']);
    // This machine has no notification service; the page shows the message instead.
    await expect.poll(() => page.evaluate(() => document.body.innerText)).toContain('Downloaded: calls.json');
    await save();
    await expect.poll(() => readdir(machine.downloads)).toEqual(['calls (1).json', 'calls.json']);
    // The file appears before it is complete.
    await expect.poll(() => page.evaluate(() => document.body.innerText)).toContain('Downloaded: calls (1).json');
    await client.app.evaluate(({ shell }) => {
      const shown: string[] = [];
      Object.assign(globalThis, { shown });
      shell.showItemInFolder = (path: string) => void shown.push(path);
    });
    await client.menu('Show Last Download');
    const shown = await client.app.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
    expect(shown).toEqual([join(machine.downloads, 'calls (1).json')]);
  });

  test('ends the call of a page that no longer waits for it', async () => {
    const page = await client.window('app');
    const answer = await page.evaluate(async () => {
      const { token } = JSON.parse(localStorage.getItem('runsheet.session') ?? '{}') as { token: string };
      const stop = new AbortController();
      const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
      const address = (window as unknown as Bridged).runsheet.addressOf('api/events');
      const response = await fetch(address, { headers, signal: stop.signal });
      const first = await response.body!.getReader().read();
      stop.abort();
      return [response.status, first.done];
    });
    expect(answer).toEqual([200, false]);
  });

  test('is one program: a link that starts it again opens in the window that is there', async () => {
    await client.startAgain('runsheet://open/sessions');
    const page = await client.window('app');
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(client.app.windows()).toHaveLength(1);
  });

  test('opens a link that is clicked with Ctrl in a new window', async () => {
    const page = await client.window('app');
    const before = page.url();
    const menu = page.getByRole('navigation', { name: 'Main' });
    await menu
      .getByRole('link')
      .first()
      .click({ modifiers: ['Control'] });
    await expect.poll(() => client.app.windows().length).toBe(2);
    const other = client.app.windows().find((one) => one !== page)!;
    await other.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(page.url()).toBe(before);
    await other.close();
    await expect.poll(() => client.app.windows().length).toBe(1);
  });

  test('asks before a page with unsaved work is left, and stays where that is the answer', async () => {
    const page = await client.window('app');
    await page.getByRole('heading', { name: 'Sessions' }).click();
    await page.evaluate(() => window.addEventListener('beforeunload', (event) => event.preventDefault()));
    await client.app.evaluate(({ dialog }) => {
      const asked: string[] = [];
      Object.assign(globalThis, { asked });
      dialog.showMessageBoxSync = ((options: { message: string }) => asked.push(options.message) - 1) as never;
    });
    const asked = () => client.app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
    await client.startAgain(LINK);
    await expect.poll(asked).toHaveLength(1);
    expect(page.url()).toContain('/sessions');
    // Emits the event of a link that starts the program again, which the test has covered above.
    await client.app.evaluate(({ app }, link) => app.emit('second-instance', {}, [link]), LINK);
    await page.waitForURL('**/activities/runhistory**');
    expect(await asked()).toEqual(Array(2).fill('Your work is not saved! Are you sure you want to leave?'));
  });

  test('without a keychain says so, and asks to sign in again after a restart, in a window that is where it was', async () => {
    const bounds = { x: 70, y: 40, width: 1010, height: 720 };
    await client.app.evaluate(
      ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]!.setBounds(wanted),
      bounds,
    );
    await client.close();
    client = await machine.start({ args: ['runsheet://open/sessions'] });
    const page = await client.window('app');
    expect(await client.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBounds())).toEqual(
      bounds,
    );
    // The link with which it was started.
    expect(page.url()).toMatch(/^runsheet:\/\/app\/sessions/);
    await page.getByText('No keychain of the system was found. You must sign in again').waitFor();
    await page.getByLabel('Username').waitFor();
  });

  test('signs in through the browser of the system, where the person is known already', async () => {
    const page = await client.window('app');
    // Does what the button of a provider does.
    await page.evaluate(() =>
      (window as unknown as Bridged).runsheet.leaveFor('https://provider.example.org', '/sessions'),
    );
    const waiting = await client.window('servers');
    await waiting.getByText('Your browser has opened').waitFor();
    await expect.poll(() => client.openedOutside()).toHaveLength(1);
    const [address] = await client.openedOutside();
    const asked = new URL(address!).searchParams;
    const [ClientKind, port] = asked.get('c')!.split(':');
    // Does what the portal's page does in the browser when the signed-in user chooses Continue.
    const known = await portal.createPerson();
    const challenge = { ClientKind, Challenge: asked.get('challenge'), IsCopied: false };
    const { Code } = await known.call<{ Code: string }>('api/addin/code', challenge);
    const back = `http://127.0.0.1:${port}/?code=${Code}&state=${asked.get('state')}`;
    // The client accepts it only from a navigation.
    const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const [answer] = (await once(get(back, { headers: navigation }), 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(303);
    const shown = await client.window('app');
    await shown.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(shown.url()).not.toMatch(/ott|sso/);
  });

  test('a sign-in in the browser can be given up', async () => {
    const page = await client.window('app');
    await page.evaluate(() => (window as unknown as Bridged).runsheet.leaveFor('https://p.example.org'));
    const waiting = await client.window('servers');
    await waiting.getByRole('button', { name: 'Cancel' }).click();
    await (await client.window('app')).waitForURL('runsheet://app/**');
  });
});
