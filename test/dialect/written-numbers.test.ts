/** Numbers that a Write step inserts into the test database. SQL Server accepts integers beyond 2^53 only as float. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import { createConnections } from '#server/connections/connections.ts';
import type { Connections } from '#server/connections/types.ts';
import { writeStepRows } from '#server/queue/steps/write/step-write.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';

const NUMBERS = [2 ** 53, 1e16, -1e16, 9_007_199_254_740_991, 1.5e300, 0.1, null];
const person = { UserId: 1, IsUserAdmin: false, fromInternet: false };

let database: TestDatabase;
let connections: Connections;
beforeAll(async () => {
  database = await testDatabase({ migrated: false });
  await database.knex.raw('create table written (id int primary key, size float, amount decimal(38, 4), whole bigint)');
  connections = createConnections({ Shop: { url: database.url, allowWrites: true } }, { timeZone: 'UTC' });
});
afterAll(async () => {
  await connections.close();
  await database.drop();
});

for (const mode of ['Append', 'Replace', 'Upsert'] as const) {
  it(`are written as they are: ${mode}`, async () => {
    const access = { require: async () => connections.get('Shop') } as unknown as ConnectionAccess;
    // Limited to the digits that remain when compatible servers of other vendors convert a float to a decimal; SQL
    // Server retains 17 (CAST and CONVERT).
    const decimal = (number: number | null): number | null =>
      number !== null && Math.abs(number) < 1e17 && Number(number.toPrecision(15)) === number ? number : null;
    const whole = (number: number | null): number | null =>
      Number.isInteger(number) && Math.abs(number!) < 1e17 ? number : null;
    const rows = NUMBERS.map((number, id) => [id, number, decimal(number), whole(number)]);
    const dates = rows[0]!.map(() => false);
    const columns = ['id', 'size', 'amount', 'whole'];
    const step = { connection: 'Shop', target: 'written', mode, columns, keys: ['id'], dates, rows };
    await writeStepRows(access, person, step, new AbortController().signal);
    const { knex } = database;
    expect(await knex('written').orderBy('id').pluck('size')).toEqual(NUMBERS);
    const texts = ['amount', 'whole'].map((name) => knex.raw('cast(?? as varchar(50)) as ??', [name, name]));
    expect(await knex('written').orderBy('id').select(texts)).toEqual(
      NUMBERS.map((number) => ({
        amount: decimal(number)?.toFixed(4) ?? null,
        whole: whole(number) === null ? null : String(whole(number)),
      })),
    );
  });
}
