/** Tests that cancelling everything reaches every workflow that waits for an approval. */
import { expect } from 'vitest';
import { inRows } from '#server/db/in-rows.ts';
import { test } from '#test/support/fixtures/approval-calls.ts';

test('all that is cancelled includes a workflow whose approval is older than ten thousand others', async ({
  portal,
  approvals: { startApproval },
}) => {
  const { knex } = portal.app.database;
  const oldest = await startApproval();
  const isDone = { Status: 'Succeeded', WaitsForSteps: false, EndTime: new Date() };
  await knex('ActivityRuns').where({ ChecklistRunId: oldest.run }).update(isDone);
  const { id, run } = await startApproval();
  const { Id: _, ...approval } = await knex('Approvals').where('Id', id).first();
  const step = await knex('ChecklistRunSteps').where({ ChecklistRunId: run, StepKey: approval.StepKey }).first();
  for (const [table, row] of [
    ['ChecklistRunSteps', step],
    ['Approvals', approval],
  ] as const) {
    const others = Array.from({ length: 10_000 }, (__, index) => ({ ...row, StepKey: `other-${index}` }));
    await inRows(knex, others, (part) => knex(table).insert(part));
  }
  expect((await portal.post('activities/cancel/all', {}, portal.runner)).status).toBe(200);
  expect(await knex('ChecklistRuns').where('Id', oldest.run).first('CancelTime')).not.toEqual({ CancelTime: null });
});
