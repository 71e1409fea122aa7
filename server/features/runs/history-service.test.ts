import { expect, test } from 'vitest';
import { EVERY } from '#server/access/rights/right-scope.ts';
import { testDatabase } from '#test/support/database.ts';
import { createHistoryService, type HistoryDeps } from './history-service.ts';

test('a search that takes too long is ended, and says what to do', async (context) => {
  const database = await testDatabase();
  const { knex, dialect } = database;
  if (dialect.name === 'mssql') {
    await database.drop();
    // Under READ_COMMITTED_SNAPSHOT, a reader does not wait for row or table locks. Source: SET TRANSACTION ISOLATION
    // LEVEL (Transact-SQL).
    context.skip('Readers are not blocked by locks on SQL Server, as the program sets it up');
  }
  const scopes = async () => ({ run: EVERY, edit: EVERY, viewRuns: EVERY });
  // For a history of all activities, the service uses no other dependencies.
  const deps = { database, activityAccess: { scopes } } as unknown as HistoryDeps;
  const history = createHistoryService({ ...deps, timeLimit: 50 });
  const person = { UserId: 1 } as Parameters<typeof history.page>[0];
  const query = { ActivityId: null, ApproxRows: 20, PrevRunId: null };
  try {
    await knex.transaction(async (trx) => {
      await trx.raw('lock table "ActivityRuns" in access exclusive mode');
      await expect(history.page(person, query)).rejects.toMatchObject({
        code: 'historySearchTooSlow',
        status: 504,
        message: 'The search took too long: narrow it down, for example by date',
      });
    });
    expect(await createHistoryService(deps).page(person, query)).toMatchObject({ Runs: [], HasMore: false });
  } finally {
    await database.drop();
  }
});
