/** Tests activities of stored procedures, from their creation to the results of their runs. */
import { describe, expect } from 'vitest';
import { isOtherMakersServer } from '#test/support/sql-server.ts';
import { withProcedurePortal } from '#test/support/fixtures/procedure-portal.ts';
import { settingsOf } from '#test/support/procedure-portal.ts';

const SQL = {
  pg: [
    'create table kept (n int, note text)',
    `create procedure order_up(amount numeric, inout total numeric default 0, note text default 'none') language plpgsql as $$ begin
      insert into kept values (amount, note); raise notice 'taken %', note; total := amount * 2; end $$`,
    `create function rows_of(n int) returns table (id int, price numeric, day date, label text, ok boolean) language sql as
      $$ select g, g * 1.5, date '2026-01-01' + g, 'row ' || g, g % 2 = 0 from generate_series(1, n) g $$`,
    `create procedure fails(n int) language plpgsql as $$ begin insert into kept values (n, 'half'); raise exception 'no % of that', n; end $$`,
    `create procedure warns() language plpgsql as $$ begin raise warning 'half empty'; end $$`,
  ],
  mssql: [
    'create table numbers (g int)',
    `insert into numbers select top (10001) row_number() over (order by (select null)) from ${Array.from('abcde', (name) => `(values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) ${name} (n)`).join(' cross join ')}`,
    'create table kept (n int, note nvarchar(100))',
    `create procedure order_up @amount decimal(10,2), @total decimal(10,2) = 0 output, @note nvarchar(50) = 'none' as begin
      insert into kept values (@amount, @note); print 'taken ' + @note; set @total = @amount * 2 end`,
    `create procedure rows_of @n int as begin select g as id, convert(decimal(10,2), g * 1.5) as price, dateadd(day, g, convert(date, '2026-01-01')) as [day],
      concat('row ', g) as label, convert(bit, case when g % 2 = 0 then 1 else 0 end) as ok from numbers where g <= @n order by g end`,
    `create procedure fails @n int as begin insert into kept values (@n, 'half'); raiserror('no %d of that', 16, 1, @n) end`,
    `create procedure returns_code @n int as begin insert into kept values (@n, 'code'); return @n end`,
  ],
};

const ERROR_WITH_LOCATION = /^no 41 of that \(error (P0001|50000), procedure .*fails.*, line \d+\)$/;
/**
 * Source: RAISERROR, ERROR_PROCEDURE (Transact-SQL). SQL Server names the procedure; compatible servers of other
 * vendors may not.
 */
const NO_PROCEDURE_OF_ERRORS = /^no 41 of that \(error 50000, line \d+\)$/;

const it = withProcedurePortal(SQL).extend(
  'kept',
  { scope: 'file' },
  ({ portal }) =>
    async (n: number): Promise<string[]> =>
      ((await portal.shop.knex('kept').where({ n })) as { note: string }[]).map(({ note }) => note),
);

describe('an activity of a stored procedure', () => {
  it('asks for its parameters, and gives what the procedure gives', async ({ portal, kept }) => {
    const activity = await portal.create('order_up');
    expect(activity).toMatchObject({ Type: 'StoredProcedure', Version: 1, Procedure: { ReturnCodeFails: false } });
    const run = await portal.run(activity, { amount: 12, note: 'a "quoted" ñ 🎉' });
    expect(run).toMatchObject({ Status: 'Succeeded', outputs: { total: 24 }, log: ['taken a "quoted" ñ 🎉'] });
    expect(await kept(12)).toEqual(['a "quoted" ñ 🎉']);
    expect(run.body.StoredFiles).toEqual([]);
  });

  it('leaves out what has a default and is not specified', async ({ portal, kept }) => {
    const activity = await portal.create('order_up');
    const note = activity.Inputs.find(({ Name }) => Name === 'note')!;
    expect(note.Info).toMatchObject({ Specifications: ['Optional'], DefaultValue: '"none"' });
    expect((await portal.run(activity, { amount: 7 })).Status).toBe('Succeeded');
    expect(await kept(7)).toEqual(['none']);
  });

  it('gives result sets as tables with their kinds', async ({ portal }) => {
    const activity = await portal.createWithResults('rows_of', { n: 1 });
    expect(activity.Outputs.find(({ Name }) => Name === 'Result1')!.Info).toMatchObject({
      CellUsages: ['Number', 'Number', 'Date', 'Text', 'Boolean'],
      ColumnHeaderValues: ['id', 'price', 'day', 'label', 'ok'],
    });
    const { outputs } = await portal.run(activity, { n: 2 });
    expect(outputs['Result1']).toEqual([
      [1, 1.5, 46024, 'row 1', false],
      [2, 3, 46025, 'row 2', true],
    ]);
  });

  it('gives a result set of more rows than an output holds as a file, and says so', async ({ portal }) => {
    const activity = await portal.createWithResults('rows_of', { n: 1 }, (settings) => {
      settings.LargeResultFormat = 'csv';
    });
    const run = await portal.run(activity, { n: 10_001 });
    expect(run.Status).toBe('Succeeded');
    expect(run.log).toEqual(['Result1 has 10,001 rows: they are in the file Result1.csv']);
    expect(run.body.StoredFileNames).toEqual(['Result1.csv']);
    const [{ ContentLength, ActivityParameterId }] = run.body.StoredFiles;
    expect(ContentLength).toBeGreaterThan(200_000);
    expect(ActivityParameterId).toBe(activity.Outputs.find(({ Name }) => Name === 'Result1')!.Id);
    expect(run.outputs['Result1']).toBeNull();
  });

  it('writes large results as workbooks where nothing else is said', async ({ portal }) => {
    const run = await portal.run(await portal.create('rows_of'), { n: 10_001 });
    expect(run.body.StoredFileNames).toEqual(['Result1.xlsx']);
  });

  it('ends Failed with number and place of an error that the procedure raises, and keeps nothing', async ({
    portal,
    kept,
  }) => {
    const run = await portal.run(await portal.create('fails'), { n: 41 });
    expect(run.Status).toBe('Failed');
    const says = (await isOtherMakersServer(portal.shop.knex)) ? NO_PROCEDURE_OF_ERRORS : ERROR_WITH_LOCATION;
    expect(run.log.join()).toMatch(says);
    expect(await kept(41)).toEqual([]);
  });

  it('refuses a value that its type does not hold, and calls nothing', async ({ portal }) => {
    const activity = await portal.create('rows_of');
    const answer = await portal.start(activity, { n: 1.5 });
    expect(answer.status).toBe(400);
    expect(answer.body.modelState).toHaveProperty('n');
  });

  it('reports warnings by its status', async ({ portal, skip }) => {
    if (!portal.isPg) skip('PostgreSQL alone has warnings');
    const run = await portal.run(await portal.create('warns'));
    expect(run).toMatchObject({ Status: 'SucceededWarn', log: ['half empty'] });
  });

  it('warns of a return code other than 0, or fails by it and keeps nothing', async ({ portal, kept, skip }) => {
    if (portal.isPg) skip('PostgreSQL has no return codes');
    const warned = await portal.run(await portal.create('returns_code'), { n: 5 });
    expect(warned).toMatchObject({ Status: 'SucceededWarn', outputs: { ReturnCode: 5 } });
    expect(await kept(5)).toEqual(['code']);
    const strict = await portal.create('returns_code', (settings) => {
      settings.ReturnCodeFails = true;
    });
    const failed = await portal.run(strict, { n: 6 });
    expect(failed).toMatchObject({ Status: 'Failed', log: ['The procedure returned the code 6'] });
    expect(await kept(6)).toEqual([]);
    expect((await portal.run(strict, { n: 0 })).Status).toBe('Succeeded');
  });

  it('shows what its editor decided of a parameter', async ({ portal, kept }) => {
    const activity = await portal.create('order_up', (settings) => {
      Object.assign(settingsOf(settings, 'note'), { DisplayName: 'Why', Description: 'A reason', Hidden: false });
      settingsOf(settings, 'note').Pickers = [{ Type: 'List', PreventOtherValues: true, Items: ['one', 'two'] }];
      settings.Parameters.reverse();
    });
    expect(activity.Inputs[0]).toMatchObject({
      Name: 'Why',
      Description: 'A reason',
      Info: { Pickers: [{ Type: 'List' }] },
    });
    expect((await portal.start(activity, { amount: 1, Why: 'three' })).body.modelState).toEqual({
      Why: ['Please choose a valid value.'],
    });
    expect((await portal.run(activity, { amount: 77, Why: 'two' })).Status).toBe('Succeeded');
    expect(await kept(77)).toEqual(['two']);
  });
});
