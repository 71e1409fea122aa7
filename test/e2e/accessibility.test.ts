/** Every screen in both themes, seen by axe: nothing serious. Also at 360 px: nothing wider than the window. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seriousViolations } from './support/axe.ts';
import { expectToFit } from './support/layout.ts';
import { firstSignIn, openBrowser, signIn, startPortal, type Browser, type Portal } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;

beforeAll(async () => {
  portal = await startPortal();
  const browser = await openBrowser();
  await firstSignIn(browser.page, portal, PASSWORD);
  await browser.page.getByRole('link', { name: 'Sales commission' }).click();
  await browser.page.getByLabel('Bonus Rate').press('Control+Enter');
  await browser.page.getByText('The run was successful').waitFor();
  await browser.close();
});

afterAll(() => portal.stop());

/** Path, and a text that stands there once the screen is whole. */
const SCREENS: [string, string][] = [
  ['/activities/', 'Loan schedule'],
  ['/activities/new/', 'Create Activity'],
  ['/activities/edit/3/', 'Update Activity'],
  ['/activities/linkage/new/3', 'Target Activity'],
  ['/activities/run/3/', 'Bonus Rate'],
  ['/activities/run/2/', 'Tolerance'],
  ['/activities/runstatus/1/', 'The run was successful'],
  ['/activities/runstatus', 'No activites are running at this moment.'],
  ['/activities/runhistory', 'Sales commission'],
  ['/activities/runhistory/3', 'Activity History - Sales commission'],
  ['/activities/runhistory/3?search=open', 'Add Value'],
  ['/activities/runcompare/1/1', 'All inputs and outputs are the same.'],
  ['/activities/versions/all', 'FX exposure report'],
  ['/activities/versions/3', 'Sales commission Version History'],
  ['/changepassword', 'Confirm Password'],
  ['/resetpassword', 'Confirm Password'],
  ['/secondfactor', 'Your second factor is off'],
  ['/users/', 'User Name'],
  ['/newuser/', 'Create User'],
  ['/edituser/1/', 'Update User'],
  ['/setNewPassword/somebody', 'Confirm Password'],
  ['/userapikeys/1/', 'Create API Key'],
  ['/roles/', 'No roles yet'],
  ['/rights/', 'sk.ManageUsers'],
  ['/rights/new/', 'Create Right'],
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
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser({ colorScheme });
    await browser.page.goto(`${portal.address}/login`);
    await browser.page.getByRole('button', { name: 'Login' }).waitFor();
    expect(await seriousViolations(browser)).toEqual([]);
    await signIn(browser.page, portal, PASSWORD);
  });
  afterAll(() => browser.close());

  test.each(SCREENS)('%s has nothing serious', async (path, text) => {
    await browser.page.goto(portal.address + path);
    await browser.page.getByText(text).first().waitFor();
    expect(await seriousViolations(browser)).toEqual([]);
    expect(browser.errors).toEqual([]);
  });
});

describe('on a small screen', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser({ width: 360 });
    await signIn(browser.page, portal, PASSWORD);
  });
  afterAll(() => browser.close());

  test.each(SCREENS)('%s fits', async (path, text) => {
    await browser.page.goto(portal.address + path);
    await browser.page.getByText(text).first().waitFor();
    await expectToFit(browser, 360);
  });
});
