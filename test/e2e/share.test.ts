/** An activity is shared with a role, and with everyone by a link, which is revoked again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, signIn, startPortal, type Browser, type Portal, visit } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';
let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  await firstSignIn(browser.page, portal, PASSWORD);
  await visit(browser.page, `${portal.address}/roles/`);
  await browser.page.getByLabel('Name of the new role').fill('Accountants');
  await browser.page.getByRole('button', { name: 'Add' }).click();
  await browser.page.getByRole('gridcell', { name: 'Accountants' }).waitFor();
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const dialog = ({ page }: Browser = browser) => page.getByRole('dialog', { name: 'Share Sales commission' });
const sharedWith = () => dialog().getByRole('list', { name: 'Shared with' });

test('a role is given the activity, as an ordinary grant, and it is taken back', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/3/`);
  await page.getByRole('button', { name: 'Share' }).click();
  await dialog().getByText('1 administrator, who has every right').waitFor();
  await dialog().getByLabel('What they may do').selectOption({ label: 'Run and see runs' });
  await dialog().getByRole('searchbox', { name: 'Search people and roles' }).fill('a');
  // Both people and roles, each with what tells them apart.
  const found = dialog().getByRole('list', { name: 'Found' }).getByRole('listitem');
  await found.filter({ hasText: 'Accountants' }).getByText('Role · 0 people').waitFor();
  await found.filter({ hasText: portal.userName }).first().waitFor();
  await expectGoodScreen(browser, 'share-search');
  await dialog().getByRole('button', { name: 'Add Accountants' }).click();
  await dialog().getByLabel('Message').fill('Please check the rates of May.');
  await dialog().getByRole('button', { name: 'Share', exact: true }).click();
  await sharedWith().getByText('Accountants').waitFor();
  await sharedWith().getByText('Run and see runs').waitFor();
  await sharedWith().getByText('for this activity').waitFor();
  await expectGoodScreen(browser, 'share', { isWholePage: true });
  const other = await page.context().newPage();
  await other.goto(`${portal.address}/rights/assign/sk.ViewRuns/Id/3/`);
  await other.getByRole('gridcell', { name: 'Accountants' }).first().waitFor();
  await other.close();
  await dialog().getByRole('button', { name: 'Stop sharing with Accountants' }).click();
  await sharedWith().getByText('Accountants').waitFor({ state: 'detached' });
});

test('the public link opens the form for somebody who is not signed in, until it is revoked', async () => {
  const { page } = browser;
  await dialog().getByRole('button', { name: 'Create public link' }).click();
  const asked = page.getByRole('dialog', { name: 'Create public link' });
  await asked.getByLabel('The link is valid for').selectOption({ label: '7 days' });
  await asked.getByLabel('Maximum number of runs').fill('20');
  await expectGoodScreen(browser, 'share-public-limits');
  await asked.getByRole('button', { name: 'Create public link' }).click();
  await dialog().getByText('0 of 20 runs used.').waitFor();
  await dialog().getByRole('img', { name: 'QR code of the link' }).waitFor();
  // A longer period leaves the number of runs as it is.
  await dialog().getByRole('button', { name: 'Change its limits' }).click();
  const changed = page.getByRole('dialog', { name: 'Change its limits' });
  await changed.getByLabel('The link is valid for').selectOption({ label: '90 days' });
  await changed.getByRole('button', { name: 'Save limits' }).click();
  await changed.waitFor({ state: 'detached' });
  await dialog().getByText('0 of 20 runs used.').waitFor();
  const address = await dialog().locator('.rs-share-address').innerText();
  expect(address).toBe(`${portal.address}/public/activities/run/3`);
  await expectGoodScreen(browser, 'share-public', { isWholePage: true });
  const visitor = await openBrowser({ hasTouch: true, width: 360 });
  await visitor.page.goto(address);
  await visitor.page.getByLabel('Bonus Rate').waitFor();
  await dialog().getByRole('button', { name: 'Revoke' }).click();
  await dialog().getByRole('button', { name: 'Create public link' }).waitFor();
  await visitor.page.goto(address);
  await visitor.page.getByText('There is no such activity').waitFor();
  await visitor.close();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  expect(browser.errors).toEqual([]);
});

fullSetTest('with a finger it is opened and closed', async () => {
  const touch = await openBrowser({ hasTouch: true, width: 360 });
  await signIn(touch.page, portal, PASSWORD);
  await touch.page.goto(`${portal.address}/activities/3/`);
  await touch.page.getByRole('button', { name: 'Share' }).tap();
  await dialog(touch).getByRole('heading', { name: 'Public link' }).waitFor();
  await dialog(touch).getByRole('button', { name: 'Close' }).tap();
  await dialog(touch).waitFor({ state: 'detached' });
  expect(touch.errors).toEqual([]);
  await touch.close();
});
