/** Tests what happens to runs of procedures and their files, and what they share with workbooks. */
import { describe, expect, test as base } from 'vitest';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { deleteByRetention } from '#server/features/retention/retention-keeper.ts';
import type { Activity } from '#shared/contract/activities.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { multipart } from '#test/support/portal.ts';
import { startProcedurePortal, sent, settingsOf } from '#test/support/procedure-portal.ts';

const SQL = {
  pg: [
    'create table calls (n numeric, note text)',
    // PostgreSQL does not store the precision of parameters, but it stores that of domains.
    'create domain exact_price as numeric(20,4)',
    `create procedure takes_large(n bigint, price exact_price default 1) language plpgsql as $$ begin insert into calls values (n, price); end $$`,
    `create type named_price as (item text, price numeric(10,2))`,
    `create procedure sums(factor numeric, prices named_price[], inout total numeric default 0) language plpgsql as
      $$ begin total := factor * (select sum(price) from unnest(prices)); end $$`,
    `create function rows_of(n int) returns table (item text, price numeric) language sql as $$ select 'item ' || g, g * 1.5 from generate_series(1, n) g $$`,
    `create procedure reverses(b bytea, inout same bytea default null) language plpgsql as $$ begin same := b; insert into calls values (length(b), 'file'); end $$`,
    `create procedure commits(n int) language plpgsql as $$ begin
      insert into calls values (n, 'kept'); commit; insert into calls values (n, 'taken back'); rollback; insert into calls values (n, 'before the error');
      if n < 0 then raise exception 'no negative n'; end if; end $$`,
  ],
  mssql: [
    'create table calls (n decimal(38,4), note nvarchar(100))',
    `create procedure takes_large @n bigint, @price decimal(20,4) = 1 as insert into calls values (@n, @price)`,
    `create type named_price as table (item nvarchar(100), price decimal(10,2))`,
    `create procedure sums @factor decimal(10,2), @prices named_price readonly, @total decimal(20,4) = 0 output as select @total = @factor * sum(price) from @prices`,
    `create procedure rows_of @n int as select concat('item ', g) as item, convert(decimal(10,2), g * 1.5) as price from (values (1), (2), (3), (4)) v (g) where g <= @n order by g`,
    `create procedure reverses @b varbinary(max), @same varbinary(max) = null output as begin set @same = @b; insert into calls values (datalength(@b), 'file') end`,
    `create procedure commits @n int as begin begin transaction; insert into calls values (@n, 'kept'); commit; begin transaction;
      insert into calls values (@n, 'taken back'); rollback; insert into calls values (@n, 'before the error'); if @n < 0 raiserror('no negative n', 16, 1) end`,
  ],
};

const idOf = (list: readonly { Name: string; Id: number }[], name: string): number =>
  list.find(({ Name }) => Name === name)!.Id;

const test = base
  .extend('executor', { scope: 'file' }, async ({}, { onCleanup }) => {
    const executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
    onCleanup(() => executor.close());
    return executor;
  })
  .extend('portal', { scope: 'file' }, async ({ executor }, { onCleanup }) => {
    const portal = await startProcedurePortal(SQL, { executor });
    onCleanup(() => portal.close());
    return portal;
  });

const it = test.extend('procedures', { scope: 'file' }, ({ portal }) => {
  const calls = (n: number) => portal.shop.knex('calls').where({ n }).pluck('note') as unknown as Promise<string[]>;

  async function upload(activity: Activity, input: string, name: string, content: Uint8Array) {
    const form = multipart({ ActivityInputId: String(idOf(activity.Inputs, input)) }, [{ name, content }]);
    const headers = { ...portal.editor.headers, ...form.headers };
    const { payload } = form;
    const answer = await portal.app.http.inject({ method: 'POST', url: '/api/files/upload', headers, payload });
    const [{ Id: FileId, Name: FileName }] = answer.json().Items;
    return { ActivityParameterId: idOf(activity.Inputs, input), FileId, FileName };
  }

  /** Starts a run with the given file and without values for the other inputs. */
  async function runWithFile(activity: Activity, file: Awaited<ReturnType<typeof upload>>) {
    const others = sent(activity, {}).filter(
      (one) => (one as { ActivityParameterId: number }).ActivityParameterId !== file.ActivityParameterId,
    );
    const started = await portal.post('start', {
      ActivityId: activity.Id,
      ActivityVersion: 1,
      Inputs: [file, ...others],
    });
    expect(started.body.modelState ?? started.body.message ?? '').toBe('');
    return portal.ended(started.body.result.Id);
  }

  async function publishWorkbook(Name: string): Promise<Activity> {
    const book = await buildWorkbook({
      sheets: [
        {
          name: 'S',
          cells: {
            A1: { value: 2 },
            A2: { formula: 'A1*1.5', value: 3 },
            D1: 'item',
            E1: 'price',
            D2: 'bolt',
            E2: 10,
            D3: 'nut',
            E3: { formula: 'A1*10', value: 20 },
            G1: 'item',
            H1: 'price',
            G2: 'x',
            H2: 1,
            J1: { formula: 'SUM(H2:H2)', value: 1 },
          },
        },
      ],
      names: {
        in_Amount: 'S!$A$1',
        out_Factor: 'S!$A$2',
        out_Prices: 'S!$D$1:$E$3',
        out_Sum: 'S!$J$1',
      },
    });
    const form = multipart({ Id: '0', Schema: 'Shop', Name, SingleRun: 'false' }, [
      { name: 'Book.xlsx', content: book },
    ]);
    const headers = { ...form.headers, ...portal.editor.headers };
    const { payload } = form;
    const answer = await portal.app.http.inject({ method: 'POST', url: '/api/activities/create', headers, payload });
    expect(answer.json().Faults ?? []).toEqual([]);
    return portal.details(answer.json().Id);
  }

  async function link(source: Activity, target: Activity, mapped: [output: string, input: string][]): Promise<number> {
    const LinkInfo = JSON.stringify(
      mapped.map(([output, input]) => ({
        source: idOf(source.Outputs, output),
        target: idOf(target.Inputs, input),
        ReadOnly: [true],
      })),
    );
    const Name = `${source.Name} to ${target.Name}`;
    const body = { Id: 0, ActivityId: source.Id, LinkedActivityId: target.Id, Name, LinkInfo };
    const answer = await portal.post('writelink', body);
    expect(answer.body.message ?? '').toBe('');
    return answer.body.result.Id;
  }

  async function follow(ActivityLinkId: number, ActivityRunId: number, Inputs: object[] = []) {
    const started = await portal.post('startlink', { ActivityLinkId, ActivityRunId, OutputTransforms: [], Inputs });
    expect(started.body.modelState ?? started.body.message ?? '').toBe('');
    return portal.ended(started.body.result.Id);
  }

  return { calls, upload, runWithFile, publishWorkbook, link, follow };
});

describe('a number that a form cannot hold', () => {
  it('is refused before the call where the editor takes it as a number, and is a text where not', async ({
    portal,
    procedures: { calls },
  }) => {
    const asNumber = await portal.create('takes_large', (settings) => {
      for (const name of ['n', 'price']) settingsOf(settings, name).AsNumber = true;
    });
    expect(asNumber.Inputs.map(({ Info }) => Info.CellUsages)).toEqual([['Number'], ['Number']]);
    expect((await portal.run(asNumber, { n: 123456789012345 })).Status).toBe('Succeeded');
    expect(await calls(123456789012345)).toHaveLength(1);
    for (const [values, said] of [
      [{ n: '9007199254740993' }, /has more than 15 digits: 9007199254740993/],
      [{ n: '1234567890123456' }, /has more than 15 digits: 1234567890123456/],
      [{ n: '5', price: '123456789012345.6789' }, /has more than 15 digits: 123456789012345.6789/],
      // A double would round the number.
      [{ n: '5', price: '100000000000000.0001' }, /has more than 15 digits: 100000000000000.0001/],
    ] as const) {
      const ended = await portal.run(asNumber, values);
      expect([values, `${ended.Status}: ${ended.log.join()}`]).toEqual([values, expect.stringMatching(said)]);
      const Inputs = sent(asNumber, values).map((one) => {
        const { Value, ...rest } = one as { Value: string | null };
        // As a JSON number with all its digits.
        return { ...rest, Value: Value === null ? null : String(JSON.parse(Value)) };
      });
      const started = await portal.post('start', { ActivityId: asNumber.Id, ActivityVersion: 1, Inputs });
      expect([started.status, JSON.stringify(started.body.modelState)]).toEqual([
        400,
        expect.stringContaining('send it as text'),
      ]);
    }
    expect(await portal.shop.knex('calls').where('n', '>', 123456789012345)).toEqual([]);

    const asText = await portal.create('takes_large');
    const run = await portal.run(asText, { n: '9007199254740993', price: '1234567890123456.7891' });
    expect(run.Status).toBe('Succeeded');
    const text = portal.isPg ? 'n::text' : 'convert(nvarchar(40), n)';
    const stored = (await portal.shop.knex('calls').select(portal.shop.knex.raw(`${text} as n`), 'note')) as {
      n: string;
      note: string;
    }[];
    expect(stored.at(-1)).toEqual({
      n: portal.isPg ? '9007199254740993' : '9007199254740993.0000',
      note: '1234567890123456.7891',
    });
  });
});

describe('linkages between workbooks and procedures', () => {
  it('hand values on both ways', async ({ portal, procedures: { publishWorkbook, link, follow } }) => {
    const [workbook, procedure] = [await publishWorkbook('Factors'), await portal.create('sums')];
    const there = await link(workbook, procedure, [['Factor', 'factor']]);
    const first = await portal.run(workbook, { Amount: 4 });
    expect(first.outputs).toMatchObject({ Factor: 6 });
    const prices = {
      ActivityParameterId: idOf(procedure.Inputs, 'prices'),
      Value: JSON.stringify([
        ['bolt', 1.25],
        ['nut', 2.25],
      ]),
    };
    const second = await follow(there, first.Id, [prices]);
    expect(second).toMatchObject({ Status: 'Succeeded', outputs: { total: 21 } });

    const back = await link(procedure, workbook, [['total', 'Amount']]);
    const third = await follow(back, second.Id);
    expect(third).toMatchObject({ Status: 'Succeeded', outputs: { Factor: 31.5 } });
    expect(third.body).toMatchObject({ SourceRunId: second.Id });
  });
});

describe('runs of procedures and their files', () => {
  it('take a file with every byte, an empty one too, and none where it may be blank', async ({
    portal,
    procedures: { runWithFile, upload, calls },
  }) => {
    const activity = await portal.create('reverses', (settings) => {
      settingsOf(settings, 'b').Required = true;
    });
    const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
    const run = await runWithFile(activity, await upload(activity, 'b', `o'r"d[e]r;--.bin`, bytes));
    expect(run).toMatchObject({ Status: 'Succeeded', body: { StoredFiles: [{ ContentLength: 300 }] } });
    expect(await calls(300)).toEqual(['file']);
    const missing = await portal.start(activity, {});
    expect([missing.status, Object.keys(missing.body.modelState)]).toEqual([400, ['b']]);
    const optional = await portal.create('reverses', (settings) => {
      settingsOf(settings, 'b').Required = false;
    });
    const none = await portal.run(optional, { b: null });
    expect([none.Status, none.body.StoredFiles]).toEqual(['Succeeded', []]);
  });

  it('are kept as long as the retention of their activity says, files first', async ({
    portal,
    procedures: { runWithFile, upload, calls },
  }) => {
    const activity = await portal.create('reverses', (settings) => {
      settingsOf(settings, 'b').Required = true;
    });
    const content = Buffer.from('kept for a while');
    const { Id } = await runWithFile(activity, await upload(activity, 'b', 'a.bin', content));
    const { knex } = portal.app.database;
    const age = (days: number) =>
      knex('ActivityRuns')
        .where({ Id })
        .update({ EndTime: new Date(Date.now() - days * 86_400_000) });
    const saved = await portal.post('runRetention', {
      ActivityId: activity.Id,
      RunRetention: 30,
      RunDataRetention: 10,
      RunInputsRetention: 5,
    });
    expect(saved.body.message ?? '').toBe('');
    const applyRetention = () =>
      deleteByRetention({ database: portal.app.database, store: portal.app.fileStore }, new AbortController().signal);
    const shown = async () => (await portal.get(`status/${Id}`)).body.result;
    await age(6);
    await applyRetention();
    expect((await shown()).StoredFiles).toHaveLength(1);
    expect((await shown()).LogEntries.at(-1).Message).toContain('this activity retains them for 5 days');
    await age(11);
    await applyRetention();
    expect((await shown()).StoredFiles).toEqual([]);
    await age(31);
    await applyRetention();
    expect((await portal.get(`status/${Id}`)).status).toBe(404);
    expect(await calls(content.length)).toEqual(['file']);
  });
});

describe('a procedure that commits and rolls back', () => {
  it('keeps what it committed, also before an error, where its activity says so', async ({
    portal,
    procedures: { calls },
  }) => {
    const own = await portal.create('commits', (settings) => {
      settings.CommitsByItself = true;
    });
    expect((await portal.run(own, { n: 1 })).Status).toBe('Succeeded');
    expect(await calls(1)).toEqual(['kept', 'before the error']);
    const failed = await portal.run(own, { n: -1 });
    expect(failed.Status).toBe('Failed');
    expect(failed.log.join()).toContain('no negative n');
    expect(await calls(-1)).toEqual(portal.isPg ? ['kept'] : ['kept', 'before the error']);
  });

  it('is an error in the setup of its activity if that does not allow it, and says what remains', async ({
    portal,
    procedures: { calls },
  }) => {
    const run = await portal.run(await portal.create('commits'), { n: 2 });
    expect(run.Status).toBe('LogicError');
    expect(run.log.join()).toContain(
      'the procedure commits or rolls back its own changes, but the activity is not set up for this',
    );
    // PostgreSQL refuses the procedure's COMMIT. SQL Server's ROLLBACK also rolls back the outer transaction, and what
    // follows runs outside any transaction: ROLLBACK TRANSACTION (Transact-SQL), "rolls back all inner transactions to
    // the outermost BEGIN TRANSACTION statement".
    expect(run.log.join()).toContain(
      portal.isPg ? 'its changes were rolled back' : 'changes that it committed, or made after a rollback, remain',
    );
    expect(await calls(2)).toEqual(portal.isPg ? [] : ['before the error']);
  });
});
