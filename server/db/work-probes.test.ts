import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { queriesOf } from '#test/support/queries.ts';
import { createDatabase } from './database.ts';
import { createWorkProbes, type Question } from './work-probes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => database.knex('Schemas').delete());
afterAll(() => database.drop());

const named =
  (...names: string[]): Question =>
  ({ knex }) =>
    names.map((Name) => knex('Schemas').where({ Name }));
const insert = (Name: string) => database.knex('Schemas').insert({ Name, DisplayName: Name, Order: 1 });

test('all parts are answered by one statement, each by any of its queries', async () => {
  await insert('B');
  const probes = createWorkProbes(database, { one: named('A', 'B'), two: named('A'), three: named('B') });
  const { answer, queries } = await queriesOf(database.knex, () =>
    Promise.all([probes.one(), probes.two(), probes.three(), probes.two()]),
  );
  expect(answer).toEqual([true, false, true, false]);
  expect(queries).toHaveLength(1);
});

test('an answer is given again until it is too old', async () => {
  const probes = createWorkProbes(database, { part: named('A') }, { freshMs: 200 });
  const asked = performance.now();
  expect(await probes.part()).toBe(false);
  await insert('A');
  const again = await probes.part();
  // If the machine stalled in between, the answer may already be too old.
  expect(again).toBe(performance.now() - asked >= 200 ? expect.any(Boolean) : false);
  await pause(210);
  expect(await probes.part()).toBe(true);
});

test('a part waits only for a limited time where the database is silent', async (context) => {
  context.skip(database.dialect.name === 'mssql', 'Readers wait for no lock there');
  const trx = await database.knex.transaction();
  await trx.raw('lock table ?? in access exclusive mode', ['Schemas']);
  const probes = createWorkProbes(database, { part: named('A') }, { timeLimitMs: 100 });
  expect(await probes.part()).toBe(true);
  await trx.rollback();
});

test('where the database does not answer, each part is to look for itself', async () => {
  const closed = createDatabase({ url: database.url, poolSize: 1 });
  await closed.close();
  const probes = createWorkProbes(closed, { part: named('A') });
  expect(await probes.part()).toBe(true);
});
