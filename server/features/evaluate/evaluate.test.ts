/** The call evaluate with the real executor: results, and what is recorded. */
import { describe, expect } from 'vitest';
import type { Activity } from '#shared/contract/activities.ts';
import { type ActivityRun, type StartResult } from '#shared/contract/runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { CELLS, LOAN, test } from '#test/support/fixtures/evaluated-loan.ts';
import { value, type FormPortal } from '#test/support/form-portal.ts';
import { until } from '#test/support/until.ts';

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
