/**
 * Every page while its calls fail: it must report the failure and never claim that there is no data. All calls fail
 * together. With RUNSHEET_FAILING_CALLS=each, they also fail one after the other and without the network, which takes
 * ten minutes more.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Activity } from '#shared/contract/activities.ts';
import { silentFailures, unsaidAbsence, type CallingPage } from './support/failing-calls.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

let portal: Portal;
let browser: Browser;
let headers: Record<string, string>;
/** Values for the placeholders in braces in the paths. */
const ids: Record<string, number> = {};

async function call<T>(path: string, body?: object): Promise<T> {
  const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers };
  const answer = await fetch(`${portal.address.replace(/\/$/, '')}/api/${path}`, init);
  const { result, ...failure } = (await answer.json()) as { result: T };
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(failure)}`);
  return result;
}

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  const storedSession = await browser.page.evaluate<string>(`localStorage.getItem('runsheet.session')`);
  const { token } = JSON.parse(storedSession) as { token: string };
  headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', prefer: 'wait=60' };
  await fill();
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const COMMISSION = 3;

async function fill(): Promise<void> {
  const activity = await call<Activity>(`activities/details/${COMMISSION}`);
  const Inputs = activity.Inputs.map(({ Id, Info }) => ({ ActivityParameterId: Id, Value: Info.DefaultValue }));
  const start = { ActivityId: COMMISSION, ActivityVersion: activity.Version, UniqueId: null, Inputs };
  ids['earlier'] = (await call<{ Id: number }>('activities/start', start)).Id;
  ids['run'] = (await call<{ Id: number }>('activities/start', start)).Id;
  const mapped = activity.Inputs.map(({ Id, Name }) => ({ InputName: Name.slice(0, 30), ActivityInputs: [{ Id }] }));
  const close = { Id: 0, Name: 'Close', Schema: activity.Schema, Activities: [{ Id: COMMISSION }], Inputs: mapped };
  ids['checklist'] = (await call<{ Id: number }>('checklists/create', close)).Id;
  ids['workflow'] = (await call<{ Id: number }>('checklists/create', { ...close, Name: 'Flow' })).Id;
  await call('workflows/create', { ChecklistId: ids['workflow'] });
  const tile = { Id: 'a', X: 0, Y: 0, W: 4, H: 4, Title: '', Kind: 'Approvals' };
  const board = { Id: null, Revision: 0, Name: 'At a glance', Tiles: [tile] };
  ids['dashboard'] = (await call<{ Id: number }>('dashboards/save', board)).Id;
  const events = { OnRunEnded: true, OnVersionPublished: false, OnApprovalAsked: false };
  const webhook = { Name: 'Hook', Url: 'https://example.org/', ...events, IsActive: false, ActivityIds: [] };
  ids['webhook'] = (await call<{ Id: number }>('admin/webhooks/create', webhook)).Id;
  await call(`roles/create/Controllers`, {});
  await call(`activities/testcase/fromrun/${ids['run']}`, {});
  ids['case'] = (await call<{ Cases: { Id: number }[] }>(`activities/testbed/${COMMISSION}`)).Cases[0]!.Id;
}

const press = (name: string | RegExp): NonNullable<CallingPage['open']> => {
  return (page) => page.locator('main').getByRole('button', { name }).first().click({ timeout: 1500 });
};
const palette: CallingPage['open'] = async (page) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to an activity, page or run' }).fill('ad', { timeout: 3000 });
};

const LIST = 'GET /api/activities';

const PAGES: CallingPage[] = [
  { path: '/activities/', open: palette },
  { path: '/activities/3/' },
  { path: '/activities/3/', open: press('Share') },
  { path: '/activities/access/3/' },
  { path: '/activities/new/', quiet: { [LIST]: 'Groups and functions are typed, and none is suggested.' } },
  { path: '/activities/edit/3/', quiet: { [LIST]: 'Groups and functions are typed, and none is suggested.' } },
  { path: '/activities/versions/all' },
  { path: '/activities/versions/3' },
  { path: '/activities/versions/3/1/fidelity', quiet: { [LIST]: 'The name of the activity is not in the heading.' } },
  { path: '/activities/versions/3/changes/1/1' },
  { path: '/activities/batch/3' },
  { path: '/activities/testbed/3' },
  { path: '/activities/testbed/3/case/{case}' },
  { path: '/activities/linkage/new/3' },
  { path: '/activities/schedule/edit/3' },
  { path: '/activities/schedule/further/3', open: press('Add schedule') },
  { path: '/activities/runretention/edit/3' },
  { path: '/activities/alerts/3', open: press('New alert') },
  { path: '/activities/triggers/3' },
  { path: '/activities/run/3/', open: press('Input sets') },
  { path: '/activities/run/3/again/{run}/' },
  { path: '/activities/runstatus' },
  { path: '/activities/runstatus/{run}/' },
  { path: '/activities/runcompare/{earlier}/{run}' },
  { path: '/activities/runhistory', open: press('Saved searches') },
  { path: '/activities/runhistory?view=reasons' },
  { path: '/activities/runhistory?view=timeline' },
  { path: '/activities/runhistory/3' },
  { path: '/activities/purgeRunData' },
  { path: '/schedules', quiet: { [LIST]: 'It is not said where schedules are made.' } },
  { path: '/triggers', quiet: { [LIST]: 'It is not said where triggers are made.' } },
  { path: '/notifications/settings' },
  { path: '/alerts' },
  { path: '/alerts/firings/1' },
  { path: '/tableviews' },
  { path: '/tableviews/new' },
  { path: '/tableviews/run/1', open: press('My views') },
  { path: '/tableviews/edit/1' },
  { path: '/dashboards' },
  { path: '/dashboards/{dashboard}', open: press('Share') },
  { path: '/dashboards/edit/{dashboard}', open: press('Add tile') },
  { path: '/checklists/new' },
  { path: '/checklists/edit/{checklist}' },
  { path: '/checklists/run/{checklist}' },
  { path: '/checklists/runhistory/{checklist}' },
  { path: '/checklists/runstatus/1' },
  { path: '/checklists/runstatus/1/again/a' },
  { path: '/workflows/new' },
  { path: '/workflows/new?from={workflow}' },
  { path: '/workflows/edit/{workflow}' },
  { path: '/workflows/versions/{workflow}' },
  { path: '/workflows/versions/{workflow}/1' },
  { path: '/workflows/versions/{workflow}/changes/1/1' },
  { path: '/workflows/import' },
  { path: '/approvals' },
  { path: '/approvals/1' },
  { path: '/administration' },
  { path: '/users/' },
  { path: '/newuser/' },
  { path: '/newusers/' },
  { path: '/edituser/1/' },
  { path: '/seeas/1/' },
  { path: '/userapikeys/1/', quiet: { [LIST]: 'Activities of keys are named by their numbers.' } },
  { path: '/roles/' },
  { path: '/roles/Controllers/' },
  { path: '/rights/' },
  { path: '/rights/assign/sk.RunActivity/' },
  { path: '/rights/refine/sk.RunActivity/Schema/' },
  { path: '/rights/assignInternetRights/sk.RunActivity/' },
  { path: '/securityMatrix' },
  { path: '/accessRequests' },
  { path: '/accessReasons?user=1&activity=3' },
  { path: '/securityActions' },
  { path: '/webhooks' },
  { path: '/webhooks/{webhook}' },
  { path: '/schemas' },
  { path: '/system' },
  { path: '/setup' },
  { path: '/holidayCalendars' },
  { path: '/offlineReading' },
  { path: '/sessions' },
  { path: '/oauth/authorize' },
  { path: '/secondfactor' },
  { path: '/excelAddIn' },
];

const filled = ({ path, ...shown }: CallingPage): CallingPage => ({
  ...shown,
  path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name])),
});

const address = (): string => portal.address.replace(/\/$/, '');

const isEach = process.env['RUNSHEET_FAILING_CALLS'] === 'each';

const named = PAGES.map((shown, at) => ({
  ...shown,
  name: shown.open ? `${shown.path} with what it opens` : shown.path,
  at,
}));

test.each(named)('$name says of its calls that fail why they did, and never that there is nothing', async (shown) => {
  const options = { hasFrame: isEach && shown.at === 0, isEach };
  expect(await silentFailures(browser.page, address(), filled(shown), options)).toEqual([]);
});

/** Number of tabs that wait at the same time, because each call is retried three times. */
const TABS = 3;

test.runIf(isEach)(
  'pages whose calls come to no answer say so and offer another try',
  async () => {
    const problems: Record<string, string[]> = {};
    const remaining = new Set(PAGES.map(({ path }) => path));
    const visitPages = async (): Promise<void> => {
      const tab = await browser.context.newPage();
      for (const path of remaining) {
        remaining.delete(path);
        const found = await unsaidAbsence(tab, address(), filled({ path })).catch((error: unknown) => [String(error)]);
        if (found.length > 0) problems[path] = found;
      }
      await tab.close();
    };
    await Promise.all(Array.from({ length: TABS }, visitPages));
    expect(problems).toEqual({});
  },
  600_000,
);
