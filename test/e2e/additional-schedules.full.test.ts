/**
 * Schedules by weeks and months around a holiday calendar, with the mouse in a real browser, in both themes and on a
 * small screen.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tick } from './support/controls.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { openFromMenu } from './support/menu.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

let portal: Portal;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  [portal, browser, folder] = await Promise.all([
    startPortal(),
    openBrowser(),
    mkdtemp(join(tmpdir(), 'runsheet-further-')),
  ]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a holiday calendar takes the days of a file', async () => {
  const { page } = browser;
  const file = join(folder, 'holidays.ics');
  const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//t//EN',
    'BEGIN:VEVENT',
    'UID:1',
    'DTSTAMP:20260101T000000Z',
  ];
  const event = [`DTSTART;VALUE=DATE:${day}`, 'SUMMARY:Founding day', 'END:VEVENT', 'END:VCALENDAR', ''];
  await writeFile(file, [...lines, ...event].join('\r\n'));
  await openFromMenu(page, 'Administration', 'Holiday calendars');
  await page.getByRole('button', { name: 'Add calendar' }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Enter a name').first().waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Germany');
  await page.locator('input[type=file]').setInputFiles(file);
  const days = page.getByRole('table', { name: 'Non-working days' });
  await days.getByText('Founding day').waitFor();
  // A day that is typed is not forgotten, and Enter adds it.
  await page.getByLabel('Day', { exact: true }).fill('24/Dec/2027');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Add this day, or clear it and its name').first().waitFor();
  await page.getByLabel('Name of the day').fill('Christmas Eve');
  await page.getByLabel('Name of the day').press('Enter');
  await days.getByText('Christmas Eve').waitFor();
  await page.getByRole('button', { name: 'Remove 2027-12-24' }).click();
  await expectGoodScreen(browser, 'calendar', { isWholePage: true });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Not used by any schedule').waitFor();
});

async function pauseInOtherWindow(): Promise<void> {
  const other = await browser.page.context().newPage();
  await other.goto(browser.page.url());
  await other.getByRole('button', { name: 'Pause Closing' }).click();
  await other.getByText('Paused since').waitFor();
  await other.close();
}

test('a schedule shows its next times while it is made, is paused, resumed and deleted', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/edit/1/`);
  await page
    .getByRole('link', { name: 'More schedules' })
    .or(page.getByRole('button', { name: 'More schedules' }))
    .click();
  await page.getByRole('button', { name: 'Add schedule' }).click();
  const form = page.getByRole('form', { name: 'Schedule' });
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.getByText('Please correct the errors shown.').waitFor();
  expect(await form.getByText('Enter a name').count()).toBe(1);
  await form.getByLabel('Name', { exact: true }).fill('Closing');
  await tick(form.getByLabel('Friday'));
  const occurrences = form.getByRole('list', { name: 'Next occurrences' }).getByRole('listitem');
  await occurrences
    .filter({ hasText: /^Fri \d+\/\w{3}\/\d{4} 06:00/ })
    .first()
    .waitFor();
  expect(await occurrences.count()).toBe(10);
  await form.getByLabel('Schedule Type').selectOption('MonthlyBusinessDay');
  await form.getByLabel('Counting direction').selectOption('end');
  await form.getByLabel('Time zone').fill('America/New_York');
  await form.getByLabel('Holiday calendar').selectOption('Germany');
  await form.getByText('Monthly on the last business day at 06:00 (America/New_York)').waitFor();
  await form.getByLabel('On non-working days').selectOption({ label: 'Skip' });
  await form
    .getByText('Monthly on the last business day at 06:00; except on non-working days of Germany (America/New_York)')
    .waitFor();
  await expectGoodScreen(browser, 'schedule-form', { isWholePage: true });
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Schedule saved').waitFor();
  await page.getByRole('button', { name: 'Pause Closing' }).click();
  await page.getByText('Paused since').waitFor();
  await page.getByRole('button', { name: 'Resume Closing' }).click();
  await page.getByText('Next run').waitFor();
  await expectGoodScreen(browser, 'schedules', { isWholePage: true });
  await page.getByRole('button', { name: 'Edit Closing' }).click();
  await form.getByLabel('Schedule Type').selectOption('Cron');
  await form.getByLabel('Cron').fill('0 6 * *');
  await form.getByText('Enter five fields').waitFor();
  await form.getByLabel('Cron').fill('30 6 * * 1-5');
  await form
    .getByText('At 06:30, Monday through Friday; except on non-working days of Germany (America/New_York)')
    .waitFor();
  await pauseInOtherWindow();
  await form.getByRole('button', { name: 'Update' }).click();
  await page.getByRole('alert').filter({ hasText: 'changed this on' }).waitFor();
  await page.getByRole('button', { name: 'Show theirs' }).click();
  await form.getByText('It is paused.').waitFor();
  await expectGoodScreen(browser, 'schedule-conflict', { isWholePage: true });
  await page.getByRole('button', { name: 'Show mine' }).click();
  await page.getByRole('button', { name: 'Overwrite with mine' }).click();
  await page
    .getByText('At 06:30, Monday through Friday; except on non-working days of Germany (America/New_York)')
    .waitFor();
  await page.getByRole('button', { name: 'Delete Closing' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No other schedules yet').waitFor();
});
