import { beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS_FOLDER, migrationSource } from '#server/db/migrate.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { mssqlConnection } from '#server/db/mssql-client.ts';
import { enqueueRun } from '#server/queue/enqueue-run.ts';
import { priorityBandOf } from '#server/queue/priority-bands.ts';
import { createRunQueue } from '#server/queue/run-queue.ts';
import { recordedMssql, statementOf } from './recorded-mssql.ts';
import type { RecordedMssql } from './recorded-mssql.ts';

/** Without a server: the statements meet the requirements of SQL Server's documentation. */
describe('the statements for SQL Server', () => {
  let database: RecordedMssql;
  beforeEach(() => {
    database = recordedMssql();
  });
  const queued = (query: { where(column: string, value: string): unknown }): void =>
    void query.where('Status', 'Queued');

  it('have whole numbers beyond bigint as float, lower case by the collation of the columns, and statuses as literals', async () => {
    const { knex, dialect } = database;
    await knex('RunInputs').where('SearchNumber', 1e16).where('SearchText', dialect.lower(knex, 'I'));
    await whereStatus(knex('ActivityRuns'), ['Queued', 'PickedUp']).first('Id');
    expect(() => whereStatus(knex('ActivityRuns'), ["x' or 1 = 1"])).toThrow(TypeError);
    expect(database.statements).toEqual([
      {
        sql: 'select * from [RunInputs] where [SearchNumber] = @p0 and [SearchText] = lower(@p1 collate Latin1_General_100_BIN2)',
        bindings: ['Float 10000000000000000', 'NVarChar "I"'],
      },
      {
        sql: "select top (@p0) [Id] from [ActivityRuns] where [Status] in ('Queued', 'PickedUp')",
        bindings: ['Int 1'],
      },
    ]);
  });

  it('claim rows with locks that pass over those of others', async () => {
    const { knex, dialect } = database;
    await dialect.claimRows(knex, {
      table: 'ActivityRuns',
      key: 'Id',
      where: queued,
      orderBy: [{ column: 'QueueTime' }, { column: 'Id', direction: 'desc' }],
      limit: 5,
      set: { Status: 'PickedUp', LeaseUntil: dialect.nowPlus(knex, 30.25) },
      returning: ['Id', 'Status'],
    });
    expect(database.statements).toMatchInlineSnapshot(`
      [
        {
          "bindings": [
            "Int 5",
            "NVarChar "Queued"",
            "NVarChar "PickedUp"",
            "Int 250",
            "Int 30",
          ],
          "sql": "with [Picked] as (select top (@p0) * from [ActivityRuns] with (updlock, readpast, rowlock, readcommittedlock) where [Status] = @p1 order by [QueueTime] asc, [Id] desc) update [Picked] set [Status] = @p2, [LeaseUntil] = dateadd(millisecond, @p3, dateadd(second, @p4, cast(sysdatetimeoffset() as datetimeoffset(3)))) output inserted.[Id], inserted.[Status], inserted.[QueueTime]",
        },
      ]
    `);
  });

  it('give a run its turn under locks that let one start of an owner read it at a time', async () => {
    const run = { ActivityId: 1, ActivityVersion: 1, UserId: 7, UniqueId: null, RetryOf: null, MemoryCost: 0 };
    const band = priorityBandOf({ Pool: 'default', Priority: 'Low', RunsAtOnce: 0 });
    await enqueueRun(database, { ...run, SingleRun: false }, [], { band });
    expect(database.statements.map(({ sql }) => sql)).toMatchInlineSnapshot(`
      [
        "insert into [ActivityRuns] ([ActivityId], [ActivityVersion], [MemoryCost], [Pool], [RetryOf], [RunsAtOnce], [SingleRun], [Status], [Turn], [TurnOwner], [UniqueId], [UserId]) output inserted.[Id] values (@p0, @p1, @p2, @p3, @p4, @p5, @p6, @p7, (select max([Turns].[Turn]) from (select (select max([Own].[Turn]) from [ActivityRuns] as [Own] with (updlock, holdlock, rowlock) where [Own].[TurnOwner] = @p8 and [Own].[Pool] = @p9 and [Own].[Turn] >= @p10 and [Own].[Turn] < @p11 and [Own].[Status] in ('Queued', 'PickedUp', 'Started')) + 1 as [Turn] union all select (select min([Heads].[Turn]) from ((select min([Turn]) as [Turn] from [ActivityRuns] where [Status] in ('Queued') and [Pool] = @p12 and [Turn] >= @p13 and [Turn] < @p14) union all (select max([Turn]) as [Turn] from [ActivityRuns] where [Status] in ('PickedUp', 'Started') and [Pool] = @p15 and [Turn] >= @p16 and [Turn] < @p17)) as [Heads]) + @p18 union all select (select [Next].[Turn] from (select top (@p19) [Turn], [QueueTime], [MemoryCost] from [ActivityRuns] where [Status] in ('Queued') and [Pool] = @p20 and [Turn] >= @p21 and [Turn] < @p22 and [Turn] > (select min([Heads].[Turn]) from ((select min([Turn]) as [Turn] from [ActivityRuns] where [Status] in ('Queued') and [Pool] = @p23 and [Turn] >= @p24 and [Turn] < @p25) union all (select max([Turn]) as [Turn] from [ActivityRuns] where [Status] in ('PickedUp', 'Started') and [Pool] = @p26 and [Turn] >= @p27 and [Turn] < @p28)) as [Heads]) order by [Turn] asc, [Id] asc) as [Next] where ([Next].[QueueTime] < dateadd(millisecond, @p29, dateadd(second, @p30, cast(sysdatetimeoffset() as datetimeoffset(3)))) or ([Next].[MemoryCost] > @p31 and [Next].[QueueTime] < dateadd(millisecond, @p32, dateadd(second, @p33, cast(sysdatetimeoffset() as datetimeoffset(3))))))) union all select @p34) as [Turns]), @p35, @p36, @p37)",
      ]
    `);
    expect(database.statements[0]?.bindings).toContain('NVarChar "user 7"');
  });

  it('claim by turns through indexes that hold for literals alone', async () => {
    await createRunQueue(database, 30).claim('w', { slots: 2, memory: 40, idle: false });
    expect(database.statements.map(({ sql }) => sql)).toMatchInlineSnapshot(`
      [
        "select top (@p0) [Id] from [ActivityRuns] where [Status] in ('Queued') and [Pool] in (@p1) and [RunsAtOnce] > 0",
        "with [Picked] as (select top (@p0) * from [ActivityRuns] with (updlock, readpast, rowlock, readcommittedlock) where [Status] in ('Queued') and [Pool] in (@p1) and [MemoryCost] = @p2 and [RunsAtOnce] = 0 and [ActivityRuns].[Turn] <= coalesce((select top (@p3) [Turn] from [ActivityRuns] where [Status] in ('Queued') and [RunsAtOnce] > 0 and [MemoryCost] <= @p4 and [Pool] in (@p5) and ([RunsAtOnce] = 0 or [ActivityId] not in (select [W].[ActivityId] from [ActivityRuns] as [W] where [W].[Status] in ('PickedUp', 'Started') and [W].[RunsAtOnce] > @p6 group by [W].[ActivityId] having count(*) >= min([W].[RunsAtOnce]))) order by [Turn] asc, [Id] asc), @p7) and not exists (select 1 from (select top (@p8) [Turn], [Id] from [ActivityRuns] where [Status] in ('Queued') and [RunsAtOnce] > 0 and [MemoryCost] <= @p9 and [Pool] in (@p10) and ([RunsAtOnce] = 0 or [ActivityId] not in (select [W].[ActivityId] from [ActivityRuns] as [W] where [W].[Status] in ('PickedUp', 'Started') and [W].[RunsAtOnce] > @p11 group by [W].[ActivityId] having count(*) >= min([W].[RunsAtOnce]))) order by [Turn] asc, [Id] asc) as [First] where [First].[Turn] < [ActivityRuns].[Turn] or ([First].[Turn] = [ActivityRuns].[Turn] and [First].[Id] < [ActivityRuns].[Id])) and [ActivityRuns].[Turn] <= coalesce((select top (@p12) [Turn] from [ActivityRuns] where [Status] in ('Queued') and [MemoryCost] > 0 and [Pool] in (@p13) and ([RunsAtOnce] = 0 or [ActivityId] not in (select [W].[ActivityId] from [ActivityRuns] as [W] where [W].[Status] in ('PickedUp', 'Started') and [W].[RunsAtOnce] > @p14 group by [W].[ActivityId] having count(*) >= min([W].[RunsAtOnce]))) order by [Turn] asc, [Id] asc), @p15) and not exists (select 1 from (select top (@p16) [Turn], [Id] from [ActivityRuns] where [Status] in ('Queued') and [MemoryCost] > 0 and [Pool] in (@p17) and ([RunsAtOnce] = 0 or [ActivityId] not in (select [W].[ActivityId] from [ActivityRuns] as [W] where [W].[Status] in ('PickedUp', 'Started') and [W].[RunsAtOnce] > @p18 group by [W].[ActivityId] having count(*) >= min([W].[RunsAtOnce]))) order by [Turn] asc, [Id] asc) as [First] where [First].[Turn] < [ActivityRuns].[Turn] or ([First].[Turn] = [ActivityRuns].[Turn] and [First].[Id] < [ActivityRuns].[Id])) order by [Turn] asc, [Id] asc) update [Picked] set [Status] = @p19, [WorkerId] = @p20, [PickupTime] = cast(sysdatetimeoffset() as datetimeoffset(3)), [LeaseUntil] = dateadd(millisecond, @p21, dateadd(second, @p22, cast(sysdatetimeoffset() as datetimeoffset(3)))), [Fence] = [Fence] + 1 output inserted.[Id], inserted.[ActivityId], inserted.[ActivityVersion], inserted.[MemoryCost], inserted.[SingleRun], inserted.[Fence], inserted.[ChecklistRunId], inserted.[ParentRunId], inserted.[TraceParent], inserted.[QueueTime], inserted.[PickupTime], inserted.[Turn]",
      ]
    `);
  });

  it('lock rows, waiting or passing over', async () => {
    const { knex, dialect } = database;
    await knex.transaction(async (trx) => {
      const options = { table: 'ActivityRuns', columns: ['Id'], where: queued, orderBy: [{ column: 'Id' }] };
      await dialect.lockRows(trx, { ...options, locked: 'wait' });
      await dialect.lockRows(trx, { ...options, locked: 'skip', limit: 1 });
    });
    expect(database.statements).toMatchInlineSnapshot(`
      [
        {
          "bindings": [
            "NVarChar "Queued"",
          ],
          "sql": "select [Id] from [ActivityRuns] with (updlock, rowlock) where [Status] = @p0 order by [Id] asc",
        },
        {
          "bindings": [
            "Int 1",
            "NVarChar "Queued"",
          ],
          "sql": "select top (@p0) [Id] from [ActivityRuns] with (updlock, readpast, rowlock, readcommittedlock) where [Status] = @p1 order by [Id] asc",
        },
      ]
    `);
  });

  it('merge rows under HOLDLOCK', async () => {
    const { knex, dialect } = database;
    const rows = [
      { A: 1, B: 'x' },
      { A: 2, B: null },
    ];
    await dialect.upsert(knex, { table: 'Pairs', rows, key: ['A'], update: ['B'] });
    await dialect.upsert(knex, { table: 'Pairs', rows: rows.slice(0, 1), key: ['A', 'B'], update: [] });
    expect(database.statements).toMatchInlineSnapshot(`
      [
        {
          "bindings": [
            "Int 1",
            "NVarChar "x"",
            "Int 2",
            "NVarChar null",
          ],
          "sql": "merge into [Pairs] with (holdlock) as [Target] using (values (@p0, @p1 collate Latin1_General_100_BIN2), (@p2, @p3)) as [Source] ([A], [B]) on [Target].[A] = [Source].[A] when matched then update set [B] = [Source].[B] when not matched then insert ([A], [B]) values ([Source].[A], [Source].[B]);",
        },
        {
          "bindings": [
            "Int 1",
            "NVarChar "x"",
          ],
          "sql": "merge into [Pairs] with (holdlock) as [Target] using (values (@p0, @p1 collate Latin1_General_100_BIN2)) as [Source] ([A], [B]) on [Target].[A] = [Source].[A] and [Target].[B] = [Source].[B] when not matched then insert ([A], [B]) values ([Source].[A], [Source].[B]);",
        },
      ]
    `);
  });

  it('delete in chunks and count', async () => {
    const { knex, dialect } = database;
    expect(await dialect.deleteChunk(knex, { table: 'ActivityRuns', key: 'Id', where: queued, limit: 500 })).toBe(0);
    expect(database.statements).toMatchInlineSnapshot(`
      [
        {
          "bindings": [
            "Int 500",
            "NVarChar "Queued"",
          ],
          "sql": "with [Doomed] as (select top (@p0) * from [ActivityRuns] with (updlock, readpast, rowlock, readcommittedlock) where [Status] = @p1) delete from [Doomed];select @@rowcount",
        },
      ]
    `);
  });

  it('take application locks of the transaction', async () => {
    const { knex, dialect } = database;
    await knex.transaction(async (trx) => {
      await dialect.lock(trx, 'name');
      await dialect.tryLock(trx, 'name');
    });
    expect(database.statements).toMatchInlineSnapshot(`
      [
        {
          "bindings": [
            "NVarChar "name"",
            "Int -1",
          ],
          "sql": "declare @result int, @resource nvarchar(255) = concat(db_id(), '.', @p0); exec @result = sp_getapplock @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = @p1; select @result as [Result]",
        },
        {
          "bindings": [
            "NVarChar "name"",
            "Int 0",
          ],
          "sql": "declare @result int, @resource nvarchar(255) = concat(db_id(), '.', @p0); exec @result = sp_getapplock @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = @p1; select @result as [Result]",
        },
      ]
    `);
  });

  it('use its own expressions for time, text and JSON', () => {
    const { knex, dialect } = database;
    const expressions = [
      dialect.now(knex),
      knex.fn.now(),
      dialect.nowPlus(knex, -90.5),
      dialect.plusSeconds(knex, 'LeaseUntil', 10),
      dialect.secondsSince(knex, 'QueueTime'),
      dialect.nullBytes(knex),
      dialect.jsonText(knex, 'DisplayInfo', ['Layout', 'a "b"']),
      dialect.contains(knex, 'Name', '50%[x]!'),
      dialect.startsWith(knex, 'Name', 'a_b'),
      dialect.orderIgnoringCase(knex, 'Name', 'desc'),
    ];
    expect(expressions.map(statementOf)).toMatchInlineSnapshot(`
      [
        {
          "bindings": [],
          "sql": "cast(sysdatetimeoffset() as datetimeoffset(3))",
        },
        {
          "bindings": [],
          "sql": "cast(sysdatetimeoffset() as datetimeoffset(3))",
        },
        {
          "bindings": [
            -500,
            -90,
          ],
          "sql": "dateadd(millisecond, @p0, dateadd(second, @p1, cast(sysdatetimeoffset() as datetimeoffset(3))))",
        },
        {
          "bindings": [
            0,
            10,
          ],
          "sql": "dateadd(millisecond, @p0, dateadd(second, @p1, [LeaseUntil]))",
        },
        {
          "bindings": [],
          "sql": "datediff_big(millisecond, [QueueTime], cast(sysdatetimeoffset() as datetimeoffset(3))) / 1000e0",
        },
        {
          "bindings": [],
          "sql": "cast(null as varbinary(max))",
        },
        {
          "bindings": [
            "$."Layout"."a \\"b\\""",
          ],
          "sql": "json_value([DisplayInfo], @p0)",
        },
        {
          "bindings": [
            "%50!%![x!]!!%",
          ],
          "sql": "[Name] collate Latin1_General_100_CI_AS_SC like @p0 escape '!'",
        },
        {
          "bindings": [
            "a!_b%",
          ],
          "sql": "[Name] collate Latin1_General_100_CI_AS_SC like @p0 escape '!'",
        },
        {
          "bindings": [],
          "sql": "[Name] collate Latin1_General_100_CI_AS_SC desc",
        },
      ]
    `);
  });

  it('answer inserted ids and page by TOP', () => {
    const { knex } = database;
    const statements = [
      knex('Activities')
        .insert([{ Name: 'a' }, { Name: 'b' }])
        .returning('Id'),
      knex('Activities').where('Id', '<', 7).orderBy('Id', 'desc').limit(50),
    ];
    expect(statements.map(statementOf)).toMatchInlineSnapshot(`
      [
        {
          "bindings": [
            "a",
            "b",
          ],
          "sql": "insert into [Activities] ([Name]) output inserted.[Id] values (@p0), (@p1)",
        },
        {
          "bindings": [
            50,
            7,
          ],
          "sql": "select top (@p0) * from [Activities] where [Id] < @p1 order by [Id] desc",
        },
      ]
    `);
  });

  it.each([
    [2601, "Cannot insert duplicate key row in object 'dbo.Users' with unique index 'UX_Users'.", 'unique', 'UX_Users'],
    [
      2627,
      "Violation of UNIQUE KEY constraint 'UX_Users'. Cannot insert duplicate key in object 'dbo.Users'.",
      'unique',
      'UX_Users',
    ],
    [
      547,
      'The INSERT statement conflicted with the FOREIGN KEY constraint "FK_Parts". The conflict…',
      'foreignKey',
      'FK_Parts',
    ],
    [1205, 'Transaction (Process ID 55) was deadlocked on lock resources…', 'retryable', undefined],
    [1222, 'Lock request time out period exceeded.', 'retryable', undefined],
    [40613, 'Database is not currently available.', 'connection', undefined],
    [208, "Invalid object name 'Nowhere'.", 'other', undefined],
    [262, "CREATE TABLE permission denied in database 'Runsheet'.", 'denied', undefined],
    [
      4902,
      'Cannot find the object "Users" because it does not exist or you do not have permissions.',
      'denied',
      undefined,
    ],
  ])('have error %i understood', (number, message, fault, constraint) => {
    expect(database.dialect.classify(Object.assign(new Error(message), { number, code: 'EREQUEST' }))).toEqual({
      fault,
      constraint,
    });
  });

  it.each([
    ['ESOCKET', 'Connection lost - read ECONNRESET', 'connection'],
    ['ETIMEOUT', 'Failed to connect to db:1433 in 15000ms', 'connection'],
    ['ETIMEOUT', 'Timeout: Request failed to complete in 15000ms', 'cancelled'],
    ['ECANCEL', 'Canceled.', 'cancelled'],
    ['ELOGIN', "Login failed for user 'runsheet'. The database is being recovered.", 'connection'],
  ])('have the driver error %s understood', (code, message, fault) => {
    expect(database.dialect.classify(Object.assign(new Error(message), { code }))).toEqual({ fault });
  });

  it('go to the server that the URL names, encrypted unless it says otherwise', () => {
    const { mapBinding, ...options } = mssqlConnection('mssql://sa:p%40ss@db.example:1444/Run%20sheet')
      .options as never as Record<string, unknown>;
    expect(mapBinding).toBeTypeOf('function');
    expect(mssqlConnection('mssql://sa:p%40ss@db.example:1444/Run%20sheet')).toMatchObject({
      server: 'db.example',
      port: 1444,
      userName: 'sa',
      password: 'p@ss',
      database: 'Run sheet',
    });
    expect(options).toMatchObject({ encrypt: true, trustServerCertificate: false });
    expect(mssqlConnection('mssql://sa:x@db/a?encrypt=false&instanceName=X')).toMatchObject({
      port: undefined,
      options: { encrypt: false, instanceName: 'X' },
    });
  });

  it('drop columns one by one', async () => {
    await database.knex.schema.alterTable('Things', (table) => table.dropColumns('A', 'B'));
    const dropped = database.statements.map(({ sql }) => sql).filter((sql) => sql.startsWith('ALTER TABLE'));
    expect(dropped).toEqual(['ALTER TABLE [Things] DROP COLUMN [A]', 'ALTER TABLE [Things] DROP COLUMN [B]']);
  });

  it('make all tables, with values of indexes and defaults written out', async () => {
    const source = migrationSource(MIGRATIONS_FOLDER);
    for (const name of await source.getMigrations([])) await (await source.getMigration(name)).up(database.knex);
    expect(database.statements.length).toBeGreaterThan(10);
    const bound = database.statements.filter(
      ({ sql, bindings }) => /^(create|alter)/i.test(sql) && bindings.length > 0,
    );
    expect(bound).toEqual([]);
  });

  it('make tables that no deletion reaches on two ways, which SQL Server refuses', async () => {
    const source = migrationSource(MIGRATIONS_FOLDER);
    for (const name of await source.getMigrations([])) await (await source.getMigration(name)).up(database.knex);
    const ways = cascades(database.statements.map(({ sql }) => sql));
    expect(ways.size).toBeGreaterThan(0);
    for (const start of ways.keys()) {
      const reached = reach(ways, start);
      expect(reached, `deletions from ${start}`).toEqual([...new Set(reached)]);
    }
  });
});

/** Returns the tables to which the deletion of a table's row cascades. */
function cascades(statements: string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const sql of statements) {
    const table = /^(?:CREATE|ALTER) TABLE \[(\w+)\]/i.exec(sql)?.[1];
    if (!table) continue;
    for (const [, parent = ''] of sql.matchAll(/references \[(\w+)\] \([^)]*\) on delete cascade/gi)) {
      found.set(parent, [...(found.get(parent) ?? []), table]);
    }
  }
  return found;
}

function reach(ways: Map<string, string[]>, start: string): string[] {
  return (ways.get(start) ?? []).flatMap((table) => [table, ...reach(ways, table)]);
}
