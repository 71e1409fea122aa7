/** Tests the run that represents a whole batch: it calculates nothing, so it is not counted as a run. */
import { expect } from 'vitest';
import type { BatchPage } from '#shared/contract/batches.ts';
import type { ChildRunsPage } from '#shared/contract/child-runs.ts';
import type { HistorySummary } from '#shared/contract/run-history.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { test as base } from '#test/support/fixtures/form-portal.ts';
import { multipart } from '#test/support/portal.ts';
import { until } from '#test/support/until.ts';
import { endedRuns } from '#server/features/alerts/alert-watch-repository.ts';
import { unpublishedRuns } from '#server/features/webhooks/webhook-events-repository.ts';

const test = base.extend('batch', { scope: 'file' }, async ({ portal }, { onCleanup }) => {
  async function startBatch(csv: string): Promise<number> {
    const form = multipart({}, [{ name: 'amounts.csv', content: csv }]);
    const checked = await portal.app.http.inject({
      method: 'POST',
      url: `/api/activities/batch/upload/${activity.Id}`,
      headers: { ...portal.editor.headers, ...form.headers },
      payload: form.payload,
    });
    const { Id } = checked.json() as { Id: number };
    const { body } = await portal.call('POST', 'batch/start', { Id, OnlyGood: false }, portal.editor.headers);
    return (body.result as { RunId: number }).RunId;
  }

  async function detailsOf(id: number): Promise<ActivityRun> {
    return (await portal.call('GET', `status/${id}`, undefined, portal.editor.headers)).body.result as ActivityRun;
  }
  const stop = portal.app.childRuns.start(null);

  const activity = await portal.publish(
    {
      sheets: [{ name: 'S', cells: { A1: 1, B1: { formula: 'A1*2', value: 2 } } }],
      names: { in_Amount: 'S!$A$1', out_Total: 'S!$B$1' },
    },
    'Double',
  );

  onCleanup(() => stop());
  return { activity, startBatch, detailsOf };
});

test('a batch is marked as such, and counts neither as a run of the activity nor for its alerts and webhooks, and is no test case', async ({
  portal,
  batch: { activity, startBatch, detailsOf },
}) => {
  const { knex } = portal.app.database;
  const since = new Date(Date.now() - 60_000);
  await knex('Alerts').insert({
    ActivityId: activity.Id,
    Name: 'Any end',
    Kind: 'Outcome',
    Condition: '{}',
    Receivers: '{}',
    NextReceivers: '{}',
    EncryptedWebhooks: '',
    IsActive: true,
    UserId: portal.editor.UserId,
    CreateTime: since,
  });
  await knex('Webhooks').insert({
    Name: 'Every end',
    Url: 'https://receiver.example/',
    OnRunEnded: true,
    OnVersionPublished: false,
    OnApprovalAsked: false,
    IsActive: true,
    EncryptedSecret: '',
    CreateTime: since,
  });
  const runId = await startBatch('Amount\n10\n20\n30\n');
  await until('all rows have ended', async () => (await detailsOf(runId)).SuccessfulChildRuns === 3);
  expect((await detailsOf(runId)).BatchFileName).toBe('amounts.csv');
  const rows = (await knex('ActivityRuns').where('ParentRunId', runId).pluck('Id')) as number[];
  expect((await detailsOf(rows[0]!)).BatchFileName).toBeNull();

  const { body } = await portal.call('POST', 'runhistory/summary', { ActivityId: activity.Id }, portal.editor.headers);
  expect((body.result as HistorySummary).Runs).toBe(3);

  const now = new Date(Date.now() + 60_000);
  const seen = await endedRuns(knex, 'activities', { since, now }, { after: { RunId: 0, AlertId: 0 }, limit: 10 });
  expect(seen.map(({ run }) => run.Id).toSorted((a, b) => a - b)).toEqual(rows.toSorted((a, b) => a - b));

  const unpublished = await unpublishedRuns(knex, { since, now }, 10);
  expect(unpublished.map(({ Id }) => Id).toSorted((a, b) => a - b)).toEqual(rows.toSorted((a, b) => a - b));

  const saved = await portal.call('POST', `testcase/fromrun/${runId}`, undefined, portal.editor.headers);
  expect(saved.status).toBe(422);
  expect(JSON.stringify(saved.body)).toContain('represents a batch');
});

test('cancelled rows and those with warnings are counted apart, and stand before those that simply succeeded', async ({
  portal,
  batch: { startBatch, detailsOf, activity },
}) => {
  const { knex } = portal.app.database;
  const runId = await startBatch('Amount\n10\n20\n30\n40\n50\n');
  await until('all rows have ended', async () => (await detailsOf(runId)).SuccessfulChildRuns === 5);
  const rows = (await knex('ActivityRuns').where('ParentRunId', runId).orderBy('Id').pluck('Id')) as number[];
  for (const [at, Status] of [
    [2, 'SucceededWarn'],
    [3, 'Cancelled'],
    [4, 'Failed'],
  ] as const)
    await knex('ActivityRuns').where('Id', rows[at]!).update({ Status });
  const { headers } = portal.editor;
  const { body } = await portal.call('GET', `batches/${activity.Id}`, undefined, headers);
  expect((body.result as BatchPage).Batches.find(({ RunId }) => RunId === runId)).toMatchObject({
    SuccessfulChildRuns: 3,
    WarnedChildRuns: 1,
    FailedChildRuns: 2,
    CancelledChildRuns: 1,
  });
  const page = await portal.call('POST', 'childruns', { RunId: runId, StepKey: '1' }, headers);
  const listed = (page.body.result as ChildRunsPage).Rows.map(({ RowKey }) => RowKey);
  expect(listed).toEqual(['Row 5', 'Row 6', 'Row 4', 'Row 2', 'Row 3']);
});
