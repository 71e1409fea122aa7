/** What the call evaluate refuses: wrong names and values, missing rights, too many rows, and what needs a run. */
import { describe, expect } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { LOAN, test } from '#test/support/fixtures/evaluated-loan.ts';
import type { FormPortal } from '#test/support/form-portal.ts';
import { insertActivity } from '#test/support/runs.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { signedInUser } from '#test/support/users.ts';

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
