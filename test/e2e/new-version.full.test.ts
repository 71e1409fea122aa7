/** A form that is open while its activity gets a new version: no unseen version is run, and no input is lost. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

let portal: Portal;
let staff: Browser;
let visitor: Browser;
let id: number;

const book = (factor: number): WorkbookSpec => ({
  sheets: [{ name: 'S', cells: { A1: 2, A2: 'none', B1: { formula: `A1*${factor}`, value: 2 * factor } } }],
  names: { in_Amount: 'S!$A$1', in_Note: 'S!$A$2', out_Total: 'S!$B$1' },
});

/** Publishes a version in another window, like a colleague. */
async function publishAgain(factor: number): Promise<void> {
  const page = await staff.context.newPage();
  await page.goto(`${portal.address}/activities/edit/${id}/`);
  const buffer = await buildWorkbook(book(factor));
  await page.locator('input[type=file]').setInputFiles({ name: 'Price.xlsx', mimeType: XLSX, buffer });
  await page.getByLabel('Change Description').fill(`Times ${factor}`);
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.getByText('Activity updated').waitFor();
  await page.close();
}

const comeBack = ({ page }: Browser) => page.evaluate(() => window.dispatchEvent(new Event('focus')));
const dialog = ({ page }: Browser) => page.getByRole('dialog', { name: 'The activity has a new version' });

beforeAll(async () => {
  [portal, staff, visitor] = await Promise.all([
    startPortal({ RUNSHEET_SAMPLES: 'false' }),
    openBrowser(),
    openBrowser(),
  ]);
  await firstSignIn(staff.page, portal, 'Newcomer-Pass-1');
  id = await publish(staff, portal, { Name: 'Price', workbook: book(8), hasSimultaneousRuns: true });
  await staff.page.goto(`${portal.address}/rights/assignInternetRights/sk.RunActivity/Id/${id}/`);
  await staff.page.getByRole('button', { name: /^Grant/ }).click();
  await staff.page.getByRole('button', { name: /^Delete/, disabled: false }).waitFor();
});
afterAll(async () => {
  await Promise.all([staff.close(), visitor.close()]);
  await portal.stop();
});

test('a user who fills in the form is notified at once, without coming back to it, and reloads it with what was typed', async () => {
  const { page } = staff;
  await page.goto(`${portal.address}/activities/run/${id}/`);
  await page.getByLabel('Amount').fill('5');
  await publishAgain(9);
  await page.getByText('Version 2 of the activity was published. This form shows version 1.').waitFor();
  await expectGoodScreen(staff, 'new-version-notice');
  expect(await page.getByLabel('Amount').inputValue()).toBe('5');
  await page.getByRole('button', { name: 'Reload the form' }).click();
  await page.getByText('The activity has a new version. Your entries remain if they still fit.').waitFor();
  await page.getByText('This form shows version 1').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Amount').inputValue()).toBe('5');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('45', { exact: true }).waitFor();
});

test('a start asks which version, and runs the one shown where that is wanted', async () => {
  const { page } = staff;
  await page.goto(`${portal.address}/activities/run/${id}/`);
  await page.getByLabel('Amount').fill('7');
  await publishAgain(10);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await dialog(staff).getByText('Version 3 was published while this form with version 2 was open.').waitFor();
  await expectGoodScreen(staff, 'new-version-dialog');
  await dialog(staff).getByRole('button', { name: 'Cancel' }).click();
  await dialog(staff).waitFor({ state: 'detached' });
  expect(await page.getByLabel('Amount').inputValue()).toBe('7');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await dialog(staff).getByRole('button', { name: 'Run the version shown' }).click();
  await page.getByText('63', { exact: true }).waitFor();
});

test('if the stream is cut, a user who comes back to the form is notified', async () => {
  const { page } = staff;
  // Leave the requests pending: a failed one would be retried and reported in the console.
  await page.route('**/api/events*', () => undefined);
  await page.goto(`${portal.address}/activities/run/${id}/`);
  await page.getByLabel('Amount').fill('7');
  await publishAgain(12);
  await comeBack(staff);
  await page.getByText('Version 4 of the activity was published. This form shows version 3.').waitFor();
  await page.unroute('**/api/events*');
});

test('a visitor is notified within half a minute, asked the same, and continues with the new version', async () => {
  const { page } = visitor;
  await page.clock.install();
  await page.goto(`${portal.address}/public/activities/run/${id}`);
  await page.getByLabel('Amount').fill('3');
  await publishAgain(11);
  await page.clock.fastForward(30_000);
  await page.getByText('Version 5 of the activity was published. This form shows version 4.').waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await dialog(visitor).getByRole('button', { name: 'Reload the form' }).click();
  await page.getByText('The activity has a new version. Your entries remain if they still fit.').waitFor();
  expect(await page.getByLabel('Amount').inputValue()).toBe('3');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('33', { exact: true }).waitFor();
  expect([...staff.errors, ...visitor.errors]).toEqual([]);
});
