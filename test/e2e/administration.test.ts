/** An administrator creates a user, a role and a right; then the test checks what this user may do and see. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { openFromMenu } from './support/menu.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';

const ADMIN_PASSWORD = 'Newcomer-Pass-1';
const INITIAL_PASSWORD = 'Given-Horse-7';
const OWN_PASSWORD = 'Own-Horse-8';

let portal: Portal;
let admin: Browser;
let user: Browser;

beforeAll(async () => {
  [portal, admin, user] = await Promise.all([startPortal(), openBrowser(), openBrowser()]);
  await firstSignIn(admin.page, portal, ADMIN_PASSWORD);
});

afterAll(async () => {
  await Promise.all([admin.close(), user.close()]);
  await portal.stop();
});

/** Returns how many pixels of the first grid are out of sight, horizontally and vertically. */
const hiddenOf = (page: Page): Promise<number[]> =>
  page
    .locator('.rs-grid .bp6-table-quadrant-main > .bp6-table-quadrant-scroll-container')
    .first()
    .evaluate((box) => [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight]);

test('the menu fits a small window, and says where the page belongs', async () => {
  const { page } = admin;
  await visit(page, `${portal.address}/edituser/1/`);
  const menu = page.getByRole('navigation', { name: 'Main' });
  expect(await menu.locator('[aria-current]').allInnerTexts()).toEqual(['Administration']);
  const tabs = page.getByRole('navigation', { name: 'People' });
  expect(await tabs.getByRole('link').allInnerTexts()).toEqual([
    'Administration',
    'Users',
    'New User',
    'Add several users',
  ]);
  expect(await tabs.locator('[aria-current]').allInnerTexts()).toEqual(['Users']);
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 1024, height: 768 });
  expect(await menu.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
  await page.setViewportSize(size);
  await tabs.getByRole('link', { name: 'Administration' }).click();
  await page.getByRole('heading', { name: 'Data and retention' }).waitFor();
  await expectGoodScreen(admin, 'administration');
});

test('creates a table view from the menu', async () => {
  const { page } = admin;
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'New' }).click();
  await page.getByRole('menuitem', { name: 'New table view' }).click();
  await page.getByRole('heading', { name: 'Create New Table View' }).waitFor();
});

test('makes a user; what is wrong stands at its field', async () => {
  const { page } = admin;
  await openFromMenu(page, 'Administration', 'New User');
  await page.getByLabel('User Name').fill('vera');
  await page.getByLabel('First name').fill('Vera');
  await page.getByLabel('Last name').fill('Accountant');
  await page.getByLabel('Password', { exact: true }).fill(INITIAL_PASSWORD);
  await page.getByLabel('Confirm Password').fill('something else');
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('Passwords do not match').first().waitFor();
  await page.getByLabel('Confirm Password').fill(INITIAL_PASSWORD);
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('New user created').waitFor();
  await page.getByRole('gridcell', { name: 'vera', exact: true }).waitFor();
});

test('makes a role, puts the user in and grants it to run the samples', async () => {
  const { page } = admin;
  await openFromMenu(page, 'Administration', 'Roles');
  await page.getByLabel('Name of the new role').fill('Accountants');
  await page.getByRole('button', { name: 'Add' }).click();
  const link = page.getByRole('gridcell', { name: 'Accountants' }).getByRole('link');
  expect(await link.getAttribute('href')).toBe('/roles/Accountants/');
  await link.click();
  await page.getByLabel('Search users').fill('vera');
  await page.getByRole('button', { name: 'Include admin' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Include vera' }).click();
  await page.getByRole('button', { name: 'Exclude vera' }).waitFor();
  // A single row is fully visible: a small screen scrolls it horizontally, no screen vertically.
  await expect.poll(() => hiddenOf(page)).toEqual([0, 0]);
  const size = page.viewportSize()!;
  await page.setViewportSize({ ...size, width: 360 });
  await expect.poll(() => hiddenOf(page)).toEqual([expect.toSatisfy((hidden) => hidden > 0), 0]);
  await page.setViewportSize(size);

  await visit(page, `${portal.address}/rights/refine/sk.RunActivity/Schema/`);
  await page.getByText('Samples', { exact: true }).click();
  await page.getByRole('button', { name: 'Grant to the role Accountants' }).click();
  await page.getByRole('button', { name: 'Delete for the role Accountants' }).and(page.locator(':enabled')).waitFor();
  // The reason is the role.
  await page.getByRole('gridcell', { name: 'Accountants' }).nth(1).waitFor();
});

test('that user signs in, changes the password, runs a sample and sees nothing else', async () => {
  const { page } = user;
  await firstSignIn(page, { ...portal, userName: 'vera', password: INITIAL_PASSWORD }, OWN_PASSWORD);
  await page.getByRole('link', { name: 'Sales commission' }).click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await page.getByLabel('Bonus Rate').press('Control+Enter');
  await page.getByText('The run was successful').waitFor();
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect
    .poll(() => menu.getByRole('link').allInnerTexts())
    .toEqual(['Activities', 'Runs', 'Automation', 'Dashboards']);
  for (const path of ['/users/', '/roles/', '/rights/', '/securityMatrix', '/securityActions', '/newuser/']) {
    await visit(page, portal.address + path);
    await page.getByText('You do not have permissions for this operation').waitFor();
  }
});

fullSetTest('what an administrator chooses in Edit user is kept', async () => {
  const { page } = admin;
  const choices = ['Must sign in with a second factor', "Can't download input files of runs"];
  const open = async (): Promise<void> => {
    await page.goto(`${portal.address}/users/?search=vera`);
    await page.getByRole('button', { name: 'Menu of vera' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: 'Edit user - vera' }).waitFor();
  };
  for (const isChosen of [true, false]) {
    await open();
    for (const name of choices) await page.getByText(name).click();
    await page.getByRole('button', { name: 'Update user' }).click();
    await page.getByText('User Details Updated').first().waitFor();
    await open();
    for (const name of choices) expect(await page.getByRole('checkbox', { name }).isChecked()).toBe(isChosen);
  }
});

fullSetTest('the matrix says why, and can be downloaded', async () => {
  const { page } = admin;
  await visit(page, `${portal.address}/securityMatrix`);
  await page.getByRole('searchbox').first().fill('vera');
  await page.getByRole('gridcell', { name: 'Schema : Samples' }).first().click();
  const details = page.getByRole('dialog', { name: 'Security Matrix Details' });
  await details.getByText('Accountants').waitFor();
  await details.getByRole('button', { name: 'Close' }).last().click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the user security matrix' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('User Security Matrix.xlsx');
});

test('disabling the user ends the session at once, and stands in the log', async () => {
  const { page } = admin;
  await visit(page, `${portal.address}/users/?search=vera`);
  await page.getByRole('button', { name: 'Menu of vera' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await page.getByRole('gridcell', { name: 'Disabled' }).waitFor();
  await user.page.goto(`${portal.address}/activities/runhistory`);
  await user.page.getByRole('button', { name: 'Login' }).waitFor();
  await visit(page, `${portal.address}/securityActions`);
  for (const action of ['DisableUser', 'ChangePassword', 'GrantRight', 'IncludeUser', 'CreateRole', 'CreateUser']) {
    await page
      .getByRole('gridcell', { name: `(${action})` })
      .first()
      .waitFor();
  }
  expect(admin.errors).toEqual([]);
  expect(user.errors).toEqual([]);
});

fullSetTest(
  'the log of security actions is searched by words, kind and days, and the search stands in the address',
  async () => {
    const { page } = admin;
    const log = page.getByRole('grid', { name: 'Security actions' });
    await page.goto(`${portal.address}/securityActions`);
    await log.waitFor({ state: 'attached' });
    await page.getByLabel('Search users, roles, rights and addresses').fill('accountants');
    await page.getByRole('combobox', { name: 'Action' }).selectOption({ label: 'Right granted' });
    await page.getByRole('gridcell', { name: 'Run activities (sk.RunActivity)' }).waitFor();
    await expect.poll(() => log.getAttribute('aria-rowcount')).toBe('2');
    await page.reload();
    await page.getByRole('gridcell', { name: 'Run activities (sk.RunActivity)' }).waitFor();
    // Searches for words shown on the screen that the log itself does not contain.
    await page.getByLabel('Search users, roles, rights and addresses').fill('accountants granted activities');
    await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('accountants granted activities');
    await expect.poll(() => log.getAttribute('aria-rowcount')).toBe('2');
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('31/Dec/2020');
    await page.getByText('No security actions match the search').waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('gridcell', { name: '(DisableUser)' }).waitFor();
    // The address follows the input slightly later.
    await expect.poll(() => new URL(page.url()).search).toBe('');
  },
);

test('starts maintenance, which is announced on every page, and ends it', async () => {
  const { page } = admin;
  await openFromMenu(page, 'Administration', 'System');
  await page.getByRole('gridcell', { name: 'Working' }).waitFor();
  await page.getByLabel('Message to users').fill('Back at ten.');
  await page.getByRole('button', { name: 'Start maintenance' }).click();
  const bar = page.getByRole('status').filter({ hasText: 'Back at ten.' });
  await bar.waitFor();
  await openFromMenu(page, 'Administration', 'Users');
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
  expect(await bar.count()).toBe(1);
  await openFromMenu(page, 'Administration', 'System');
  await page.getByRole('button', { name: 'End maintenance' }).click();
  await page.getByText('Everything can be started again').waitFor();
  await expect.poll(() => bar.count()).toBe(0);
});

fullSetTest('drains the only server after a warning of what no other server does then, and undoes it', async () => {
  const { page } = admin;
  const ready = async (): Promise<number> => (await fetch(`${portal.address}/api/health/ready`)).status;
  await page.goto(`${portal.address}/system`);
  await page.getByRole('button', { name: /^Drain / }).click();
  const dialog = page.getByRole('dialog', { name: 'Drain server' });
  await dialog.getByText('Until one does, they wait: default.').waitFor();
  await dialog.getByText('No other server answers user requests.').waitFor();
  await dialog.getByRole('button', { name: 'Drain', exact: true }).click();
  await page.getByRole('gridcell', { name: /^Drain(ing|ed)$/ }).waitFor();
  await expect.poll(ready).toBe(503);
  await page.getByRole('button', { name: /^Let .* accept runs again$/ }).click();
  await page.getByRole('gridcell', { name: 'Working', exact: true }).waitFor();
  await expect.poll(ready).toBe(200);
  // Data stored in less than a day is not enough for a forecast.
  await page
    .getByText('which is too short for a forecast')
    .or(page.getByText('Nothing has run in the last 30 days'))
    .waitFor();
  expect(admin.errors).toEqual([]);
});
