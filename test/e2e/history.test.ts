/** The history of an activity: searched, exported, and two of its runs side by side. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousViolations } from './support/axe.ts';
import { expectToFit } from './support/layout.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  for (const rate of ['2', '9']) {
    await browser.page.goto(`${portal.address}/activities/run/3/`);
    await browser.page.getByLabel('Bonus Rate').fill(`${rate} %`);
    await browser.page.getByLabel('Bonus Rate').press('Control+Enter');
    await browser.page.getByText('The run was successful').waitFor();
  }
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const rowCount = (count: number) =>
  browser.page.waitForFunction(
    (wanted) => document.querySelectorAll('.rs-grid [role="gridcell"][data-col="0"]').length === wanted,
    count,
  );

test('runs are searched by the value of an input; the search is in the address and survives a reload', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/runhistory/3`);
  await rowCount(2);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('button', { name: 'Add Value' }).click();
  await page.getByLabel('Input or output 1').selectOption({ label: 'Bonus Rate' });
  await page.getByLabel('Comparison 1').selectOption('>');
  await page.getByRole('textbox', { name: 'Value 1', exact: true }).fill('much');
  await page.getByRole('textbox', { name: 'Value 1' }).press('Enter');
  await page.getByText('Value must be a number').waitFor();
  await page.getByRole('textbox', { name: 'Value 1' }).fill('5 %');
  await page.getByRole('textbox', { name: 'Value 1' }).press('Enter');
  await rowCount(1);
  await page.reload();
  await page.getByRole('button', { name: 'Search (1)' }).waitFor();
  await rowCount(1);
  expect(await page.getByRole('textbox', { name: 'Value 1' }).inputValue()).toBe('0.05');
  expect(await seriousViolations(browser)).toEqual([]);
  await expectToFit(browser, 360);
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByText('No runs match the search').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await rowCount(2);
});

test('values are searched between two, by what they are not and by being there, several together', async () => {
  const { page } = browser;
  const search = () => page.locator('.rs-history-search').getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Add Value' }).click();
  await page.getByLabel('Input or output 1').selectOption({ label: 'Bonus Rate' });
  await page.getByLabel('Comparison 1').selectOption({ label: 'is between' });
  await page.getByRole('textbox', { name: 'Value 1', exact: true }).fill('9 %');
  await page.getByRole('textbox', { name: 'Second value 1' }).fill('1 %');
  await search();
  await page.getByText('The second value must not be below the first').waitFor();
  await page.getByRole('textbox', { name: 'Second value 1' }).fill('10 %');
  await search();
  await rowCount(1);
  await page.reload();
  await rowCount(1);
  expect(await page.getByRole('textbox', { name: 'Second value 1' }).inputValue()).toBe('0.1');
  await page.getByRole('button', { name: 'Add Value' }).click();
  await page.getByLabel('Input or output 2').selectOption({ label: 'Bonus Rate' });
  await page.getByLabel('Comparison 2').selectOption({ label: 'is not' });
  await page.getByRole('textbox', { name: 'Value 2', exact: true }).fill('9 %');
  expect(await seriousViolations(browser)).toEqual([]);
  await expectToFit(browser, 360);
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/history-search.png` });
  await search();
  await page.getByText('No runs match the search').waitFor();
  await page.getByLabel('Comparison 1').selectOption({ label: 'is not empty' });
  expect(await page.getByRole('textbox', { name: 'Value 1', exact: true }).count()).toBe(0);
  await search();
  await rowCount(1);
  await page.getByRole('button', { name: 'Clear' }).click();
  await rowCount(2);
});

test('what was found comes as a workbook', async () => {
  const { page } = browser;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Sales commission history.xlsx');
});

test('two runs stand side by side, and what differs is said in words', async () => {
  const { page } = browser;
  await page
    .getByRole('button', { name: /^Compare: run of/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^With this: run of/ }).click();
  await page.getByRole('heading', { name: 'Compare Runs - Sales commission' }).waitFor();
  await page.getByRole('row', { name: /^Bonus Rate .* differs$/ }).waitFor();
  await page.getByRole('row', { name: /^Version 1 1 same$/ }).waitFor();
  await page.getByText('Only what differs').click();
  await page.waitForURL(/only=differences/);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await seriousViolations(browser)).toEqual([]);
  }
  await expectToFit(browser, 360);
  expect(browser.errors).toEqual([]);
});
