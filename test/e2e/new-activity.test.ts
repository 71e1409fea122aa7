/**
 * A new activity: first the file is dropped or chosen, then its contents are shown immediately, with a preview of the
 * form.
 */
import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, signIn, startPortal, type Browser, type Portal, visit } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  await firstSignIn(browser.page, portal, PASSWORD);
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

/** Drops a file as the system's file manager does. */
async function drop(fileName: string, bytes: Uint8Array): Promise<void> {
  const { page } = browser;
  const transfer = await page.evaluateHandle(
    ({ name, base64 }) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
      return dropped;
    },
    { name: fileName, base64: Buffer.from(bytes).toString('base64') },
  );
  await page.dispatchEvent('.rs-drop', 'drop', { dataTransfer: transfer });
}

const found = () => browser.page.getByRole('region', { name: 'What was found' });
const chooseAnother = () => browser.page.getByRole('button', { name: 'Choose another file' }).click();

test('the template is downloaded, and shows its inputs, its result and its form when it is dropped again', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/new/`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Template workbook' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('template.xlsx');
  await expectGoodScreen(browser, 'new-empty', { isWholePage: true });
  await drop('price-list.xlsx', await readFile(await download.path()));
  await found().getByText('2 fields to fill in, 1 result.').waitFor();
  await found().getByText('All of them agree').or(found().getByText('It agrees')).first().waitFor();
  expect(await page.getByLabel('Activity Name').inputValue()).toBe('Price list');
  await found().getByLabel('Amount').fill('12');
  await page.getByRole('button', { name: 'Create Activity' }).scrollIntoViewIfNeeded();
  await expectGoodScreen(browser, 'new-found', { isWholePage: true });
});

test('what is no workbook is not taken, and what was typed is not proposed over', async () => {
  const { page } = browser;
  await chooseAnother();
  await drop('notes.txt', Buffer.from('notes'));
  await page.getByText('Choose an Excel workbook (.xlsx or .xlsm)').waitFor();
  await page.getByLabel('Activity Name').fill('My own name');
  const buffer = await readFile(new URL('../../samples/files/loan-schedule.xlsx', import.meta.url));
  await page.locator('input[type=file]').setInputFiles({ name: 'loan.xlsx', mimeType: XLSX, buffer });
  await found().getByText('Payment Frequency').first().waitFor();
  expect(await page.getByLabel('Activity Name').inputValue()).toBe('My own name');
  expect(await page.getByLabel('Group').inputValue()).toBe('Treasury');
});

test('all problems are listed as soon as the file is chosen', async () => {
  const { page } = browser;
  const cells = { A1: 1, A2: { formula: 'A1+1', value: 2 } };
  const buffer = await buildWorkbook({
    sheets: [{ name: 'Data', cells }],
    names: { in_A: 'Data!$A$2', out_B: 'Gone!$A$1' },
  });
  await chooseAnother();
  await page.locator('input[type=file]').setInputFiles({ name: 'bad.xlsx', mimeType: XLSX, buffer });
  await found()
    .getByText(/problem/)
    .waitFor();
  await page.getByRole('heading', { name: 'Problems in the workbook' }).waitFor();
});

/**
 * Holds an upload until `go` is called. `say` sets how many uploads are ahead of it, as reported by the server from
 * then on.
 */
async function holdUpload(path: 'designs/open' | 'activities/create') {
  const { page } = browser;
  const held = Promise.withResolvers<void>();
  let Ahead: number | null = null;
  const ids = new Set<string | null>();
  await page.route(`**/api/${path}?*`, async (route) => {
    ids.add(new URL(route.request().url()).searchParams.get('UploadId'));
    await held.promise;
    await route.continue();
  });
  await page.route('**/api/activities/uploadsahead/*', async (route) => {
    const id = new URL(route.request().url()).pathname.split('/').at(-1)!;
    await route.fulfill({ json: { result: { Ahead: ids.has(id) ? Ahead : null } } });
  });
  const go = async (): Promise<void> => {
    held.resolve();
    await page.unroute('**/api/activities/uploadsahead/*');
    await page.unroute(`**/api/${path}?*`);
  };
  return { say: (next: number | null) => void (Ahead = next), go };
}

/** Checks the messages of an upload while it waits and while it is checked. */
async function expectWaitTexts(upload: Awaited<ReturnType<typeof holdUpload>>): Promise<void> {
  const { page } = browser;
  const status = (text: string) => page.getByRole('status').getByText(text, { exact: true });
  upload.say(2);
  await status('Waiting for 2 other uploads to be checked.').waitFor();
  // If the server does not know the upload, the message does not change.
  upload.say(null);
  await page.waitForResponse('**/api/activities/uploadsahead/*');
  await status('Waiting for 2 other uploads to be checked.').waitFor();
  upload.say(1);
  await status('Waiting for 1 other upload to be checked.').waitFor();
  upload.say(0);
  await status('Checking the workbook…').waitFor();
  await upload.go();
}

test('a chosen file says how many uploads are checked before it', async () => {
  const { page } = browser;
  await chooseAnother();
  const upload = await holdUpload('designs/open');
  const buffer = await readFile(new URL('../../samples/files/template.xlsx', import.meta.url));
  await page.locator('input[type=file]').setInputFiles({ name: 'template.xlsx', mimeType: XLSX, buffer });
  await expectWaitTexts(upload);
  await found().getByText('2 fields to fill in, 1 result.').waitFor();
});

test('it is created, and the list of activities says how faithfully it is calculated', async () => {
  const { page } = browser;
  const buffer = await readFile(new URL('../../samples/files/template.xlsx', import.meta.url));
  await chooseAnother();
  await page.locator('input[type=file]').setInputFiles({ name: 'template.xlsx', mimeType: XLSX, buffer });
  await found().getByText('2 fields to fill in, 1 result.').waitFor();
  await page.getByText(/^The file does not specify its region\. Choose one/).waitFor();
  await page.getByLabel('Region of the workbook').selectOption({ label: 'German (Austria)' });
  await page.getByText('Region of the workbook: German (Austria), chosen during the upload.').waitFor();
  await found().getByText('2 fields to fill in, 1 result.').waitFor();
  await page.getByText('More', { exact: true }).click();
  await page.getByLabel('Function').fill('Taxes');
  const upload = await holdUpload('activities/create');
  await page.getByRole('button', { name: 'Create Activity' }).click();
  await expectWaitTexts(upload);
  await page.waitForURL(/\/activities\/$/);
  await page.getByRole('region', { name: 'Next steps' }).getByRole('link', { name: 'My own name' }).click();
  await page.getByRole('heading', { name: 'My own name', level: 1 }).waitFor();
  await page.getByText('Taxes').first().waitFor();
  expect(browser.errors).toEqual([]);
});

fullSetTest('with a finger the file is chosen by the button', async () => {
  const touch = await openBrowser({ hasTouch: true, width: 360 });
  const { page } = touch;
  await signIn(page, portal, PASSWORD);
  await page.goto(`${portal.address}/activities/new/`);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose File' }).tap(),
  ]);
  await chooser.setFiles(new URL('../../samples/files/template.xlsx', import.meta.url).pathname);
  await page.getByText('2 fields to fill in, 1 result.').waitFor();
  expect(touch.errors).toEqual([]);
  await touch.close();
});
