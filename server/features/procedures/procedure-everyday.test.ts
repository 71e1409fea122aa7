/** Tests that activities of procedures support what workbook activities do. */
import { describe, expect } from 'vitest';
import { createScheduler } from '#server/automation/schedules/scheduler.ts';
import { pino } from 'pino';
import { multipart } from '#test/support/portal.ts';
import { withProcedurePortal } from '#test/support/fixtures/procedure-portal.ts';
import { sent, settingsOf } from '#test/support/procedure-portal.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { Input } from '#shared/contract/parameters.ts';

const SQL = {
  pg: [
    'create table calls (n int, note text)',
    `create type order_line as (item text, amount numeric)`,
    `create procedure doubles(n int, note text default 'none', inout twice int default 0) language plpgsql as
      $$ begin insert into calls values (n, note); if n < 0 then raise exception 'no negative n'; end if; twice := n * 2; end $$`,
    `create function lines_of(n int) returns table (item text, amount numeric) language sql as $$ select 'item ' || g, g * 1.5 from generate_series(1, n) g $$`,
    `create function total_of(lines order_line[]) returns numeric language sql as $$ select sum(amount) from unnest(lines) $$`,
    `create function echo_bytes(b bytea, out same bytea) language sql as $$ select b $$`,
    `create procedure plain() language plpgsql as $$ begin insert into calls values (1000, 'plain'); end $$`,
    `create type constructor as enum ('dry', 'wet')`,
    `create procedure mixes(kind constructor, inout mixed text default '') language plpgsql as $$ begin mixed := kind; end $$`,
    `create view colours as select unnest(array['red', 'green', 'blue']) as name`,
  ],
  mssql: [
    'create table numbers (g int)',
    `insert into numbers select top (10001) row_number() over (order by (select null)) from ${Array.from('abcde', (name) => `(values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) ${name} (n)`).join(' cross join ')}`,
    'create table calls (n int, note nvarchar(100))',
    `create type order_line as table (item nvarchar(100), amount decimal(10,2))`,
    `create procedure doubles @n int, @note nvarchar(50) = 'none', @twice int = 0 output as begin
      insert into calls values (@n, @note); if @n < 0 raiserror('no negative n', 16, 1); set @twice = @n * 2 end`,
    `create procedure lines_of @n int as select concat('item ', g) as item, convert(decimal(10,2), g * 1.5) as amount from numbers where g <= @n order by g`,
    `create procedure total_of @lines order_line readonly, @total decimal(12,2) = 0 output as select @total = sum(amount) from @lines`,
    `create procedure echo_bytes @b varbinary(max), @same varbinary(max) = null output as set @same = @b`,
    `create procedure plain as insert into calls values (1000, 'plain')`,
    `create view colours as select name from (values ('red'), ('green'), ('blue')) v (name)`,
  ],
};

const inputOf = ({ Inputs }: Activity, name: string): Input => Inputs.find(({ Name }) => Name === name)!;
const outputId = ({ Outputs }: Activity, name: string): number => Outputs.find(({ Name }) => Name === name)!.Id;

const it = withProcedurePortal(SQL).extend('procedures', { scope: 'file' }, async ({ portal }) => {
  const calls = (n: number) => portal.shop.knex('calls').where({ n }) as unknown as Promise<{ note: string }[]>;
  const doubles = await portal.create('doubles');
  return { doubles, calls };
});

describe('an activity of a procedure', () => {
  it('takes preset values, and nobody is asked for them', async ({ portal }) => {
    const activity = await portal.create('doubles');
    const preset = { ...inputOf(activity, 'n'), PresetValue: '21' };
    expect((await portal.post('updatepresetvals', [preset])).status).toBe(200);
    const run = await portal.run(await portal.details(activity.Id));
    expect(run).toMatchObject({ Status: 'Succeeded', outputs: { twice: 42 } });
    const wrong = { ...inputOf(activity, 'n'), PresetValue: '1.5' };
    expect((await portal.post('updatepresetvals', [wrong])).body.message).toBe('Invalid preset values for n');
  });

  it('has no rules for a type that is called like a property of every object', async ({ portal, skip }) => {
    if (!portal.isPg) skip('a type of one name in the catalog: SQL Server gives the system type below it');
    const activity = await portal.create('mixes');
    expect(inputOf(activity, 'kind').Info).not.toHaveProperty('Rules');
    expect((await portal.run(activity, { kind: 'wet' })).outputs).toEqual({ mixed: 'wet' });
  });

  it('refuses wrong values of an input that is called like a property of every object', async ({ portal }) => {
    for (const name of ['__proto__', 'constructor']) {
      const activity = await portal.create('doubles', (settings) => (settingsOf(settings, 'n').DisplayName = name));
      const { Id } = inputOf(activity, name);
      const start = (Value: string) =>
        portal.post('start', {
          ActivityId: activity.Id,
          ActivityVersion: activity.Version,
          Inputs: [{ ActivityParameterId: Id, Value }],
        });
      const { status, body } = await start('1.5');
      expect([status, Object.entries(body.modelState)]).toEqual([400, [[name, [expect.any(String)]]]]);
      const preset = await portal.post('updatepresetvals', [{ ...inputOf(activity, name), PresetValue: '1.5' }]);
      expect(preset.body.message).toBe(`Invalid preset values for ${name}`);
    }
  });

  it('picks from a database, and refuses what is not there', async ({ portal, procedures: { calls } }) => {
    const activity = await portal.create('doubles', (settings) => {
      const Query = 'select name from colours';
      settingsOf(settings, 'note').Pickers = [
        { Type: 'Database', PreventOtherValues: true, ConnectionName: 'Shop', Query },
      ];
    });
    const { Id } = inputOf(activity, 'note');
    const { Items } = (await portal.post(`picker/${activity.Id}/${Id}/0`, { Value: '' })).body.result;
    expect(Items.map(({ Value }: { Value: string }) => Value).sort()).toEqual(['blue', 'green', 'red']);
    expect((await portal.start(activity, { n: 2, note: 'mauve' })).body.modelState).toEqual({
      note: ['Please choose a valid value.'],
    });
    expect((await portal.run(activity, { n: 2, note: 'green' })).Status).toBe('Succeeded');
    expect(await calls(2)).toMatchObject([{ note: 'green' }]);
  });

  it('takes a blank as NULL, and two apostrophes as the empty text', async ({ portal, procedures: { calls } }) => {
    const activity = await portal.create('doubles');
    for (const [n, note, stored] of [
      [31, '', null],
      [32, "''", ''],
      [33, "''''", "''"],
      [34, "it's", "it's"],
    ] as const) {
      expect((await portal.run(activity, { n, note })).Status).toBe('Succeeded');
      expect(await calls(n)).toMatchObject([{ note: stored }]);
    }
  });

  it('takes conditions, which must name columns that there are', async ({ portal, procedures: { calls } }) => {
    const activity = await portal.create('doubles', (settings) => {
      const Columns = [{ Name: 'Price', Kind: 'Number' as const }];
      settingsOf(settings, 'note').Pickers = [{ Type: 'Condition', PreventOtherValues: false, Columns }];
    });
    expect((await portal.start(activity, { n: 3, note: 'Size > 1' })).status).toBe(400);
    expect((await portal.run(activity, { n: 3, note: 'Price > 1' })).Status).toBe('Succeeded');
    expect(await calls(3)).toMatchObject([{ note: 'Price > 1' }]);
  });

  it('takes rows of a table, has a sample of them, and can be linked to one that gives such rows', async ({
    portal,
  }) => {
    const source = await portal.createWithResults('lines_of', { n: 1 });
    const target = await portal.create('total_of');
    const output = portal.isPg ? 'ReturnValue' : 'total';
    const lines = inputOf(target, 'lines');
    expect(lines.Info).toMatchObject({
      RangeType: 'RangeWithColumnHeaders',
      ColumnHeaderValues: ['item', 'amount'],
      RowsVariable: true,
    });
    expect((await portal.get(`downloadsample/input/${lines.Id}`)).status).toBe(200);
    const total = await portal.run(target, {
      lines: [
        ['a', 1.25],
        ['b', 2.5],
      ],
    });
    expect(total.outputs).toMatchObject({ [output]: 3.75 });
    const mapping = { source: outputId(source, 'Result1'), target: lines.Id, ReadOnly: [true, true] };
    const link = {
      Id: 0,
      ActivityId: source.Id,
      LinkedActivityId: target.Id,
      Name: 'Total',
      LinkInfo: JSON.stringify([mapping]),
    };
    const ActivityLinkId = (await portal.post('writelink', link)).body.result.Id;
    const { Id: ActivityRunId } = await portal.run(source, { n: 3 });
    const OutputTransforms = [{ ActivityParameterId: mapping.source, FilteredRowIndices: [0, 2] }];
    const started = await portal.post('startlink', { ActivityLinkId, ActivityRunId, OutputTransforms, Inputs: [] });
    expect(started.body.message ?? '').toBe('');
    expect((await portal.ended(started.body.result.Id)).outputs).toMatchObject({ [output]: 6 });
  });

  it('takes a file and gives one', async ({ portal }) => {
    const activity = await portal.create('echo_bytes', (settings) => {
      settingsOf(settings, 'b').Required = true;
    });
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
    const form = multipart({ ActivityInputId: String(inputOf(activity, 'b').Id) }, [{ name: 'a.bin', content: bytes }]);
    const headers = { ...portal.editor.headers, ...form.headers };
    const uploaded = await portal.app.http.inject({
      method: 'POST',
      url: '/api/files/upload',
      headers,
      payload: form.payload,
    });
    const [{ Id: FileId, Name: FileName }] = uploaded.json().Items;
    const Inputs = activity.Inputs.map(({ Id, Name }) =>
      Name === 'b'
        ? { ActivityParameterId: Id, FileId, FileName }
        : { ActivityParameterId: Id, Value: null, UseDefault: true },
    );
    const started = await portal.post('start', { ActivityId: activity.Id, ActivityVersion: 1, Inputs });
    const run = await portal.ended(started.body.result.Id);
    expect(run).toMatchObject({
      Status: 'Succeeded',
      body: { StoredFiles: [{ FileName: 'same.bin', ContentLength: 70_000 }] },
    });
    const token = (await portal.get(`output/download/${run.Id}/${outputId(activity, 'same')}`)).body.result;
    const file = await portal.app.http.inject({ url: `/api/files/download/${token}`, headers: portal.editor.headers });
    expect(Buffer.compare(file.rawPayload, bytes)).toBe(0);
    const all = (await portal.get(`downloadFiles/${run.Id}`)).body.result;
    expect(
      (await portal.app.http.inject({ url: `/api/files/download/${all}`, headers: portal.editor.headers })).statusCode,
    ).toBe(200);
  });

  it('can be retried where it failed, and run again', async ({ portal, procedures: { doubles, calls } }) => {
    const failed = await portal.run(doubles, { n: -4 });
    expect(failed.Status).toBe('Failed');
    expect(await calls(-4)).toEqual([]);
    const retried = await portal.post(`retry/${failed.Id}`);
    const again = await portal.ended(retried.body.result.Id);
    expect(again.body).toMatchObject({ Status: 'Failed', RetryOf: failed.Id });
    expect(again.body.Inputs.find(({ Name }: { Name: string }) => Name === 'n').Value).toBe('-4');
  });

  it('has a history with its inputs and outputs as columns, can be searched and exported', async ({
    portal,
    procedures: { doubles },
  }) => {
    const { Id } = await portal.run(doubles, { n: 77 });
    const query = {
      ActivityId: doubles.Id,
      ApproxRows: 20,
      PrevRunId: null,
      FetchWorkflowRuns: false,
      Statuses: null,
      UserIds: null,
    };
    const answer = await portal.post('runhistory', query);
    expect(answer.body.message ?? '').toBe('');
    const row = answer.body.result.Runs.find((run: { Id: number }) => run.Id === Id);
    expect(row.Inputs).toContainEqual(
      expect.objectContaining({ ActivityParameterId: inputOf(doubles, 'n').Id, Value: '77' }),
    );
    expect(row.Outputs).toContainEqual(
      expect.objectContaining({ ActivityParameterId: outputId(doubles, 'twice'), Value: '154' }),
    );
  });

  it('runs by its schedule, with presets in place of what somebody fills in', async ({
    portal,
    procedures: { calls },
  }) => {
    const plain = await portal.create('plain');
    const Schedule = JSON.stringify({ ScheduleType: 'Daily', TimeOfDay: 0.5, RetryInterval: 0, RetryCount: 0 });
    const saved = await portal.post('schedule', { ActivityId: plain.Id, UserId: portal.editor.UserId, Schedule });
    expect(saved.body.result.CanSchedule ?? true).toBe(true);
    const parts = portal.app;
    const { database, signals } = parts;
    const later = new Date(Date.now() + 25 * 3_600_000);
    const log = pino({ level: 'silent' });
    const scheduler = createScheduler({
      database,
      starter: parts.scheduleStarter,
      workflowStarter: parts.workflowScheduleStarter,
      timeZone: 'UTC',
      log,
      signals,
      clock: async () => later,
    });
    await scheduler.tick();
    const [run] = (await database.knex('ActivityRuns').where({ ActivityId: plain.Id }).select('Id')) as {
      Id: number;
    }[];
    expect((await portal.ended(run!.Id)).Status).toBe('Succeeded');
    expect(await calls(1000)).toHaveLength(1);
  });

  it('is run by visitors, whose connection the internet must be granted by name', async ({
    portal,
    procedures: { doubles },
  }) => {
    const { app } = portal;
    const allow = (RightName: string, column: string, value: string) =>
      app.database.knex('Grants').insert({
        RightName,
        KeyColumnName: column,
        KeyColumnValue: value,
        GranteeKind: 'internet',
        Grantee: '',
        Access: 1,
      });
    await allow('sk.RunActivity', 'Id', String(doubles.Id));
    const body = { ActivityId: doubles.Id, ActivityVersion: 1, Inputs: sent(doubles, { n: 11 }) };
    const start = async () => {
      const answer = await app.http.inject({ method: 'POST', url: '/api/public/activities/start', payload: body });
      return portal.ended(answer.json().result.Id);
    };
    expect(await start()).toMatchObject({ Status: 'LogicError', log: ["You may not use the connection 'Shop'"] });
    await allow('sk.UseConnection', 'Name', 'Shop');
    expect(await start()).toMatchObject({ Status: 'Succeeded', outputs: { twice: 22 } });
    const shown = await app.http.inject({ url: `/api/public/activities/details/${doubles.Id}` });
    expect(shown.json().result).toMatchObject({ ProcedureName: null, Procedure: null });
  });

  it('leaves nothing behind when its run is purged', async ({ portal, procedures: { doubles } }) => {
    const { Id } = await portal.run(doubles, { n: 5 });
    expect((await portal.post(`purgeSingleRunData/${Id}/All`)).body.result).toBe(1);
    expect((await portal.get(`status/${Id}`)).status).toBe(404);
    expect((await portal.post(`purgeversionfiles/${doubles.Id}/1`)).status).toBe(409);
  });

  it('reports its end in the notifications, and keeps a second run waiting if it allows only one', async ({
    portal,
  }) => {
    const single = await portal.create('doubles', undefined, { SingleRun: true });
    const [one, two] = await Promise.all([portal.start(single, { n: 8 }), portal.start(single, { n: 9 })]);
    const ended = await Promise.all([one, two].map(({ body }) => portal.ended(body.result.Id)));
    expect(ended.map(({ Status }) => Status)).toEqual(['Succeeded', 'Succeeded']);
    const warned = await portal.run(single, { n: -1 });
    const { Items } = (await portal.get('notifications')).body.result;
    expect(Items).toContainEqual(
      expect.objectContaining({ ActivityRunId: warned.Id, ActivityName: single.Name, Category: 3 }),
    );
  });

  it('is shown to runners without its procedure, and answers forms that are being filled in', async ({
    portal,
    procedures: { doubles },
  }) => {
    const seen = await portal.details(doubles.Id, portal.runner.headers);
    expect(seen).toMatchObject({ Procedure: null, CanEdit: false, CanRun: true });
    const form = { ActivityId: doubles.Id, ActivityVersion: 1, UniqueId: null, Inputs: sent(doubles, { n: 1 }) };
    expect((await portal.post('updateui', form, portal.runner.headers)).body.result).toMatchObject({
      Inputs: [],
      Outputs: [],
    });
    expect((await portal.run(doubles, { n: 6 }, portal.runner.headers)).Status).toBe('Succeeded');
    expect((await portal.get(`fidelity/${doubles.Id}/1`)).status).toBe(404);
    expect((await portal.get(`download/${doubles.Id}/1`)).body.message).toBe(
      'This activity version file does not exist',
    );
  });
});
