/** The pages of the portal visited by the accessibility suites, on a portal with every kind of run that they show. */
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { firstSignIn, openBrowser, startPortal, visit, type Browser, type Portal } from './portal.ts';
import { publish } from './publish.ts';

const NOT_FOUND = 'Page Not Found.';
export const PASSWORD = 'Newcomer-Pass-1';

export interface VisitedPortal {
  portal: Portal;
  /** The activity whose form has a condition. */
  conditionId: number;
}

/** Starts a portal with one run, and an activity with a condition input. */
export async function startVisitedPortal(): Promise<VisitedPortal> {
  const portal = await startPortal();
  const browser = await openBrowser();
  const { page } = browser;
  await firstSignIn(page, portal, PASSWORD);
  await page.getByRole('link', { name: 'Sales commission' }).click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await page.getByLabel('Bonus Rate').press('Control+Enter');
  await page.getByText('The run was successful').waitFor();
  const conditionId = await publish(browser, portal, { Name: 'Filtered', workbook: FILTERED });
  await browser.close();
  return { portal, conditionId };
}

/** An activity whose only input is a condition on the columns of a table. */
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

/** Opens a screen, and presses the button that opens the part to check. */
export async function showScreen(
  { page }: Browser,
  { portal, conditionId }: VisitedPortal,
  screen: Screen,
): Promise<void> {
  const [path, text, press] = screen;
  const address = portal.address + path.replace('{condition}', String(conditionId));
  await (text === NOT_FOUND ? page.goto(address) : visit(page, address));
  if (press) await page.getByRole('button', { name: press }).click();
  await page.getByText(text).first().waitFor();
}

/** Path, a text present once the screen is complete, and a button to press if the path alone does not open the part. */
export type Screen = [path: string, text: string, press?: string];

export const SCREENS: Screen[] = [
  ['/activities/', 'Loan schedule'],
  ['/activities/3/', 'Bonus Rate'],
  ['/activities/access/3/', 'What you may do, and why'],
  ['/activities/new/', 'Create Activity'],
  ['/activities/edit/3/', 'Update Activity'],
  ['/activities/linkage/new/3', 'Target Activity'],
  ['/activities/run/3/', 'Bonus Rate'],
  ['/activities/run/2/', 'Tolerance'],
  ['/activities/run/{condition}/', 'Add group', 'Edit Filter'],
  ['/activities/runstatus/1/', 'The run was successful'],
  ['/activities/runstatus', 'No activites are running at this moment.'],
  ['/activities/runhistory', 'Sales commission'],
  ['/activities/runhistory?view=reasons', 'No failed runs match the search'],
  ['/activities/runhistory?view=timeline', 'Show the day as a table'],
  ['/activities/runhistory/3', 'Activity History - Sales commission'],
  ['/activities/runhistory/3?search=open', 'Add value'],
  ['/activities/runcompare/1/1', 'All inputs and outputs are the same.'],
  ['/activities/versions/all', 'FX exposure report'],
  ['/activities/versions/3', 'Sales commission Version History'],
  ['/changepassword', 'Confirm Password'],
  ['/resetpassword', 'Confirm Password'],
  ['/secondfactor', 'Your second factor is off'],
  ['/sessions', 'End all others'],
  ['/administration', 'Data and retention'],
  ['/users/', 'User Name'],
  ['/newuser/', 'Create user'],
  ['/newusers/', 'Preview'],
  ['/edituser/1/', 'Update user'],
  ['/seeas/1/', 'This is what'],
  ['/setNewPassword/somebody', 'Confirm Password'],
  ['/userapikeys/1/', 'Create API key'],
  ['/roles/', 'You do not have permissions for this operation'],
  ['/rights/', 'sk.ManageUsers'],
  ['/rights/new/', 'Create right'],
  ['/rights/assign/sk.RunActivity/', 'Only granted or denied'],
  ['/rights/refine/sk.RunActivity/Schema/', 'Samples'],
  ['/rights/assignInternetRights/sk.RunActivity/', 'For All'],
  ['/securityMatrix', 'Internet Security Matrix'],
  ['/accessRequests', 'Nobody is waiting for access'],
  ['/accessReasons?user=1&activity=3', 'is an administrator and has every right'],
  ['/securityActions', 'MakeAdministrator'],
  ['/setup', 'Send a test email'],
  ['/renewLicense', 'New Key'],
  ['/public/activities/run/1', 'There is no such activity'],
  [`/documents/${'x'.repeat(43)}`, 'The document is no longer available'],
  ['/plugins/nothing', NOT_FOUND],
  ['/nowhere', NOT_FOUND],
];
