/**
 * A dashboard is created, arranged with mouse, touch and keyboard, shared, and opened by its public link; an output is
 * followed over its runs.
 */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { tick } from './support/controls.ts';
import { expectGoodScreen, expectNothingSerious } from './support/good-screen.ts';
import { expectToFit } from './support/layout.ts';
import { photograph } from './support/pictures.ts';
import { firstSignIn, openBrowser, signIn, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PASSWORD = 'Newcomer-Pass-1';
const INITIAL_PASSWORD = 'Given-Password-1';
let portal: Portal;
let browser: Browser;
let activity: number;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  await firstSignIn(browser.page, portal, PASSWORD);
  const cells = {
    A1: { value: 5 },
    A2: { formula: 'A1*2', value: 10, style: 1 },
    C1: 'Account',
    D1: 'Balance',
    C2: 'Cash',
    D2: { formula: 'A1*2', value: 10, style: 1 },
    C3: 'Debts',
    D3: { formula: 'A1*-2', value: -10, style: 1 },
  };
  const tables = [{ name: 'Accounts', ref: 'C1:D3', columns: ['Account', 'Balance'] }];
  activity = await publish(browser, portal, {
    Name: 'Ledger close',
    workbook: {
      sheets: [{ name: 'S', cells, tables }],
      names: { in_Amount: 'S!$A$1', out_Total: 'S!$A$2', out_Accounts: 'Accounts[]' },
      formats: ['#,##0.00 "EUR"'],
    },
  });
  await addAda();
  await run('100');
  await run('125');
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

/** Adds a user who may run nothing. */
async function addAda(): Promise<void> {
  const { page } = browser;
  await visit(page, `${portal.address}/newuser/`);
  const fields = {
    'User Name': 'ada',
    'First Name': 'Ada',
    'Last Name': 'Lovelace',
    'Confirm Password': INITIAL_PASSWORD,
  };
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  await page.getByLabel('Password', { exact: true }).fill(INITIAL_PASSWORD);
  await page.getByRole('button', { name: 'Create User' }).click();
  await page.getByText('New user created').waitFor();
}

async function run(amount: string): Promise<void> {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/run/${activity}/`);
  await page.getByLabel('Amount').fill(amount);
  await page.getByLabel('Amount').press('Control+Enter');
  await page.getByText('The run was successful').waitFor();
}

const tile = (name: string, { page }: Browser = browser) => page.getByRole('region', { name, exact: true });

async function addTile(kind: string, fill: () => Promise<unknown>): Promise<void> {
  const { page } = browser;
  await page.getByRole('button', { name: 'Add tile' }).click();
  const dialog = page.getByRole('dialog', { name: 'New tile' });
  await dialog.getByLabel('Content').selectOption({ label: kind });
  await fill();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function choose(fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await browser.page.getByRole('dialog').getByLabel(label, { exact: true }).selectOption({ label: value });
}

const leftOf = async (name: string): Promise<number> => (await tile(name).boundingBox())?.x ?? -1;

test('tiles are added, and arranged by mouse and keys', async () => {
  const { page } = browser;
  // The test checks tile positions below, which are undefined during an animation.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.getByRole('link', { name: 'Dashboards' }).click();
  await page.getByText('No dashboards yet').waitFor();
  await page.getByRole('button', { name: 'New dashboard' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Month end');
  await page.getByRole('dialog').getByRole('button', { name: 'Create dashboard' }).click();
  const source = { Activity: 'Ledger close', Output: 'Total' };
  await addTile('Last value and trend', () => choose(source));
  await addTile('Plot over runs', () => choose(source));
  await addTile('Outcomes', () => choose({ 'Activity or checklist': 'Ledger close' }));
  await addTile('Text', () => page.getByRole('dialog').getByLabel('Text').fill('Send the ledger by the third day'));
  const total = tile('Total of Ledger close').first();
  await total.getByText('250.00 EUR').waitFor();
  await total.getByText('+50.00 EUR (+25 %)').waitFor();

  const before = await leftOf('Ledger close');
  const head = await tile('Ledger close').locator('.rs-tile-head h2').boundingBox();
  await page.mouse.move(head!.x + 20, head!.y + 8);
  await page.mouse.down();
  await page.mouse.move(head!.x + 200, head!.y + 8, { steps: 8 });
  await page.mouse.move(head!.x + 420, head!.y + 8, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => leftOf('Ledger close')).toBeGreaterThan(before + 200);

  const key = page.getByRole('button', { name: 'Move Ledger close', exact: true });
  await key.focus();
  const wide = (await tile('Ledger close').boundingBox())!.width;
  await key.press('Shift+ArrowRight');
  await page
    .getByRole('status')
    .getByText(/^Column \d+, row \d+, 5 wide/)
    .waitFor({ state: 'attached' });
  await expect.poll(async () => (await tile('Ledger close').boundingBox())!.width).toBeGreaterThan(wide + 40);
  const arranged = await leftOf('Ledger close');
  await expectGoodScreen(browser, 'dashboard-edit');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Month end', level: 1 }).waitFor();
  await expect.poll(() => leftOf('Ledger close')).toBeCloseTo(arranged, -2);
  await tile('Ledger close').getByRole('link').last().waitFor();
  await expectGoodScreen(browser, 'dashboard');
  await tile('Total of Ledger close')
    .first()
    .getByRole('link', { name: /^Run \d+/ })
    .click();
  await page.getByText('250.00 EUR').first().waitFor();
});

fullSetTest('a finger drags a tile in the editor, and below each other they are edited on a telephone', async () => {
  const touch = await openBrowser({ hasTouch: true, width: 1100 });
  const { page } = touch;
  await signIn(page, portal, PASSWORD);
  await page.goto(`${portal.address}/dashboards/edit/1`);
  const box = async () => (await tile('Ledger close', touch).boundingBox())!;
  const before = await box();
  const client = await page.context().newCDPSession(page);
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  const key = (await page.getByRole('button', { name: 'Move Ledger close', exact: true }).boundingBox())!;
  const [x, y] = [key.x + 10, key.y + 10];
  await finger('touchStart', x, y);
  for (let step = 1; step <= 10; step += 1) await finger('touchMove', x + step * 20, y);
  await finger('touchEnd', x, y);
  await expect.poll(async () => (await box()).x).toBeGreaterThan(before.x + 100);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.getByRole('button', { name: 'Edit Ledger close' }).tap();
  await page.getByRole('dialog', { name: 'Edit tile' }).getByLabel('Title').fill('How it ended');
  await page.getByRole('button', { name: 'Apply' }).tap();
  await tile('How it ended', touch).waitFor();
  expect(touch.errors).toEqual([]);
  await touch.close();
});

fullSetTest('somebody it is shared with begins with it, and sees no more than they may', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/dashboards/1`);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share Month end' });
  await dialog.getByRole('searchbox').fill('ada');
  await dialog.getByRole('button', { name: 'Share with Ada Lovelace (ada)' }).click();
  await dialog.getByRole('list', { name: 'Shared with' }).getByText('Ada Lovelace').waitFor();
  await expectGoodScreen(browser, 'dashboard-share');

  const ada = await openBrowser();
  await firstSignIn(ada.page, { ...portal, userName: 'ada', password: INITIAL_PASSWORD }, PASSWORD);
  await ada.page.getByRole('link', { name: 'Dashboards' }).click();
  await ada.page.getByRole('link', { name: 'Month end' }).click();
  await ada.page.getByText('You may not see this activity').first().waitFor();
  await ada.page.getByText('Send the ledger by the third day').waitFor();
  expect(await ada.page.getByText('EUR').count()).toBe(0);
  await ada.page.getByRole('button', { name: 'Start page' }).click();
  await ada.page.getByText('This dashboard is now your start page').waitFor();
  await ada.page.goto(`${portal.address}/`);
  await ada.page.getByRole('heading', { name: 'Month end', level: 1 }).waitFor();
  await ada.page.goto(`${portal.address}/dashboards/edit/1`);
  await ada.page.getByText('It is shared with you for viewing only.').waitFor();
  await ada.page.goto(`${portal.address}/activities/new/`);
  await ada.page.getByText('This requires the right to create activities in a schema.').waitFor();
  await ada.page.getByText('It was granted neither to you personally nor to any of your roles.').waitFor();
  await expectNothingSerious(ada);
  await photograph(ada.page, 'not-allowed-light');
  expect(ada.errors).toEqual([]);
  await ada.close();
});

fullSetTest(
  'the public link is refused while an activity is not public, and then shows it to everybody until it is revoked',
  async () => {
    const { page } = browser;
    const dialog = page.getByRole('dialog', { name: 'Share Month end' });
    await dialog.getByRole('button', { name: 'Create public link' }).click();
    await page.getByText('Not everyone can run Ledger close: make them public first').waitFor();
    await page.goto(`${portal.address}/activities/${activity}/`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create public link' }).click();
    const limits = page.getByRole('dialog', { name: 'Create public link' });
    await limits.getByRole('button', { name: 'Create public link' }).click();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    await page.goto(`${portal.address}/dashboards/1`);
    await page.getByRole('button', { name: 'Share' }).click();
    await dialog.getByRole('button', { name: 'Create public link' }).click();
    const address = await dialog.locator('.rs-dashboard-link').innerText();
    const visitor = await openBrowser({ width: 360, hasTouch: true });
    await visitor.page.goto(address);
    await visitor.page.getByText('250.00 EUR').first().waitFor();
    expect(await visitor.page.getByRole('link', { name: /^Run/ }).count()).toBe(0);
    await expectToFit(visitor, 360);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The link no longer works').waitFor();
    await visitor.page.reload();
    await visitor.page.getByText('This link no longer works').waitFor();
    expect(visitor.errors).toEqual([]);
    await visitor.close();
  },
);

fullSetTest(
  'a table and open approvals are shown, and people of a role begin with the dashboard where they have chosen none',
  async () => {
    const { page } = browser;
    await page.goto(`${portal.address}/roles/`);
    await page.getByLabel('Name of the new role').fill('Closers');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('gridcell', { name: 'Closers' }).getByRole('link').click();
    await page.getByRole('button', { name: 'Include ada' }).click();
    await page.getByRole('button', { name: 'Exclude ada' }).waitFor();
    await page.goto(`${portal.address}/dashboards`);
    await page.getByRole('button', { name: 'New dashboard' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Closing');
    await page.getByRole('dialog').getByRole('button', { name: 'Create dashboard' }).click();
    await addTile('Table of the last run', () => choose({ Activity: 'Ledger close', Output: 'Accounts' }));
    await addTile('Open approvals', async () => undefined);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Closing', level: 1 }).waitFor();
    const cells = tile('Accounts of Ledger close').getByRole('cell');
    await cells.first().waitFor();
    expect(await cells.allTextContents()).toEqual(['Cash', '250.00 EUR', 'Debts', '-250.00 EUR']);
    await tile('Approvals waiting for me').getByText('Nothing is waiting for you').waitFor();
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share Closing' });
    await dialog.getByRole('searchbox').fill('Closers');
    await dialog.getByRole('button', { name: 'Share with Role Closers' }).click();
    await tick(dialog.getByLabel('Start page for role Closers'));
    await expectGoodScreen(browser, 'dashboard-roles');

    const ada = await openBrowser();
    await ada.page.goto(`${portal.address}/login`);
    await ada.page.getByLabel('Username').fill('ada');
    await ada.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await ada.page.getByRole('button', { name: 'Login' }).click();
    await ada.page.getByRole('heading', { name: 'Month end', level: 1 }).waitFor();
    await ada.page.getByRole('button', { name: 'Start page' }).click();
    await ada.page.getByText('Your start page was reset').waitFor();
    await ada.page.goto(`${portal.address}/`);
    await ada.page.getByRole('heading', { name: 'Closing', level: 1 }).waitFor();
    await ada.page.getByText('You may not see this activity').waitFor();
    expect(ada.errors).toEqual([]);
    await ada.close();
  },
);

fullSetTest('where somebody else has saved meanwhile, mine is kept, and saved over theirs if I say so', async () => {
  const viewer = await openBrowser();
  await signIn(viewer.page, portal, PASSWORD);
  await viewer.page.goto(`${portal.address}/dashboards/1`);
  await tile('Total of Ledger close', viewer).first().getByText('250.00 EUR').waitFor();
  const [mine, theirs] = [browser.page, await browser.page.context().newPage()];
  for (const page of [mine, theirs]) await page.goto(`${portal.address}/dashboards/edit/1`);
  await mine.getByLabel('Name of the dashboard').fill('Mine');
  await theirs.getByLabel('Name of the dashboard').fill('Theirs');
  await theirs.getByRole('button', { name: 'Save', exact: true }).click();
  await theirs.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor();
  await theirs.close();
  await mine.getByRole('button', { name: 'Save', exact: true }).click();
  await mine.getByText('While you were editing, another user saved the dashboard as Theirs, with 4 tiles.').waitFor();
  expect(await mine.getByLabel('Name of the dashboard').inputValue()).toBe('Mine');
  await mine.getByRole('button', { name: 'Overwrite with mine' }).click();
  await mine.getByRole('heading', { name: 'Mine', level: 1 }).waitFor();
  // A page that only shows the dashboard follows the changes.
  await viewer.page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor();
  await tile('Total of Ledger close', viewer).first().getByText('250.00 EUR').waitFor();
  await viewer.close();
});

test('an output is followed over its runs, and taken away as numbers and as a picture', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/${activity}/`);
  await page.getByRole('link', { name: 'Follow Total over all runs' }).click();
  await page.getByText('2 runs, latest value 250.00 EUR. Lowest 200.00 EUR, highest 250.00 EUR.').waitFor();
  await expectGoodScreen(browser, 'follow');
  const numbers = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const text = await readFile(await (await numbers).path(), 'utf8');
  expect(text.split('\r\n').map((line) => line.split(',').at(-1))).toEqual(['Total', '250', '200', '']);
  const picture = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Picture' }).click();
  const saved = await picture;
  expect(saved.suggestedFilename()).toBe('Total of Ledger close.png');
  expect((await readFile(await saved.path())).subarray(1, 4).toString()).toBe('PNG');
  await visit(page, `${portal.address}/activities/follow/${activity}/999999`);
  await page.getByText('The activity has no such output').waitFor();
  expect(browser.errors).toEqual([]);
});
