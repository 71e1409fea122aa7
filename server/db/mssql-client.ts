import { createRequire } from 'node:module';
import knexModule from 'knex';
import type { Knex } from 'knex';
import type { Connection, Request } from 'tedious';
import { tedious } from '#server/base/on-demand.ts';
import { MSSQL_NOW } from './dialect/mssql.ts';
import { StartError } from '#server/base/start-error.ts';
import { retryCollisions } from './retry-collisions.ts';
import { mssqlUrlProblem, signInOptions, transportOptions } from './mssql-url.ts';
import { MssqlColumnCompiler, MssqlQueryCompiler, MssqlTableCompiler } from './mssql-compilers.ts';

// knex is a CommonJS module in which Node finds no named exports.
const { knex } = knexModule;

interface TediousColumn {
  value: unknown;
  metadata: { colName: string; type: { name: string } };
}

interface MssqlQuery {
  response?: TediousColumn[][];
}

/** The parts used here of Knex's SQL Server client, which has no types. */
interface MssqlClientBase extends Knex.Client {
  raw(sql?: unknown, ...bindings: unknown[]): Knex.Raw;
  processResponse(query: MssqlQuery | null, runner: unknown): unknown;
  _query(connection: ConnectionWithQueue, query: unknown): Promise<unknown>;
}

type ConnectionWithQueue = Connection & {
  runsheetQueue?: Request[];
  /** Resolves when the current statement of the connection has ended. */
  runsheetUnderWay?: Promise<void>;
  state: { name: string };
  inTransaction: boolean;
};

type SentRequest = Request & { parameters: unknown[] };

const require = createRequire(import.meta.url);
const BaseClient = require('knex/lib/dialects/mssql/index.js') as new (config: Knex.Config) => MssqlClientBase;

/** States of the driver's connection in which it is processing a request and will take the next one afterwards. */
const BUSY = new Set(['SentClientRequest', 'SentAttention']);
/** The driver's names for bigint; the second is used if a column is nullable. */
const INTEGERS = new Set(['BigInt', 'IntN']);

const DEADLOCK = 1205;

/**
 * Knex's client for SQL Server with these changes:
 * - Knex has a single request queue for all connections of all pools and takes the newest request first. Two statements
 *   started at once in a transaction could thus run on another connection. Here, each connection has its own queue,
 *   oldest first.
 * - Knex leaves a statement for a closed connection in that queue forever; here the driver rejects it.
 * - Knex sends everything through sp_executesql, which drops temporary tables at its end; here, statements without
 *   values are sent directly.
 * - The driver returns bigint as text because it supports any size; our values are ids and counts, all safe as numbers.
 * - For several columns of the same name Knex returns a list; here the last one is returned, as on PostgreSQL.
 * - Knex's fn.now() is CURRENT_TIMESTAMP, which is the server's local time without its zone.
 * - Knex cannot end a statement that takes too long; here the driver does, and the connection is free again when the
 *   server has ended it.
 * - A single statement that was a deadlock victim is run again: updates of one row can deadlock here, because they lock
 *   a table and its indexes one after the other. (Within a transaction, inTransaction() does this.)
 */
class MssqlClient extends BaseClient {
  _enqueueRequest(request: Request, connection: ConnectionWithQueue): void {
    (connection.runsheetQueue ??= []).push(request);
    this._chomp(connection);
  }

  _chomp(connection: ConnectionWithQueue): void {
    if (BUSY.has(connection.state.name)) return;
    const next = connection.runsheetQueue?.shift() as SentRequest | undefined;
    if (!next) return;
    if (next.parameters.length === 0) connection.execSqlBatch(next);
    else connection.execSql(next);
  }

  override _query(connection: ConnectionWithQueue, query: unknown): Promise<unknown> {
    const answer = this.queryUntilDone(connection, query);
    connection.runsheetUnderWay = answer.then(ignore, ignore);
    return answer;
  }

  queryUntilDone(connection: ConnectionWithQueue, query: unknown): Promise<unknown> {
    const isAlone = !connection.inTransaction;
    return retryCollisions(
      () => super._query(connection, query),
      (error) => isAlone && (error as { number?: number }).number === DEADLOCK,
    );
  }

  override raw(sql?: unknown, ...bindings: unknown[]): Knex.Raw {
    return super.raw(sql === 'CURRENT_TIMESTAMP' ? MSSQL_NOW : sql, ...bindings);
  }

  override columnCompiler(...args: never[]): MssqlColumnCompiler {
    return new MssqlColumnCompiler(this as never, ...args);
  }

  override tableCompiler(...args: never[]): MssqlTableCompiler {
    return new MssqlTableCompiler(this as never, ...args);
  }

  override queryCompiler(...args: never[]): MssqlQueryCompiler {
    return new MssqlQueryCompiler(this as never, ...args);
  }

  override processResponse(query: MssqlQuery | null, runner: unknown): unknown {
    for (const row of query?.response ?? []) {
      for (const column of row) {
        if (typeof column.value === 'string' && INTEGERS.has(column.metadata.type.name))
          column.value = Number(column.value);
      }
    }
    if (query) query.response = onceByName(query.response);
    return super.processResponse(query, runner);
  }
}

/** Keeps the last of several columns with the same name. */
function onceByName(rows: TediousColumn[][] | undefined): TediousColumn[][] | undefined {
  const names = rows?.[0]?.map(({ metadata }) => metadata.colName) ?? [];
  const isLast = names.map((name, index) => name === '' || names.lastIndexOf(name) === index);
  return isLast.every(Boolean) ? rows : rows?.map((row) => row.filter((_, index) => isLast[index]));
}

const ignore = (): void => {};

/** On the prototype, as in Knex's clients for other databases: the client of a transaction inherits only that. */
Object.assign(MssqlClient.prototype, {
  canCancelQuery: true,
  cancelQuery: async (connection: ConnectionWithQueue): Promise<void> => {
    connection.cancel();
    await connection.runsheetUnderWay;
  },
});

/**
 * Dates are sent with an offset: Knex's DateTime would round them to 1/300 s and drop the zone. Integers of 2^53 and
 * more are sent as float, which they are in JavaScript: Knex would reject them as bigint.
 */
function mapBinding(value: unknown): { value: unknown; type: unknown } | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return { value, type: tedious().TYPES.Float };
  }
  return value instanceof Date ? { value, type: tedious().TYPES.DateTimeOffset } : undefined;
}

/**
 * Creates a pool for a SQL Server by URL. See mssql-url.ts for the allowed parameters; throws a StartError for others.
 */
export function connectMssql(url: string, settings: Knex.Config): Knex {
  return knex({
    client: MssqlClient as unknown as typeof Knex.Client,
    connection: mssqlConnection(url),
    ...settings,
  });
}

/** Returns Knex's connection settings for a URL. Throws a StartError that names the problem with its parameters. */
export function mssqlConnection(url: string): Knex.MsSqlConnectionConfig {
  const problem = mssqlUrlProblem(url);
  if (problem !== null) throw new StartError(`a URL that begins with mssql:// cannot be used: ${problem}`);
  const { hostname, port, pathname, searchParams } = new URL(url);
  return {
    // For an IPv6 address, without its brackets.
    server: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: searchParams.has('instanceName') ? undefined : Number(port || 1433),
    ...signInOptions(url),
    database: decodeURIComponent(pathname.slice(1)) || 'master',
    // 0, because some of our statements take long (a migration, a purge); callers limit the others.
    requestTimeout: 0,
    options: {
      ...transportOptions(url),
      appName: 'runsheet',
      useUTC: true,
      mapBinding,
    },
  } as Knex.MsSqlConnectionConfig;
}
