/** Records what all migrations send to an empty SQL Server database, without a server. */
import type { Request } from 'tedious';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { MIGRATIONS_FOLDER, migrateExactly, migrationSource } from '#server/db/migrate.ts';
import { connectMssql } from '#server/db/mssql-client.ts';

/** The fields of a tedious request that the recorder reads. */
interface SentRequest extends Pick<Request, 'emit'> {
  sqlTextOrProcedure: string;
  parameters: { name: string; value: unknown }[];
  callback(error: null, rowCount: number): void;
}

type Row = Record<string, unknown>;

/** Returns the modifying statements in order, with their parameters as literals. */
export async function recordMigrations(): Promise<string[]> {
  const recorded: string[] = [];
  const knex = connectMssql('mssql://nobody@localhost/none', { pool: { min: 0, max: 1 } });
  Object.assign(knex.client as object, {
    acquireRawConnection: () => Promise.resolve(recordingConnection(recorded)),
    validateConnection: () => true,
    destroyRawConnection: () => Promise.resolve(),
  });
  try {
    const source = migrationSource(MIGRATIONS_FOLDER);
    const names = (await source.getMigrations([])).map((file) => source.getMigrationName(file));
    await migrateExactly({ knex, dialect: dialectOf(knex) } as Parameters<typeof migrateExactly>[0], names);
  } finally {
    await knex.destroy();
  }
  return recorded.filter((sql) => !/^select /i.test(sql));
}

/** Replaces a tedious connection. */
function recordingConnection(recorded: string[]): object {
  const execute = (request: SentRequest): void => {
    const sql = withLiterals(request);
    const rows = answerTo(sql, recorded);
    recorded.push(sql);
    for (const row of rows) request.emit('row', columnsOf(row));
    setImmediate(() => request.callback(null, rows.length));
  };
  const succeed = (done: (error?: Error) => void): void => void setImmediate(done);
  return {
    state: { name: 'LoggedIn' },
    inTransaction: false,
    execSql: execute,
    execSqlBatch: execute,
    beginTransaction: succeed,
    commitTransaction: succeed,
    rollbackTransaction: succeed,
  };
}

const columnsOf = (row: Row): object[] =>
  Object.entries(row).map(([colName, value]) => ({ value, metadata: { colName, type: { name: 'Int' } } }));

/** Returns an empty database's answers to the few queries of the dialect and of Knex. Migrations read nothing. */
function answerTo(sql: string, recorded: readonly string[]): Row[] {
  if (sql.includes('[is_read_committed_snapshot_on]')) return [{ IsOn: true }];
  if (sql.endsWith('select @@rowcount')) return [{ '': 1 }];
  if (sql.startsWith('select max([batch])')) return [{ max_batch: null }];
  if (sql.startsWith('select [name] from [Migrations]')) return [];
  const [, table] = /^SELECT TABLE_NAME .* = N'(\w+)'$/.exec(sql) ?? [];
  if (table) return recorded.some((sent) => sent.startsWith(`CREATE TABLE [${table}]`)) ? [{ TABLE_NAME: table }] : [];
  if (sql.startsWith('select * from [Migrations_lock]')) {
    return recorded.some((sent) => sent.startsWith('insert into [Migrations_lock]'))
      ? [{ index: 1, is_locked: 0 }]
      : [];
  }
  if (/^select /i.test(sql)) throw new Error(`A migration reads, and there is no database to answer: ${sql}`);
  return [];
}

function withLiterals({ sqlTextOrProcedure, parameters }: SentRequest): string {
  const values = new Map(parameters.map(({ name, value }) => [`@${name}`, literal(value)]));
  return sqlTextOrProcedure.replaceAll(/@p\d+\b/g, (name) => values.get(name) ?? name).trim();
}

/** The only times are those at which migrations ran. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return 'sysutcdatetime()';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `N'${value.replaceAll("'", "''")}'`;
  throw new Error(`A migration sends a value of type ${typeof value}, which has no literal yet`);
}
