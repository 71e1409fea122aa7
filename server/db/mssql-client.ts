import { createRequire } from 'node:module';
import knexModule from 'knex';
import type { Knex } from 'knex';
import { TYPES } from 'tedious';
import type { Connection, Request } from 'tedious';
import { MSSQL_NOW } from './dialect/mssql.ts';

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
}

type ConnectionWithQueue = Connection & { runsheetQueue?: Request[]; state: { name: string } };

const require = createRequire(import.meta.url);
const BaseClient = require('knex/lib/dialects/mssql/index.js') as new (config: Knex.Config) => MssqlClientBase;

/**
 * Knex's client for SQL Server, with three things put right:
 * - it keeps one queue of requests for all connections of all pools, and takes the newest first, so that two statements started
 *   at once in a transaction may run on another's connection; here each connection has its own, oldest first;
 * - bigint comes as text from the driver, which must so for any size; ours are ids and counts, all safe as numbers;
 * - knex.fn.now() is CURRENT_TIMESTAMP, which there is the server's local time without its zone.
 */
class MssqlClient extends BaseClient {
  _enqueueRequest(request: Request, connection: ConnectionWithQueue): void {
    (connection.runsheetQueue ??= []).push(request);
    this._chomp(connection);
  }

  _chomp(connection: ConnectionWithQueue): void {
    if (connection.state.name !== 'LoggedIn') return;
    const next = connection.runsheetQueue?.shift();
    if (next) connection.execSql(next);
  }

  override raw(sql?: unknown, ...bindings: unknown[]): Knex.Raw {
    return super.raw(sql === 'CURRENT_TIMESTAMP' ? MSSQL_NOW : sql, ...bindings);
  }

  override processResponse(query: MssqlQuery | null, runner: unknown): unknown {
    for (const row of query?.response ?? []) {
      for (const column of row) {
        if (column.metadata.type.name === 'BigInt' && typeof column.value === 'string')
          column.value = Number(column.value);
      }
    }
    return super.processResponse(query, runner);
  }
}

/** Dates go as moments with offset: Knex's DateTime would round them to 1/300 s and drop the zone. */
function mapBinding(value: unknown): { value: unknown; type: unknown } | undefined {
  return value instanceof Date ? { value, type: TYPES.DateTimeOffset } : undefined;
}

/** Pool on a SQL Server by URL: mssql://user:password@host:1433/database?encrypt=true&trustServerCertificate=false&instanceName=X. */
export function connectMssql(url: string, settings: Knex.Config): Knex {
  return knex({
    client: MssqlClient as unknown as typeof Knex.Client,
    connection: mssqlConnection(url),
    ...settings,
  });
}

/** Settings of Knex for a URL; a connection is encrypted and its certificate checked unless the URL says otherwise. */
export function mssqlConnection(url: string): Knex.MsSqlConnectionConfig {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const said = (name: string, fallback: boolean): boolean =>
    searchParams.has(name) ? searchParams.get(name) === 'true' : fallback;
  const instanceName = searchParams.get('instanceName') ?? undefined;
  return {
    server: hostname,
    port: instanceName ? undefined : Number(port || 1433),
    userName: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)) || 'master',
    // 0: a statement of ours may take long (a migration, a purge); what must not is bounded by whoever runs it.
    requestTimeout: 0,
    options: {
      encrypt: said('encrypt', true),
      trustServerCertificate: said('trustServerCertificate', false),
      appName: 'runsheet',
      useUTC: true,
      ...(instanceName ? { instanceName } : {}),
      mapBinding,
    },
  };
}
