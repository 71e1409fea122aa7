/** Query and Write steps against a real database that is used as a named connection. */
import { describe, expect } from 'vitest';
import type { CellSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { withStepPortal } from '#test/support/fixtures/step-portal.ts';
import { messagesOf, stepSheet, type StepPortal } from '#test/support/step-portal.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { until } from '#test/support/until.ts';
import { grant } from '#test/support/users.ts';

const it = withStepPortal((url) => ({
  Warehouse: { url, allowWrites: true },
  Archive: { url },
  Away: { url: 'postgres://nobody:hidden@127.0.0.1:9/none', allowWrites: true },
})).extend('results', { scope: 'file', auto: true }, async ({ portal }) => {
  const results = () => portal.target.knex('Results').orderBy('Id').select('*');
  const { knex } = portal.target;
  await knex.raw('create table "Orders" ("Id" int primary key, "Customer" text, "Amount" numeric(30, 10), "Day" date)');
  await knex.raw(
    'create table "Results" ("Id" int, "Name" text, "Amount" numeric(30, 10) check ("Amount" < 1e6), "Day" date)',
  );
  return results;
});

it.beforeEach(async ({ portal }) => {
  const { knex } = portal.target;
  await knex.raw('truncate "Orders", "Results"');
  await knex.raw(
    `insert into "Orders" select n, case when n % 2 = 0 then 'North' else 'O''Hara; drop table "Orders" --' end, n + 0.5, date '2026-01-01' + n from generate_series(1, 40) n`,
  );
});

const NAMES = { in_Customer: 'S!$A$1', in_From: 'S!$A$2', in_Filter: 'S!$A$3', out_Sum: 'S!$B$1', out_Rows: 'S!$B$2' };

function book(...steps: Record<string, CellSpec>[]): WorkbookSpec {
  return {
    formats: ['yyyy-mm-dd'],
    names: NAMES,
    sheets: [
      {
        name: 'S',
        cells: {
          A1: 'North',
          A2: { value: 46_000, style: 1 },
          A3: 'x',
          B1: { formula: 'SUM(Orders[Amount])', value: 1.5 },
          B2: { formula: 'ROWS(Orders[Id])', value: 1 },
        },
      },
      {
        name: 'D',
        cells: {
          A1: 'Id',
          B1: 'Customer',
          C1: 'Amount',
          D1: 'Day',
          E1: 'Double',
          A2: 1,
          B2: 'x',
          C2: 1.5,
          D2: { value: 46_000, style: 1 },
          E2: { formula: 'Orders[[#This Row],[Amount]]*2', value: 3 },
        },
        tables: [
          {
            name: 'Orders',
            ref: 'A1:E2',
            columns: ['Id', 'Customer', 'Amount', 'Day', { name: 'Double', formula: 'Orders[[#This Row],[Amount]]*2' }],
          },
        ],
      },
      {
        name: 'W',
        cells: {
          A1: 'Id',
          B1: 'Name',
          C1: 'Amount',
          D1: 'Day',
          A2: 1,
          B2: '=1+1',
          C2: 0.1,
          D2: { value: 46_000, style: 1 },
          A3: 2,
          B3: 'tab\there\\',
          C3: 123_456.789,
          D3: { value: 46_001, style: 1 },
        },
        tables: [{ name: 'Results', ref: 'A1:D3', columns: ['Id', 'Name', 'Amount', 'Day'] }],
      },
      {
        name: 'Portal',
        cells: {
          A1: 'Name',
          B1: 'CellUsages',
          C1: 'PickerSource',
          D1: 'Blanks',
          A2: 'Filter',
          B2: 'Condition',
          C2: 'Orders',
          D2: true,
        },
        tables: [{ name: 'PortalInputs', ref: 'A1:D2', columns: ['Name', 'CellUsages', 'PickerSource', 'Blanks'] }],
      },
      { ...stepSheet(steps), name: 'Steps' },
    ],
  };
}

const QUERY = { Step: 'Get', Action: 'Query', Connection: 'Warehouse', Table: 'Orders' };
const value = (run: Awaited<ReturnType<StepPortal['run']>>, name: string): string | null =>
  run.Outputs.find((output) => output.Name === name)!.Value;

describe('Query', () => {
  it('fills the table, which grows and shrinks, with inputs bound', async ({ portal }) => {
    const Query =
      'select "Day", "Amount", "Customer", "Id" from "Orders" where "Customer" = @Customer and "Day" >= @From order by "Id"';
    const id = (await portal.publish(book({ ...QUERY, Query }), 'Bound')) as number;
    const north = await portal.ended(await portal.start(id, { Customer: 'North', From: 46_023 }));
    expect(messagesOf(north)).toContainEqual(
      expect.stringMatching(/^Step 'Get': 20 rows into the table Orders, content [0-9a-f]{8}$/),
    );
    expect([value(north, 'Rows'), value(north, 'Sum')]).toEqual(['20', '430']);
    const evil = await portal.ended(
      await portal.start(id, { Customer: `O'Hara; drop table "Orders" --`, From: 46_060 }),
    );
    expect(value(evil, 'Rows')).toBe('2');
    const none = await portal.ended(await portal.start(id, { Customer: `' or 1=1 --`, From: 0 }));
    expect([none.Status, value(none, 'Rows'), value(none, 'Sum')]).toEqual(['Succeeded', '1', '0']);
  });

  it('compiles a condition to bound values', async ({ portal }) => {
    const Query = 'select * from "Orders" where @Filter';
    const id = (await portal.publish(book({ ...QUERY, Query }), 'Condition')) as number;
    const few = await portal.ended(await portal.start(id, { Filter: `Amount > 38 AND Customer = 'North'` }));
    expect([messagesOf(few).at(-1), value(few, 'Rows')]).toEqual([
      expect.stringMatching(/^Step 'Get': 2 rows into the table Orders, content /),
      '2',
    ]);
    const all = await portal.ended(await portal.start(id, { Filter: '' }));
    expect(value(all, 'Rows')).toBe('40');
  });

  it('stops at its limits of rows and time', async ({ portal }) => {
    const rows = await portal.run(book({ ...QUERY, Query: 'select * from "Orders"', MaxRows: 39 }), 'Rows');
    expect([rows.Status, messagesOf(rows).at(-1)]).toEqual(['Failed', expect.stringContaining('more than 39 rows')]);
    const Query = 'select "Id", "Customer", "Amount", "Day", pg_sleep(60) from "Orders"';
    const time = await portal.run(book({ ...QUERY, Query, TimeLimit: 1 }), 'Time');
    expect([time.Status, messagesOf(time).at(-1)]).toEqual(['Failed', expect.stringContaining('longer than 1 s')]);
  });

  it('ends in the database when its run is cancelled', async ({ portal }) => {
    const sleeping = async (): Promise<number> => {
      const { rows } = (await portal.target.knex.raw(
        `select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
      )) as { rows: { n: number }[] };
      return rows[0]!.n;
    };
    const Query = 'select "Id", "Customer", "Amount", "Day", pg_sleep(600) from "Orders"';
    const id = (await portal.publish(book({ ...QUERY, Query }), 'Cancel')) as number;
    const runId = await portal.start(id);
    await until('the query', async () => (await sleeping()) === 1);
    await portal.call('POST', `/api/activities/cancel/${runId}`);
    expect((await portal.ended(runId)).Status).toBe('Cancelled');
    await until('the end of the query', async () => (await sleeping()) === 0);
  });

  it('says what is wrong with a result or a database in words', async ({ portal }) => {
    const missing = await portal.run(book({ ...QUERY, Query: 'select "Id" from "Orders"' }), 'Missing');
    expect([missing.Status, messagesOf(missing).at(-1)]).toEqual([
      'LogicError',
      expect.stringContaining("the result has no columns 'Customer', 'Amount', 'Day'"),
    ]);
    const away = await portal.run(book({ ...QUERY, Query: 'select 1', Connection: 'Away' }), 'Away');
    expect([away.Status, messagesOf(away).at(-1)]).toEqual(['Failed', expect.stringContaining('cannot be reached')]);
    expect(JSON.stringify(away)).not.toContain('hidden');
  });
});

const WRITE = { Step: 'Put', Action: 'Write', Connection: 'Warehouse', Table: 'Results', Target: 'Results' };

describe('Write', () => {
  it('appends rows as the columns take them, texts as texts', async ({ portal, results }) => {
    const run = await portal.run(book(WRITE), 'Append');
    expect(messagesOf(run).at(-1)).toBe("Step 'Put': 2 rows inserted in Results");
    const rows = await results();
    expect(rows.map(({ Name }) => Name)).toEqual(['=1+1', 'tab\there\\']);
    expect(rows.map(({ Amount }) => Number(Amount))).toEqual([0.1, 123_456.789]);
    const { rows: days } = await portal.target.knex.raw('select "Day"::text as d from "Results" order by "Id"');
    expect(days).toEqual([{ d: '2025-12-09' }, { d: '2025-12-10' }]);
  });

  it('replaces what was there, and upserts by key columns, with exact counts', async ({ portal, results }) => {
    const { knex } = portal.target;
    await knex('Results').insert([
      { Id: 2, Name: 'old' },
      { Id: 3, Name: 'kept' },
    ]);
    const upsert = await portal.run(book({ ...WRITE, Mode: 'Upsert', KeyColumns: 'Id', Columns: 'Id,Name' }), 'Upsert');
    expect(messagesOf(upsert).at(-1)).toBe("Step 'Put': 1 row inserted, 1 row updated in Results");
    expect((await results()).map(({ Name, Amount }) => [Name, Amount])).toEqual([
      ['=1+1', null],
      ['tab\there\\', null],
      ['kept', null],
    ]);
    const replace = await portal.run(book({ ...WRITE, Mode: 'Replace' }), 'Replace');
    expect(messagesOf(replace).at(-1)).toBe("Step 'Put': 2 rows inserted, 3 rows deleted in Results");
    expect(await results()).toHaveLength(2);
  });

  it('leaves everything as it was where one row is refused', async ({ portal, results }) => {
    await portal.target.knex('Results').insert({ Id: 9, Name: 'before' });
    const spec = book({ ...WRITE, Mode: 'Replace' });
    spec.sheets[2]!.cells!['C3'] = 5e6;
    const run = await portal.run(spec, 'Refused');
    expect([run.Status, messagesOf(run).at(-1)]).toEqual([
      'Failed',
      expect.stringContaining('violates check constraint'),
    ]);
    expect(await results()).toMatchObject([{ Id: 9, Name: 'before' }]);
  });

  it('refuses what does not fit before it writes: errors, kinds, doubled keys, unknown columns', async ({
    portal,
    results,
  }) => {
    const error = book(WRITE);
    error.sheets[2]!.cells!['C3'] = { formula: '1/0', error: '#DIV/0!' };
    expect(messagesOf(await portal.run(error, 'Error')).at(-1)).toContain('#DIV/0! in W!C3');
    const kind = book(WRITE);
    kind.sheets[2]!.cells!['A3'] = 'two';
    expect(messagesOf(await portal.run(kind, 'Kind')).at(-1)).toContain("row 2, column 'Id': 'two' is not a number");
    const twins = book({ ...WRITE, Mode: 'Upsert', KeyColumns: 'Id' });
    twins.sheets[2]!.cells!['A3'] = 1;
    expect(messagesOf(await portal.run(twins, 'Twins')).at(-1)).toContain('1 key occurs in more than one row');
    const unknown = await portal.run(book({ ...WRITE, Target: 'public.Orders' }), 'Unknown');
    expect([unknown.Status, messagesOf(unknown).at(-1)]).toEqual([
      'LogicError',
      expect.stringContaining("has no column 'Name'"),
    ]);
    expect(await results()).toEqual([]);
  });

  it.for([
    [21, '1 more cell'],
    [25, '5 more cells'],
  ] as const)('lists 20 of %i errors and counts the others', async ([count, more], { portal }) => {
    const spec = book(WRITE);
    const { cells, tables } = spec.sheets[2]!;
    for (let row = 2; row < 2 + count; row += 1)
      Object.assign(cells!, { [`A${row}`]: row, [`C${row}`]: { formula: '1/0', error: '#DIV/0!' } });
    tables![0]!.ref = `A1:D${1 + count}`;
    const messages = messagesOf(await portal.run(spec, `Errors ${count}`));
    const nothing = "Step 'Put': nothing was written because of";
    expect(messages.filter((message) => message.startsWith(`${nothing} the error #DIV/0! in W!C`))).toHaveLength(20);
    expect(messages.at(-1)).toBe(`${nothing} errors in ${more}`);
  });

  it.runIf(isFullSet)('writes many rows', async ({ portal }) => {
    const spec = book(
      {
        Step: 'Get',
        Action: 'Query',
        Connection: 'Archive',
        Table: 'Results',
        Query:
          'select n as "Id", $$x$$ || n as "Name", n / 10.0 as "Amount", date $$2026-01-01$$ as "Day" from generate_series(1, 20000) n',
      },
      WRITE,
    );
    const run = await portal.run(spec, 'Many');
    expect(messagesOf(run).at(-1)).toBe("Step 'Put': 20,000 rows inserted in Results");
    const { rows } = await portal.target.knex.raw(
      'select count(*)::int as n, sum("Amount")::float as s from "Results"',
    );
    expect(rows).toEqual([{ n: 20_000, s: 20_001_000 }]);
  });

  it('is refused at upload on a connection for reading', async ({ portal }) => {
    const problems = await portal.publish(book({ ...WRITE, Connection: 'Archive' }), 'Reading');
    expect(problems).toMatchObject([{ Sheet: 'Steps', Message: "The connection 'Archive' is read-only." }]);
  });

  it('needs the right to use the connection when it runs', async ({ portal }) => {
    const id = (await portal.publish(book(WRITE), 'Right')) as number;
    // A denying grant overrides allowing ones.
    await grant(portal.app, portal.runner.UserId, { right: 'sk.UseConnection', access: -1 });
    const run = await portal.ended(await portal.start(id));
    expect([run.Status, messagesOf(run).at(-1)]).toEqual([
      'LogicError',
      expect.stringContaining('You may not use the connection'),
    ]);
  });
});
