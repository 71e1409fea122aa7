import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { createBatchedReader } from './batched-reader.ts';

interface Row {
  Id: number;
  Word: string;
}

let database: TestDatabase;
const read = createBatchedReader<number, Row>(
  (db, ids) => db('Words').whereIn('Id', ids).select('Id', 'Word'),
  ({ Id }) => Id,
);

beforeAll(async () => {
  database = await testDatabase({ migrated: false });
  await database.knex.schema.createTable('Words', (t) => {
    t.integer('Id');
    t.string('Word', 20);
  });
  await database.knex('Words').insert([
    { Id: 1, Word: 'one' },
    { Id: 2, Word: 'two' },
  ]);
});
afterAll(() => database.drop());

test('what is asked for at the same time is read in one statement, for each its own row', async () => {
  const { knex } = database;
  const sent: unknown[] = [];
  const note = ({ bindings }: { bindings: unknown }): void => void sent.push(bindings);
  knex.on('query', note);
  const rows = await Promise.all([1, 2, 1, 3].map((id) => read(knex, id)));
  knex.off('query', note);
  expect(rows.map((row) => row?.Word)).toEqual(['one', 'two', 'one', undefined]);
  // The first key was read immediately, while the others were collected.
  expect(sent).toEqual([[1], [2, 1, 3]]);
  expect(rows[0]).not.toBe(rows[2]);
});

test('a change before a request is included, though a read is in progress', async () => {
  const { knex } = database;
  const before = read(knex, 2);
  await knex('Words').where('Id', 2).update({ Word: 'zwei' });
  expect((await read(knex, 2))?.Word).toBe('zwei');
  await before;
});

test('a transaction reads separately, because only it sees its own changes', async () => {
  const { knex } = database;
  const trx = await knex.transaction();
  await trx('Words').insert({ Id: 4, Word: 'four' });
  const [inside, outside] = await Promise.all([read(trx, 4), read(knex, 4)]);
  await trx.rollback();
  expect([inside?.Word, outside?.Word]).toEqual(['four', undefined]);
});
