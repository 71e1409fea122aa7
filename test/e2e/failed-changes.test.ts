/** Changes that the server rejects: the input remains, and the error appears where the user looks. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { until } from '#test/support/until.ts';
import { compareWithPrevious } from './support/run-page.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { openFromMenu } from './support/menu.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

const REASON = 'The database is full.';

let portal: Portal;
let browser: Browser;
let id = 0;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  const workbook = {
    sheets: [{ name: 'S', cells: { A1: 1, A2: { formula: 'A1*10', value: 10 } } }],
    names: { in_One: 'S!$A$1', out_Ten: 'S!$A$2' },
  };
  id = await publish(browser, portal, { Name: 'Tenfold', workbook });
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});
beforeEach(() => browser.page.unrouteAll({ behavior: 'wait' }));

const fail = (calls: string): Promise<unknown> =>
  browser.page.route(calls, (route) => route.fulfill({ status: 500, json: { message: REASON } }));
const restore = (calls: string): Promise<void> => browser.page.unroute(calls);

test('a form in a dialog keeps what was typed and says in it what failed, until it is sent again', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/dashboards`);
  await page.getByRole('button', { name: 'New dashboard' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('At a glance');
  await fail('**/api/dashboards/save');
  await dialog.getByRole('button', { name: 'Create dashboard' }).click();
  await dialog.getByRole('alert').getByText(REASON).waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('At a glance');
  await expectGoodScreen(browser, 'form-in-dialog-failed');
  await restore('**/api/dashboards/save');
  await dialog.getByRole('button', { name: 'Create dashboard' }).click();
  await page.getByRole('heading', { name: 'Edit dashboard' }).waitFor();
});

test('a question stays open while what it asks for cannot be done, and is gone once it is', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/schemas`);
  await page.getByLabel('Name of the new schema').fill('Doomed');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const remove = page.getByRole('button', { name: 'Delete Doomed' });
  await fail('**/api/admin/schemas/delete');
  await remove.click();
  const dialog = page.getByRole('dialog', { name: 'Delete schema' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText(REASON).waitFor();
  await until('it is tried no more', async () => (await page.locator('.bp6-loading').count()) === 0);
  await restore('**/api/admin/schemas/delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await remove.count()).toBe(0);
});

fullSetTest('a change is under way until the list has it: nothing is done twice meanwhile', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/schemas`);
  let added = 0;
  await page.route('**/api/admin/schemas/create', (route) => {
    added += 1;
    return route.continue();
  });
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  let asksForList = false;
  await page.getByLabel('Name of the new schema').fill('Once');
  await page.route('**/api/admin/schemas', async (route) => {
    asksForList = true;
    await answered;
    await route.continue();
  });
  const add = page.getByRole('button', { name: 'Add', exact: true });
  await add.click();
  await until('it is stored, and asked for with the list', () => asksForList);
  await page.getByLabel('Name of the new schema').press('Enter');
  expect(await page.locator('.rs-bar .bp6-button.bp6-loading').count()).toBe(1);
  answer();
  await page.getByRole('button', { name: 'Delete Once' }).waitFor();
  expect(added).toBe(1);
});

fullSetTest('the name of an input set that could not be saved stays to be saved again', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/run/${id}/`);
  await page.getByRole('button', { name: 'Input sets' }).click();
  const name = page.getByLabel('Name of the input set');
  await name.fill('Usual');
  const save = page.getByRole('form', { name: 'Save as an input set' }).getByRole('button', { name: 'Save' });
  await fail('**/api/activities/inputset');
  await save.click();
  await page.getByText(REASON).waitFor();
  expect(await name.inputValue()).toBe('Usual');
  await restore('**/api/activities/inputset');
  await save.click();
  await page.getByRole('button', { name: 'Usual', exact: true }).waitFor();
  expect(await name.inputValue()).toBe('');
});

const LIST = '**/api/dashboards/list';
const ITEM = {
  OwnerFullName: 'A B',
  IsOwn: true,
  CanEdit: true,
  IsPublic: false,
  ModifiedTime: '2026-03-05T12:00:00.000Z',
};

fullSetTest(
  'a further page of a list that cannot be fetched is said below it, and not asked for again and again',
  async () => {
    const { page } = browser;
    let tries = 0;
    const Items = ['First', 'Second'].map((Name, at) => ({ ...ITEM, Id: 900 + at, Name }));
    await page.route(LIST, (route) => {
      const { After } = route.request().postDataJSON() as { After: unknown };
      if (After === null) return route.fulfill({ json: { result: { Items, HasMore: true } } });
      tries += 1;
      if (tries < 3) return route.fulfill({ status: 500, json: { message: REASON } });
      return route.fulfill({ json: { result: { Items: [{ ...ITEM, Id: 902, Name: 'Third' }], HasMore: false } } });
    });
    await page.goto(`${portal.address}/dashboards`);
    const alert = page.getByRole('alert').filter({ hasText: 'The next entries could not be loaded.' });
    await alert.getByText(REASON).waitFor();
    await page.getByRole('link', { name: 'Second' }).waitFor({ state: 'attached' });
    await expectGoodScreen(browser, 'further-page-failed');
    expect(tries).toBe(1);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await until('it was tried again', () => tries === 2);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('link', { name: 'Third' }).waitFor({ state: 'attached' });
    expect(await alert.count()).toBe(0);
  },
);

fullSetTest('an answer that comes once the page was left takes nobody away from where they are', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/run/${id}/`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('The run was successful').waitFor();
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const answered = new Promise<void>((resolve) => {
    void page.route('**/api/activities/runhistory', async (route) => {
      await asked;
      await route.fulfill({ json: { result: { Activity: null, Runs: [{ Id: 1 }], HasMore: false } } });
      resolve();
    });
  });
  await compareWithPrevious(page);
  await openFromMenu(page, 'Administration', 'Roles');
  await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
  const visited: string[] = [];
  page.on('request', (request) => visited.push(request.url()));
  answer();
  await answered;
  await openFromMenu(page, 'Administration', 'Rights');
  await page.getByRole('heading', { name: 'Rights', level: 1 }).waitFor();
  expect(visited.filter((url) => url.includes('CompareRunsPage'))).toEqual([]);
  expect(new URL(page.url()).pathname).toBe('/rights/');
});
