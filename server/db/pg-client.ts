import { createRequire } from 'node:module';
import type { Knex } from 'knex';

interface PgConnection {
  /** Set where the pool is to give the connection out no more. */
  __knex__disposed?: unknown;
}

interface PgQuery {
  sql?: string;
  options?: { prepared?: boolean; name?: string };
}

/** What this file uses of Knex's PostgreSQL client, which has no types of its own. */
interface PgClientBase extends Knex.Client {
  _query(connection: PgConnection, query: PgQuery): Promise<unknown>;
}

const require = createRequire(import.meta.url);
const BaseClient = require('knex/lib/dialects/postgres/index.js') as new (config: Knex.Config) => PgClientBase;

/** read_only_sql_transaction */
const READ_ONLY = '25006';
/** Each connection keeps every prepared statement until it is closed: a bound for texts that vary without end. */
const MOST_STATEMENTS = 300;

/**
 * A server that went away without a word, as by a power cut, is noticed after ten seconds of silence and ten probes, a second apart.
 * Source: libuv, uv_tcp_keepalive.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * Knex's client for PostgreSQL, that gives the statements marked by `prepared` a name: a connection then parses and plans each of
 * them once. A statement that answers whatever columns there are is never named: it would fail when a migration adds one.
 */
export class PgClient extends BaseClient {
  override async _query(connection: PgConnection, query: PgQuery): Promise<unknown> {
    if (query.options?.prepared) query.options = namedFor(connection, query.sql ?? '');
    try {
      return await super._query(connection, query);
    } catch (error) {
      // The server has become a standby: the next connection leads to whichever is the primary now.
      if ((error as { code?: string }).code === READ_ONLY) connection.__knex__disposed = error;
      throw error;
    }
  }
}

/** The clients of transactions are copies of this one: what is kept belongs to the connection. */
const namesOf = new WeakMap<object, Map<string, string>>();

function namedFor(connection: object, sql: string): PgQuery['options'] {
  const names = namesOf.get(connection) ?? new Map<string, string>();
  namesOf.set(connection, names);
  const known = names.get(sql);
  if (known !== undefined) return { name: known };
  if (sql.includes('*') || names.size >= MOST_STATEMENTS) return {};
  const name = `runsheet_${names.size}`;
  names.set(sql, name);
  return { name };
}
