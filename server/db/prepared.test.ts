import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { prepared } from './prepared.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ migrated: false });
  await database.knex.schema.createTable('Words', (t) => {
    t.integer('Id');
    t.string('Word', 20);
  });
  await database.knex('Words').insert({ Id: 1, Word: 'one' });
});
afterAll(() => database.drop());

const find = (Id: number) => prepared(database.knex('Words').where({ Id }).select('Word'));

test('a marked statement is planned once per connection of PostgreSQL, and answers each value separately', async (context) => {
  const { knex, dialect } = database;
  context.skip(dialect.name === 'mssql', 'Prepared statements of a connection are told by a view of PostgreSQL');
  await knex.transaction(async (trx) => {
    const countPrepared = async (): Promise<number> =>
      Number((await trx('pg_prepared_statements').whereLike('statement', '%from "Words"%').count({ n: '*' }))[0]!['n']);
    expect(await prepared(trx('Words').where({ Id: 1 }).select('Word'))).toEqual([{ Word: 'one' }]);
    expect(await prepared(trx('Words').where({ Id: 2 }).select('Word'))).toEqual([]);
    expect(await countPrepared()).toBe(1);
    await prepared(trx('Words').where({ Id: 1 }));
    await trx('Words').where({ Id: 1 }).select('Id');
    expect(await countPrepared()).toBe(1);
  });
});

test('it answers the same after its table was changed, and others continue while one fails', async () => {
  expect(await find(1)).toEqual([{ Word: 'one' }]);
  await database.knex.schema.alterTable('Words', (t) => {
    t.string('More', 20);
  });
  expect(await find(1)).toEqual([{ Word: 'one' }]);
  await expect(
    prepared(database.knex('Words').select(database.knex.raw('1 / (?? - 1) as ??', ['Id', 'n']))),
  ).rejects.toThrow();
  expect(await find(1)).toEqual([{ Word: 'one' }]);
});

test('the number of prepared statements is bounded', async (context) => {
  const { knex, dialect } = database;
  context.skip(dialect.name === 'mssql', 'Prepared statements of a connection are told by a view of PostgreSQL');
  await knex.transaction(async (trx) => {
    for (let n = 0; n < 320; n += 1) await prepared(trx('Words').select(trx.raw(`${n} as ??`, [`n${n}`])));
    const [row] = await trx('pg_prepared_statements').count({ n: '*' });
    expect(Number(row!['n'])).toBeLessThanOrEqual(300);
  });
});
