/** What the menu offers in addition to the pages: stored options, licences, printing. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { CONTRACT_VERSION } from '#shared/contract/headers.ts';
import { hasKeys, whyNoElectron } from '../../scripts/electron-runtime.ts';
import { createMachine, type Client, type Machine } from './support/runtime.ts';

const missing = whyNoElectron();

describe.skipIf(missing !== '')('the menu of the desktop client', () => {
  let machine: Machine;
  let client: Client;
  beforeAll(async () => {
    machine = await createMachine();
    client = await machine.start();
    await client.window('servers');
  });
  afterAll(async () => {
    await client?.close();
    await machine?.remove();
  });

  const options = (menu: string) =>
    client.app.evaluate(
      ({ Menu }, title) =>
        Menu.getApplicationMenu()!
          .items.find(({ label }) => label === title)!
          .submenu!.items.map(({ label, checked }) => [label, checked]),
      menu,
    );
  const file = (): string => join(machine.home, '.config/Runsheet/preferences.json');
  const storedPreferences = (): string => readFileSync(file(), 'utf8');

  test('offers options, and writes down what is chosen', async () => {
    expect(await options('Options')).toEqual([
      ['Notifications About Runs', false],
      ['Start at Login', false],
      ['Keep Running Without a Window', false],
      ['Check Spelling', false],
    ]);
    await client.menu('Problems Only');
    await expect.poll(storedPreferences).toContain('"runMessages":"problems"');
  });

  fullSetTest('shows the licences of what is in the program', async () => {
    await client.menu('Licenses');
    await expect
      .poll(() => client.app.windows().map((page) => page.url()))
      .toContain('runsheet://servers/licences.html');
    const page = client.app.windows().find((one) => one.url().endsWith('licences.html'))!;
    await page.getByRole('heading', { name: 'Licenses' }).waitFor();
    await page.getByText('react-dom', { exact: true }).click();
    await page.locator('details[open] pre').getByText('Permission is hereby granted').waitFor();
    await page.close();
  });

  fullSetTest('shows its name, with the versions of its components', async () => {
    await client.app.evaluate(({ dialog }) => {
      dialog.showMessageBox = (async (about: object) => void Object.assign(globalThis, { about })) as never;
    });
    await client.menu('About Runsheet');
    const found = await client.app.evaluate(({ app }) => {
      const { about } = globalThis as unknown as { about: { message: string; detail: string } };
      return { about, version: app.getVersion(), versions: { ...process.versions } };
    });
    expect(found.about.message).toBe(`Runsheet ${found.version}`);
    const { electron, chrome, node } = found.versions as unknown as Record<string, string>;
    expect(found.about.detail.split('\n')).toEqual([
      `Contract ${CONTRACT_VERSION}`,
      `Electron ${electron}, Chromium ${chrome}, Node ${node}`,
      'Licensed under Apache-2.0.',
    ]);
  });

  fullSetTest('finds text in the page of a window, and says how often', async () => {
    await client.menu('Licenses');
    const licences = () => client.app.windows().find((one) => one.url().endsWith('licences.html'));
    await expect.poll(licences).toBeTruthy();
    await licences()!.getByRole('heading', { name: 'Licenses' }).waitFor();
    await client.app.evaluate(({ Menu, BrowserWindow }) => {
      const edit = Menu.getApplicationMenu()!.items.find(({ label }) => label === 'Edit')!;
      const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().endsWith('licences.html'));
      edit.submenu!.items.find(({ label }) => label === 'Find…')!.click(undefined, window);
    });
    const bar = () => client.app.windows().find((one) => one.url() === 'runsheet://servers/find');
    await expect.poll(bar).toBeTruthy();
    const input = bar()!.getByLabel('Find in the page');
    await input.fill('react-dom');
    await bar()!
      .getByText(/^1 of \d+$/)
      .waitFor();
    await input.fill('licences');
    await bar()!
      .getByText(/^1 of \d+$/)
      .waitFor();
    await input.press('Enter');
    await bar()!
      .getByText(/^2 of \d+$/)
      .waitFor();
    await input.press('Shift+Enter');
    await bar()!
      .getByText(/^1 of \d+$/)
      .waitFor();
    await input.fill('no such text');
    await bar()!.getByText('Not found').waitFor();
    // The bar may close before it responds.
    await input.press('Escape').catch(() => undefined);
    await expect.poll(bar).toBeUndefined();
    await licences()!.close();
  });

  fullSetTest('handles its keys: larger, smaller, actual size, find', async (context) => {
    if (!hasKeys()) context.skip('no xdotool here');
    const level = () =>
      client.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.zoomLevel);
    const title = await (await client.window('servers')).title();
    for (const key of ['ctrl+plus', 'ctrl+equal', 'ctrl+KP_Add']) {
      machine.press(title, key);
      await expect.poll(level).toBeGreaterThan(0);
      machine.press(title, 'ctrl+0');
      await expect.poll(level).toBe(0);
    }
    machine.press(title, 'ctrl+minus');
    await expect.poll(level).toBeLessThan(0);
    machine.press(title, 'ctrl+0');
    await expect.poll(level).toBe(0);
    machine.press(title, 'ctrl+f');
    const bar = () => client.app.windows().find((one) => one.url() === 'runsheet://servers/find');
    await expect.poll(bar).toBeTruthy();
    await bar()!
      .getByLabel('Find in the page')
      .press('Escape')
      .catch(() => undefined);
    await expect.poll(bar).toBeUndefined();
  });

  fullSetTest(
    'offers with the right button what can be done there, and other words for one that is misspelt',
    async () => {
      await client.app.evaluate(({ Menu, BrowserWindow }) => {
        const shown: { label: string; role: string | undefined; click: () => void }[][] = [];
        const chosen: string[] = [];
        Object.assign(globalThis, { shown, chosen });
        Menu.prototype.popup = function popup(this: Electron.Menu) {
          shown.push(this.items.map((item) => ({ label: item.label, role: item.role, click: () => item.click() })));
        };
        BrowserWindow.getAllWindows()[0]!.webContents.replaceMisspelling = (word) => void chosen.push(word);
      });
      type Found = { shown: { label: string; role: string | undefined; click: () => void }[][]; chosen: string[] };
      const shown = () =>
        client.app.evaluate(() =>
          (globalThis as unknown as Found).shown.map((items) => items.map(({ label, role }) => role ?? label)),
        );
      const page = await client.window('servers');
      await page.getByLabel('Address').click({ button: 'right' });
      const editing = ['undo', 'redo', '', 'cut', 'copy', 'paste', 'selectall'];
      await expect.poll(shown).toEqual([editing]);
      await page
        .getByRole('heading')
        .first()
        .click({ button: 'right', position: { x: 1, y: 1 } });
      await client.app.evaluate(({ BrowserWindow }) => {
        const editFlags = {
          canUndo: true,
          canRedo: false,
          canCut: true,
          canCopy: true,
          canPaste: true,
          canSelectAll: true,
        };
        const params = {
          misspelledWord: 'teh',
          dictionarySuggestions: ['the', 'tea'],
          isEditable: true,
          editFlags,
          selectionText: 'teh',
          linkURL: '',
        };
        BrowserWindow.getAllWindows()[0]!.webContents.emit('context-menu', {}, params);
        (globalThis as unknown as Found).shown.at(-1)![1]!.click();
      });
      expect((await shown()).at(-1)).toEqual(['the', 'tea', '', ...editing]);
      expect(await client.app.evaluate(() => (globalThis as unknown as Found).chosen)).toEqual(['tea']);
    },
  );

  fullSetTest('prints the window that is in front', async () => {
    await client.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      const printed: number[] = [];
      Object.assign(globalThis, { printed });
      window!.webContents.print = () => void printed.push(window!.id);
    });
    await client.app.evaluate(({ Menu, BrowserWindow }) => {
      const file = Menu.getApplicationMenu()!.items.find(({ label }) => label === 'File')!;
      file.submenu!.items.find(({ label }) => label === 'Print…')!.click(undefined, BrowserWindow.getAllWindows()[0]);
    });
    expect(await client.app.evaluate(() => (globalThis as unknown as { printed: number[] }).printed)).toHaveLength(1);
  });

  fullSetTest(
    'goes on without a window where that was chosen, and comes forward when it is started again',
    async () => {
      await client.menu('Keep Running Without a Window');
      await expect.poll(storedPreferences).toContain('"keepInTray":true');
      await (await client.window('servers')).close();
      await expect.poll(() => client.app.windows().length).toBe(0);
      await client.startAgain('runsheet://nothing');
      await client.window('servers');
    },
  );

  fullSetTest('starts with what was chosen, in the language that the pages spoke last', async () => {
    await client.close();
    writeFileSync(file(), JSON.stringify({ ...(JSON.parse(storedPreferences()) as object), language: 'de' }));
    client = await machine.start();
    await client.window('servers');
    const labels = await client.app.evaluate(({ Menu }) => Menu.getApplicationMenu()!.items.map(({ label }) => label));
    expect(labels).toEqual(['Datei', 'Bearbeiten', 'Ansicht', 'Optionen', 'Fenster', 'Hilfe']);
    expect((await options('Optionen')).map(([, isChosen]) => isChosen)).toEqual([false, false, true, false]);
    const messages = await client.app.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()!.items[3]!.submenu!.items[0]!.submenu!.items.map(({ checked }) => checked),
    );
    expect(messages.at(-1)).toBe(true);
  });
});
