/** Times, durations, dates and numbers in Excel formats: typed, pasted from the clipboard, picked with the mouse. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CellSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectNothingSerious } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PASSWORD = 'Newcomer-Pass-1';
const FORMATS = ['h:mm', '[h]:mm', 'dd/mm/yyyy hh:mm:ss', 'dd/mm/yyyy', '0.0%', '"€" #,##0.00', 'h:mm AM/PM'];
const [TIME, DURATION, MOMENT, DAY, PERCENT, MONEY, HALF] = [1, 2, 3, 4, 5, 6, 7];
const blank = (style: number): CellSpec => ({ value: null, style });
const row = (at: number): Record<string, CellSpec> => ({
  [`D${at}`]: blank(DAY),
  [`E${at}`]: blank(TIME),
  [`F${at}`]: blank(MONEY),
});

const SHIFTS: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: blank(TIME),
        A2: blank(DURATION),
        A3: blank(MOMENT),
        A4: blank(DAY),
        A5: blank(PERCENT),
        A6: blank(MONEY),
        A7: blank(HALF),
        B1: { formula: 'A1*24', value: 0 },
        B2: { formula: 'A2', value: 0, style: DURATION },
        B3: { formula: 'A3', value: 0, style: MOMENT },
        B5: { formula: 'A5*1000', value: 0 },
        B6: { formula: 'SUM(F2:F4)+A6', value: 0 },
        D1: 'Day',
        E1: 'Begin',
        F1: 'Pay',
        ...row(2),
        ...row(3),
        ...row(4),
      },
    },
    {
      name: 'Portal',
      cells: { A1: 'Name', B1: 'CalculateImmediately', A2: 'Hours', B2: true },
      tables: [{ name: 'PortalOutputs', ref: 'A1:B2', columns: ['Name', 'CalculateImmediately'] }],
    },
  ],
  names: {
    in_Begin: 'S!$A$1',
    in_Length: 'S!$A$2',
    in_Moment: 'S!$A$3',
    in_Day: 'S!$A$4',
    in_Share: 'S!$A$5',
    in_Amount: 'S!$A$6',
    in_End: 'S!$A$7',
    in_Shifts: 'S!$D$1:$F$4',
    out_Hours: 'S!$B$1',
    out_Duration: 'S!$B$2',
    out_Until: 'S!$B$3',
    out_Thousandth: 'S!$B$5',
    out_Sum: 'S!$B$6',
  },
  formats: FORMATS,
};

let portal: Portal;
let browser: Browser;
let shifts: number;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, PASSWORD);
  shifts = await publish(browser, portal, { Name: 'Shifts', workbook: SHIFTS });
  await browser.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const field = (name: string) => browser.page.getByRole('textbox', { name, exact: true });

/** Puts text on the clipboard and pastes it into the focused element with the keyboard. */
async function paste(text: string): Promise<void> {
  await browser.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await browser.page.keyboard.press('Control+V');
}

async function pasteInto(name: string, text: string): Promise<void> {
  await field(name).fill('');
  await field(name).focus();
  await paste(text);
}

async function leave(): Promise<void> {
  await browser.page.getByRole('heading', { name: 'Shifts' }).first().click();
}

test('times, durations, moments, dates and amounts are typed and pasted as Excel shows them, and run', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/run/${shifts}/`);
  await field('Begin').fill('21:30');
  await page.getByText('21.5', { exact: true }).waitFor();
  await field('End').fill('9:30 pm');
  await pasteInto('Length', '37:30');
  await field('Moment').fill('1/31/2026 9:30:15 PM');
  await pasteInto('Amount', '€\u00a01,234.50');
  await pasteInto('Share', '5');
  // The browser's region puts the month first, regardless of the cell's format.
  await pasteInto('Day', '01/02/2026');
  await leave();
  expect(await field('Day').inputValue()).toBe('2/Jan/2026');
  await pasteInto('Day', '13/02/2026');
  const question = page.getByRole('group', { name: /13\/02\/2026 is not in the format of your region/ });
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Please correct the errors shown.').waitFor();
  await question.getByRole('button', { name: '13/Feb/2026' }).click();
  await question.waitFor({ state: 'detached' });
  await leave();
  const shown = async (name: string): Promise<string> => field(name).inputValue();
  expect(await Promise.all(['Begin', 'End', 'Length', 'Moment', 'Amount', 'Share', 'Day'].map(shown))).toEqual([
    '21:30',
    '9:30 PM',
    '37:30',
    '31/Jan/2026 21:30:15',
    '€ 1,234.50',
    '5.0%',
    '13/Feb/2026',
  ]);
  // The text to edit is the same or contains more.
  for (const [name, text] of [
    ['Begin', '21:30'],
    ['End', '9:30 PM'],
    ['Length', '37:30'],
    ['Moment', '31/Jan/2026 21:30:15'],
  ] as const) {
    await field(name).click();
    expect(await field(name).inputValue()).toBe(text);
  }
  await page.getByRole('gridcell').first().click();
  await paste('31-Jan-26\t08:00\t(7)\n30/1/2026\t9:30 PM\t$1,000.00\n1/2/2026\t23:15\t7.50-\n');
  await page.getByText(/Pasted 3 rows of 3 columns/).waitFor();
  // One date in the column can only be day-first. The page asks once for the order of all ambiguous ones.
  const column = page.getByRole('group', { name: /30\/1\/2026 is not in the format of your region/ });
  await column.getByText('Your answer applies to all 2 cells').waitFor();
  await column.getByRole('button', { name: '30/Jan/2026' }).click();
  await column.waitFor({ state: 'detached' });
  const cells = await page.getByRole('gridcell').allInnerTexts();
  expect(cells.slice(0, 9).map((text) => text.trim())).toEqual([
    '31/Jan/2026',
    '8:00',
    '-€ 7.00',
    '30/Jan/2026',
    '21:30',
    '€ 1,000.00',
    '1/Feb/2026',
    '23:15',
    '-€ 7.50',
  ]);
  await expectNothingSerious(browser);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  for (const text of ['21.5', '37:30', '31/Jan/2026 21:30:15', '50', '2220'])
    await page.getByText(text, { exact: true }).first().waitFor();
});

fullSetTest('Run Again begins with the same times, and the history shows and finds them', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Run Again' }).click();
  await page.waitForURL(/\/again\//);
  await field('Begin').waitFor();
  await expect
    .poll(() => Promise.all(['Begin', 'Length', 'Moment'].map((name) => field(name).inputValue())))
    .toEqual(['21:30', '37:30', '31/Jan/2026 21:30:15']);
  await page.goto(`${portal.address}/activities/runhistory/${shifts}`);
  await page.getByText('37:30').first().waitFor();
});

fullSetTest(
  'what cannot be read is marked at once, in fields when they are left or pasted into, and in grids',
  async () => {
    const { page } = browser;
    await page.goto(`${portal.address}/activities/run/${shifts}/`);
    await field('Begin').fill('25:00');
    expect(await page.getByText('Value must be a time of day, such as 21:30').count()).toBe(0);
    await leave();
    await page.getByText('Value must be a time of day, such as 21:30').waitFor();
    await pasteInto('Amount', '1.2.3');
    await page.getByText('Value must be a number').waitFor();
    expect(await field('Amount').getAttribute('aria-invalid')).toBe('true');
    await field('Amount').fill('1234.5');
    await page.getByText('Value must be a number').waitFor({ state: 'detached' });
    await page.getByRole('gridcell').first().click();
    await paste('31/Feb/2026\tnoon\t1,2,3\n');
    await page.getByText('3 cells could not be read and are marked.').waitFor();
    expect(await page.locator('[role=gridcell][aria-invalid=true]').count()).toBe(3);
  },
);

test('a day is typed, picked with the mouse and cleared in every field for dates', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/purgeRunData`);
  const date = page.getByLabel('Date');
  expect(await date.inputValue()).toMatch(/^\d{1,2}\/[A-Z][a-z]{2}\/\d{4}$/);
  await date.fill('2026-01-05');
  await page.waitForURL(/date=2026-01-05/);
  await date.blur();
  await expect.poll(() => date.inputValue()).toBe('5/Jan/2026');
  await date.fill('31/Feb/2026');
  await page.getByText('Value must be specified').waitFor();
  await date.fill('3/2/2026');
  await page.getByText('read as 2/Mar/2026').waitFor();
  await page.getByRole('button', { name: 'Open calendar' }).click();
  await page
    .getByRole('gridcell', { name: '17' })
    .or(page.getByRole('button', { name: /17/ }))
    .first()
    .click();
  await page.waitForURL(/date=2026-03-17/);
  await expect.poll(() => date.inputValue()).toBe('17/Mar/2026');
  await expectNothingSerious(browser);
  expect(await page.locator('input[type=date], input[type=time], input[type=datetime-local]').count()).toBe(0);
});
