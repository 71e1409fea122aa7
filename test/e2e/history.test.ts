/**
 * The history of an activity: searched, sorted, exported, runs compared side by side, and forms filled in from stored
 * runs.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectGoodScreen, expectNothingSerious } from './support/good-screen.ts';
import { expectToFit } from './support/layout.ts';
import { photograph } from './support/pictures.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  for (const rate of ['2', '9']) {
    await visit(browser.page, `${portal.address}/activities/run/3/`);
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
  await visit(page, `${portal.address}/activities/runhistory/3`);
  await rowCount(2);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('button', { name: 'Add value' }).click();
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
  await expectNothingSerious(browser);
  await expectToFit(browser, 360);
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByText('No runs match the search').waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await rowCount(2);
});

fullSetTest('values are searched between two, by what they are not and by being there, several together', async () => {
  const { page } = browser;
  const search = () => page.locator('.rs-history-search').getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Add value' }).click();
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
  await page.getByRole('button', { name: 'Add value' }).click();
  await page.getByLabel('Input or output 2').selectOption({ label: 'Bonus Rate' });
  await page.getByLabel('Comparison 2').selectOption({ label: 'is not' });
  await page.getByRole('textbox', { name: 'Value 2', exact: true }).fill('9 %');
  await expectNothingSerious(browser);
  await expectToFit(browser, 360);
  await photograph(page, 'history-search');
  await search();
  await page.getByText('No runs match the search').waitFor();
  await page.getByLabel('Comparison 1').selectOption({ label: 'is not empty' });
  expect(await page.getByRole('textbox', { name: 'Value 1', exact: true }).count()).toBe(0);
  await search();
  await rowCount(1);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await rowCount(2);
});

fullSetTest('what was found comes as a workbook', async () => {
  const { page } = browser;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Sales commission history.xlsx');
});

const firstColumn = async (name: string): Promise<string[]> => {
  const { page } = browser;
  const header = page.getByRole('columnheader', { name }).first();
  const col = Number(await header.getAttribute('aria-colindex')) - 1;
  return page.locator(`.rs-grid [role="gridcell"][data-col="${col}"]`).allInnerTexts();
};

test('runs are sorted by what a column holds, and a click on a value finds the runs with it', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Input: Bonus Rate' }).last().click();
  await page.getByText('Sorted by Bonus Rate: runs without this value are not shown.').waitFor();
  await page.waitForURL(/sort=Inputs\d+$/);
  await expect.poll(() => firstColumn('Bonus Rate')).toEqual(['2.00%', '9.00%']);
  await page.getByRole('button', { name: 'Input: Bonus Rate' }).last().click();
  await expect.poll(() => firstColumn('Bonus Rate')).toEqual(['9.00%', '2.00%']);
  const sorted = page.waitForResponse((response) => response.url().endsWith('/api/activities/runhistory'));
  await page.getByRole('button', { name: 'Duration', exact: true }).last().click();
  await sorted;
  const millisecondsOf = (text: string): number => {
    const [, number, unit] = /^(\d+(?:\.\d)?) (m?s)$/.exec(text) ?? [];
    return Number(number) * (unit === 's' ? 1000 : 1);
  };
  // Rows that changed places under the mouse would take the click.
  await expect
    .poll(async () => {
      const [first, second] = (await firstColumn('Duration')).map(millisecondsOf);
      return first! <= second!;
    })
    .toBe(true);
  await page.getByRole('gridcell', { name: '9.00%' }).click();
  // The first column may be out of view at this point.
  await expect.poll(() => firstColumn('Bonus Rate')).toEqual(['9.00%']);
  await page.getByRole('button', { name: 'Search (1)' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Value 1', exact: true }).inputValue()).toBe('0.09');
});

fullSetTest('a search is saved under a name, and opened and deleted again', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Saved searches' }).click();
  await page.getByLabel('Name of this search').fill('Nine percent');
  await page.getByLabel('Name of this search').press('Enter');
  await page.getByRole('button', { name: 'Nine percent', exact: true }).waitFor();
  await expectNothingSerious(browser);
  await page.goto(`${portal.address}/activities/runhistory/3`);
  await rowCount(2);
  await page.getByRole('button', { name: 'Saved searches' }).click();
  await page.getByRole('button', { name: 'Nine percent', exact: true }).click();
  await rowCount(1);
  await page.getByRole('button', { name: 'Delete the search Nine percent' }).click();
  await page.getByText('Search “Nine percent” deleted').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  await page.getByRole('button', { name: 'Delete the search Nine percent' }).click();
  await page.getByText('Search or sort the runs, and then save the search here under a name.').waitFor();
  await page.keyboard.press('Escape');
});

test('runs that are chosen stand side by side, and what differs is said in words and numbers', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/runhistory/3`);
  await rowCount(2);
  const boxes = page.getByRole('checkbox', { name: /^Choose run/ });
  const compare = page.getByRole('button', { name: 'Compare', exact: true });
  await boxes.first().check({ force: true });
  await page.getByText('1 run chosen').waitFor();
  expect(await compare.isDisabled()).toBe(true);
  await boxes.nth(1).check({ force: true });
  await expectNothingSerious(browser);
  await expectToFit(browser, 360);
  await compare.click();
  await page.getByRole('heading', { name: 'Compare runs - Sales commission' }).waitFor();
  await page.getByRole('row', { name: /^Bonus Rate 2\.00% 9\.00% ?\+7\.00% \(\+350 %\) differs$/ }).waitFor();
  await page.getByRole('row', { name: /^Version 1 1 same$/ }).waitFor();
  await page.getByText('Only differences').click();
  await page.waitForURL(/only=differences/);
  await expectGoodScreen(browser, 'compare-differences');
});

fullSetTest('a form is filled in from a set, an earlier run and a link, and tried without a run', async () => {
  const { page } = browser;
  const rate = page.getByLabel('Bonus Rate');
  await page.goto(`${portal.address}/activities/run/3/#${new URLSearchParams({ 'Bonus Rate': '0.04' }).toString()}`);
  await page.getByText('Values of this form come from the link that opened it.').waitFor();
  expect(await rate.inputValue()).toBe('4.00%');
  await page.getByRole('button', { name: 'Input sets' }).click();
  await page.getByLabel('Name of the input set').fill('Four');
  await page.getByText('For everyone who runs the activity').click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: /^Four shared by/ }).waitFor();
  await expectNothingSerious(browser);
  await page.goto(`${portal.address}/activities/run/3/`);
  await page.getByRole('button', { name: 'Input sets' }).click();
  await page.getByLabel('Run number').fill('2');
  await page.getByRole('button', { name: 'Fill in' }).click();
  await expect.poll(() => rate.inputValue()).toBe('9.00%');
  await page.getByRole('button', { name: /^Four shared by/ }).click();
  await expect.poll(() => rate.inputValue()).toBe('4.00%');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await page.getByRole('heading', { name: 'Trial calculation; nothing was stored' }).waitFor();
  await expectNothingSerious(browser);
  await expectToFit(browser, 360);
  await rate.fill('5 %');
  await page.getByText('The inputs have changed since then.').waitFor();
  await page.goto(`${portal.address}/activities/runhistory/3`);
  await rowCount(2);
  expect(browser.errors).toEqual([]);
});

fullSetTest('of a table in a run the columns are chosen, and what is shown is copied', async () => {
  const { page, context } = browser;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${portal.address}/activities/runstatus/1/`);
  await page.getByRole('button', { name: 'Columns of Commission' }).click();
  await page.getByRole('checkbox', { name: 'Quota' }).uncheck({ force: true });
  await expectNothingSerious(browser);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('columnheader', { name: 'Quota' }).count()).toBe(0);
  await page
    .getByLabel(/^Filter Output/)
    .first()
    .fill('North');
  await page.getByRole('button', { name: 'Copy Commission' }).click();
  await page.getByText('Copied 2 rows').waitFor();
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  expect(lines[0]).toMatch(/^Person\tRegion\tDeals\tNet Revenue\tAttainment/);
  expect(lines.slice(1).map((line) => line.split('\t')[0])).toEqual(['Anna Keller', 'Ben Osei']);
  expect(browser.errors).toEqual([]);
});
