import { createRequire } from 'node:module';
import type { Knex } from 'knex';

interface PgConnection {
  /** Set if the pool must not hand out the connection again. */
  __knex__disposed?: unknown;
}

interface PgQuery {
  sql?: string;
  options?: { prepared?: boolean; name?: string };
}

/** The parts used here of Knex's PostgreSQL client, which has no types. */
interface PgClientBase extends Knex.Client {
  _query(connection: PgConnection, query: PgQuery): Promise<unknown>;
}

const require = createRequire(import.meta.url);
const BaseClient = require('knex/lib/dialects/postgres/index.js') as new (config: Knex.Config) => PgClientBase;

/** read_only_sql_transaction */
const READ_ONLY = '25006';
/**
 * Maximum number of prepared statements per connection, in case statement texts vary without limit: a connection holds
 * them until it is closed.
 */
const MAX_STATEMENTS = 300;

/**
 * Detects a server that disappeared without closing connections, as after a power failure: after ten seconds of silence
 * and ten probes, one second apart. Source: libuv, uv_tcp_keepalive.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * Knex's client for PostgreSQL. It names the statements marked by `prepared`, so a connection parses and plans each of
 * them once. A statement that returns all columns of a table is never named: it would fail when a migration adds a
 * column.
 */
export class PgClient extends BaseClient {
  override async _query(connection: PgConnection, query: PgQuery): Promise<unknown> {
    if (query.options?.prepared) query.options = namedFor(connection, query.sql ?? '');
    try {
      return await super._query(connection, query);
    } catch (error) {
      // The server has become a standby: a new connection leads to the current primary.
      if ((error as { code?: string }).code === READ_ONLY) connection.__knex__disposed = error;
      throw error;
    }
  }
}

/** The clients of transactions are copies of this one, so the names belong to the connection. */
const namesOf = new WeakMap<object, Map<string, string>>();

function namedFor(connection: object, sql: string): PgQuery['options'] {
  const names = namesOf.get(connection) ?? new Map<string, string>();
  namesOf.set(connection, names);
  const known = names.get(sql);
  if (known !== undefined) return { name: known };
  if (sql.includes('*') || names.size >= MAX_STATEMENTS) return {};
  const name = `runsheet_${names.size}`;
  names.set(sql, name);
  return { name };
}
