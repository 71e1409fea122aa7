/** Tests the search for a period among runs that were queued long after they were stored. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertRun, insertUser } from '#test/support/runs.ts';
import { idBounds } from './history-period.ts';
import { narrow, runConditions } from './history-search.ts';

let database: TestDatabase;
let UserId: number;
let ActivityId: number;

beforeEach(async () => {
  database = await testDatabase();
  UserId = await insertUser(database.knex);
  ActivityId = await insertActivity(database.knex, { UserId });
});
afterEach(() => database.drop());

/** Noon of a day. */
const at = (day: number): Date => new Date(Date.UTC(2026, 0, day, 12));
const midnight = (day: number): Date => new Date(Date.UTC(2026, 0, day));

const queue = (day: number, more: object = {}): Promise<number> =>
  insertRun(database.knex, { ActivityId, UserId, Status: 'Succeeded', QueueTime: at(day), ...more });

/** Inserts one run for each day, in order. */
async function queueDaily(first: number, last: number): Promise<Map<number, number>> {
  const ids = new Map<number, number>();
  for (let day = first; day <= last; day += 1) ids.set(day, await queue(day));
  return ids;
}

async function startWorkflow(day: number, EndTime: Date | null): Promise<number> {
  const { knex } = database;
  const [checklist] = await knex('Checklists')
    .insert({ Name: `Close ${day}`, Schema: 'Test', UserId })
    .returning('Id');
  const [plan] = await knex('ChecklistPlans')
    .insert({ Hash: `plan ${day}`, Plan: JSON.stringify({ Graph: { Inputs: [], Steps: [] }, Versions: {} }) })
    .returning('Id');
  const Status = EndTime ? 'Succeeded' : 'Started';
  const run = { ChecklistId: checklist.Id, PlanId: plan.Id, UserId, Status, Inputs: '[]', QueueTime: at(day), EndTime };
  const [workflowRun] = await knex('ChecklistRuns').insert(run).returning('Id');
  return workflowRun.Id;
}

/** Returns the runs queued from the beginning of one day until the beginning of another. */
async function found(from: number | null, before: number | null): Promise<number[]> {
  const { knex } = database;
  const conditions = await runConditions(knex, {
    ActivityId,
    ...(from === null ? {} : { QueuedFrom: midnight(from).toISOString() }),
    ...(before === null ? {} : { QueuedBefore: midnight(before).toISOString() }),
  });
  const query = knex('ActivityRuns as R').where('R.ActivityId', ActivityId).orderBy('R.Id');
  narrow(query, knex, 'R', conditions);
  return query.pluck('R.Id');
}

test.each([
  ['has not ended', null],
  ['ended after it', at(8)],
])('a step is found on the day it was queued, although its workflow began long before and %s', async (_, end) => {
  await queue(1);
  const ChecklistRunId = await startWorkflow(1, end);
  const early = await queue(1, { ChecklistRunId, StepKey: 'collect' });
  const late = await queue(8, { ChecklistRunId, StepKey: 'report' });
  const never = await queue(1, { ChecklistRunId, StepKey: 'send', Status: 'Cancelled' });
  const daily = await queueDaily(2, 12);
  expect(await found(8, 9)).toEqual([late, daily.get(8)]);
  expect(await found(8, null)).toEqual([late, ...[8, 9, 10, 11, 12].map((day) => daily.get(day))]);
  expect(await found(2, 3)).toEqual([daily.get(2)]);
  expect((await found(null, 2)).slice(1)).toEqual([early, never]);
});

test('a step that was queued just after a period does not hide the runs of the period', async () => {
  const ChecklistRunId = await startWorkflow(1, null);
  // Later than all other runs up to a day after the period, with a lower id.
  await queue(1, { ChecklistRunId, StepKey: 'report', QueueTime: new Date(midnight(8).getTime() - 1) });
  const daily = await queueDaily(2, 12);
  expect(await found(5, 7)).toEqual([daily.get(5), daily.get(6)]);
  expect(await found(null, 4)).toEqual([daily.get(2), daily.get(3)]);
});

test('a row of a Start step is found on the day it was queued', async () => {
  const ParentRunId = await queue(1, { EndTime: at(1) });
  await database.knex('RunStarts').insert({
    ParentRunId,
    StepKey: 'start',
    StepName: 'Start',
    ActivityId,
    ActivityVersion: 1,
    UserId,
    RootRunId: ParentRunId,
    RowCount: 2,
    AtOnce: 1,
  });
  const first = await queue(1, { ParentRunId, StepKey: 'start', RowKey: 'a' });
  const second = await queue(6, { ParentRunId, StepKey: 'start', RowKey: 'b' });
  const daily = await queueDaily(2, 10);
  expect(await found(6, 7)).toEqual([second, daily.get(6)]);
  expect(await found(null, 2)).toEqual([ParentRunId, first]);
});

test('the bounds are close to the period, also if all runs are steps', async () => {
  const { knex } = database;
  const steps: number[] = [];
  for (let day = 1; day <= 12; day += 1) {
    const ChecklistRunId = await startWorkflow(day, at(day));
    steps.push(await queue(day, { ChecklistRunId, StepKey: 'report' }));
  }
  const period = { queuedFrom: midnight(6), queuedBefore: midnight(7) };
  // A day more on each side: the runs of January 4 and 8.
  expect(await idBounds(knex, period)).toEqual({ firstId: steps[3], lastId: steps[7] });
  expect(await idBounds(knex, { queuedFrom: midnight(1), queuedBefore: midnight(20) })).toEqual({});
  expect(await idBounds(knex, { queuedFrom: undefined, queuedBefore: undefined })).toEqual({});
});
