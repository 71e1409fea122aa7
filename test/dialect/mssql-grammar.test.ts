import { Connection } from 'tedious';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createServerWorkProbes } from '#server/compose/work-probes.ts';
import { listActivityRows, listAllOwnNewest } from '#server/features/activities/activities-repository.ts';
import { saveRetention } from '#server/features/retention/retention-repository.ts';
import { insertMembers } from '#server/features/roles/roles-repository.ts';
import { saveSchedule } from '#server/features/schedules/schedules-repository.ts';
import { ensureSchemas } from '#server/features/schemas/schemas-service.ts';
import { deleteOldFailures } from '#server/access/sign-in/failed-attempt-rows.ts';
import { deleteOldSessions, deleteOldTokens } from '#server/features/sessions/sessions-repository.ts';
import { upsertParameters } from '#server/versions/version-rows.ts';
import { takeVersionFiles } from '#server/features/versions/versions-repository.ts';
import { deleteUnreferenced } from '#server/files/unreferenced-files.ts';
import { copyRunInputs, enqueueRun, insertRun } from '#server/queue/enqueue-run.ts';
import { endedByClaim, promoteNext } from '#server/queue/run-end.ts';
import { createRunQueue } from '#server/queue/run-queue.ts';
import type { ClaimedRun } from '#server/queue/claimed-run.ts';
import { createRunSignals } from '#server/queue/run-signals.ts';
import { createReaper } from '#server/queue/worker/reaper.ts';
import type { Parameter } from '#test/support/mssql-rules/statement-tree.ts';
import { MIGRATIONS_FOLDER, migrationSource } from '#server/db/migrate.ts';
import { mssqlConnection } from '#server/db/mssql-client.ts';
import { readTables, tableViolations } from '#test/support/mssql-rules/table-rules.ts';
import { violationsOf, PLAN_RULES, RULES } from '#test/support/mssql-rules/statement-rules.ts';
import { recordedMssql, type RecordedMssql } from './recorded-mssql.ts';

describe('the rules', () => {
  const READPAST = 'from [T] with (updlock, readpast, rowlock, readcommittedlock)';
  it.each([
    ['table hints', 'select [Id] from [T] with (updlock, readpast, rowlock)'],
    ['table hints', 'select [Id] from [T] with (rowlock, tablock)'],
    ['table hints', 'select [Id] from [T] with (holdlock, readcommitted)'],
    ['table hints', 'select [Id] from [T] with (updlock rowlock)'],
    ['table hints', 'insert into [T] with (readcommittedlock) ([A]) values (1)'],
    ['table hints', 'select [Id] from [T] with (readpast, rowlock, readcommittedlock, holdlock)'],
    ['limits', `insert into [T] ([A]) values ${Array(1001).fill('(1)').join(', ')}`],
    ['limits', `select [${'a'.repeat(129)}] from [T]`],
    ['limits', "exec @result = sp_getapplock @Resource = @p0, @LockMode = 'Exclusive', @LockOwner = 'Session'"],
    [
      'MERGE',
      'merge into [T] with (holdlock) as [Target] using (values (1)) as [S] ([A]) on [A] = [B] when matched then delete',
    ],
    ['MERGE', 'merge into [T] as [Target] using (values (1)) as [S] ([A]) on [A] = [B] when matched then delete;'],
    ['OUTPUT', 'insert into [T] ([A]) output deleted.[A] values (1)'],
    ['OUTPUT', 'delete from [T] output inserted.[A] where [A] = 1'],
    ['OUTPUT', 'update [T] set [A] = 1 output [A]'],
    ['OUTPUT', 'update [T] set [A] = 1 output (select max([B]) from [U])'],
    ['TOP', 'select top @p0 [A] from [T]'],
    ['TOP', 'select top 1 [A] from [T]'],
    ['TOP', 'select top (1) [A] from [T] order by [A] offset 5 rows'],
    ['OFFSET', 'select [A] from [T] offset 5 rows fetch next 1 rows only'],
    ['ORDER BY within', 'select [A] from (select [A] from [T] order by [A]) as [S]'],
    ['ORDER BY a value', 'select [A] from [T] order by @p0 desc'],
    ['DISTINCT', 'select distinct top (1) [A], lower([B]) as [b] from [T] order by [b], [C]'],
    ['ORDER BY a name', 'select distinct [A], [A] from [T] order by [A] desc'],
    ['ORDER BY a name', 'select top (1) [T].[A], [B] as [a] from [T] order by [A]'],
    ['aggregates', 'select sum((select max([A]) from [T])) from [U]'],
    ['aggregates', 'select sum(coalesce(max([A]), 0)) from [U]'],
    ['GROUP BY', 'select [A] + @p0 from [T] group by [A] + @p1'],
    ['GROUP BY', 'select [A] from [T] group by [A] union all select [A] + @p0 from [T] group by [A] + @p1'],
    ['values of conditions', 'select exists (select 1 from [T]) as [Is]'],
    ['lists of rows', 'select 1 from [T] where ([A], [B]) in ((1, 2))'],
    ['texts of lists', 'select 1 from (values (@p0)) as [S]([A])'],
    ['names of what is changed', 'update [T] as [x] set [A] = 1'],
    ['DATEADD, DATEDIFF', 'select dateadd(@p0, 1, [A]) from [T]'],
    ['WITH', 'select 1 with [x] as (select 1 as [A]) select [A] from [x]'],
    ['SQL Server 2019', 'select greatest([A], [B]) from [T]'],
    ['SQL Server 2019', 'select 1 from [T] where [A] is not distinct from [B]'],
    ['SQL Server 2019', "select [A] || 'x' from [T]"],
    ['SQL of other makers', 'select [A] from [T] limit 5'],
    ['SQL of other makers', 'select [A]::int from [T]'],
    ['SQL of other makers', 'select [A] from [T] order by [A] nulls last'],
    ['SQL of other makers', 'select 1 from [T] where [Flag] = true'],
    ['filtered indexes', 'select [Id] from [ActivityRuns] where [Status] = @p0'],
    ['filtered indexes', 'select [R].[Id] from [ActivityRuns] as [R] where [A] = 1 and [R].[Status] in (@p0, @p1)'],
  ])('of %s refuse %s', (rule, sql) => {
    const violations = violationsOf(sql, [{ type: 'NVarChar', value: 'x' }], [...RULES, ...PLAN_RULES]);
    expect(violations.map((violation) => violation.split(': ')[0])).toEqual([rule]);
  });

  it('refuse more parameters than a statement takes', () => {
    const parameters = Array.from({ length: 2_099 }, () => ({ type: 'Int', value: 1 }));
    expect(violationsOf('select 1', parameters).join()).toMatch(/^limits: 2099 parameters/);
    expect(violationsOf('select 1', parameters.slice(1))).toEqual([]);
  });

  it.each([
    `select [Id] ${READPAST} where [Status] in ('Queued')`,
    'select row_number() over (order by [A]) from [T]',
    'select [A] from [T] order by [A] offset 5 rows fetch next 1 rows only',
    'select distinct [A], lower([B]) as [b] from [T] order by [b] desc, [A]',
    'select 1 from openjson(@p0) with ([Item] bigint)',
    'update [ActivityRuns] set [Status] = @p0, [A] = @p1 where [Id] = @p2 and [Status] = @p3',
    'insert into [ActivityRuns] ([Status]) output inserted.[Id] values (@p0)',
    'select [A] from [T] group by [A] union all select [A] from [U] where [B] = @p0 group by [A]',
    'select [limit], [true] from [T] where [A] is null',
    `select 'a ; merge into b order by @p0 limit 1' as [x]`,
    'select 1;with [x] as (select 1 as [A]) select [A] from [x]',
    'GRANT SELECT, INSERT ON SCHEMA::dbo TO [runsheet]',
  ])('take %s', (sql) => {
    expect(violationsOf(sql)).toEqual([]);
  });

  it('name a page of the documentation each', () => {
    expect(
      [...RULES, ...PLAN_RULES].filter(({ source }) => !source.startsWith('https://learn.microsoft.com/sql/')),
    ).toEqual([]);
  });
});

/**
 * Every place that claims, locks, merges or deletes in chunks. In suites on a server, watch-sent.ts checks all
 * statements.
 */
describe('the statements of the program', () => {
  const run = { ActivityId: 1, ActivityVersion: 1, UserId: 7, UniqueId: null, RetryOf: null, MemoryCost: 0 };
  const claimed = { Id: 1, ActivityId: 1, ActivityVersion: 1, MemoryCost: 0, SingleRun: false, Fence: 1 } as ClaimedRun;
  const log = pino({ level: 'silent' });

  it.each<[string, (database: RecordedMssql) => PromiseLike<unknown>]>([
    ['claim', (database) => createRunQueue(database, 30).claim('w', { slots: 2, memory: 40, idle: false })],
    [
      'claim what fits',
      (database) => createRunQueue(database, 30).claim('w', { slots: 1, memory: 40, idle: false, freeTaken: true }),
    ],
    ['renew', (database) => createRunQueue(database, 30).renew('w', [1, 2])],
    ['hand back', (database) => createRunQueue(database, 30).requeueUnknown('w', [1])],
    ['mark as started', (database) => createRunQueue(database, 30).markStarted('w', claimed, 0.5)],
    ['look for cancelled runs', (database) => createRunQueue(database, 30).cancelled('w')],
    ['look for all parts of a server', (database) => createServerWorkProbes(database).deliveries()],
    ['look for waiting runs', (database) => createRunQueue(database, 30).isWaiting()],
    ['enqueue', (database) => enqueueRun(database, { ...run, SingleRun: false }, [])],
    [
      'enqueue one at a time',
      (database) => database.knex.transaction((trx) => insertRun(trx, { ...run, SingleRun: true })),
    ],
    ['copy inputs', (database) => database.knex.transaction((trx) => copyRunInputs(trx, 1, 2))],
    ['let the next in', ({ knex }) => promoteNext(knex, 1)],
    ['end a run', (database) => endedByClaim(database.knex, 'w', claimed)],
    ['reap', (database) => createReaper(database, createRunSignals(database, log), { intervalMs: 1000, log }).reap()],
    ['take the files of versions', ({ knex }) => knex.transaction((trx) => takeVersionFiles(trx, 1, 2))],
    [
      'merge parameters',
      ({ knex, dialect }) => upsertParameters(knex, dialect, 1, { inputs: [{ Name: 'A' }], outputs: [] } as never),
    ],
    [
      'merge a schedule',
      ({ knex, dialect }) =>
        saveSchedule(knex, dialect, {
          ActivityId: 1,
          UserId: 7,
          ScheduleType: 'Daily',
          TimeOfDay: 0.5,
          RetryCount: 0,
          RetryInterval: 1,
          TimeZone: 'UTC',
          NextTime: new Date(0),
        } as never),
    ],
    [
      'merge a retention',
      ({ knex, dialect }) =>
        saveRetention(knex, dialect, {
          ActivityId: 1,
          RunRetention: null,
          RunDataRetention: 1,
          RunInputsRetention: 1,
        } as never),
    ],
    ['merge schemas', (database) => ensureSchemas(database, ['General'])],
    ['merge members', ({ knex }) => insertMembers(knex, 'Everyone', [1, 2, 3])],
    ['delete sessions', ({ knex }) => deleteOldSessions(knex, 30, 500)],
    ['delete tokens', ({ knex }) => deleteOldTokens(knex, 500)],
    ['delete failed attempts', ({ knex }) => deleteOldFailures(knex, 60, 500)],
    ['delete files', ({ knex }) => knex.transaction((trx) => deleteUnreferenced(trx, ['a', 'b']))],
    ['list activities', ({ knex, dialect }) => listActivityRows(knex, dialect)],
    ['list own newest runs', ({ knex, dialect }) => listAllOwnNewest(knex, dialect, 7)],
  ])('%s as the documentation asks', async (_, work) => {
    const database = recordedMssql(() => [
      ['', 'Int', 0],
      ['Result', 'Int', 0],
      ['Version', 'Int', 1],
      ['FileId', 'NVarChar', 'f'],
      ['Id', 'Int', 1],
      ['ActivityId', 'Int', 1],
      ['Pool', 'NVarChar', 'default'],
      ['Priority', 'NVarChar', 'Normal'],
      ['RunsAtOnce', 'Int', 0],
    ]);
    await work(database);
    expect(database.statements.length).toBeGreaterThan(0);
    const violations = database.statements.flatMap(({ sql, bindings }) =>
      violationsOf(sql, bindings.map(parameterOf), [...RULES, ...PLAN_RULES]),
    );
    expect(violations).toEqual([]);
  });

  /** Parses a recorded binding, such as 'NVarChar "x"'. */
  const parameterOf = (binding: unknown): Parameter => {
    const [, type = '', value = ''] = /^(\w+) (.*)$/s.exec(String(binding)) ?? [];
    return { type, value: JSON.parse(value) as unknown };
  };
});

describe('the tables', () => {
  async function migrationStatements(): Promise<string[]> {
    const { knex, statements } = recordedMssql();
    const source = migrationSource(MIGRATIONS_FOLDER);
    for (const name of await source.getMigrations([])) await (await source.getMigration(name)).up(knex);
    return statements.map(({ sql }) => sql);
  }

  it('keep to the limits of keys, indexes and their conditions, and so do the statements that make them', async () => {
    const statements = await migrationStatements();
    const tables = readTables(statements);
    expect(tables.columns.size).toBeGreaterThan(30);
    expect(tables.keys.length).toBeGreaterThan(60);
    expect(tableViolations(tables)).toEqual([]);
    expect(statements.flatMap((sql) => violationsOf(sql))).toEqual([]);
  });

  // "the target of the DML operation cannot have any enabled trigger defined on it": OUTPUT Clause, Triggers.
  it('have no triggers, as rows are answered by OUTPUT without INTO', async () => {
    expect((await migrationStatements()).filter((sql) => /\btrigger\b/i.test(sql))).toEqual([]);
  });

  // https://learn.microsoft.com/sql/relational-databases/indexes/indexes-on-computed-columns
  it('keep what they compute, which float asks for in an index', async () => {
    const computed = (await migrationStatements()).filter((sql) => / add \[\w+\] as /.test(sql));
    expect(computed).toHaveLength(5);
    expect(computed.filter((sql) => !sql.endsWith(' persisted'))).toEqual([]);
    // Functions that are not deterministic according to "Deterministic and nondeterministic functions", or depend on a
    // style.
    expect(computed.filter((sql) => /getdate|sysdate|newid|rand|format\(|datetime|@@/i.test(sql))).toEqual([]);
  });

  const T =
    'CREATE TABLE [T] ([Id] int identity(1,1) not null primary key, [A] nvarchar(600) not null, [B] nvarchar(max), [C] int)';
  it.each([
    ['IX: 2400 bytes of 1700', 'CREATE INDEX [IX] ON [T] ([A], [A])'],
    ['PK: 1200 bytes of 900', 'ALTER TABLE [T] ADD CONSTRAINT [PK] PRIMARY KEY ([A])'],
    ['IX: a max type is no key', 'CREATE INDEX [IX] ON [T] ([B])'],
    ['UX: nulls are alike in a unique index', 'CREATE UNIQUE INDEX [UX] ON [T] ([C])'],
    ['UX: nulls are alike in a unique index', 'ALTER TABLE [T] ADD CONSTRAINT [UX] UNIQUE ([C])'],
    [
      'IX: its filter is more than simple comparisons: [C] = 1 or [C] = 2',
      'CREATE INDEX [IX] ON [T] ([C]) where [C] = 1 or [C] = 2',
    ],
    [
      'IX: its filter is more than simple comparisons: [C] not in (1)',
      'CREATE INDEX [IX] ON [T] ([C]) where [C] not in (1)',
    ],
    ['IX: its filter is of no column: len ([A]) > 1', 'CREATE INDEX [IX] ON [T] ([C]) where len([A]) > 1'],
    ['T.D: ntext is no type to use', 'ALTER TABLE [T] ADD [D] ntext'],
    [
      'error 1778, U (X) → T: bigint is not int',
      'CREATE TABLE [U] ([X] bigint not null, CONSTRAINT [F] FOREIGN KEY ([X]) REFERENCES [T] ([Id]))',
    ],
    [
      'error 1785: T reaches U by more than one cascade',
      'CREATE TABLE [U] ([X] int, [Y] int, CONSTRAINT [F] FOREIGN KEY ([X]) REFERENCES [T] ([Id]) ON DELETE CASCADE, CONSTRAINT [G] FOREIGN KEY ([Y]) REFERENCES [T] ([Id]) ON DELETE CASCADE)',
    ],
  ])('would have the fault "%s"', (violation, sql) => {
    expect(tableViolations(readTables([T, sql]))).toContain(violation);
  });
  it('may have a unique index of what is there', () => {
    expect(tableViolations(readTables([T, 'CREATE UNIQUE INDEX [UX] ON [T] ([C]) where [C] is not null']))).toEqual([]);
  });
});

// https://learn.microsoft.com/sql/t-sql/statements/create-index-transact-sql, "Required SET options for filtered indexes"
it('connections have the options that filtered indexes and computed columns need, also the connections to other databases', () => {
  const { server, options } = mssqlConnection('mssql://nobody:nothing@localhost/none') as {
    server: string;
    options: object;
  };
  const connection = new Connection({ server, options }) as unknown as { getInitialSql(): string };
  const set = connection.getInitialSql().split('\n');
  for (const on of [
    'ansi_nulls',
    'ansi_padding',
    'ansi_warnings',
    'arithabort',
    'concat_null_yields_null',
    'quoted_identifier',
  ])
    expect(set).toContain(`set ${on} on`);
  expect(set).toContain('set numeric_roundabort off');
  expect(set).toContain('set implicit_transactions off');
  expect(set).toContain('set transaction isolation level read committed');
});
