/** Our changes to Knex's client for SQL Server, and the settings required of a SQL Server. Without a server. */
import { describe, expect, it } from 'vitest';
import { MIGRATIONS_FOLDER, migrationSource } from '#server/db/migrate.ts';
import { deadlineIn, rowsBy, TimeLimitError } from '#server/db/time-limit.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { StartError } from '#server/base/start-error.ts';
import { fault, recordedMssql, statementOf } from './recorded-mssql.ts';
import type { Answer } from './recorded-mssql.ts';

const deadlock = fault('Transaction (Process ID 55) was deadlocked…', 'EREQUEST', 1205);

/** Responds with the errors one after the other, then as given. */
function after(errors: Error[], then: Answer): Answer {
  const left = [...errors];
  return (sql) => left.shift() ?? then(sql);
}

describe('the client for SQL Server', () => {
  it('gives bigints as numbers, also of columns that may be null', async () => {
    const { knex } = recordedMssql(() => [
      ['Id', 'BigInt', '7'],
      ['RetryOf', 'IntN', '9007199254740991'],
      ['ActivityId', 'IntN', 3],
      ['SourceRunId', 'IntN', null],
      ['UniqueId', 'NVarChar', '12'],
    ]);
    const row = { Id: 7, RetryOf: 9_007_199_254_740_991, ActivityId: 3, SourceRunId: null, UniqueId: '12' };
    expect(await knex('ActivityRuns').first()).toEqual(row);
  });

  it('sends as it is what has no values, so that a temporary table outlives its statement', async () => {
    const { knex, sentAs } = recordedMssql();
    await knex.raw('select top 0 [Id] into [#staged] from [Orders]');
    await knex('#staged').insert({ Id: 1 });
    expect(sentAs).toEqual(['batch', 'procedure']);
  });

  it('sends a long list as one value, as a statement takes 2,100', () => {
    const { knex } = recordedMssql();
    const ids = Array.from({ length: 3000 }, (_, index) => index);
    const names = ids.map((id) => `é${id}`);
    expect(statementOf(knex('Activities').whereIn('Id', ids))).toEqual({
      sql: "select * from [Activities] where [Id] in (select [Item] from openjson(@p0) with ([Item] bigint '$'))",
      bindings: [JSON.stringify(ids)],
    });
    expect(statementOf(knex('Activities').where('Version', 1).whereNotIn('Schema', names))).toEqual({
      sql:
        'select * from [Activities] where [Version] = @p0 and [Schema] not in ' +
        "(select [Item] collate Latin1_General_100_BIN2 from openjson(@p1) with ([Item] nvarchar(4000) '$'))",
      bindings: [1, JSON.stringify(names)],
    });
    expect(statementOf(knex('Activities').whereIn('Id', [1, 2])).sql).toMatch(/\(@p0, @p1\)$/);
  });

  it('has a statement for a connection that is gone refused, and calls that a lost connection', async () => {
    const { knex, dialect, connection } = recordedMssql();
    connection.state = { name: 'Final' };
    const error = await knex('Users')
      .first()
      .then(
        () => undefined,
        (refused: unknown) => refused,
      );
    expect(dialect.classify(error)).toEqual({ fault: 'connection' });
  });

  it('leaves a statement waiting while the connection works on another', async () => {
    const { knex, connection, statements } = recordedMssql();
    connection.state = { name: 'SentClientRequest' };
    const waiting = Promise.resolve(knex('Users').first());
    await new Promise(setImmediate);
    expect(statements).toEqual([]);
    connection.state = { name: 'LoggedIn' };
    await knex('Roles').first();
    await waiting;
    expect(statements.map(({ sql }) => sql)).toEqual([
      'select top (@p0) * from [Users]',
      'select top (@p0) * from [Roles]',
    ]);
  });

  it('ends a statement that takes longer than it may, and has the connection work on the next one then', async () => {
    const { knex, connection } = recordedMssql((sql) => (sql.includes('Users') ? undefined : [['', 'Int', 1]]));
    const query = knex('Users').select('UserId');
    await expect(rowsBy(query, deadlineIn(1))).rejects.toThrow(TimeLimitError);
    expect(connection.state.name).toBe('LoggedIn');
    expect(await knex('Roles').first()).toEqual({ '': 1 });
    await expect(knex.transaction((trx) => rowsBy(trx('Users').select('UserId'), deadlineIn(1)))).rejects.toThrow(
      TimeLimitError,
    );
  });

  it('runs a statement on its own again that was the victim of a deadlock', async () => {
    const { knex, statements } = recordedMssql(after([deadlock, deadlock], () => [['', 'Int', 1]]));
    expect(await knex('ActivityRuns').where('Id', 7).update({ Status: 'Failed' })).toBe(1);
    expect(statements).toHaveLength(3);
  });

  it('runs the whole transaction again, and not the statement alone', async () => {
    const { knex, statements, connection } = recordedMssql((sql) => {
      // The server has already rolled the transaction back.
      if (statements.length !== 2) return [['', 'Int', 1]];
      connection.inTransaction = false;
      return sql.includes('Users') ? deadlock : new Error('another statement was expected');
    });
    await inTransaction(knex, async (trx) => {
      await trx('Roles').delete();
      await trx('Users').delete();
    });
    expect(statements.map(({ sql }) => /\[(\w+)\]/.exec(sql)?.[1])).toEqual(['Roles', 'Users', 'Roles', 'Users']);
  });

  it('understands what was lost first where it could not roll back', () => {
    const { dialect } = recordedMssql();
    const lost = fault('Connection lost - read ECONNRESET', 'ESOCKET');
    const said = Object.assign(new Error("Can't rollback transaction. There is a request in progress"), {
      originalError: lost,
    });
    expect(dialect.classify(said)).toEqual({ fault: 'connection' });
    // An error thrown in a transaction, as Knex leaves it.
    const own: Error & { originalError?: unknown } = new Error('refused');
    own.originalError = own;
    expect(dialect.classify(own)).toEqual({ fault: 'other' });
  });

  it('runs a transaction again that was the victim of a deadlock over a named lock', async () => {
    let asked = 0;
    const { knex, dialect } = recordedMssql(() => [['Result', 'Int', ++asked === 1 ? -3 : 0]]);
    await inTransaction(knex, (trx) => dialect.lock(trx, 'name'));
    expect(asked).toBe(2);
    await expect(
      inTransaction(recordedMssql(() => [['Result', 'Int', -999]]).knex, (trx) => dialect.lock(trx, 'name')),
    ).rejects.toThrow('-999');
  });

  it('distinguishes texts to the letter, whatever the collation of the database', async () => {
    const { knex, statements } = recordedMssql();
    const source = migrationSource(MIGRATIONS_FOLDER);
    for (const name of await source.getMigrations([])) await (await source.getMigration(name)).up(knex);
    const types = statements.flatMap(({ sql }) => sql.match(/\] nvarchar\([^)]*\)(?: collate \w+)?/gi) ?? []);
    expect(types.length).toBeGreaterThan(50);
    expect(types.filter((type) => !type.endsWith(' collate Latin1_General_100_BIN2'))).toEqual([]);
  });

  it('makes no unique index with a condition but where it was asked for', async () => {
    const { knex, statements } = recordedMssql();
    const source = migrationSource(MIGRATIONS_FOLDER);
    for (const name of await source.getMigrations([])) await (await source.getMigration(name)).up(knex);
    const indexes = statements.map(({ sql }) => sql).filter((sql) => sql.startsWith('CREATE UNIQUE INDEX'));
    expect(indexes.map((sql) => sql.replace(/^CREATE UNIQUE INDEX \[(\w+)\] ON .*\) where /, '$1 where '))).toEqual([
      'UX_ActivityRuns_UniqueId where [UniqueId] is not null',
      'UX_Checklists_UniqueId where [UniqueId] is not null',
      'UX_ChecklistRuns_UniqueId where [UniqueId] is not null',
      'UX_ActivityRuns_Step where [ChecklistRunId] is not null',
      'UX_ActivityRuns_Child where [ParentRunId] is not null',
      'UX_ActivityRuns_Child where [ParentRunId] is not null',
      'UX_Deliveries_Subject where [SubjectId] is not null',
      'UX_Batches_RunId where [RunId] is not null',
      'UX_Triggers_AddressKey where [AddressKey] is not null',
      'UX_Dashboards_PublicTokenHash where [PublicTokenHash] is not null',
      'UX_StartPages_RoleName where [RoleName] is not null',
      'UX_StartPages_UserId where [UserId] is not null',
      "UX_Alerts_Default where [UserId] is not null and [Scope] in ('Owner', 'Starter')",
    ]);
  });

  it('adds more seconds to a moment than an int holds as days', () => {
    const { knex, dialect } = recordedMssql();
    const { sql, bindings } = statementOf(dialect.plusSeconds(knex, 'EndTime', -8_640_000_000.25));
    expect(sql).toBe('dateadd(millisecond, @p0, dateadd(second, @p1, dateadd(day, @p2, [EndTime])))');
    expect(bindings).toEqual([-250, 0, -100_000]);
  });

  it('joins a query to each row in one pair of brackets, as a second takes no order', () => {
    const { knex, dialect } = recordedMssql();
    const query = knex('Activities as A').select('A.Id');
    dialect.leftJoinEach(query, knex('ActivityRuns as N').select('N.Id').orderBy('N.Id').limit(1), 'R');
    expect(statementOf(query).sql).toBe(
      'select [A].[Id] from [Activities] as [A] outer apply (select top (@p0) [N].[Id] from [ActivityRuns] as [N] order by [N].[Id] asc) as [R]',
    );
  });
});

describe('a SQL Server database', () => {
  const isOn =
    (on: boolean): Answer =>
    (sql) =>
      sql.startsWith('select') ? [['IsOn', 'Bit', on]] : [['', 'Int', 0]];

  it('is left alone where readers see versions of rows', async () => {
    const { knex, dialect, statements } = recordedMssql(isOn(true));
    await dialect.prepareDatabase(knex);
    expect(statements.map(({ sql }) => sql)).toEqual([
      'select [is_read_committed_snapshot_on] as [IsOn] from [sys].[databases] where [database_id] = db_id()',
    ]);
  });

  it('has them see versions of rows from the first start on', async () => {
    const { knex, dialect, statements, sentAs } = recordedMssql(isOn(false));
    await dialect.prepareDatabase(knex);
    expect(statements.at(-1)?.sql).toBe('alter database current set read_committed_snapshot on with no_wait');
    // The statement must be alone in its batch.
    expect(sentAs).toEqual(['batch', 'batch']);
  });

  it('waits for another server that is connected, which may do it itself', async () => {
    const occupied = fault('Database state cannot be changed while other users are using it.', 'EREQUEST', 5070);
    let asked = 0;
    const { knex, dialect } = recordedMssql((sql) => {
      if (!sql.startsWith('select')) return occupied;
      asked += 1;
      return [['IsOn', 'Bit', asked > 1]];
    });
    await dialect.prepareDatabase(knex);
    expect(asked).toBe(2);
  });

  it('is refused with words where its user may not change that', async () => {
    const denied = fault('User does not have permission to alter database…', 'EREQUEST', 5011);
    const { knex, dialect } = recordedMssql((sql) => (sql.startsWith('select') ? [['IsOn', 'Bit', false]] : denied));
    const refused = dialect.prepareDatabase(knex);
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow('ALTER DATABASE CURRENT SET READ_COMMITTED_SNAPSHOT ON');
  });
});
