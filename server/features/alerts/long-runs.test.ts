/** Tests that alerts check all runs in progress, however many there are. */
import { expect } from 'vitest';
import { inRows } from '#server/db/in-rows.ts';
import { test } from '#test/support/fixtures/alert-portal.ts';
import { draftOf } from '#test/support/alert-portal.ts';
import { signedInUser } from '#test/support/users.ts';
import { runningRuns, type WatchedPage } from './alert-watch-repository.ts';

const MORE_THAN_A_PAGE = 501;
const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

test('a run that takes longer than usual is found behind many others in progress', async ({
  alerts: { save, endRun, collectAndSend, list },
  portal,
}) => {
  await save({ Condition: { Kind: 'Long', Factor: 2 } });
  const { knex } = portal.app.database;
  for (let i = 0; i < 5; i++) await endRun('Succeeded', { StartTime: ago(700), EndTime: ago(100) });
  const { ActivityId, editor } = portal;
  const run = { ActivityId, ActivityVersion: 1, UserId: editor.UserId, Status: 'Started', MemoryCost: 0 };
  const others = Array.from({ length: MORE_THAN_A_PAGE }, () => ({ ...run, SingleRun: false, StartTime: ago(0) }));
  await inRows(knex, others, (part) => knex('ActivityRuns').insert(part));
  const slow = await endRun('Started', { StartTime: ago(9000), EndTime: null });
  await collectAndSend();
  expect((await list()).Items[0]!.Firings).toMatchObject([{ ActivityRunId: slow }]);
});

test('a workflow run that takes longer than usual is found behind many others in progress', async ({
  alerts: { call, collectAndSend },
  portal,
}) => {
  const { knex } = portal.app.database;
  const UserId = portal.editor.UserId;
  const [{ Id: ChecklistId }] = await knex('Checklists')
    .insert({ Name: `Months ${portal.made}`, Schema: 'Test', UserId })
    .returning('Id');
  const [{ Id: PlanId }] = await knex('ChecklistPlans')
    .insert({ Hash: `long ${portal.made}`, Plan: '{"Graph":{"Steps":[]},"Versions":{}}' })
    .returning('Id');
  const workflowRun = { ChecklistId, PlanId, UserId, Inputs: '[]' };
  const insert = (Status: string, QueueTime: Date, EndTime: Date | null, count: number): Promise<void> =>
    inRows(
      knex,
      Array.from({ length: count }, () => ({ ...workflowRun, Status, QueueTime, EndTime })),
      (part) => knex('ChecklistRuns').insert(part),
    );
  await insert('Succeeded', ago(700), ago(100), 5);
  await insert('Started', ago(0), null, MORE_THAN_A_PAGE);
  await insert('Started', ago(9000), null, 1);
  const draft = draftOf({ Condition: { Kind: 'Long', Factor: 2 } });
  const owner = await signedInUser(portal.app, ['sk.EditChecklist', 'sk.ViewRuns']);
  const saved = await call('POST', '/checklists/alerts/save', owner, { ChecklistId, ...draft });
  expect(saved.statusCode, saved.body).toBe(200);
  await collectAndSend();
  const [{ Id: slow }] = await knex('ChecklistRuns').where({ ChecklistId }).orderBy('Id', 'desc').limit(1).select('Id');
  const fired = await knex('AlertFirings').where('AlertId', saved.json().result.Id).pluck('ChecklistRunId');
  expect(fired).toEqual([slow]);
});

test('a page may end between two alerts of one run', async ({ alerts: { save, endRun }, portal }) => {
  const ids: number[] = [];
  for (const Name of ['Slow', 'Slower']) ids.push(await save({ Name, Condition: { Kind: 'Long', Factor: 2 } }));
  const runs = [await endRun('Started', { EndTime: null }), await endRun('Started', { EndTime: null })];
  const found: [number, number][] = [];
  for (let after: WatchedPage['after'] = { RunId: 0, AlertId: 0 }; ;) {
    const [next] = await runningRuns(portal.app.database.knex, 'activities', { after, limit: 1 });
    if (!next) break;
    after = { RunId: next.run.Id, AlertId: next.AlertId };
    found.push([next.run.Id, next.AlertId]);
  }
  expect(found).toEqual(runs.flatMap((run) => ids.map((id) => [run, id])));
});

test('a run in progress is compared with the successful runs until now, also if they were started later', async ({
  alerts: { save, endRun, collectAndSend, list },
}) => {
  await save({ Condition: { Kind: 'Long', Factor: 2 } });
  const slow = await endRun('Started', { StartTime: ago(9000), EndTime: null });
  for (let i = 0; i < 5; i++) await endRun('Succeeded', { StartTime: ago(700), EndTime: ago(100) });
  await collectAndSend();
  expect((await list()).Items[0]!.Firings).toMatchObject([{ ActivityRunId: slow }]);
});
