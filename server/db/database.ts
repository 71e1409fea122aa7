import knexModule from 'knex';
import type { Knex } from 'knex';
import { types } from 'pg';
import type { Log } from '#server/base/log.ts';
import { StartError } from '#server/base/start-error.ts';
import { dialectOf } from './dialect/dialect.ts';
import type { Dialect, Listening } from './dialect/types.ts';
import { connectMssql } from './mssql-client.ts';
import { KEEP_ALIVE, PgClient } from './pg-client.ts';

// knex is a CommonJS module in which Node finds no named exports.
const { knex } = knexModule;

export interface DatabaseOptions {
  /** postgres://… or mssql://…; for the embedded server, its `url`. */
  url: string;
  /** Maximum number of open connections. */
  poolSize?: number;
  /** Receives Knex's messages, which would otherwise go to the console. */
  log?: Log;
}

/** A database with the operations that concern it as a whole. Repositories take `knex` or one of its transactions. */
export interface Database {
  knex: Knex;
  dialect: Dialect;
  /** See Dialect.listen: undefined if the database does not support notifications, so polling is required. */
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    reconnected: () => void,
  ): Promise<Listening | undefined>;
  close(): Promise<void>;
}

const DEFAULT_POOL_SIZE = 10;
/** Maximum time that a query waits for a free connection of the pool. */
const ACQUIRE_TIME_LIMIT_MS = 30_000;

/** Creates the pool; it connects at the first query. Throws a StartError if the kind of the URL is unknown. */
export function createDatabase({ url, poolSize = DEFAULT_POOL_SIZE, log }: DatabaseOptions): Database {
  const pool = { min: 0, max: poolSize };
  const connected = connect(url, { pool, log: knexLog(log), acquireConnectionTimeout: ACQUIRE_TIME_LIMIT_MS });
  const dialect = dialectOf(connected);
  return {
    knex: connected,
    dialect,
    listen: (channel, onMessage, reconnected) => dialect.listen(url, channel, onMessage, reconnected),
    close: () => connected.destroy(),
  };
}

function connect(url: string, settings: Knex.Config): Knex {
  if (url.startsWith('mssql://')) return connectMssql(url, settings);
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new StartError('RUNSHEET_DATABASE_URL must begin with postgres:// or mssql://');
  }
  return knex({
    client: PgClient,
    connection: { connectionString: url, types: { getTypeParser }, application_name: 'runsheet', ...KEEP_ALIVE },
    ...settings,
  } as Knex.Config);
}

function knexLog(log: Log | undefined): Knex.Logger {
  return {
    debug: () => {},
    deprecate: (method: string, alternative: string) => log?.debug({ method, alternative }, 'Deprecated in Knex'),
    warn: (message: unknown) => log?.warn({ from: 'knex' }, String(message)),
    error: (message: unknown) => log?.error({ from: 'knex' }, String(message)),
  };
}

/** Object ids of int8, numeric and date in pg_type. */
const INT8 = 20;
const NUMERIC = 1700;
const DATE = 1082;

type Parse = (text: string) => unknown;
const parserOf = types.getTypeParser as unknown as (oid: number, format?: 'text' | 'binary') => Parse;

/**
 * pg returns bigint and numeric as text, and date as local midnight. Our values are ids, counts and sums, all safe as
 * numbers. A date without time stays text. timestamptz already becomes a Date.
 */
function getTypeParser(oid: number, format: 'text' | 'binary' = 'text'): Parse {
  if (format === 'text' && (oid === INT8 || oid === NUMERIC)) return Number;
  if (format === 'text' && oid === DATE) return String;
  return parserOf(oid, format);
}
