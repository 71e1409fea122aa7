/**
 * An activity that runs on a schedule: its runs are reported, retained for some time and purged. In a real browser,
 * with axe and a small screen.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { tick } from './support/controls.ts';
import { expectGoodScreen, expectNothingSerious } from './support/good-screen.ts';
import { openFromMenu } from './support/menu.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { openDetails } from './support/run-page.ts';

const PASSWORD = 'Newcomer-Pass-1';

/** The schedule's time in UTC, half a day away: it must not start a run during the test. */
const TIME = `${String((new Date().getUTCHours() + 12) % 24).padStart(2, '0')}:30`;

let portal: Portal;
let browser: Browser;
let folder: string;
let activity = '';

beforeAll(async () => {
  [portal, browser, folder] = await Promise.all([
    startPortal(),
    openBrowser(),
    mkdtemp(join(tmpdir(), 'runsheet-schedules-')),
  ]);
  await firstSignIn(browser.page, portal, PASSWORD);
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Has no inputs, as required for a schedule. */
async function workbook(formula: string, value: number): Promise<Buffer> {
  const book = new exceljs.Workbook();
  const sheet = book.addWorksheet('Report');
  sheet.getCell('A1').value = value;
  sheet.getCell('B1').value = { formula, result: 0 };
  book.definedNames.add('Report!$B$1', 'out_Result');
  return Buffer.from(await book.xlsx.writeBuffer());
}

async function upload(formula: string, value: number): Promise<void> {
  const file = join(folder, 'report.xlsx');
  await writeFile(file, await workbook(formula, value));
  await browser.page.locator('input[type=file]').setInputFiles(file);
}

test('an activity with inputs that somebody has to fill in offers no schedule, one without does', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/edit/1/`);
  await page.getByRole('heading', { name: 'Run Retention' }).waitFor();
  await visit(page, `${portal.address}/activities/new/`);
  await page.getByLabel('Activity Name').fill('Nightly');
  await page.getByLabel('Schema').selectOption('General');
  await upload('A1*2', 1);
  await page.getByRole('button', { name: 'Create Activity' }).click();
  await page.getByText('New activity created').waitFor();
  const report = page.getByRole('region', { name: 'Next steps' });
  const link = await report.getByRole('link', { name: 'Nightly' }).getAttribute('href');
  activity = /activities\/(\d+)/.exec(link ?? '')?.[1] ?? '';
  await report.getByRole('button', { name: 'Close the next steps' }).click();
  await report.waitFor({ state: 'detached' });
  await visit(page, `${portal.address}/activities/edit/${activity}/`);
  await page.getByRole('heading', { name: 'Run Schedule' }).waitFor();
  await expectGoodScreen(browser, 'schedule-none');
});

test('a schedule says what is missing, is saved, and shows when it runs next', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Edit the run schedule' }).click();
  await page.getByRole('heading', { name: 'Activity Scheduler' }).waitFor();
  await page.getByLabel('Retry Attempts').fill('some');
  await page.getByRole('button', { name: 'Update' }).click();
  for (const text of ['Select Schedule Type', 'Select Schedule Time', 'Retry Attempts must be a number']) {
    await page.getByText(text).first().waitFor();
  }
  await expectGoodScreen(browser, 'schedule-faults');
  await page.getByLabel('Schedule Type').selectOption('Daily');
  await page.getByLabel('Schedule Time').fill(TIME);
  await page.getByLabel('Retry Attempts').fill('2');
  await page.getByRole('button', { name: 'Update' }).click();
  await page.getByText('Enter a valid Retry Interval').first().waitFor();
  await page.getByLabel('Retry Interval').fill('10');
  await page.getByRole('button', { name: 'Update' }).click();
  await page.getByText('Schedule updated').waitFor();
  await page.getByText(`Daily at ${TIME} (UTC), retried 2 times after 10 min`).waitFor();
});

test('what runs automatically is listed on a page, where it is paused and resumed', async () => {
  const { page } = browser;
  await openFromMenu(page, 'Automation', 'Schedules');
  const entry = page.getByRole('list', { name: 'Schedules' }).getByRole('listitem').filter({ hasText: 'Nightly' });
  await entry.getByText(`Daily at ${TIME} (UTC), retried 2 times after 10 min`).waitFor();
  await entry.getByText(/^then( \d+\/\w{3}\/\d{4},?){4}$/).waitFor();
  await expectGoodScreen(browser, 'schedules-page');
  await entry.getByRole('button', { name: 'Pause the schedule of Nightly' }).click();
  await entry.getByText('Paused since').waitFor();
  await page.getByLabel('Search schedules').fill('nothing like it');
  await page.getByText('No schedules match the search').waitFor();
  await page.getByLabel('Search schedules').fill('night');
  await entry.getByRole('button', { name: 'Resume the schedule of Nightly' }).click();
  await entry.getByText('Next:').waitFor();
  await visit(page, `${portal.address}/activities/edit/${activity}/`);
});

test('a schedule is deleted after a question', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Edit the run schedule' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Schedule deleted').waitFor();
  await page.getByText('No schedule starts it.').waitFor();
});

fullSetTest('retention periods are checked and saved', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Edit the run retention' }).click();
  await page.getByRole('heading', { name: 'Activity Run Retention' }).waitFor();
  await page.getByLabel('Run Retention Period').fill('30');
  await page.getByLabel('Run Data Retention Period').fill('60');
  await page.getByRole('button', { name: 'Update' }).click();
  await page.getByText('Run Retention Period should be greater than Run Data Retention Period').first().waitFor();
  await expectGoodScreen(browser, 'retention-faults');
  await page.getByLabel('Run Data Retention Period').fill('10');
  await page.getByRole('button', { name: 'Update' }).click();
  await page.getByText('Run Data Retention Period: 10 days').waitFor();
});

test('what did not simply succeed appears under the bell, and leaves it when it is dismissed', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Notifications', exact: true }).click();
  await page.getByText('No notifications').waitFor();
  await page.keyboard.press('Escape');
  await visit(page, `${portal.address}/activities/new/`);
  await page.getByLabel('Activity Name').fill('Broken');
  await page.getByLabel('Schema').selectOption('General');
  await upload('1/(A1-7)', 7);
  await page.getByRole('button', { name: 'Create Activity' }).click();
  await page.getByRole('region', { name: 'Next steps' }).getByRole('button', { name: 'Run it' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText(/The run (failed|succeeded with warnings)/).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Notifications: 1' }).click();
  const list = page.getByRole('list', { name: 'Notifications' });
  await list.getByText('Broken').waitFor();
  expect((await list.boundingBox())!.height).toBeLessThanOrEqual(162);
  await expectGoodScreen(browser, 'notifications-bell');
  await list.getByRole('button', { name: /Dismiss Broken/ }).click();
  await page.getByText('No notifications').waitFor();
  await page.keyboard.press('Escape');
});

fullSetTest('notifications have a page, where they are read and cleared', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Run Again' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText(/The run (failed|succeeded with warnings)/).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Notifications: 1' }).click();
  await page.getByRole('link', { name: 'All notifications' }).click();
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
  await page.getByRole('list', { name: 'Today' }).getByText('Broken').waitFor();
  await expectGoodScreen(browser, 'notifications');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  await page.getByRole('button', { name: 'By activity' }).click();
  await page.getByRole('list', { name: 'Broken' }).waitFor();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.getByText('Here you are notified of your runs').waitFor();
});

test('the palette leads anywhere by the keyboard alone', async () => {
  const { page } = browser;
  const palette = page.getByRole('dialog', { name: 'Go to' });
  const field = palette.getByRole('combobox');
  await visit(page, `${portal.address}/activities/`);
  await page.getByRole('heading', { name: 'Activities' }).waitFor();
  await page.keyboard.press('Control+K');
  await field.fill('nigh');
  await palette.getByRole('option', { name: 'Nightly' }).waitFor();
  await expectNothingSerious(browser);
  const marked = await field.getAttribute('aria-activedescendant');
  expect(await palette.getByRole('option', { selected: true }).getAttribute('id')).toBe(marked);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/activities/${activity}/`);
  await page.getByRole('heading', { name: 'Nightly', level: 1 }).and(page.locator(':focus')).waitFor();
  // The palette finds actions of the page, runs by number, and users by name.
  await page.keyboard.press('Control+K');
  await palette.getByRole('group', { name: 'On this page' }).getByRole('option', { name: /^Edit/ }).waitFor();
  await palette.getByRole('group', { name: 'Recent' }).waitFor();
  await field.fill('1');
  await palette.getByRole('option', { name: /^Run 1 / }).waitFor();
  await field.fill('admin');
  await palette.getByRole('option', { name: /User$/ }).first().waitFor();
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });
});

fullSetTest('a page has its keys and its help', async () => {
  const { page } = browser;
  await page.keyboard.press('Shift+?');
  await page.getByRole('dialog', { name: 'Shortcuts of this page' }).getByText('Ctrl+K').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Help for this page' }).click();
  const help = page.getByRole('dialog', { name: 'Help' });
  await help.getByRole('heading', { name: 'The home of an activity' }).waitFor();
  await expectNothingSerious(browser);
  await help.getByRole('button', { name: 'Looking back' }).click();
  await help.getByRole('heading', { name: 'Looking back' }).waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
});

fullSetTest('one run is purged from its menu, and one goes back', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Nightly' }).click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await page.getByRole('button', { name: 'Menu of Nightly' }).click();
  await page.getByRole('menuitem', { name: 'Purge this run' }).click();
  const dialog = page.getByRole('dialog', { name: 'Purge this run' });
  await dialog.getByRole('button', { name: 'Purge output files' }).click();
  await page.getByText('1 file(s) affected').waitFor();
  await openDetails(page);
  await page.getByText(/output files of this run were purged by/).waitFor();
  await page.getByRole('button', { name: 'Menu of Nightly' }).click();
  await page.getByRole('menuitem', { name: 'Purge this run' }).click();
  await dialog.getByRole('button', { name: 'Purge Everything' }).click();
  await page.getByText('1 run(s) affected').waitFor();
});

test('runs are purged by day and activity', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/run/${activity}/`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await openFromMenu(page, 'Administration', 'Purge Activity Run Data');
  const date = page.getByLabel('Date');
  const daysAgo = (Date.now() - Date.parse(await date.inputValue())) / 86_400_000;
  expect(Math.abs(daysAgo - 7)).toBeLessThan(2);
  await page.getByText('There are no runs before this day').waitFor();
  await date.fill(new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10));
  await page.getByText('Nightly').first().waitFor();
  expect(await page.getByRole('button', { name: 'Purge output files' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Purge Runs' }).click();
  await page.getByText('Nothing to purge').waitFor();
  await tick(page.getByLabel('Select Nightly'));
  await expectGoodScreen(browser, 'purge-runs');
  await page.getByRole('button', { name: /Purge output files/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Purge', exact: true }).click();
  await page.getByText('1 file(s) affected').waitFor();
  await tick(page.getByLabel('Select Nightly'));
  await page.getByRole('button', { name: /Purge Runs/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Purge', exact: true }).click();
  await page.getByText('1 run(s) affected').waitFor();
  await page.getByLabel('Select Nightly').waitFor({ state: 'detached' });
});

fullSetTest('the files of old versions are purged, and their download says so', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/edit/${activity}/`);
  await upload('A1*2', 2);
  await page.getByLabel('Change Description').fill('Twice as much');
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.getByText('Activity updated').waitFor();
  await page.goto(`${portal.address}/activities/versions/${activity}`);
  await page.getByText('Twice as much').waitFor();
  expect(await page.getByRole('button', { name: 'Menu of version 2' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Menu of version 1' }).click();
  await page.getByRole('menuitem', { name: 'Purge from here' }).click();
  await page.getByText('The activity files having version 1 and below will be deleted. Proceed?').waitFor();
  await page.getByText('Note: Run data will not be affected.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Purge', exact: true }).click();
  await page.getByText('1 file(s) affected').waitFor();
  await page.getByRole('button', { name: 'Download version 1 of Nightly' }).click();
  await page.getByText('This activity version file does not exist').waitFor();
  await expectGoodScreen(browser, 'purge-versions');
  expect(browser.errors).toEqual([]);
});
