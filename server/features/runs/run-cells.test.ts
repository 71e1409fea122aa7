/** Tests cells that the log of a run names, with the real executor. */
import { expect } from 'vitest';
import { isPending } from '#shared/contract/run-status.ts';
import { test as base } from '#test/support/fixtures/form-portal.ts';
import { value, type FormPortal } from '#test/support/form-portal.ts';
import { signedInUser } from '#test/support/users.ts';
import { until } from '#test/support/until.ts';

const test = base.extend('cell', { scope: 'file', auto: true }, async ({ portal }) => {
  const cell = (Sheet: string, Cell: string, headers?: FormPortal['runner']['headers']) =>
    portal.call('POST', `status/${runId}/cell`, { Sheet, Cell }, headers);

  const activity = await portal.publish(
    {
      sheets: [
        {
          name: 'My data',
          cells: { A1: 10, A2: { formula: 'A1*2', value: 20 }, B1: { formula: "SUM(A1:A2)+'My data'!A2", value: 50 } },
        },
      ],
      names: { in_Quantity: "'My data'!$A$1", out_Sum: "'My data'!$B$1" },
    },
    'Cells',
  );

  const Inputs = [value(activity, 'Quantity', 4)];
  const started = await portal.call('POST', 'start', { ActivityId: activity.Id, ActivityVersion: 1, Inputs });
  const runId = started.body.result.Id;

  await until('the end of the run', async () => {
    const { Status } = (await portal.call('GET', `status/${runId}`)).body.result;
    return isPending(Status) ? undefined : Status;
  });

  return cell;
});

test('a cell has its formula, what the run calculated, and what it reads', async ({ cell }) => {
  expect((await cell('my DATA', 'B1')).body.result).toEqual({
    Formula: "=SUM(A1:A2)+'My data'!A2",
    Value: '20',
    Reads: [
      { Sheet: 'My data', Cells: 'A1:A2', Value: null },
      { Sheet: 'My data', Cells: 'A2', Value: '8' },
    ],
  });
  expect((await cell('My data', 'A1')).body.result).toEqual({ Formula: null, Value: '4', Reads: [] });
  expect((await cell('My data', 'Z99')).body.result).toEqual({ Formula: null, Value: '', Reads: [] });
});

test('an invalid cell, or the run of another person, reveals nothing', async ({ portal, cell }) => {
  expect((await cell('Other', 'A1')).status).toBe(404);
  expect((await cell('My data', 'A0')).status).toBe(400);
  const other = await signedInUser(portal.app, ['sk.RunActivity']);
  expect((await cell('My data', 'A1', other.headers)).status).toBe(404);
});
