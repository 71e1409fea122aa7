import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPARISONS } from '#shared/codecs/condition.ts';
import type { ConditionColumn, KindValue, TypedCondition } from '#shared/codecs/condition-columns.ts';
import { createFilter } from '#shared/codecs/condition-filter.ts';
import { conditionSql } from '#shared/codecs/condition-sql.ts';
import { bindFragments } from '#shared/codecs/query-text.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { createConnections } from './connections.ts';
import type { Connections } from './types.ts';

const TEXT = { Name: 'T ext', Kind: 'Text' } as const;
const NUMBER = { Name: 'Nu"mber', Kind: 'Number' } as const;
const DATE = { Name: 'Date', Kind: 'Date' } as const;
const BOOLEAN = { Name: 'Flag', Kind: 'Boolean' } as const;

/** Few different values, so comparisons often involve equal and neighboring ones. */
const texts = fc.constantFrom('', ' ', 'a', 'A', 'b ', 'Ä', 'ä', 'z', 'Zz', '10', '9', '_', "o'x", '🙂', '\uFFFD', 'é');
const numbers = fc.constantFrom(-1.5, 0, 0.1, 1, 2, 10, 1e15, 0.30000000000000004);
const dates = fc.constantFrom(1, 59, 61, 46027, 46027.5, 46028, 2_958_465);
const VALUES: Record<ConditionColumn['Kind'], fc.Arbitrary<KindValue>> = {
  Text: texts,
  Number: numbers,
  Date: dates,
  Boolean: fc.boolean(),
};

type Row = Record<string, KindValue>;
const row = fc.record({
  [TEXT.Name]: fc.option(texts),
  [NUMBER.Name]: fc.option(numbers),
  [DATE.Name]: fc.option(dates),
  [BOOLEAN.Name]: fc.option(fc.boolean()),
}) as fc.Arbitrary<Row>;

const column = fc.constantFrom<ConditionColumn>(TEXT, NUMBER, DATE, BOOLEAN);
const compare: fc.Arbitrary<TypedCondition> = column.chain((one) =>
  fc
    .record({ operator: fc.constantFrom(...COMPARISONS), value: fc.option(VALUES[one.Kind]) })
    .map(({ operator, value }) => {
      const blank = value === null || (typeof value === 'string' && value.trim() === '');
      const onlyEquals = blank || one.Kind === 'Boolean';
      const said = onlyEquals && operator !== '=' ? '<>' : operator;
      return { kind: 'compare', column: one, operator: said, value: blank ? null : value };
    }),
);
const among: fc.Arbitrary<TypedCondition> = column.chain((one) =>
  fc
    .record({ negated: fc.boolean(), values: fc.array(fc.option(VALUES[one.Kind]), { minLength: 1, maxLength: 3 }) })
    .map(({ negated, values }) => ({
      kind: 'in',
      column: one,
      negated,
      values: values.map((value) => (typeof value === 'string' && value.trim() === '' ? null : value)),
    })),
);
const { condition } = fc.letrec<{ condition: TypedCondition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    compare,
    among,
    fc.record({ kind: fc.constant('not' as const), of: tie('condition') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));

let database: TestDatabase;
let connections: Connections;
beforeAll(async () => {
  database = await testDatabase({ migrated: false, isPostgres: true });
  connections = createConnections({ Here: { url: database.url } }, { timeZone: 'America/New_York' });
});
afterAll(async () => {
  await connections.close();
  await database.drop();
});

/** Column types as used by other programs, each with its own pitfall. */
const TABLES = [
  { n: 'numeric', d: 'timestamp', t: 'text' },
  { n: 'double precision', d: 'timestamptz', t: 'varchar(20)' },
];

it.each(TABLES)('finds the same rows in the database and in memory: $n, $d, $t', async ({ n, d, t }) => {
  const connection = connections.get('Here');
  await database.knex.raw('drop table if exists "Rows"');
  await database.knex.raw(`create table "Rows" ("Id" int, "T ext" ${t}, "Nu""mber" ${n}, "Date" ${d}, "Flag" boolean)`);
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      fc.array(condition, { minLength: 1, maxLength: 8 }),
      async (rows, conditions) => {
        await fill(rows);
        for (const one of conditions) {
          const sql = [
            { text: 'select "Id" from "Rows" where ' },
            ...conditionSql(one, 'pg'),
            { text: ' order by "Id"' },
          ];
          const found = await connection.readAll(bindFragments(sql, 'pg'), { signal: AbortSignal.timeout(20_000) });
          const holds = createFilter<Row>(one, (cells, { Name }) => cells[Name]);
          expect(found.rows.flat()).toEqual(rows.flatMap((cells, index) => (holds(cells) ? [index] : [])));
        }
      },
    ),
    { numRuns: 40 },
  );
});

/** Serial days from 61 count from 1899-12-30, earlier ones from the day after. */
async function fill(rows: Row[]): Promise<void> {
  await database.knex('Rows').delete();
  for (const [Id, { [DATE.Name]: serial, ...cells }] of rows.entries()) {
    const days = typeof serial === 'number' ? (serial < 60 ? serial + 1 : serial) : null;
    const timestamp = database.knex.raw(`timestamp '1899-12-30' + ?::float8 * interval '1 day'`, [days]);
    // If the column stores time zones, the value is what a clock in New York shows.
    await database.knex.transaction(async (trx) => {
      await trx.raw("set local timezone = 'America/New_York'");
      await trx('Rows').insert({ Id, ...cells, [DATE.Name]: timestamp });
    });
  }
}
