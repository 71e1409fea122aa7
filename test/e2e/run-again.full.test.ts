/**
 * An approver rejects a figure; the person who started the run corrects it and continues: three clicks, of which one
 * confirms that a step exports a second time.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { tick } from './support/controls.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, visit, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

let portal: Portal;
let browser: Browser;
let workflow: number;
let authorization = '';

/** Calculates a total from a rate, and exports it. */
const TOTAL: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 2,
        A2: { formula: 'A1*100', value: 200 },
        B1: 'Item',
        B2: 'Total',
      },
    },
    stepSheet([{ Step: 'List', Action: 'Export', Output: 'File', Range: 'S!B1:B2', FileName: 'Total.csv' }]),
  ],
  names: { in_Rate: 'S!$A$1', out_Total: 'S!$A$2', out_File: 'S!$A$4' },
};
const PLAIN: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: { formula: '1+1', value: 2 } } }],
  names: { out_Two: 'S!$A$1' },
};

async function send<T>(path: string, body?: object): Promise<T> {
  const answer = await fetch(`${portal.address.replace(/\/$/, '')}/api/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { result, message } = (await answer.json()) as { result: T; message?: string };
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${message}`);
  return result;
}

interface Step {
  Key: string;
  Name: string;
}

/** Prepare, Total, an approval of the total by the person who started the run, Report. */
async function createWorkflow(): Promise<number> {
  const ids: number[] = [];
  for (const [Name, workbook] of [
    ['Prepare', PLAIN],
    ['Total', TOTAL],
    ['Report', PLAIN],
  ] as const)
    ids.push(await publish(browser, portal, { Name, workbook, hasSimultaneousRuns: true }));
  const { Inputs } = await send<{ Inputs: { Id: number; Name: string }[] }>(`activities/details/${ids[1]}`);
  const { Id } = await send<{ Id: number }>('checklists/create', {
    Id: 0,
    Name: 'Monthly total',
    Schema: 'General',
    Activities: ids.map((one) => ({ Id: one })),
    Inputs: Inputs.map((input) => ({ InputName: input.Name, ActivityInputs: [{ Id: input.Id }] })),
  });
  await send('workflows/create', { ChecklistId: Id });
  const { Graph } = await send<{ Graph: { Inputs: object[]; Steps: Step[] } }>(`workflows/details/${Id}`);
  const [prepare, total, report] = Graph.Steps;
  const approval = {
    Kind: 'Approval',
    Key: 'ok',
    Name: 'Is the total right?',
    After: [{ Step: total!.Key, When: 'success' }],
    Join: 'AllSucceeded',
    OnFailure: 'Stop',
    Roles: [],
    // The administrator, who also starts the run.
    UserIds: [1],
    Needed: 1,
    StarterMayApprove: true,
    Text: 'Compare it with the bank statement.',
    Values: [{ Name: 'Total', From: { Kind: 'Output', Step: total!.Key, Name: 'Total' } }],
    ExpiresAfterHours: null,
    OnExpiry: 'Fail',
  };
  const Steps = [prepare, total, approval, { ...report, After: [{ Step: 'ok', When: 'success' }] }];
  await send('workflows/update', { Id, Version: 1, Graph: { ...Graph, Steps } });
  return Id;
}

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  browser.page.on('request', (request) => (authorization = request.headers()['authorization'] ?? authorization));
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  workflow = await createWorkflow();
}, 240_000);
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

async function decide(button: 'Approve' | 'Reject', comment: string): Promise<void> {
  const { page } = browser;
  await page.getByRole('link', { name: 'Decide' }).click();
  await page.getByLabel('Comment').fill(comment);
  await page.getByRole('button', { name: button }).click();
  await page.getByText(button === 'Approve' ? 'You have approved it' : 'You have rejected it').waitFor();
  await page.goBack();
}

test('a rejected figure is corrected and the run continues with three clicks', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/workflows/run/${workflow}/`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('link', { name: 'Decide' }).waitFor();
  await decide('Reject', 'The rate is that of April');
  await page.getByText('The run failed').waitFor();
  await expectGoodScreen(browser, 'again-rejected');

  const earlier = page.url();
  const row = page.getByRole('row').filter({ hasText: 'Total' }).filter({ hasText: 'Succeeded' }).first();
  await row.getByRole('button', { name: 'Run again from here' }).click();
  await page.getByLabel('Rate').fill('3');
  const confirmation = page.getByLabel(/^Total: writes files\. It has run before/);
  await page.getByText('uses an input that you changed').waitFor();
  expect(await page.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
  await expectGoodScreen(browser, 'again-plan');
  await tick(confirmation);
  await page.getByRole('button', { name: 'Start' }).click();

  await page.getByRole('link', { name: 'Resumes an earlier run' }).waitFor();
  await page.getByText('Reused from an earlier run').first().waitFor();
  await decide('Approve', 'Now it agrees');
  await page.getByText(/^The run (was successful|succeeded)/).waitFor();
  await expectGoodScreen(browser, 'again-done');
  await page.goto(earlier);
  await page.getByRole('link', { name: 'Resumed by a later run' }).waitFor();
  expect(await page.getByRole('button', { name: 'Run again from here' }).count()).toBe(0);
});
