/** Runs that a workbook started: how they are purged with it, and who is notified of them. */
import { describe, expect } from 'vitest';
import { purgeRuns } from '#server/features/retention/purge-runs.ts';
import { test as it, THREE } from '#test/support/fixtures/start-steps.ts';
import { billing, type Bills } from '#test/support/start-workbooks.ts';
import { until } from '#test/support/until.ts';

describe('what a run started', () => {
  it('is purged with it, and neither alone nor before it has ended', async ({
    portal,
    starts: { over, childrenOf },
  }) => {
    const { app } = portal;
    const { database, fileStore: store } = app;
    const { Id } = await portal.run(billing(THREE), 'Bill purged');
    await over(Id);
    await until('the end of the step', async () => {
      const [row] = await database.knex('RunStarts').where({ ParentRunId: Id });
      return row.EndTime ?? undefined;
    });
    const [child] = await childrenOf(Id);
    const purge = (RunId: number) =>
      purgeRuns({ database, store }, { target: 'runs', where: (query) => void query.where('Id', RunId), message: '' });
    expect(await purge(child.Id)).toBe(0);
    await database.knex('ActivityRuns').where('Id', child.Id).update({ EndTime: null, Status: 'Started' });
    expect(await purge(Id)).toBe(0);
    await database.knex('ActivityRuns').where('Id', child.Id).update({ EndTime: new Date(), Status: 'Succeeded' });
    expect(await purge(Id)).toBe(1);
    expect(await childrenOf(Id)).toEqual([]);
    expect(await database.knex('RunStarts').where({ ParentRunId: Id })).toEqual([]);
  });

  it('causes one notification, after all have ended, from one that failed', async ({
    portal,
    starts: { over, childrenOf },
  }) => {
    const rows: Bills = [
      ['Ann', -1],
      ['Bob', -1],
      ['Cy', 1],
    ];
    const { Id } = await portal.run(billing(rows), 'Bill told');
    await over(Id);
    const { body } = await portal.call('GET', '/api/activities/notifications');
    const ids = (await childrenOf(Id)).map((row) => row.Id);
    const notices = (body.result.Items ?? body.result).filter((one: { ActivityRunId: number }) =>
      ids.includes(one.ActivityRunId),
    );
    expect(new Set(notices.map((one: { ActivityRunId: number }) => one.ActivityRunId)).size).toBe(1);
  });
});
