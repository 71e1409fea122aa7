/** A step that runs once for each row of an entered table: failed rows, their files, and rerunning them. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { expectPartsToFit } from './support/layout.ts';
import { photograph } from './support/pictures.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PASSWORD = 'Newcomer-Pass-1';
const workbook: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: { A1: 1, A2: { formula: 'A1*2', value: 2 }, A3: { formula: 'A1<500', value: true } },
    },
    stepSheet([{ Step: 'Small enough', Action: 'Check', Cell: 'S!A3', Message: 'The amount is too large' }]),
  ],
  names: { in_Amount: 'S!$A$1', out_Double: 'S!$A$2' },
};

let portal: Portal;
let browser: Browser;
let headers: Record<string, string>;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, PASSWORD);
  const text = await browser.page.evaluate<string>(`localStorage.getItem('runsheet.session')`);
  const { token } = JSON.parse(text) as { token: string };
  headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

async function call<T>(url: string, payload?: object): Promise<T> {
  const init = payload ? { method: 'POST', headers, body: JSON.stringify(payload) } : { headers };
  const answer = await fetch(`${portal.address}/api/${url}`, init);
  const { result, ...failure } = (await answer.json()) as { result: T };
  if (!answer.ok) throw new Error(`${url}: ${JSON.stringify(failure)}`);
  return result;
}

/** Creates a workflow that runs the activity once. */
async function workflow(ActivityId: number): Promise<number> {
  const { Inputs } = await call<{ Inputs: { Id: number }[] }>(`activities/details/${ActivityId}`);
  const { Id } = await call<{ Id: number }>('checklists/create', {
    Id: 0,
    Name: 'Close all companies',
    Schema: 'General',
    Activities: [{ Id: ActivityId }],
    Inputs: [{ InputName: 'Amount', ActivityInputs: [{ Id: Inputs[0]!.Id }] }],
  });
  await call('workflows/create', { ChecklistId: Id });
  return Id;
}

/** Changes the workflow to one step per row of the table Companies, named after a column that is not an input. */
async function nameRows(Id: number, ActivityId: number): Promise<void> {
  const each = {
    Kind: 'ForEach',
    Key: 'each',
    Name: 'Close each company',
    After: [],
    Join: 'AllSucceeded',
    OnFailure: 'Stop',
    ActivityId,
    Inputs: [{ Input: 'Amount', From: { Kind: 'Column', Name: 'Amount' } }],
    Rows: { Kind: 'Input', Name: 'Companies' },
    KeyColumn: 'Company',
    AtOnce: 4,
    StopAfterFailures: null,
  };
  await call('workflows/update', { Id, Version: 2, Graph: { Inputs: [{ Name: 'Companies' }], Steps: [each] } });
}

async function expectGoodScreen(name: string): Promise<void> {
  await expectGoodScreenOf(browser, name);
  await expectPartsToFit(browser, 360);
}

let ActivityId: number;
let Id: number;

test('its author says in the editor for which rows the activity is run', async () => {
  const { page } = browser;
  ActivityId = await publish(browser, portal, { Name: 'Close', workbook, hasSimultaneousRuns: true });
  Id = await workflow(ActivityId);
  await page.goto(`${portal.address}/workflows/edit/${Id}?view=list`);
  await page.getByRole('region', { name: 'Steps' }).getByRole('button', { name: 'Close', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Selected step' });
  await panel.getByLabel('Kind').selectOption({ label: 'For each' });
  await panel.getByLabel('For each row of').selectOption({ label: 'New input: a table of rows' });
  await panel.getByLabel('Amount').selectOption({ label: 'New column: Amount' });
  await panel.getByLabel('Name rows by').selectOption({ label: 'Column Amount' });
  await panel.getByLabel('Stop after failed rows').fill('none');
  await panel.getByText('A whole number from 1 to').waitFor();
  await panel.getByLabel('Stop after failed rows').fill('3');
  await page.getByText('Ready to save.').waitFor();
  await expectGoodScreen('rows-editor');
  await page.getByRole('button', { name: 'Save workflow' }).click();
  await page.getByText('Saved as version 2').first().waitFor();
  const { Graph } = await call<{ Graph: object }>(`workflows/details/${Id}`);
  expect(Graph).toMatchObject({
    Inputs: [{ Name: 'Rows' }],
    Steps: [{ Kind: 'ForEach', Rows: { Kind: 'Input', Name: 'Rows' }, KeyColumn: 'Amount', StopAfterFailures: 3 }],
  });
});

test('rows that failed come first, and what all gave is downloaded', async () => {
  const { page } = browser;
  await nameRows(Id, ActivityId);
  // The form shows the table with the columns that the step uses.
  await page.goto(`${portal.address}/workflows/run/${Id}/`);
  await page.getByText('Company', { exact: true }).first().waitFor();
  await page.getByText('Amount', { exact: true }).first().waitFor();
  await photograph(page, 'rows-form');
  const rows = Array.from({ length: 130 }, (_, at) => [`Company ${at + 1}`, at === 7 || at === 120 ? 1000 : at]);
  const run = await call<{ Id: number }>('checklists/start', {
    ChecklistId: Id,
    WorkflowId: Id,
    WorkflowVersion: 3,
    Inputs: [{ ChecklistInputName: 'Companies', Value: JSON.stringify(rows) }],
  });
  await page.goto(`${portal.address}/workflows/runstatus/${run.Id}/`);
  await page.getByText('The run failed').waitFor({ timeout: 60_000 });
  await page.getByText('Rows: 128 successful, 2 failed').waitFor();
  await page.getByRole('button', { name: 'Rows', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The amount is too large').first().waitFor();
  expect((await dialog.getByRole('row').allInnerTexts()).slice(1, 4).join()).toMatch(
    /Company 8\b[^]*Company 121\b[^]*Company 1\b/,
  );
  expect(await dialog.getByRole('row').count()).toBe(101);
  await expectGoodScreen('rows-dialog');
  await dialog.getByRole('button', { name: 'More rows' }).click();
  await dialog.getByRole('row').nth(130).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Rows.csv' }).click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  expect(text.split('\r\n').slice(0, 3)).toEqual([
    '\uFEFFRowKey,Status,Double',
    'Company 1,Succeeded,0',
    'Company 2,Succeeded,2',
  ]);
});

test('of rows that failed one alone is run again, or all of them', async () => {
  const { page } = browser;
  await page.getByRole('dialog').getByRole('row').nth(1).getByRole('button', { name: 'Retry' }).click();
  await page.getByText('This creates a new run.').waitFor();
  await page.getByRole('button', { name: 'Only this row' }).click();
  await page.getByText('Only row "Company 8" of step "Close each company" will run again').waitFor();
  await page.getByText('Rows: 128 successful, 2 failed').waitFor();
  await page.getByRole('button', { name: 'Retry failed rows' }).click();
  await page.getByRole('dialog').getByText('This creates a new run.').waitFor();
  await expectGoodScreen('rows-retry');
  await page.getByRole('button', { name: 'Only this step' }).click();
  await page.getByText('Resumes an earlier run').waitFor();
  await page.getByText('Only step "Close each company" will run again; everything else stays unchanged').waitFor();
  await page.getByText('Rows: 128 successful, 2 failed').waitFor();
  await expectGoodScreen('rows-again');
});
