import type { Knex } from 'knex';
import { prepared } from '#server/db/prepared.ts';
import { escapeLike } from './like.ts';
import { listenOnPostgres } from './pg-listen.ts';
import { changeInOneStatement } from './pg-change-with-children.ts';
import { manyInOneStatement } from './pg-many-changes.ts';
import { listTables, loadSnapshot, withSnapshot } from './pg-snapshot.ts';
import { networkFault } from './network-fault.ts';
import { applyOrder } from './order.ts';
import type {
  ClaimOptions,
  ClassifiedError,
  Db,
  DeleteChunkOptions,
  Dialect,
  LockOptions,
  UpsertOptions,
} from './types.ts';

interface RawResult<T> {
  rows: T[];
  rowCount: number;
}

async function rowsOf<T>(raw: Knex.Raw): Promise<T[]> {
  return ((await raw) as RawResult<T>).rows;
}

/**
 * The rows are picked in a materialized CTE. The planner may run a plain subquery more than once, which would claim
 * more rows than the limit.
 */
async function claimRows<T>(db: Db, options: ClaimOptions): Promise<T[]> {
  const { table, key, limit, set, returning } = options;
  const picked = db(table).select(key).limit(limit).forUpdate().skipLocked();
  options.where(picked);
  applyOrder(picked, options.orderBy);
  const changed = db(table)
    .update(set)
    .whereIn(key, (query) => void query.select(key).from('Picked'))
    .returning([...new Set([...returning, ...options.orderBy.map(({ column }) => column)])]);
  const claimed = db
    .withMaterialized('Picked', picked)
    // UPDATE … RETURNING returns rows in no order.
    .with('Changed', changed)
    .select(returning)
    .from('Changed');
  applyOrder(claimed, options.orderBy);
  return (await prepared(claimed)) as T[];
}

async function lockRows<T>(trx: Knex.Transaction, options: LockOptions): Promise<T[]> {
  const query = trx(options.table).select(options.columns).forUpdate();
  options.where(query);
  applyOrder(query, options.orderBy);
  if (options.limit !== undefined) void query.limit(options.limit);
  if (options.locked === 'skip') void query.skipLocked();
  return (await query) as T[];
}

async function upsert(db: Db, { table, rows, key, update }: UpsertOptions): Promise<void> {
  const insert = db(table).insert(rows).onConflict(key);
  await (update.length === 0 ? insert.ignore() : insert.merge(update));
}

async function deleteChunk(db: Db, { table, key, where, limit }: DeleteChunkOptions): Promise<number> {
  const doomed = db(table).select(key).limit(limit).forUpdate().skipLocked();
  where(doomed);
  return db
    .withMaterialized('Doomed', doomed)
    .from(table)
    .whereIn(key, (query) => void query.select(key).from('Doomed'))
    .delete();
}

const RETRYABLE = new Set(['40001', '40P01', '55P03']);
const LOST = new Set(['57P01', '57P02', '57P03', '53300']);
/** Reported after a failover by a server that has become a standby. */
const READ_ONLY_TRANSACTION = '25006';

function classify(error: unknown): ClassifiedError {
  const { code = '', constraint } = (error ?? {}) as { code?: string; constraint?: string };
  if (code === '23505') return { fault: 'unique', constraint };
  if (code === '23503' || code === '23001') return { fault: 'foreignKey', constraint };
  if (RETRYABLE.has(code)) return { fault: 'retryable' };
  if (LOST.has(code) || /^08...$/.test(code)) return { fault: 'connection' };
  if (code === READ_ONLY_TRANSACTION) return { fault: 'connection', isReadOnly: true };
  if (code === '57014') return { fault: 'cancelled' };
  if (code === '53100') return { fault: 'full' };
  if (code === '42501') return { fault: 'denied' };
  return { fault: networkFault(error) };
}

/** Supports PostgreSQL 14 and later; the embedded server is 18. */
export const pgDialect: Dialect = {
  name: 'pg',
  product: 'PostgreSQL',
  // The protocol counts parameters in 16 bits.
  maxBindings: 65_535,
  maxRows: 10_000,
  types: { timestamp: 'timestamptz(3)', longText: 'text', bytes: 'bytea' },

  prepareDatabase: async () => {},

  // now() would be the start of the transaction, which may be long ago.
  serverVersion: (db) => db.raw("current_setting('server_version')"),
  now: (db) => db.raw('statement_timestamp()'),
  // Not written as a multiplication: a statement with an asterisk is never prepared.
  nowPlus: (db, seconds) => db.raw('statement_timestamp() + make_interval(secs => ?::double precision)', [seconds]),
  plusSeconds: (db, column, seconds) => db.raw('?? + make_interval(secs => ?::double precision)', [column, seconds]),
  secondsSince: (db, column) => db.raw('extract(epoch from statement_timestamp() - ??)::double precision', [column]),
  periodOf: (db, column, seconds) => db.raw('floor(extract(epoch from ??) / ?::integer)::bigint', [column, seconds]),
  nullBytes: (db) => db.raw('null::bytea'),
  jsonText: (db, column, path) => db.raw('?? ::jsonb #>> ?::text[]', [column, path]),
  byteLength: (db, column) => db.raw('octet_length(??)', [column]),

  contains: (db, column, text) => db.raw("?? ilike ? escape '!'", [column, `%${escapeLike(text)}%`]),
  startsWith: (db, column, text) => db.raw("?? ilike ? escape '!'", [column, `${escapeLike(text)}%`]),
  // A range is used because no index serves a LIKE with a computed pattern. U+10FFFF is the highest code point.
  beginsWith: (db, column, text) =>
    db.raw('?? >= lower(?) and ?? < lower(?) || ?', [column, text, column, text, '\u{10FFFF}']),
  lower: (db, text) => db.raw('lower(?)', [text]),
  listedText: (db, text) => db.raw('?', [text]),
  orderIgnoringCase: (db, column, direction = 'asc') =>
    db.raw(`lower(??) ${direction}, ?? ${direction}`, [column, column]),

  leftJoinEach: (query, each, alias) =>
    void query.joinRaw('left join lateral (?) as ?? on true', [each as never, alias]),

  changeInOneStatement,
  many: {
    inOneStatement: manyInOneStatement,
    ago: (db, column) => db.raw('statement_timestamp() - make_interval(secs => ??)', [column]),
  },
  claimRows,
  lockRows,
  upsert,
  deleteChunk,

  // A database function of this program: it waits for the owner's other starts before it reads.
  lastRankOf: (db, owner, { pool, from, below }) => db.raw('"LastTurnOf"(?, ?, ?, ?)', [owner, pool, from, below]),

  lock: async (trx, name) => {
    await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [name]);
  },
  tryLock: async (trx, name) => {
    const [row] = await rowsOf<{ taken: boolean }>(
      trx.raw('select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as taken', [name]),
    );
    return row?.taken === true;
  },
  limitLockWait: async (trx, milliseconds) => {
    // This statement accepts no bound values.
    await trx.raw(`set local lock_timeout = ${milliseconds === null ? 'default' : Math.trunc(milliseconds)}`);
  },
  notify: async (db, channel, payload) => {
    await db.raw('select pg_notify(?, ?)', [channel, payload]);
  },
  listen: listenOnPostgres,
  snapshots: { listTables, take: withSnapshot, load: loadSnapshot },
  classify,
};
