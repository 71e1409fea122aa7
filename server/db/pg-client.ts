import { createRequire } from 'node:module';
import type { Knex } from 'knex';

interface PgQuery {
  sql?: string;
  options?: { prepared?: boolean; name?: string };
}

/** What this file uses of Knex's PostgreSQL client, which has no types of its own. */
interface PgClientBase extends Knex.Client {
  _query(connection: object, query: PgQuery): Promise<unknown>;
}

const require = createRequire(import.meta.url);
const BaseClient = require('knex/lib/dialects/postgres/index.js') as new (config: Knex.Config) => PgClientBase;

/** Each connection keeps every prepared statement until it is closed: a bound for texts that vary without end. */
const MOST_STATEMENTS = 300;

/**
 * Knex's client for PostgreSQL, that gives the statements marked by `prepared` a name: a connection then parses and plans each of
 * them once. A statement that answers whatever columns there are is never named: it would fail when a migration adds one.
 */
export class PgClient extends BaseClient {
  override _query(connection: object, query: PgQuery): Promise<unknown> {
    if (query.options?.prepared) query.options = namedFor(connection, query.sql ?? '');
    return super._query(connection, query);
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
