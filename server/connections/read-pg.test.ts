/** What a cancellation on PostgreSQL ends, and what it does not. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type Database } from '#server/db/database.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { until } from '#test/support/until.ts';
import { cancelPg } from './cancel-pg.ts';
import { readPg } from './read-pg.ts';

let made: TestDatabase;
/** With a single connection, which the next caller gets. */
let database: Database;

beforeAll(async () => {
  made = await testDatabase({ migrated: false, isPostgres: true });
  database = createDatabase({ url: made.url, poolSize: 1 });
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

async function read(
  sql: string,
  signal: AbortSignal,
  cancel: (processId: number) => Promise<void>,
): Promise<unknown[]> {
  const settings = { timeZone: 'UTC', timeLimit: 2000, batchRows: 10, cancel };
  const rows: unknown[] = [];
  for await (const batch of readPg(database.knex, { sql, values: [] }, signal, settings)) rows.push(...batch.rows);
  return rows;
}

it('a cancellation that arrives late never ends the statement of the next one', async () => {
  const leaving = new AbortController();
  const sleeping = async (): Promise<number> => {
    const sql = `select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
    return ((await made.knex.raw(sql)) as { rows: { n: number }[] }).rows[0]!.n;
  };
  // Sends the cancellation only when the server's own time limit has ended the first statement.
  let arrived = false;
  const late = async (processId: number): Promise<void> => {
    await until('the first statement to end', async () => (await sleeping()) === 0);
    // In this time, a reader that did not wait for its cancellation would begin the next statement.
    await pause(100);
    await cancelPg(made.url, processId);
    arrived = true;
  };
  const first = read('select pg_sleep(60)', leaving.signal, late).catch((error: Error) => error.message);
  await until('the statement to run', async () => (await sleeping()) === 1);
  leaving.abort();
  const next = first.then(async () => {
    const statement = database.knex.raw('select pg_sleep(0.3), 7 as answer') as Promise<{ rows: { answer: number }[] }>;
    return (await statement).rows[0]!.answer;
  });
  expect(await first).toMatch(/statement timeout|abort/);
  expect(await next).toBe(7);
  expect(arrived).toBe(true);
});
