/**
 * Approvals with two users: one starts a workflow; the other is notified in the menu, by the bell and on a phone, and
 * decides.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { until } from '#test/support/until.ts';
import { outcome } from './support/controls.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { photograph } from './support/pictures.ts';
import { firstSignIn, openBrowser, startPortal, telling, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const INITIAL_PASSWORD = 'Given-Password-1';
const OWN_PASSWORD = 'Chosen-Password-2';
const TEXT = 'Please hold the total against the bank statement of May.\nThe lines below are those above 1,000.';

const amounts = [1200.5, 17_000, 1_234_567.89];
const workbook: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: { formula: 'SUM(B3:B5)', value: amounts.reduce((sum, one) => sum + one, 0) },
        A2: 'Account',
        B2: 'Amount',
        ...Object.fromEntries(
          amounts.flatMap((amount, index) => [
            [`A${index + 3}`, `Account ${index + 1}`],
            [`B${index + 3}`, { formula: `${amount}+0`, value: amount }],
          ]),
        ),
      },
    },
  ],
  names: { out_Total: 'S!$A$1', out_Lines: 'S!$A$2:$B$5' },
};

let portal: Portal;
let starter: Browser;
let approver: Browser;
let workflow: number;
/** Authorization header of the administrator, who creates workflows. */
let authorization = '';

async function send(path: string, body?: object): Promise<Record<string, never>> {
  const answer = await fetch(`${portal.address.replace(/\/$/, '')}/api/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { result, message } = (await answer.json()) as { result: Record<string, never>; message?: string };
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${message}`);
  return result;
}

async function addAda(): Promise<void> {
  const { page } = starter;
  await visit(page, `${portal.address}/newuser/`);
  await page.getByLabel('User Name').fill('ada');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Password', { exact: true }).fill(INITIAL_PASSWORD);
  await page.getByLabel('Confirm Password').fill(INITIAL_PASSWORD);
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('New user created').waitFor();
  await send('roles/create/Controllers', {});
  const { Items } = (await send('roles/Controllers')) as unknown as { Items: { UserId: number; UserName: string }[] };
  await send('roles/Controllers/include', [Items.find(({ UserName }) => UserName === 'ada')!.UserId]);
  await send('rights/sk.InternetAccess/users/grant', [Items.find(({ UserName }) => UserName === 'ada')!.UserId]).catch(
    () => undefined,
  );
}

async function drawWorkflow(): Promise<number> {
  const { page } = starter;
  await visit(page, `${portal.address}/checklists/new`);
  await page.getByLabel('Checklist name').fill('Month-end close');
  await page.getByLabel('Schema').selectOption('General');
  for (const name of ['Collect', 'Report']) {
    await page.getByRole('combobox', { name: 'Add activity' }).fill(name);
    await page.getByRole('option', { name }).first().click();
    await page.getByRole('listitem').filter({ hasText: name }).waitFor();
  }
  await page.getByRole('button', { name: 'Create checklist' }).click();
  const link = page.getByRole('link', { name: 'Month-end close', exact: true });
  const Id = Number(/\/run\/(\d+)/.exec((await link.getAttribute('href')) ?? '')![1]);
  await send('workflows/create', { ChecklistId: Id });
  const { Graph } = (await send(`workflows/details/${Id}`)) as unknown as {
    Graph: { Inputs: []; Steps: { Key: string; After: object[] }[] };
  };
  const [collect, report] = Graph.Steps;
  const output = (Name: string) => ({ Name, From: { Kind: 'Output', Step: collect!.Key, Name } });
  const approval = {
    Kind: 'Approval',
    Key: 'ok',
    Name: 'Is the total right?',
    After: [{ Step: collect!.Key, When: 'success' }],
    Join: 'AllSucceeded',
    OnFailure: 'Stop',
    Roles: ['Controllers'],
    UserIds: [],
    Needed: 1,
    StarterMayApprove: false,
    Text: TEXT,
    Values: [output('Total'), output('Lines')],
    ExpiresAfterHours: 48,
    OnExpiry: 'Fail',
  };
  const Steps = [collect, approval, { ...report, After: [{ Step: 'ok', When: 'success' }] }];
  await send('workflows/update', { Id, Version: 1, Graph: { ...Graph, Steps } });
  return Id;
}

const DOUBTFUL: WorkbookSpec = {
  sheets: [
    { name: 'S', cells: { A1: { formula: '1>2', value: false }, A2: { formula: '1+1', value: 2 } } },
    stepSheet([{ Step: 'Balanced', Action: 'Check', Cell: 'S!A1', Message: 'It does not balance' }]),
  ],
  names: { out_Two: 'S!$A$2' },
};

/** Starts a workflow with a failed step next to a pending approval. */
async function startWithFailedStep(): Promise<number> {
  const balance = await publish(starter, portal, { Name: 'Balance', workbook: DOUBTFUL });
  const checklist = { Id: 0, Name: 'Audit', Schema: 'General', Activities: [{ Id: balance }], Inputs: [] };
  const { Id } = (await send('checklists/create', checklist)) as unknown as { Id: number };
  await send('workflows/create', { ChecklistId: Id });
  const { Graph } = (await send(`workflows/details/${Id}`)) as unknown as { Graph: { Steps: object[] } };
  const common = { After: [], Join: 'AllSucceeded', Values: [], Text: 'Is all well?', UserIds: [] };
  const asked = { ...common, Kind: 'Approval', Key: 'ok', Name: 'All well?', Roles: ['Controllers'], Needed: 1 };
  const approval = {
    ...asked,
    OnFailure: 'Stop',
    StarterMayApprove: false,
    ExpiresAfterHours: null,
    OnExpiry: 'Fail',
  };
  const Steps = [...Graph.Steps.map((step) => ({ ...step, OnFailure: 'Continue' })), approval];
  await send('workflows/update', { Id, Version: 1, Graph: { ...Graph, Steps } });
  const started = await send('checklists/start', { ChecklistId: Id, WorkflowId: Id, WorkflowVersion: 2, Inputs: [] });
  return (started as unknown as { Id: number }).Id;
}

async function signInAsAda(): Promise<void> {
  const { page } = approver;
  await telling(page, async () => {
    await visit(page, `${portal.address}/login`);
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(INITIAL_PASSWORD);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByLabel('New Password', { exact: true }).fill(OWN_PASSWORD);
    await page.getByLabel('Confirm New Password').fill(OWN_PASSWORD);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('heading', { name: 'Activities' }).waitFor();
  });
}

beforeAll(async () => {
  [portal, starter, approver] = await Promise.all([
    startPortal({ RUNSHEET_SAMPLES: 'false' }),
    openBrowser(),
    openBrowser({ hasTouch: true }),
  ]);
  starter.page.on('request', (request) => (authorization = request.headers()['authorization'] ?? authorization));
  await firstSignIn(starter.page, portal, 'Newcomer-Pass-1');
  await publish(starter, portal, { Name: 'Collect', workbook });
  await publish(starter, portal, { Name: 'Report', workbook });
  await addAda();
  workflow = await drawWorkflow();
  await signInAsAda();
}, 240_000);
afterAll(async () => {
  await starter.close();
  await approver.close();
  await portal.stop();
});

async function startWorkflow(): Promise<void> {
  const { page } = starter;
  await visit(page, `${portal.address}/workflows/run/${workflow}/`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Waits for Controllers').waitFor();
}

/** The entry that leads to approvals, while some wait. */
const menuEntry = (browser: Browser) => browser.page.getByRole('navigation').getByRole('link', { name: /waiting$/ });

test('who is asked finds it in the menu and by the bell, looks at the values, and approves on a phone', async () => {
  const { page } = approver;
  expect(await menuEntry(approver).count()).toBe(0);
  await startWorkflow();
  await expectGoodScreen(starter, 'approval-in-run');
  expect(await menuEntry(starter).count()).toBe(0);
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Runs 1 waiting' }).click();
  await page.getByRole('link', { name: 'Approvals 1 waiting' }).click();
  await page.getByRole('link', { name: 'Is the total right?' }).waitFor();
  await expectGoodScreen(approver, 'approvals');
  await page.getByRole('button', { name: 'Notifications: 1' }).click();
  await page.getByRole('link', { name: /Month-end close: Is the total right\?/ }).click();
  await page.getByRole('heading', { name: /Is the total right\?/ }).waitFor();
  await page.getByText('1,252,768.39').or(page.getByText('1252768.39')).first().waitFor();
  await page.getByRole('gridcell', { name: 'Account 3' }).waitFor();
  await expectGoodScreen(approver, 'approval');
  await page.setViewportSize({ width: 390, height: 800 });
  await photograph(page, 'approval-phone', { isWholePage: true });
  await page.getByLabel('Comment').fill('Agrees with the statement');
  await page.getByRole('button', { name: 'Approve' }).tap();
  await page.getByText('You have approved it').waitFor();
  await page.getByRole('list', { name: 'Decisions' }).getByText('Agrees with the statement').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await starter.page.getByText('The run was successful').waitFor();
  await starter.page.getByText('Agrees with the statement').waitFor();
  await expectGoodScreen(starter, 'approved-run');
});

test('what runs lists the approval and for whom it waits, leads to its run, and cancels it', async () => {
  const { page } = starter;
  await startWorkflow();
  await visit(page, `${portal.address}/activities/runstatus`);
  await page.getByText('Approval by Controllers').waitFor();
  await expectGoodScreen(starter, 'approval-among-running');
  await page.getByRole('button', { name: 'View Is the total right?' }).click();
  // The list has the same text.
  await page.waitForURL('**/workflows/runstatus/*/');
  await page.getByText('Waits for Controllers').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Cancel Month-end close' }).click();
  await page.getByText('No activites are running at this moment.').waitFor();
});

fullSetTest('a rejection needs a reason, stops the run, and notifies the person who started it', async () => {
  const { page } = approver;
  await startWorkflow();
  await page.goto(`${portal.address}/approvals`);
  await page.getByRole('link', { name: 'Is the total right?' }).click();
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Enter a reason for rejecting it').waitFor();
  await page.getByLabel('Comment').fill('The last line is of April');
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByText('You have rejected it').waitFor();
  await starter.page.getByText('The run failed').waitFor();
  await starter.page.getByText('The last line is of April').waitFor();
  await expectGoodScreen(starter, 'rejected-run');
  await starter.page.goto(`${portal.address}/activities/`);
  await starter.page.getByRole('button', { name: /^Notifications: / }).click();
  await starter.page.getByText('Was rejected by Ada Lovelace').waitFor();
  await expectGoodScreen(starter, 'approval-bell');
  await page.goto(`${portal.address}/approvals?show=decided`);
  await page.getByText('You rejected').waitFor();
  await expectGoodScreen(approver, 'approvals-decided');
});

fullSetTest('a late decision, or one by a person who was not asked, is refused with the reason', async () => {
  await startWorkflow();
  const { page } = approver;
  await page.goto(`${portal.address}/approvals`);
  await page.getByRole('link', { name: 'Is the total right?' }).click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await starter.page.getByRole('link', { name: 'Show approval' }).click();
  await starter.page
    .getByText('Only people who can decide or have already decided can see its values and files.')
    .waitFor();
  expect(await starter.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await expectGoodScreen(starter, 'approval-of-starter');
  await starter.page.getByRole('link', { name: 'Month-end close' }).click();
  await starter.page.getByRole('button', { name: 'Cancel' }).click();
  await outcome(starter.page, 'The run was cancelled').waitFor();
  await page.getByRole('button', { name: 'Approve' }).or(page.getByText('No longer needed')).first().waitFor();
  await page.getByText('No longer needed').waitFor();
  expect(approver.errors).toEqual([]);
});

fullSetTest(
  'a step that failed is run again only once the whole has ended, which its page says before the press',
  async () => {
    const { page } = starter;
    const run = await startWithFailedStep();
    await page.goto(`${portal.address}/workflows/runstatus/${run}/`);
    await page.getByText('It does not balance').first().waitFor();
    await page.getByRole('table').getByRole('link', { name: 'Balance' }).first().click();
    await page.getByRole('heading', { name: /^Balance\b/ }).waitFor();
    const retry = page.getByRole('button', { name: 'Retry', exact: true });
    await page.getByTitle('The entire run has not ended yet').waitFor();
    expect(await retry.isDisabled()).toBe(true);
    await send(`checklists/cancel/${run}`, {});
    await until('the whole has ended', () => retry.isEnabled());
    await retry.click();
    await page
      .getByRole('dialog', { name: 'Retry: Balance' })
      .getByRole('button', { name: 'Only this step' })
      .waitFor();
    expect(starter.errors).toEqual([]);
  },
);
