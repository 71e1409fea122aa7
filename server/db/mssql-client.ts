import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import knexModule from 'knex';
import type { Knex } from 'knex';
import type { Connection, Request } from 'tedious';
import { tedious } from '#server/base/on-demand.ts';
import { MSSQL_NOW } from './dialect/mssql.ts';
import { StartError } from '#server/base/start-error.ts';
import { mssqlUrlFault, signInOptions, transportOptions } from './mssql-url.ts';
import { MssqlColumnCompiler, MssqlQueryCompiler, MssqlTableCompiler } from './mssql-compilers.ts';

// knex is CommonJS, and Node finds no named exports in it.
const { knex } = knexModule;

interface TediousColumn {
  value: unknown;
  metadata: { colName: string; type: { name: string } };
}

interface MssqlQuery {
  response?: TediousColumn[][];
}

/** What this file uses of Knex's SQL Server client, which has no types of its own. */
interface MssqlClientBase extends Knex.Client {
  raw(sql?: unknown, ...bindings: unknown[]): Knex.Raw;
  processResponse(query: MssqlQuery | null, runner: unknown): unknown;
  _query(connection: ConnectionWithQueue, query: unknown): Promise<unknown>;
}

type ConnectionWithQueue = Connection & {
  runsheetQueue?: Request[];
  /** Over when the statement that the connection works on is. */
  runsheetUnderWay?: Promise<void>;
  state: { name: string };
  inTransaction: boolean;
};

type SentRequest = Request & { parameters: unknown[] };

const require = createRequire(import.meta.url);
const BaseClient = require('knex/lib/dialects/mssql/index.js') as new (config: Knex.Config) => MssqlClientBase;

/** States of the driver's connection in which it works on a request, and takes the next one when that is over. */
const BUSY = new Set(['SentClientRequest', 'SentAttention']);
/** Of bigint as the driver has it: the second where a column may be null. */
const INTEGERS = new Set(['BigInt', 'IntN']);

const DEADLOCK = 1205;
const ATTEMPTS = 5;
const SHORTEST_WAIT_MS = 10;

/**
 * Knex's client for SQL Server, with these things put right:
 * - it keeps one queue of requests for all connections of all pools, and takes the newest first, so that two statements started
 *   at once in a transaction may run on another's connection; here each connection has its own, oldest first;
 * - it leaves a statement for a connection that is gone in that queue for ever; here the driver refuses it;
 * - it sends all by sp_executesql, at whose end a temporary table is dropped; here what has no values goes as it is;
 * - bigint comes as text from the driver, which must so for any size; ours are ids and counts, all safe as numbers;
 * - of columns of one name it answers a list; here, as on PostgreSQL, the last one;
 * - knex.fn.now() is CURRENT_TIMESTAMP, which there is the server's local time without its zone;
 * - it cannot end a statement that takes too long; here the driver does, and the connection is free again when the server is done;
 * - a statement on its own that was the victim of a deadlock is run again: here updates of one row may be, as they lock a table
 *   and its indexes one after the other. (In a transaction inTransaction() does.)
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

  async queryUntilDone(connection: ConnectionWithQueue, query: unknown): Promise<unknown> {
    const isAlone = !connection.inTransaction;
    for (let attempt = 1; ; attempt++) {
      try {
        return await super._query(connection, query);
      } catch (error) {
        if (!isAlone || attempt === ATTEMPTS || (error as { number?: number }).number !== DEADLOCK) throw error;
        await pause(SHORTEST_WAIT_MS * 2 ** attempt * (0.5 + Math.random()));
      }
    }
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

/** Of the columns of one name the last. */
function onceByName(rows: TediousColumn[][] | undefined): TediousColumn[][] | undefined {
  const names = rows?.[0]?.map(({ metadata }) => metadata.colName) ?? [];
  const isLast = names.map((name, index) => name === '' || names.lastIndexOf(name) === index);
  return isLast.every(Boolean) ? rows : rows?.map((row) => row.filter((_, index) => isLast[index]));
}

const ignore = (): void => {};

/** As Knex has them of other databases: on the prototype, as what it makes for a transaction has that alone. */
Object.assign(MssqlClient.prototype, {
  canCancelQuery: true,
  cancelQuery: async (connection: ConnectionWithQueue): Promise<void> => {
    connection.cancel();
    await connection.runsheetUnderWay;
  },
});

/**
 * Dates go as moments with offset: Knex's DateTime would round them to 1/300 s and drop the zone. Whole numbers of 2^53 and more go
 * as float, which is what they are here: Knex would refuse them as bigint.
 */
function mapBinding(value: unknown): { value: unknown; type: unknown } | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return { value, type: tedious().TYPES.Float };
  }
  return value instanceof Date ? { value, type: tedious().TYPES.DateTimeOffset } : undefined;
}

/** Pool on a SQL Server by URL: see mssql-url.ts for what it may say. Throws a StartError for what it may not. */
export function connectMssql(url: string, settings: Knex.Config): Knex {
  return knex({
    client: MssqlClient as unknown as typeof Knex.Client,
    connection: mssqlConnection(url),
    ...settings,
  });
}

/** Settings of Knex for a URL. Throws a StartError that names what is wrong with its parameters. */
export function mssqlConnection(url: string): Knex.MsSqlConnectionConfig {
  const fault = mssqlUrlFault(url);
  if (fault !== null) throw new StartError(`a URL that begins with mssql:// is not understood: ${fault}`);
  const { hostname, port, pathname, searchParams } = new URL(url);
  return {
    // Of an IPv6 address without its brackets.
    server: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: searchParams.has('instanceName') ? undefined : Number(port || 1433),
    ...signInOptions(url),
    database: decodeURIComponent(pathname.slice(1)) || 'master',
    // 0: a statement of ours may take long (a migration, a purge); what must not is bounded by whoever runs it.
    requestTimeout: 0,
    options: {
      ...transportOptions(url),
      appName: 'runsheet',
      useUTC: true,
      mapBinding,
    },
  } as Knex.MsSqlConnectionConfig;
}
