/** The call evaluate with the real executor: results, refusals, rights, limits, lines, and what is recorded. */
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect } from 'vitest';
import { createClient, CallFailure } from '#shared/client/client.ts';
import { evaluate } from '#shared/client/evaluate.ts';
import { InputFailure, type GivenCell } from '#shared/client/inputs.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { EvaluateLine } from '#shared/contract/evaluate.ts';
import { type ActivityRun, type StartResult } from '#shared/contract/runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { test as base } from '#test/support/fixtures/form-portal.ts';
import { portalTable, value, type FormPortal } from '#test/support/form-portal.ts';
import { insertActivity } from '#test/support/runs.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { until } from '#test/support/until.ts';
import { signedInUser } from '#test/support/users.ts';

const CELLS = {
  A1: 1000,
  A2: { value: 0.05, style: 1 },
  A3: { value: 46_000, style: 2 },
  A4: 'Yearly',
  B1: { formula: 'A1*A2', value: 50 },
  B2: { formula: 'A3+30', value: 46_030, style: 2 },
  D1: 'Name',
  E1: 'Amount',
  D2: 'a',
  E2: 1,
  F1: { formula: 'SUM(Costs[Amount])', value: 1 },
};

const LOAN: WorkbookSpec = {
  formats: ['0.00%', 'yyyy-mm-dd'],
  sheets: [
    {
      name: 'S',
      cells: CELLS,
      tables: [{ name: 'Costs', ref: 'D1:E2', columns: ['Name', 'Amount'] }],
      validations: [
        { ref: 'A1', type: 'decimal', operator: 'between', formula1: '1', formula2: '5000', showError: true },
        { ref: 'A4', type: 'list', formula1: '"Yearly,Monthly"', showError: true },
      ],
    },
    portalTable('PortalInputs', [
      ['Name', 'Specification'],
      ['Amount', 'Optional'],
    ]),
  ],
  names: {
    in_Amount: 'S!$A$1',
    in_Rate: 'S!$A$2',
    in_First_Day: 'S!$A$3',
    in_Frequency: 'S!$A$4',
    in_Costs: 'Costs[#All]',
    out_Interest: 'S!$B$1',
    out_Next_Day: 'S!$B$2',
    out_Costs: 'S!$F$1',
  },
};

interface Loan {
  activity: Activity;
  evaluate: (
    body: object,
    more?: { headers?: object; id?: number },
    // oxlint-disable-next-line typescript/no-explicit-any -- bodies of all calls, which tests look into
  ) => Promise<{ status: number; body: any }>;
}

const test = base.extend('loan', { scope: 'file' }, async ({ portal }): Promise<Loan> => {
  const activity = await portal.publish(LOAN, 'Loan');
  return {
    activity,
    evaluate: async (body, { headers = portal.runner.headers, id = activity.Id } = {}) => {
      const url = `/api/activities/${id}/evaluate`;
      const answer = await portal.app.http.inject({ method: 'POST', url, payload: body, headers: { ...headers } });
      return { status: answer.statusCode, body: answer.json() };
    },
  };
});

/** Runs the activity and returns its outputs by name. */
async function run(portal: FormPortal, activity: Activity, values: Record<string, unknown>): Promise<unknown> {
  const Inputs = Object.entries(values).map(([name, given]) => value(activity, name, given));
  const body = { ActivityId: activity.Id, ActivityVersion: activity.Version, UniqueId: null, Inputs };
  const started = (await portal.call('POST', 'start', body)).body.result as StartResult;
  let found: ActivityRun | undefined;
  await until('the run has ended', async () => {
    found = (await portal.call('GET', `status/${started.Id}`)).body.result as ActivityRun;
    return !isPending(found.Status);
  });
  return Object.fromEntries(found!.Outputs.map(({ Name, Value }) => [Name, JSON.parse(Value!)]));
}

describe('columns and rows', () => {
  test('give what runs give, in their order', async ({ portal, loan }) => {
    const rates = [0.01, 0.02, 0.5];
    const { status, body } = await loan.evaluate({
      Inputs: { Rate: rates, Amount: 2000, 'first day': ['2026-01-31'] },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const { Outputs, ...rest } = body.result;
    expect(rest).toEqual({ ActivityId: loan.activity.Id, Version: 1, Rows: 3, Errors: [] });
    for (const [row, Rate] of rates.entries()) {
      const own = Object.fromEntries(Object.entries(Outputs as Record<string, unknown[]>).map(([k, v]) => [k, v[row]]));
      const first = { 'First Day': 46_053, Frequency: 'Yearly', Costs: [['a', 1]] };
      expect(own).toEqual(await run(portal, loan.activity, { Rate, Amount: 2000, ...first }));
    }
  });

  test('rows as objects may leave inputs out, and tables hold for all rows', async ({ loan }) => {
    const { body } = await loan.evaluate({
      Inputs: {
        Costs: [
          { Amount: 3, Name: 'x' },
          { Name: 'y', Amount: 4 },
        ],
      },
      Rows: [{ Rate: 0.1 }, { Amount: 100, Rate: 0.2 }, {}],
      Outputs: ['costs', 'Interest'],
    });
    expect(body.result).toMatchObject({ Rows: 3, Outputs: { Costs: [7, 7, 7], Interest: [100, 20, 50] } });
    expect(Object.keys(body.result.Outputs)).toEqual(['Costs', 'Interest']);
  });

  test('a refused row has its reasons, and the others have their results', async ({ loan }) => {
    const { body } = await loan.evaluate({
      Inputs: { Amount: [100, 9000, 'x', null], Frequency: ['Yearly', 'Daily', 'monthly', 'Yearly'] },
      Outputs: ['Interest'],
    });
    const refused = 'Value must be between 1 and 5,000';
    expect(body.result).toMatchObject({
      Rows: 4,
      // A start also takes a blank as the workbook's own value here.
      Outputs: { Interest: [5, null, null, 50] },
      Errors: [
        { Row: 1, Code: 'inputInvalid', Input: 'Amount', Message: refused },
        { Row: 1, Code: 'inputInvalid', Input: 'Frequency' },
        { Row: 2, Code: 'inputInvalid', Input: 'Amount', Message: 'Value must be a number' },
      ],
    });
  });

  test('no rows have no results', async ({ loan }) => {
    expect((await loan.evaluate({ Rows: [] })).body.result).toMatchObject({ Rows: 0, Outputs: { Interest: [] } });
  });
});

describe('a call is refused', () => {
  test('with the names that exist, where a name is wrong', async ({ loan }) => {
    const known = 'it has Amount, Rate, Costs, First Day, Frequency';
    const wrong = await loan.evaluate({ Inputs: { Rates: [1], amount: 1, Amount: 2 } });
    expect(wrong.status).toBe(400);
    expect(wrong.body.message.split('\n')).toEqual([
      `"Loan" has no input "Rates"; ${known}`,
      'Amount: the value is given more than once',
    ]);
    const output = await loan.evaluate({ Outputs: ['Interest', 'Profit'] });
    expect(output.body.message).toBe('There is no output "Profit"; there are Interest, Costs, Next Day');
    expect((await loan.evaluate({ Inputs: {}, Limit: 3 })).status).toBe(400);
  });

  test('where columns have different lengths, or a table is given by row', async ({ loan }) => {
    const lengths = await loan.evaluate({ Inputs: { Amount: [1, 2, 3], Rate: [0.1, 0.2] } });
    expect(lengths.body.message).toBe('Rate: the column has 2 values for 3 rows');
    const table = await loan.evaluate({ Rows: [{ Costs: 1 }] });
    expect(table.body.message).toBe('Costs: give a list or a table in Inputs, once for all rows');
    const both = await loan.evaluate({ Inputs: { Rate: 1 }, Rows: [{ Rate: 2 }] });
    expect(both.body.message).toBe('Rate: the value is given in Inputs and in Rows');
  });

  test('where a value of all rows is wrong, as a start would be', async ({ loan }) => {
    const { status, body } = await loan.evaluate({ Inputs: { Amount: 'x', Rate: [0.1, 0.2] } });
    expect(status).toBe(400);
    expect(body.modelState).toEqual({ Amount: ['Value must be a number'] });
  });

  test('where steps or a procedure need a run, by name', async ({ portal, loan }) => {
    const spec: WorkbookSpec = {
      sheets: [
        { name: 'S', cells: { A1: 10, B1: { formula: 'A1+1', value: 11 } } },
        stepSheet([
          { Step: 'Note', Action: 'Log', Message: 'Hello' },
          { Step: 'Who', Action: 'Prompt', Cell: 'S!D9', Message: 'Who are you?' },
        ]),
      ],
      names: { in_Quantity: 'S!$A$1', out_Sum: 'S!$B$1' },
    };
    const { Id } = await portal.publish(spec, 'With a question');
    const { status, body } = await loan.evaluate({}, { id: Id });
    expect([status, body.message]).toEqual([422, 'Only a run can execute these steps: Who (Prompt)']);
  });

  test('without the right to run it, for an unknown version, and for an inactive activity', async ({
    portal,
    loan,
  }) => {
    const { app } = portal;
    const stranger = await signedInUser(app);
    expect((await loan.evaluate({}, { headers: stranger.headers })).status).toBe(403);
    const elsewhere = await signedInUser(app, [{ right: 'sk.RunActivity', Id: 999_999 }]);
    expect((await loan.evaluate({}, { headers: elsewhere.headers })).status).toBe(404);
    expect((await loan.evaluate({}, { headers: {} })).status).toBe(401);
    expect((await loan.evaluate({ Version: 7 })).status).toBe(404);
    const { Id } = await portal.publish(LOAN, 'Inactive');
    await app.database.knex('Activities').where({ Id }).update({ IsActive: false });
    expect((await loan.evaluate({}, { id: Id, headers: portal.editor.headers })).status).toBe(409);
    expect((await loan.evaluate({}, { id: Id })).status).toBe(404);
  });

  test('with more rows than the setting allows', async ({ loan }) => {
    const { status, body } = await loan.evaluate({ Rows: Array.from({ length: 100_001 }, () => ({})) });
    expect([status, body.message]).toEqual([
      413,
      'A call may have at most 100000 rows, and this one has 100001. Send them in several calls',
    ]);
  });
});

test('an older version is calculated if it is named', async ({ portal, loan }) => {
  const first = await portal.publish(LOAN, 'Versions');
  const doubled = {
    ...LOAN,
    sheets: [{ ...LOAN.sheets[0]!, cells: { ...CELLS, B1: { formula: 'A1*A2*2', value: 100 } } }],
  };
  await portal.publish(doubled, 'Versions', first.Id);
  const interest = async (Version?: number): Promise<unknown> => {
    const { body } = await loan.evaluate({ Version, Outputs: ['Interest'] }, { id: first.Id });
    return [body.result.Version, body.result.Outputs.Interest];
  };
  expect(await interest()).toEqual([2, [100]]);
  expect(await interest(1)).toEqual([1, [50]]);
});

test('a call is recorded in one line of the security log, a refused one in none, and nothing else is stored', async ({
  portal,
  loan,
}) => {
  const { knex } = portal.app.database;
  await knex('SecurityActions').delete();
  const before = await knex('ActivityRuns').count();
  for (const Inputs of [{ Unknown: 1 }, { Amount: 'x' }]) expect((await loan.evaluate({ Inputs })).status).toBe(400);
  await loan.evaluate({ Rows: [{ Rate: 0.1 }, { Rate: 0.2 }] });
  const lines = await knex('SecurityActions').select('UserId', 'Action', 'KeyColumnName', 'KeyColumnValue', 'Address');
  expect(lines).toEqual([
    {
      UserId: portal.runner.UserId,
      Action: 'EvaluateActivity',
      KeyColumnName: 'ActivityId',
      KeyColumnValue: `${loan.activity.Id}, version 1, 2 rows`,
      Address: '127.0.0.1',
    },
  ]);
  expect(await knex('ActivityRuns').count()).toEqual(before);
});

const linesOf = (text: string): EvaluateLine[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvaluateLine);

describe('lines', () => {
  test('contain all rows in their order, with progress', async ({ portal, loan }) => {
    const count = 1500;
    const Rate = Array.from({ length: count }, (_, row) => (row === 700 ? 'x' : row / count));
    const answer = await portal.app.http.inject({
      method: 'POST',
      url: `/api/activities/${loan.activity.Id}/evaluate`,
      headers: { ...portal.runner.headers, accept: 'application/x-ndjson' },
      payload: { Inputs: { Rate }, Outputs: ['Interest'] },
    });
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    const [start, ...lines] = linesOf(answer.body);
    expect(start).toEqual({ Type: 'Start', ActivityId: loan.activity.Id, Version: 1, Rows: count });
    expect(lines.pop()).toEqual({ Type: 'End', Rows: count, Refused: 1 });
    expect(lines.length).toBeGreaterThan(1);
    const rows = lines.flatMap((line) => (line.Type === 'Rows' ? [line] : []));
    expect(rows.map(({ FirstRow }) => FirstRow)).toEqual(
      rows.map((_, at) => rows.slice(0, at).reduce((sum, { Rows }) => sum + Rows, 0)),
    );
    const values = rows.flatMap(({ Outputs }) => Outputs['Interest']);
    expect(values).toEqual(Rate.map((rate) => (typeof rate === 'number' ? 1000 * rate : null)));
    expect(rows.flatMap(({ Errors }) => Errors)).toMatchObject([{ Row: 700, Input: 'Rate' }]);
  });

  test('are not started if the call is refused', async ({ portal, loan }) => {
    const headers = { ...portal.runner.headers, accept: 'application/x-ndjson' };
    expect((await loan.evaluate({ Inputs: { Amount: 'x' } }, { headers })).status).toBe(400);
  });
});

/** Each row takes a while. */
const SLOW: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 1,
        B1: { formula: 'SUMPRODUCT((ROW($1:$200000)+A1)*(ROW($1:$200000)>A1))', value: 1 },
      },
    },
  ],
  names: { in_A: 'S!$A$1', out_B: 'S!$B$1' },
};

describe('a client', () => {
  const controllers: AbortController[] = [];
  afterAll(() => controllers.forEach((one) => one.abort()));

  const clientOf = async ({ app, runner }: FormPortal) => {
    if (!app.http.server.listening) await app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.http.server.address() as AddressInfo;
    const token = runner.headers.authorization.replace('Bearer ', '');
    return createClient({ address: `http://127.0.0.1:${port}`, token });
  };

  test('gets days as texts, progress, and the rows it could not read as refused', async ({ portal, loan }) => {
    const client = await clientOf(portal);
    const progress: [number, number][] = [];
    const rows: Record<string, GivenCell>[] = [
      { Rate: '10 %' },
      { Rate: '1,500' },
      { Rate: 0.2, Amount: 9000 },
      { 'First Day': new Date('2026-02-28') },
    ];
    const found = await evaluate(client, loan.activity, rows, {
      inputs: { Costs: [{ Name: 'x', Amount: 5 }] },
      onProgress: (...at) => progress.push(at),
      rowsPerCall: 2,
    });
    expect(found.Outputs).toEqual({
      Interest: [100, null, null, 50],
      'Next Day': ['2026-01-08', null, null, '2026-03-30'],
      Costs: [5, null, null, 5],
    });
    expect(found.Errors.map(({ Row, Input }) => [Row, Input])).toEqual([
      [1, 'Rate'],
      [2, 'Amount'],
    ]);
    expect(progress).toEqual([
      [2, 3],
      [3, 3],
    ]);
    await expect(evaluate(client, loan.activity, [{ Profit: 1 }])).rejects.toThrow(InputFailure);
    await expect(evaluate(client, loan.activity, [{}], { outputs: ['X'] })).rejects.toThrow(CallFailure);
  });

  test('that leaves ends the calculation, and others get their turn before that', async ({ portal, loan }) => {
    const client = await clientOf(portal);
    const slow = await portal.publish(SLOW, 'Slow');
    const leaving = new AbortController();
    controllers.push(leaving);
    let done = 0;
    const rows = Array.from({ length: 50_000 }, (_, A) => ({ A }));
    const long = evaluate(client, slow, rows, { signal: leaving.signal, onProgress: (count) => void (done = count) });
    await until('the long call has calculated rows', () => done > 0);
    const other = await signedInUser(portal.app, ['sk.RunActivity']);
    expect((await loan.evaluate({ Outputs: ['Interest'] }, { headers: other.headers })).status).toBe(200);
    expect(done).toBeLessThan(rows.length);
    leaving.abort();
    await expect(long).rejects.toThrow();
    // The thread is free again for the next call of the same person.
    expect((await loan.evaluate({ Outputs: ['Interest'] })).status).toBe(200);
  });
});

test('a stored procedure is refused by name', async ({ portal, loan }) => {
  const { knex } = portal.app.database;
  const definition = { inputs: [], outputs: [], steps: [], display: {}, procedure: { settings: {} } };
  const Id = await insertActivity(knex, {
    UserId: portal.editor.UserId,
    Name: 'Pay invoices',
    definition: definition as never,
  });
  const { status, body } = await loan.evaluate({}, { id: Id });
  expect([status, body.message]).toEqual([422, '"Pay invoices" calls a stored procedure, which only a run can do']);
});

describe('a visitor', () => {
  const visit = async ({ app }: FormPortal, id: number, payload: object) => {
    const answer = await app.http.inject({ method: 'POST', url: `/api/public/activities/${id}/evaluate`, payload });
    return { status: answer.statusCode, body: answer.json() };
  };
  const open = ({ app }: FormPortal, id: number) =>
    app.database.knex('Grants').insert({
      RightName: 'sk.RunActivity',
      KeyColumnName: 'Id',
      KeyColumnValue: String(id),
      GranteeKind: 'internet',
      Grantee: '',
      Access: 1,
    });

  test('may evaluate what the internet may run, with fewer rows', async ({ portal, loan }) => {
    const { Id } = await portal.publish(LOAN, 'Public loan');
    await open(portal, Id);
    expect((await visit(portal, loan.activity.Id, {})).status).toBe(404);
    const { status, body } = await visit(portal, Id, { Inputs: { Rate: [0.1, 0.2] }, Outputs: ['Interest'] });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.result.Outputs).toEqual({ Interest: [100, 200] });
    const last = await portal.app.database.knex('SecurityActions').orderBy('Id', 'desc').first();
    expect(last).toMatchObject({ Action: 'EvaluateActivity', KeyColumnValue: `${Id}, version 1, 2 rows` });
    expect((await visit(portal, Id, { Rows: Array.from({ length: 1001 }, () => ({})) })).status).toBe(413);
  });

  test('learns nothing about the steps of an activity', async ({ portal }) => {
    const spec: WorkbookSpec = {
      sheets: [
        { name: 'S', cells: { A1: 10, B1: { formula: 'A1+1', value: 11 } } },
        stepSheet([{ Step: 'Secret step', Action: 'Prompt', Cell: 'S!D9', Message: 'Who are you?' }]),
      ],
      names: { in_Quantity: 'S!$A$1', out_Sum: 'S!$B$1' },
    };
    const { Id } = await portal.publish(spec, 'Public question');
    await open(portal, Id);
    const { status, body } = await visit(portal, Id, {});
    expect(status).toBe(422);
    expect(body.message).not.toContain('Secret');
  });
});
