/** Tests trying activities without a run, with the real executor. */
import { expect } from 'vitest';
import type { DryRunResult } from '#shared/contract/dry-runs.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { createDryRunService } from './dry-run-service.ts';
import { test as base } from '#test/support/fixtures/form-portal.ts';
import { ORDER, value, type FormPortal } from '#test/support/form-portal.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { signedInUser } from '#test/support/users.ts';

const orderOf = (activity: Activity, quantity: unknown) => [
  value(activity, 'Quantity', quantity),
  value(activity, 'Price', 8),
  value(activity, 'Branch', `North ${String(quantity)}`),
  value(activity, 'Paid', true),
];

const test = base.extend(
  'tried',
  { scope: 'file' },
  ({ portal }) =>
    (activity: Activity, Inputs: object[], more: object = {}, headers?: FormPortal['runner']['headers']) =>
      portal.call(
        'POST',
        'dryrun',
        { ActivityId: activity.Id, ActivityVersion: activity.Version, Inputs, ...more },
        headers,
      ),
);

test('the workbook is calculated with the inputs, and nothing is stored', async ({ portal, tried }) => {
  const { knex } = portal.app.database;
  const activity = await portal.publish(ORDER, 'Tried');
  const { status, body } = await tried(activity, orderOf(activity, 4));
  expect(status, JSON.stringify(body)).toBe(200);
  const result = body.result as DryRunResult;
  expect(result).toMatchObject({ Status: 'Succeeded', LeftOutSteps: [], Outputs: [{ Name: 'Sum', Value: '12' }] });
  for (const table of ['ActivityRuns', 'RunInputs', 'RunOutputs', 'RunLogEntries'])
    expect(await knex(table).where(table === 'ActivityRuns' ? { ActivityId: activity.Id } : {})).toEqual([]);
});

test('without a licence nothing is calculated, as no run would be', async ({ portal }) => {
  const activity = await portal.publish(ORDER, 'Tried without a licence');
  const parts = portal.app;
  const { database, fileStore: files } = parts;
  const executor = { run: () => expect.unreachable() } as never;
  const tries = createDryRunService({ ...parts, database, files, executor, isLicensed: async () => false });
  const body = { ActivityId: activity.Id, ActivityVersion: activity.Version, Inputs: orderOf(activity, 4) as never };
  const person = { ...portal.runner, IsUserAdmin: false } as never;
  await expect(tries.run(person, body, new AbortController().signal)).rejects.toMatchObject({
    code: 'notLicensed',
    message: 'The run was disallowed because of an invalid or expired license',
  });
});

test('what a start refuses is refused alike', async ({ portal, tried }) => {
  const activity = await portal.publish(ORDER, 'Tried wrongly');
  const wrong = await tried(activity, orderOf(activity, 'x'));
  expect(wrong.status).toBe(400);
  expect(Object.keys(wrong.body.modelState)).toContain('Quantity');
  const stranger = await signedInUser(portal.app);
  expect((await tried(activity, orderOf(activity, 4), {}, stranger.headers)).status).toBe(403);
  expect((await tried(activity, orderOf(activity, 4), { ActivityVersion: 7 })).status).toBe(404);
  expect((await tried(activity, orderOf(activity, 4), { Keep: true })).status).toBe(400);
});

const withSteps = (...steps: Parameters<typeof stepSheet>[0]): WorkbookSpec => ({
  sheets: [{ name: 'S', cells: { A1: 10, B1: { formula: 'A1+1', value: 11 }, C1: 'x' } }, stepSheet(steps)],
  names: { in_Quantity: 'S!$A$1', out_Sum: 'S!$B$1', out_File: 'S!$C$1' },
});

test('steps with outside effects are skipped and reported', async ({ portal, tried }) => {
  const steps = withSteps(
    { Step: 'Note', Action: 'Log', Message: 'Tried with care' },
    { Step: 'Report', Action: 'Export', Output: 'File', Range: 'S!A1:B1' },
  );
  const activity = await portal.publish(steps, 'Tried with steps');
  const { body } = await tried(activity, [value(activity, 'Quantity', 5)]);
  expect(body.result, JSON.stringify(body)).toMatchObject({ Status: 'Succeeded', LeftOutSteps: ['Report'] });
  expect(body.result.Outputs).toMatchObject([
    { Name: 'Sum', Value: '6' },
    { Name: 'File', Value: null },
  ]);
  expect(body.result.LogEntries).toMatchObject([{ Message: 'Tried with care' }]);
});

test('an activity that asks a person cannot be tried', async ({ portal, tried }) => {
  const steps = withSteps(
    { Step: 'Report', Action: 'Export', Output: 'File', Range: 'S!A1:B1' },
    { Step: 'Who', Action: 'Prompt', Cell: 'S!D9', Message: 'Who are you?' },
  );
  const activity = await portal.publish(steps, 'Tried with a question');
  const { status, body } = await tried(activity, [value(activity, 'Quantity', 5)]);
  expect(status, JSON.stringify(body)).toBe(422);
  expect(body.message).toBe('A trial run is not possible: the step Who asks a person, which only a real run can do');
});
