import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertRun, insertUser } from '#test/support/runs.ts';

let database: TestDatabase;
let UserId: number;
let ActivityId: number;
let ChecklistRunId: number;

beforeAll(async () => {
  database = await testDatabase();
  const { knex } = database;
  UserId = await insertUser(knex);
  ActivityId = await insertActivity(knex, { UserId });
  const [checklist] = await knex('Checklists').insert({ Name: 'Close', Schema: 'Test', UserId }).returning('Id');
  const [plan] = await knex('ChecklistPlans').insert({ Hash: 'x', Plan: '{}' }).returning('Id');
  const [run] = await knex('ChecklistRuns')
    .insert({ ChecklistId: checklist.Id, PlanId: plan.Id, UserId, Status: 'Started', Inputs: '[]' })
    .returning('Id');
  ChecklistRunId = run.Id;
});
afterAll(() => database.drop());

const step = (more: object) => insertRun(database.knex, { ActivityId, UserId, ChecklistRunId, StepKey: 's', ...more });

describe('the run of a step', () => {
  test('is there once for each row and attempt', async () => {
    await step({ RowKey: 'a' });
    await step({ RowKey: 'a', Attempt: 2 });
    await step({ RowKey: 'b' });
    await expect(step({ RowKey: 'a', Attempt: 2 })).rejects.toThrow('UX_ActivityRuns_Step');
  });

  test('may be missing: independent runs have no step', async () => {
    const alone = () => insertRun(database.knex, { ActivityId, UserId });
    await Promise.all([alone(), alone()]);
    const rows = await database.knex('ActivityRuns').whereNull('ChecklistRunId').select('RowKey', 'Attempt');
    expect(rows).toEqual([1, 2].map(() => ({ RowKey: '', Attempt: 1 })));
  });

  test('of a parent is there once for each row and attempt', async () => {
    const child = (RowKey: string) =>
      insertRun(database.knex, { ActivityId, UserId, ParentRunId: 5, StepKey: '1', RowKey });
    await child('1');
    await child('2');
    await expect(child('2')).rejects.toThrow('UX_ActivityRuns_Child');
  });

  test('keeps the run of its checklist from being deleted', async () => {
    const deletion = database.knex('ChecklistRuns').where({ Id: ChecklistRunId }).delete();
    await expect(deletion).rejects.toThrow();
  });
});
