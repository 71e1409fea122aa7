/** Every screen in both themes, seen by axe: nothing serious. Also at 360 px: nothing wider than the window. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { seriousViolations } from './support/axe.ts';
import { expectToFit } from './support/layout.ts';
import { firstSignIn, openBrowser, signIn, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;

/** Of the activity with a condition. */
let conditionId = 0;

beforeAll(async () => {
  portal = await startPortal();
  const browser = await openBrowser();
  await firstSignIn(browser.page, portal, PASSWORD);
  await browser.page.getByRole('link', { name: 'Sales commission' }).click();
  await browser.page.getByRole('button', { name: 'Run Now' }).first().click();
  await browser.page.getByLabel('Bonus Rate').press('Control+Enter');
  await browser.page.getByText('The run was successful').waitFor();
  await browser.close();
});

beforeAll(async () => {
  const browser = await openBrowser();
  await signIn(browser.page, portal, PASSWORD);
  conditionId = await publish(browser, portal, { Name: 'Filtered', workbook: FILTERED });
  await browser.close();
});

afterAll(() => portal.stop());

/** An activity whose one input is a condition on the columns of a table. */
const COLUMNS = ['Name', 'CellUsages', 'Picker', 'PickerSource'];
const FILTERED: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: { A1: "Region = 'North' AND NOT (Amount >= 10)", D1: 1, F1: 'Region', G1: 'Amount', F2: 'North', G2: 12 },
      tables: [{ name: 'Sales', ref: 'F1:G2', columns: ['Region', 'Amount'] }],
    },
    {
      name: 'Portal',
      cells: Object.fromEntries(
        [COLUMNS, ['Filter', 'Condition', 'Condition', 'Sales']].flatMap((row, y) =>
          row.map((text, x) => [`${'ABCD'[x]}${y + 1}`, text] as const),
        ),
      ),
      tables: [{ name: 'PortalInputs', ref: 'A1:D2', columns: COLUMNS }],
    },
  ],
  names: { in_Filter: 'S!$A$1', out_One: 'S!$D$1' },
};

/** Goes to a screen, and presses what opens the part of it that is meant. */
async function show({ page }: Browser, [path, text, press]: Screen): Promise<void> {
  await page.goto(portal.address + path.replace('{condition}', String(conditionId)));
  if (press) await page.getByRole('button', { name: press }).click();
  await page.getByText(text).first().waitFor();
}

/** Path, a text that stands there once the screen is whole, and a button that opens it where the path alone does not. */
type Screen = [path: string, text: string, press?: string];

const SCREENS: Screen[] = [
  ['/activities/', 'Loan schedule'],
  ['/activities/3/', 'Bonus Rate'],
  ['/activities/new/', 'Create Activity'],
  ['/activities/edit/3/', 'Update Activity'],
  ['/activities/linkage/new/3', 'Target Activity'],
  ['/activities/run/3/', 'Bonus Rate'],
  ['/activities/run/2/', 'Tolerance'],
  ['/activities/run/{condition}/', 'Add group', 'Edit Filter'],
  ['/activities/runstatus/1/', 'The run was successful'],
  ['/activities/runstatus', 'No activites are running at this moment.'],
  ['/activities/runhistory', 'Sales commission'],
  ['/activities/runhistory/3', 'Activity History - Sales commission'],
  ['/activities/runhistory/3?search=open', 'Add value'],
  ['/activities/runcompare/1/1', 'All inputs and outputs are the same.'],
  ['/activities/versions/all', 'FX exposure report'],
  ['/activities/versions/3', 'Sales commission Version History'],
  ['/changepassword', 'Confirm Password'],
  ['/resetpassword', 'Confirm Password'],
  ['/secondfactor', 'Your second factor is off'],
  ['/sessions', 'End all others'],
  ['/users/', 'User Name'],
  ['/newuser/', 'Create user'],
  ['/edituser/1/', 'Update user'],
  ['/setNewPassword/somebody', 'Confirm Password'],
  ['/userapikeys/1/', 'Create API key'],
  ['/roles/', 'You do not have permissions for this operation'],
  ['/rights/', 'sk.ManageUsers'],
  ['/rights/new/', 'Create right'],
  ['/rights/assign/sk.RunActivity/', 'Only those granted or denied'],
  ['/rights/refine/sk.RunActivity/Schema/', 'Samples'],
  ['/rights/assignInternetRights/sk.RunActivity/', 'For All'],
  ['/securityMatrix', 'Internet Security Matrix'],
  ['/securityActions', 'MakeAdministrator'],
  ['/renewLicense', 'New Key'],
  ['/public/activities/run/1', 'There is no such activity'],
  [`/documents/${'x'.repeat(43)}`, 'The document is no longer available'],
  ['/plugins/nothing', 'Page Not Found.'],
  ['/nowhere', 'Page Not Found.'],
];

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test('the login page has nothing serious', async () => {
    const browser = await openBrowser({ colorScheme });
    await browser.page.goto(`${portal.address}/login`);
    await browser.page.getByRole('button', { name: 'Login' }).waitFor();
    expect(await seriousViolations(browser)).toEqual([]);
    await browser.close();
  });
});

describe('a screen', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
    await signIn(browser.page, portal, PASSWORD);
  });
  afterAll(() => browser.close());

  // Opened once for both: most of the time of a screen is its loading.
  test.each(SCREENS)('%s has nothing serious in either theme', async (...screen) => {
    await browser.page.emulateMedia({ colorScheme: 'light' });
    await show(browser, screen);
    expect(await seriousViolations(browser)).toEqual([]);
    await browser.page.emulateMedia({ colorScheme: 'dark' });
    expect(await seriousViolations(browser)).toEqual([]);
    expect(browser.errors).toEqual([]);
  });
});

describe('on a small screen, in the dark theme', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser({ width: 360, colorScheme: 'dark' });
    await signIn(browser.page, portal, PASSWORD);
  });
  afterAll(() => browser.close());

  test.each(SCREENS)('%s fits', async (...screen) => {
    await show(browser, screen);
    await expectToFit(browser, 360);
    expect(browser.errors).toEqual([]);
  });
});

test('who wants less motion gets no transitions, of which a change of theme would start one for each element', async () => {
  const browser = await openBrowser();
  const { page } = browser;
  await page.goto(`${portal.address}/login`);
  await page.getByRole('button', { name: 'Login' }).waitFor();
  await page.evaluate(() => {
    const { seen } = Object.assign(window, { seen: [] as string[] });
    document.addEventListener('transitionrun', ({ propertyName }) => seen.push(propertyName));
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction(() => document.body.classList.contains('bp6-dark'));
  // What a new style starts is told before the second frame after it.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
  await browser.close();
});
