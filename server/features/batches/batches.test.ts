/** Tests batches, whose rows are runs, with the real executor and workers. */
import excelJs from 'exceljs';
import { describe, expect } from 'vitest';
import type { Batch, BatchPage, CheckedBatch } from '#shared/contract/batches.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { test as base } from '#test/support/fixtures/form-portal.ts';
import { multipart } from '#test/support/portal.ts';
import { rounds } from '#test/support/test-set.ts';
import { until } from '#test/support/until.ts';
import { signedInUser } from '#test/support/users.ts';

const PRICE: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 10,
        A2: 'North',
        A3: { value: 46_023, style: 1 },
        A4: { formula: 'A1/10', value: 1 },
        A5: true,
        A6: '=cmd',
        B1: { formula: 'A1*A4*IF(A2="South",2,1)', value: 10 },
        B2: { formula: 'A6&"!"', value: '=cmd!' },
      },
      validations: [
        { ref: 'A1', type: 'decimal', operator: 'lessThan', formula1: '1000', error: 'At most 999' },
        { ref: 'A2', type: 'list', formula1: '"North,South"' },
      ],
    },
  ],
  formats: ['dd/mm/yyyy'],
  names: {
    in_Amount: 'S!$A$1',
    in_Branch: 'S!$A$2',
    in_Day: 'S!$A$3',
    in_Rate: 'S!$A$4',
    in_Paid: 'S!$A$5',
    in_Note: 'S!$A$6',
    out_Total: 'S!$B$1',
    out_Words: 'S!$B$2',
  },
};

const test = base.extend('batches', { scope: 'file' }, async ({ portal }, { onCleanup }) => {
  const get = (url: string, headers = portal.runner.headers) => portal.call('GET', url, undefined, headers);
  const post = (url: string, body: object, headers = portal.runner.headers) => portal.call('POST', url, body, headers);

  async function download(token: string): Promise<excelJs.Workbook> {
    const { rawPayload } = await portal.app.http.inject({ url: `/api/files/download/${token}` });
    const workbook = new excelJs.Workbook();
    await workbook.xlsx.load(rawPayload as never);
    return workbook;
  }

  async function template(): Promise<excelJs.Workbook> {
    const { status, body } = await get(`batch/template/${activity.Id}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return download(body.result as string);
  }

  async function sendBytes(content: string | Uint8Array, name = 'rows.xlsx', headers = portal.runner.headers) {
    const form = multipart({}, [{ name, content }]);
    const url = `/api/activities/batch/upload/${activity.Id}`;
    const answer = await portal.app.http.inject({
      method: 'POST',
      url,
      headers: { ...headers, ...form.headers },
      payload: form.payload,
    });
    return { status: answer.statusCode, body: answer.json() as CheckedBatch & { Message?: string } };
  }

  /** Fills in the template by column name. */
  async function send(rows: Record<string, unknown>[]) {
    const workbook = await template();
    const sheet = workbook.worksheets[0]!;
    const headers = (sheet.getRow(1).values as string[]).slice(1);
    for (const [at, row] of rows.entries())
      for (const [col, header] of headers.entries())
        if (header in row) sheet.getCell(at + 2, col + 1).value = row[header] as excelJs.CellValue;
    return sendBytes(new Uint8Array(await workbook.xlsx.writeBuffer()));
  }

  const ended = (runId: number): Promise<Batch> =>
    until(`the batch ${runId} is over`, async () => {
      const { Batches } = (await get(`batches/${activity.Id}`)).body.result as BatchPage;
      const batch = Batches.find(({ RunId }) => RunId === runId);
      return batch?.RunningChildRuns === 0 ? batch : undefined;
    });

  const start = async (Id: number, more: object = {}) => post('batch/start', { Id, OnlyGood: false, ...more });
  const stop = portal.app.childRuns.start(null);
  const activity = await portal.publish(PRICE, 'Price');
  onCleanup(() => stop());
  return { activity, get, post, download, template, sendBytes, send, ended, start };
});

describe('a batch', () => {
  test('is entered into a template that holds the inputs with their validations', async ({ batches: { template } }) => {
    const workbook = await template();
    expect(workbook.worksheets.map(({ name, state }) => [name, state])).toEqual([
      ['Rows', 'visible'],
      ['Notes', 'visible'],
      ['Lists', 'hidden'],
    ]);
    const sheet = workbook.worksheets[0]!;
    expect((sheet.getRow(1).values as string[]).slice(1)).toEqual(['Amount', 'Branch', 'Day', 'Rate', 'Paid', 'Note']);
    expect(sheet.getCell('A5001').dataValidation).toMatchObject({
      type: 'decimal',
      operator: 'lessThan',
      error: 'At most 999',
    });
    expect(sheet.getCell('B2').dataValidation).toMatchObject({ type: 'list', formulae: ['Lists!$B$1:$B$2'] });
    expect(sheet.getCell('A5002').dataValidation).toBeUndefined();
  });

  test('says how it has read ambiguous values, before it is started', async ({ batches: { sendBytes } }) => {
    const csv = 'Amount,Branch,Day,Rate,Note\n1.234,North,01/02/2025,2,1.234\n5,North,31/01/2025,"1,234",\n';
    const { body } = await sendBytes(csv, 'rows.csv');
    expect(body, JSON.stringify(body)).toMatchObject({
      BadCount: 0,
      Readings: {
        Region: null,
        Numbers: { Cell: 'A2', Text: '1.234', Value: '1.234', Other: '1234', More: 1 },
        Dates: { Cell: 'C2', Text: '01/02/2025', Value: '1/Feb/2025', Other: '2/Jan/2025', More: 0 },
      },
    });
    const plain = await sendBytes('Amount,Branch,Day\n5,North,2025-02-01\n', 'rows.csv');
    expect(plain.body.Readings).toBeNull();
  });

  test('creates one run per row, and returns the results in the same sheet', async ({
    portal,
    batches: { send, activity, start, ended, get, download },
  }) => {
    const checked = await send([
      { Amount: 20, Branch: 'North', Day: new Date(Date.UTC(2026, 0, 5)), Rate: 2, Paid: true, Note: '=2+2' },
      { Amount: '30', Branch: 'South', Day: '5/Jan/2026', Paid: 'yes', Note: 'plain' },
    ]);
    expect(checked.body, JSON.stringify(checked.body)).toMatchObject({ RowCount: 2, BadCount: 0, Issues: [] });
    const { knex } = portal.app.database;
    expect(await knex('ActivityRuns').where('ActivityId', activity.Id)).toEqual([]);
    const [first, second] = await Promise.all([
      start(checked.body.Id, { UniqueId: 'batch 1' }),
      start(checked.body.Id, { UniqueId: 'batch 1' }),
    ]);
    expect(first.body.result, JSON.stringify(first.body)).toEqual(second.body.result);
    const { RunId } = first.body.result as { RunId: number };
    expect(await ended(RunId)).toMatchObject({ RowCount: 2, BadCount: 0, SuccessfulChildRuns: 2, FailedChildRuns: 0 });
    expect(await knex('ActivityRuns').where('ParentRunId', RunId).count({ n: '*' })).toEqual([{ n: 2 }]);
    expect((await start(checked.body.Id)).body.result).toEqual({ RunId });
    const token = (await get(`batch/results/${checked.body.Id}`)).body.result as string;
    const results = await download(token);
    const sheet = results.worksheets[0]!;
    const rows = [1, 2, 3].map((row) => (sheet.getRow(row).values as unknown[]).slice(1));
    const children = await knex('ActivityRuns').where('ParentRunId', RunId).orderBy('Id').pluck('Id');
    expect(rows).toEqual([
      [
        'Amount',
        'Branch',
        'Day',
        'Rate',
        'Paid',
        'Note',
        'Result Total',
        'Result Words',
        'Run status',
        'Run number',
        'Run message',
      ],
      [
        20,
        'North',
        new Date(Date.UTC(2026, 0, 5)),
        2,
        true,
        '=2+2',
        40,
        '=2+2!',
        'Succeeded',
        children[0],
        'The run was successful',
      ],
      // The row leaves the rate blank, so the workbook's formula supplies it.
      [
        30,
        'South',
        new Date(Date.UTC(2026, 0, 5)),
        undefined,
        true,
        'plain',
        180,
        'plain!',
        'Succeeded',
        children[1],
        'The run was successful',
      ],
    ]);
    expect(sheet.getCell('F2').formula).toBeUndefined();
  });

  test('reports each invalid cell, and starts nothing, or only the valid rows on request', async ({
    batches: { send, start, ended, download, get },
  }) => {
    const checked = await send([
      { Amount: 5, Branch: 'North', Day: 46_024, Paid: false },
      { Amount: 2000, Branch: 'East', Day: 'someday', Paid: 'perhaps' },
      {},
      { Amount: { error: '#N/A' }, Branch: 'South', Day: 46_024, Paid: true },
    ]);
    expect(checked.body).toMatchObject({ RowCount: 3, BadCount: 2, IssueCount: 5 });
    expect(checked.body.Issues.map(({ Cell, Input }) => `${Cell} ${Input}`)).toEqual([
      'A3 Amount',
      'B3 Branch',
      'C3 Day',
      'E3 Paid',
      'A5 Amount',
    ]);
    const refused = await start(checked.body.Id);
    expect([refused.status, refused.body.message]).toEqual([422, 'Nothing was started: 2 rows have invalid cells']);
    const { RunId } = (await start(checked.body.Id, { OnlyGood: true })).body.result as { RunId: number };
    expect(await ended(RunId)).toMatchObject({ RowCount: 1, BadCount: 2, SuccessfulChildRuns: 1 });
    const results = await download((await get(`batch/results/${checked.body.Id}`)).body.result as string);
    const sheet = results.worksheets[0]!;
    expect([2, 3, 5].map((row) => sheet.getCell(row, 9).value)).toEqual(['Succeeded', 'Not started', 'Not started']);
  });

  test('says of one row that it is one', async ({ batches: { send, start, ended, get } }) => {
    const good = { Amount: 5, Branch: 'North', Day: 46_024, Paid: false };
    const checked = await send([good, { ...good, Amount: 2000 }]);
    expect((await start(checked.body.Id)).body.message).toBe('Nothing was started: 1 row has invalid cells');
    const { RunId } = (await start(checked.body.Id, { OnlyGood: true })).body.result as { RunId: number };
    await ended(RunId);
    const { LogEntries } = (await get(`status/${RunId}/?activity=true`)).body.result;
    expect(LogEntries.map(({ Message }: { Message: string }) => Message)).toContain(
      'The row of rows.xlsx was started; 1 row was skipped because it has invalid cells',
    );
  });

  test('refuses what is no such sheet, and never holds more rows than it may', async ({ batches: { sendBytes } }) => {
    expect((await sendBytes('PK no zip')).status).toBe(422);
    const strange = await sendBytes('Amount,Colour\n1,red\n', 'rows.csv');
    expect(strange.body.Issues.map(({ Cell, Message }) => [Cell, Message])).toEqual([
      ['B1', 'There is no input Colour'],
    ]);
    expect(strange.body.BadCount).toBe(1);
    const many = `Amount,Branch,Day,Paid\n${'1,North,5/Jan/2026,yes\n'.repeat(5001)}`;
    const answer = await sendBytes(many, 'rows.csv');
    expect([answer.status, answer.body.Message]).toEqual([
      422,
      'The sheet has 5001 rows, but a batch can have at most 5000',
    ]);
  });

  test('of many rows is checked and started in one', async ({
    batches: { sendBytes, start, post, ended, download, get },
  }) => {
    const count = rounds(500, 5000);
    const rows = Array.from({ length: count }, (_, at) => `${at % 900},North,5/Jan/2026,yes`);
    const { body } = await sendBytes(`Amount,Branch,Day,Paid\n${rows.join('\n')}\n`, 'year.csv');
    expect(body).toMatchObject({ RowCount: count, BadCount: 0 });
    const { RunId } = (await start(body.Id)).body.result as { RunId: number };
    // The test does not wait for all rows; the benchmarks do that.
    expect((await post(`cancel/${RunId}`, {})).status).toBe(200);
    const { SuccessfulChildRuns, FailedChildRuns } = await ended(RunId);
    expect(SuccessfulChildRuns + FailedChildRuns).toBe(count);
    const results = await download((await get(`batch/results/${body.Id}`)).body.result as string);
    const last = (results.worksheets[0]!.getRow(count + 1).values as unknown[]).slice(1);
    expect([last[0], last.includes('Cancelled')]).toEqual([(count - 1) % 900, true]);
  });

  test('is visible only to those who may run the activity', async ({
    portal,
    batches: { send, post, get, activity },
  }) => {
    const checked = await send([{ Amount: 5, Branch: 'North', Day: 46_024, Paid: false }]);
    const other = await signedInUser(portal.app, ['sk.RunActivity']);
    const stranger = await signedInUser(portal.app);
    expect((await post('batch/start', { Id: checked.body.Id, OnlyGood: false }, other.headers)).status).toBe(404);
    expect((await get(`batches/${activity.Id}`, stranger.headers)).status).toBe(403);
    expect(((await get(`batches/${activity.Id}`, other.headers)).body.result as BatchPage).Batches).toEqual([]);
    const started = (await get(`batches/${activity.Id}`)).body.result as BatchPage;
    expect((await get(`batch/results/${started.Batches[0]!.Id}`, other.headers)).status).toBe(404);
  });

  test('is cancelled as a whole, and its rows are retried', async ({ batches: { send, start, post, ended } }) => {
    const rows = Array.from({ length: 40 }, (_, at) => ({ Amount: at, Branch: 'North', Day: 46_024, Paid: true }));
    const { body } = await send(rows);
    const { RunId } = (await start(body.Id)).body.result as { RunId: number };
    expect((await post(`cancel/${RunId}`, {})).status).toBe(200);
    const cancelled = await ended(RunId);
    expect(cancelled.FailedChildRuns).toBeGreaterThan(0);
    expect((await post(`childruns/retry/${RunId}`, { StepKey: '1' })).status).toBe(200);
    expect(await ended(RunId)).toMatchObject({ SuccessfulChildRuns: 40, FailedChildRuns: 0 });
  });
});
