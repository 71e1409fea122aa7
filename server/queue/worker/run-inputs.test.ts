import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertRun, insertUser } from '#test/support/runs.ts';
import { readRunInputs } from './run-inputs.ts';

let database: TestDatabase;
let runs: number[];
beforeAll(async () => {
  database = await testDatabase();
  const UserId = await insertUser(database.knex);
  const ActivityId = await insertActivity(database.knex, { UserId });
  runs = [];
  for (let n = 0; n < 5; n += 1) runs.push(await insertRun(database.knex, { ActivityId, UserId }));
  const rows = runs.slice(0, 4).flatMap((ActivityRunId, n) =>
    // Stored in a different order than they are read.
    [2, 1].map((ActivityParameterId) => ({ ActivityRunId, ActivityParameterId, Value: `${n}.${ActivityParameterId}` })),
  );
  await database.knex('RunInputs').insert(rows);
});
afterAll(() => database.drop());

test('inputs that are asked for at the same time are read in one statement, each run its own and in their order', async () => {
  let statements = 0;
  database.knex.on('query', () => (statements += 1));
  const read = await Promise.all(runs.map((id) => readRunInputs(database.knex, id)));
  expect(read.map((inputs) => inputs.map(({ Value }) => Value))).toEqual([
    ['0.1', '0.2'],
    ['1.1', '1.2'],
    ['2.1', '2.2'],
    ['3.1', '3.2'],
    [],
  ]);
  expect(statements).toBe(2);
});
