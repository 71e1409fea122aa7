import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { deadlineIn, rowsBy, TimeLimitError } from './time-limit.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ migrated: false });
});
afterAll(() => database.drop());

test('a statement that takes longer than it may is ended in the database too', async (context) => {
  const { knex, dialect } = database;
  context.skip(
    dialect.name === 'mssql',
    'Waits by a function of PostgreSQL; test/dialect/mssql-client.test.ts is its counterpart',
  );
  const endless = knex.select(knex.raw('pg_sleep(3600)'));
  await expect(rowsBy(endless, deadlineIn(50))).rejects.toThrow(TimeLimitError);
  const running = knex('pg_stat_activity').where('state', 'active').whereLike('query', '%pg_sleep(3600)%');
  await expect
    .poll(() => running.clone().whereRaw('pid <> pg_backend_pid() and datname = current_database()'))
    .toEqual([]);
  expect(await rowsBy(knex.select(knex.raw('1 as one')), deadlineIn(60_000))).toEqual([{ one: 1 }]);
});

test('an error of the database stays what it is', async () => {
  const missing = database.knex('Nowhere').select('Id');
  await expect(rowsBy(missing, deadlineIn(60_000))).rejects.toThrow(/Nowhere/i);
});
