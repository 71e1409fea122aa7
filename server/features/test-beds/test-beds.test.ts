/** Tests test cases of activities, replayed with the real executor before publishing and on request. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import type { Activity } from '#shared/contract/activities.ts';
import type { StoredTestCase, TestBed, TestCaseContent } from '#shared/contract/test-beds.ts';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { nodeOptions } from '#test/support/child-options.ts';
import { test as base } from '#test/support/fixtures/form-portal.ts';
import { value } from '#test/support/form-portal.ts';
import { multipart } from '#test/support/portal.ts';
import { CLI_MAIN } from '#test/support/server-program.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { until } from '#test/support/until.ts';

/** A workbook that multiplies the amount by a factor, in a cell and as a table. */
const book = (
  factor: number,
  more: { sheets?: WorkbookSpec['sheets']; names?: Record<string, string> } = {},
): WorkbookSpec => ({
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 10,
        B1: { formula: `A1*${factor}`, value: 10 * factor },
        D1: 'Part',
        E1: 'Share',
        D2: 'a',
        D3: 'b',
        E2: { formula: `B1*0.25`, value: 2.5 * factor },
        E3: { formula: `B1*0.75`, value: 7.5 * factor },
      },
      tables: [{ name: 'Parts', ref: 'D1:E3', columns: ['Part', 'Share'] }],
    },
    ...(more.sheets ?? []),
  ],
  names: { in_Amount: 'S!$A$1', out_Total: 'S!$B$1', out_Parts: 'Parts[]', ...more.names },
});

const caseOf = (Name: string, amount: number, total: number, more: Partial<TestCaseContent> = {}): TestCaseContent => ({
  Name,
  Status: 'Succeeded',
  Inputs: [{ Name: 'Amount', Value: String(amount), UseDefault: false }],
  Expected: [{ Name: 'Total', Value: String(total), Tolerance: 0, RelativeTolerance: 0 }],
  ...more,
});

const test = base.extend('testBeds', { scope: 'file' }, ({ portal }) => {
  const edit = (method: 'GET' | 'POST', url: string, body?: object) =>
    portal.call(method, url, body, portal.editor.headers);
  const bedOf = async ({ Id }: Activity): Promise<TestBed> => (await edit('GET', `testbed/${Id}`)).body.result;

  async function send(url: string, fields: Record<string, string>, content: string | Uint8Array, name = 'Book.xlsx') {
    const form = multipart(fields, [{ name, content }]);
    const headers = { ...portal.editor.headers, ...form.headers };
    const answer = await portal.app.http.inject({
      method: 'POST',
      url: `/api/activities/${url}`,
      headers,
      payload: form.payload,
    });
    // oxlint-disable-next-line typescript/no-explicit-any -- whatever the call answers
    return { status: answer.statusCode, body: answer.json() as any };
  }

  const upload = async ({ Id }: Activity, spec: WorkbookSpec, ChangeDescription = 'changed') =>
    send('create', { Id: String(Id), ChangeDescription }, await buildWorkbook(spec));
  const save = ({ Id: ActivityId }: Activity, content: TestCaseContent, Id: number | null = null) =>
    edit('POST', 'testcase', { ActivityId, Id, ...content });
  const replay = async ({ Id: ActivityId }: Activity, CaseId: number | null = null) =>
    edit('POST', 'testbed/replay', { ActivityId, CaseId });
  return { edit, bedOf, send, upload, save, replay };
});

describe('test cases', () => {
  test('keep what somebody else has saved, unless it is overwritten on purpose', async ({
    portal,
    testBeds: { edit, save },
  }) => {
    const activity = await portal.publish(book(2), 'Edited twice');
    const { Id } = (await save(activity, caseOf('Edited', 5, 10))).body.result as { Id: number };
    const read = async () => (await edit('GET', `testcase/${Id}`)).body.result as StoredTestCase;
    const { Revision } = await read();
    const change = (amount: number, seen: number) =>
      edit('POST', 'testcase', { ActivityId: activity.Id, Id, ...caseOf('Edited', amount, 10), Revision: seen });
    expect((await change(6, Revision)).status).toBe(200);
    expect((await change(7, Revision)).status).toBe(409);
    expect((await read()).Inputs[0]!.Value).toBe('6');
    expect((await change(7, Revision + 1)).status).toBe(200);
    expect((await read()).Inputs[0]!.Value).toBe('7');
  });

  test('are replayed on demand, and report the cells that differ', async ({
    portal,
    testBeds: { save, replay, bedOf },
  }) => {
    const activity = await portal.publish(book(2), 'Replayed');
    await save(activity, caseOf('right', 5, 10));
    const wrong = { Name: 'Parts', Value: '[["a",2.5],["b",7]]', Tolerance: 0, RelativeTolerance: 0 };
    await save(activity, caseOf('wrong', 5, 10, { Expected: [wrong] }));
    await save(activity, caseOf('no input', 5, 10, { Inputs: [{ Name: 'Sum', Value: '1', UseDefault: false }] }));
    const { Id } = (await save(activity, caseOf('no number', 5, 10))).body.result as { Id: number };
    // Like a case that was saved while another version was current.
    const Inputs = JSON.stringify([{ Name: 'Amount', Value: '"x"', UseDefault: false }]);
    await portal.app.database.knex('TestCases').where({ Id }).update({ Inputs });
    const { status, body } = await replay(activity);
    expect(status, JSON.stringify(body)).toBe(200);
    const results = body.result.Cases.map(({ Result }: TestBed['Cases'][number]) => Result);
    expect(results).toMatchObject([
      { Outcome: 'Passed', Version: 1, Engine: 'runsheet', DifferenceCount: 0 },
      {
        Outcome: 'Failed',
        Differences: [{ Output: 'Parts', Cell: 'row 2, column Share', Expected: '7', Actual: '7.5' }],
      },
      { Outcome: 'Failed', Messages: ['There is no input Sum'] },
      { Outcome: 'Failed', Messages: ['Amount: Value must be a number'] },
    ]);
    expect((await bedOf(activity)).Cases.map(({ Result }) => Result)).toEqual(results);
    expect(await portal.app.database.knex('ActivityRuns').where('ActivityId', activity.Id)).toEqual([]);
  });

  test('are refused with values no run could start with, with nothing to compare, and with a name that is there', async ({
    portal,
    testBeds: { save, send, bedOf },
  }) => {
    const activity = await portal.publish(book(2), 'Particular');
    const unread = { Inputs: [{ Name: 'Amount', Value: '"12,5"', UseDefault: false }] };
    const refused = await save(activity, caseOf('unread', 5, 10, unread));
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: 'Amount: Value must be a number', modelState: { 'Inputs/Amount': ['Value must be a number'] } },
    ]);
    const empty = await save(activity, caseOf('empty', 5, 10, { Expected: [] }));
    const text = 'The test case empty compares nothing and would always pass: specify an expected output';
    expect([empty.status, empty.body]).toEqual([400, { message: text, modelState: { Expected: [text] } }]);
    const { Id } = (await save(activity, caseOf('Five', 5, 10))).body.result as { Id: number };
    const twice = await save(activity, caseOf('five', 5, 10));
    const taken = 'A test case five already exists: choose another name';
    expect([twice.status, twice.body]).toEqual([409, { message: taken, modelState: { Name: [taken] } }]);
    expect((await save(activity, caseOf('FIVE', 5, 10), Id)).status).toBe(200);
    const other = 'A test case six already exists: choose another name';
    const nothing = 'The test case compares nothing and would always pass: specify an expected output';
    for (const [rows, Cell, Message] of [
      ['Six,6,12\nsix,6,12\n', 'A3', other],
      ['Six,6,12\nfive,5,10\n', 'A3', taken],
      ['Six,6,\n', 'A2', nothing],
    ]) {
      const sheet = `Test case,Amount,Expected Total\n${rows}`;
      const { status, body } = await send(`testbed/import/${activity.Id}`, {}, sheet, 'cases.csv');
      expect([status, body.Issues]).toEqual([422, [{ Cell, Column: 'Test case', Message }]]);
    }
    expect((await bedOf(activity)).Cases.map(({ Name }) => Name)).toEqual(['FIVE']);
  });

  test('hold the property checks of the activity, too', async ({ portal, testBeds: { save, edit, replay } }) => {
    const activity = await portal.publish(book(2), 'Checked');
    await save(activity, caseOf('sums', 5, 10));
    const Checks = [
      { Name: 'Parts make the total', Expression: 'SUM(Parts[Share]) = Total', Tolerance: 0.001 },
      { Name: 'Small', Expression: 'Total < 10', Tolerance: 0 },
    ];
    expect((await edit('POST', 'testbed', { ActivityId: activity.Id, MustPass: false, Checks })).status).toBe(200);
    const { Result } = (await replay(activity)).body.result.Cases[0];
    expect(Result).toMatchObject({
      Outcome: 'Failed',
      Checks: [
        { Name: 'Parts make the total', Holds: true, Message: '10 = 10' },
        { Name: 'Small', Holds: false, Message: '10 < 10' },
      ],
    });
    const bad = { ActivityId: activity.Id, MustPass: false, Checks: [{ ...Checks[0], Expression: 'Total' }] };
    expect((await edit('POST', 'testbed', bad)).body.message).toContain('must compare two sides');
    const unknown = { ...bad, Checks: [{ ...Checks[0], Expression: 'SUM(Parts[Fee]) = Total' }] };
    expect((await edit('POST', 'testbed', unknown)).body.message).toBe(
      'Parts make the total: The output Parts has no column Fee',
    );
  });

  test('keep a version that fails them from being published, where they must pass, and lose nothing', async ({
    portal,
    testBeds: { save, edit, upload, bedOf },
  }) => {
    const activity = await portal.publish(book(2), 'Guarded');
    const { Id } = (await save(activity, caseOf('double', 5, 10))).body.result as { Id: number };
    await edit('POST', 'testbed', { ActivityId: activity.Id, MustPass: true, Checks: [] });
    const refused = await upload(activity, book(3), 'three times');
    expect([refused.status, refused.body.Message]).toEqual([
      422,
      'The test case of the activity did not pass, so the workbook was not published. It was saved, with its report, under the test cases of the activity.',
    ]);
    expect((await portal.details(activity.Id)).Version).toBe(1);
    const [firstRefused] = (await bedOf(activity)).Refused;
    expect(firstRefused).toMatchObject({
      FileName: 'Book.xlsx',
      ChangeDescription: 'three times',
      Cases: [{ Name: 'double', Result: { Version: null, Differences: [{ Expected: '10', Actual: '15' }] } }],
    });
    const again = await edit('POST', `testbed/refused/publish/${firstRefused!.Id}`, {});
    expect(again.status).toBe(422);
    const [newRefusal, ...others] = (await bedOf(activity)).Refused;
    expect([newRefusal!.Id > firstRefused!.Id, others]).toEqual([true, []]);
    expect((await edit('GET', `testbed/refused/download/${newRefusal!.Id}`)).status).toBe(200);
    await save(activity, caseOf('three times', 5, 15), Id);
    const published = await edit('POST', `testbed/refused/publish/${newRefusal!.Id}`, {});
    expect(published.body.result, JSON.stringify(published.body)).toEqual({ Version: 2 });
    const bed = await bedOf(activity);
    expect(bed).toMatchObject({ Version: 2, Refused: [], Cases: [{ Result: { Outcome: 'Passed', Version: 2 } }] });
    const files = await portal.app.database.knex('StoredFiles').where('FileName', 'Book.xlsx');
    for (const { StoreKey } of files) expect(await portal.app.fileStore.has(StoreKey)).toBe(true);
    const KeyColumnValue = String(activity.Id);
    for (const MustPass of [true, false])
      await edit('POST', 'testbed', { ActivityId: activity.Id, MustPass, Checks: [] });
    expect(
      await portal.app.database
        .knex('SecurityActions')
        .where({ KeyColumnName: 'ActivityId', KeyColumnValue })
        .orderBy('Id')
        .pluck('Action'),
    ).toEqual(['RequireTestCases', 'WaiveTestCases']);
  });

  test('do not undo a published version if their results cannot be stored', async ({
    portal,
    testBeds: { save, upload },
  }) => {
    const activity = await portal.publish(book(2), 'Without results');
    await save(activity, caseOf('double', 5, 10));
    const { knex } = portal.app.database;
    await knex.raw(`alter table ?? add constraint ?? check (?? is null or ?? <> ${activity.Id})`, [
      'TestCases',
      'NoResults',
      'ResultTime',
      'ActivityId',
    ]);
    try {
      expect((await upload(activity, book(2))).status).toBe(200);
    } finally {
      await knex.raw('alter table ?? drop constraint ??', ['TestCases', 'NoResults']);
    }
    const [{ StoreKey }] = (await knex('ActivityVersions as V')
      .join('StoredFiles as F', 'F.FileId', 'V.FileId')
      .where({ 'V.ActivityId': activity.Id, 'V.Version': 2 })
      .select('F.StoreKey')) as [{ StoreKey: string }];
    expect(await portal.app.fileStore.has(StoreKey)).toBe(true);
  });

  test('report what a version changed if they need not pass', async ({ portal, testBeds: { save, upload, bedOf } }) => {
    const activity = await portal.publish(book(2), 'Watched');
    await save(activity, caseOf('double', 5, 10));
    expect((await upload(activity, book(3))).body).toMatchObject({ Version: 2 });
    expect(await bedOf(activity)).toMatchObject({
      Refused: [],
      Cases: [{ Result: { Outcome: 'Failed', Version: 2, Differences: [{ Output: 'Total', Actual: '15' }] } }],
    });
  });

  test('are replayed over all activities by a command, as after an upgrade, which says what differs', async ({
    portal,
    testBeds: { save, bedOf },
  }) => {
    const { database, dataDir } = portal.app;
    const activity = await portal.publish(book(2), 'Upgraded');
    await save(activity, caseOf('double', 5, 10));
    await save(activity, caseOf('more than double', 5, 11));
    const env = { PATH: process.env['PATH'], ...nodeOptions(), RUNSHEET_DATABASE_URL: database.url };
    const { code, stdout } = await promisify(execFile)(process.execPath, [CLI_MAIN, 'replay'], {
      env: { ...env, RUNSHEET_DATA_DIR: dataDir },
    }).then(
      (ended) => ({ ...ended, code: 0 }),
      (error: { code: number; stdout: string }) => error,
    );
    expect(stdout).toContain(
      `Upgraded (activity ${activity.Id}, version 1)\n  more than double: failed\n    Total: expected 11, got 10\n`,
    );
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/\d+ test cases of \d+ activities were replayed; (?:1 does|\d+ do) not pass\.\n$/),
    ]);
    expect((await bedOf(activity)).Cases.map(({ Result }) => Result?.Outcome)).toEqual(['Passed', 'Failed']);
  });

  test('are taken from runs', async ({ portal, testBeds: { edit, replay } }) => {
    const activity = await portal.publish(book(2), 'Taken');
    const body = { ActivityId: activity.Id, ActivityVersion: 1, Inputs: [value(activity, 'Amount', 7)] };
    const { Id } = (await edit('POST', 'start', body)).body.result as { Id: number };
    await until('the run ends', async () => (await edit('GET', `status/${Id}`)).body.result.EndTime ?? undefined);
    const taken = await edit('POST', `testcase/fromrun/${Id}`, {});
    expect(taken.status, JSON.stringify(taken.body)).toBe(200);
    expect((await edit('GET', `testcase/${taken.body.result.Id}`)).body.result).toMatchObject({
      Name: `Run ${Id}`,
      Inputs: [{ Name: 'Amount', Value: '7' }],
      Expected: [
        { Name: 'Total', Value: '14' },
        { Name: 'Parts', Value: '[["a",3.5],["b",10.5]]' },
      ],
    });
    expect((await replay(activity)).body.result.Cases[0].Result.Outcome).toBe('Passed');
  });

  test('are imported from a table, all or none', async ({ portal, testBeds: { send, replay, bedOf, edit } }) => {
    const activity = await portal.publish(book(2), 'Imported');
    const good = 'Test case,Amount,Expected Total,Tolerance\nfive,5,10,0\nsix,6,12.05,0.1\n';
    const imported = await send(`testbed/import/${activity.Id}`, {}, good, 'cases.csv');
    expect([imported.status, imported.body], JSON.stringify(imported.body)).toEqual([200, { Count: 2 }]);
    const outcomes = (await replay(activity)).body.result.Cases;
    expect(outcomes).toMatchObject([{ Result: { Outcome: 'Passed' } }, { Result: { Outcome: 'Passed' } }]);
    const bad = 'Test case,Amount,Expected Total,Tolerance\nfine,5,10,-1\n,six,x\n';
    const refused = await send(`testbed/import/${activity.Id}`, {}, bad, 'cases.csv');
    expect([refused.status, refused.body.Message, refused.body.IssueCount]).toEqual([
      422,
      'Nothing was imported. D2: A tolerance must be 0 or more. A3: The name of a test case must have 1 to 100 characters. B3: Value must be a number. C3: Value must be a number',
      4,
    ]);
    expect(refused.body.Issues[3]).toEqual({ Cell: 'C3', Column: 'Expected Total', Message: 'Value must be a number' });
    expect((await bedOf(activity)).Cases).toHaveLength(2);
    expect((await edit('GET', `testbed/template/${activity.Id}`)).status).toBe(200);
  });

  test('are refused by name where a step asks, and leave out steps that change something', async ({
    portal,
    testBeds: { save, replay },
  }) => {
    const asking = stepSheet([{ Step: 'Who', Action: 'Prompt', Cell: 'S!D9', Message: 'Who?' }]);
    const activity = await portal.publish(book(2, { sheets: [asking] }), 'Asking');
    const refused = await save(activity, caseOf('never', 5, 10));
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'A trial run is not possible: the step Who asks a person, which only a real run can do',
    ]);
    const mailing = stepSheet([{ Step: 'Report', Action: 'Export', Output: 'File', Range: 'S!A1:B1' }]);
    const names = { out_File: 'S!$C$9' };
    const exporting = await portal.publish(book(2, { sheets: [mailing], names }), 'Exporting');
    await save(exporting, caseOf('dry', 5, 10));
    expect((await replay(exporting)).body.result.Cases[0].Result.Outcome).toBe('Passed');
  });

  test('are shown to those who may run the activity, and changed by those who may edit it', async ({
    portal,
    testBeds: { save, edit, bedOf },
  }) => {
    const activity = await portal.publish(book(2), 'Shown');
    const { Id } = (await save(activity, caseOf('double', 5, 10))).body.result as { Id: number };
    expect((await portal.call('GET', `testbed/${activity.Id}`)).body.result).toMatchObject({ CanEdit: false });
    expect((await portal.call('GET', `testcase/${Id}`)).status).toBe(200);
    const body = { ActivityId: activity.Id, CaseId: null };
    expect((await portal.call('POST', 'testbed/replay', body)).status).toBe(403);
    expect((await portal.call('POST', `testcase/delete/${Id}`, {})).status).toBe(403);
    expect((await portal.call('POST', 'testcase', { ActivityId: activity.Id, Id, ...caseOf('x', 1, 2) })).status).toBe(
      403,
    );
    expect((await edit('POST', `testcase/delete/${Id}`, {})).status).toBe(200);
    expect((await bedOf(activity)).Cases).toEqual([]);
  });
});
