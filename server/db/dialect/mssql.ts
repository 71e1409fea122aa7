import type { Knex } from 'knex';
import { escapeLike } from './like.ts';
import { turnOnRowVersions } from './mssql-versioning.ts';
import { networkFault } from './network-fault.ts';
import { applyOrder } from './order.ts';
import type {
  ClaimOptions,
  ClassifiedError,
  Db,
  DeleteChunkOptions,
  Dialect,
  LockOptions,
  Row,
  SqlValue,
  UpsertOptions,
} from './types.ts';

/** Compares and sorts equally on every server, whatever the collation of the server or the database. */
const IGNORING_CASE = 'Latin1_General_100_CI_AS_SC';
/** Compares by code points: the collation of all text columns. */
export const MSSQL_EXACT = 'Latin1_General_100_BIN2';

/** Rounded to milliseconds, because a JavaScript Date holds no more; the server's clock has 100 ns. */
export const MSSQL_NOW = 'cast(sysdatetimeoffset() as datetimeoffset(3))';

/**
 * A parameter has the collation of its database, in which I may have a different lower case (Turkish). Columns have
 * theirs from MSSQL_EXACT.
 */
const LOWER = `lower(? collate ${MSSQL_EXACT})`;

const MAX_INT = 2 ** 31 - 1;
const DAY_SECONDS = 86_400;

/**
 * DATEADD counts in int, which overflows for milliseconds after 24 days and for seconds after 68 years. Whole days,
 * whole seconds and the remaining milliseconds are therefore added separately.
 */
function dateAdd(db: Db, instant: string, bindings: string[], seconds: number): Knex.Raw {
  const whole = Math.trunc(seconds);
  const rest = Math.round((seconds - whole) * 1000);
  const days = Math.abs(whole) > MAX_INT ? Math.trunc(whole / DAY_SECONDS) : 0;
  const [from, daysBound] = days === 0 ? [instant, []] : [`dateadd(day, ?, ${instant})`, [days]];
  return db.raw(`dateadd(millisecond, ?, dateadd(second, ?, ${from}))`, [
    rest,
    whole - days * DAY_SECONDS,
    ...daysBound,
    ...bindings,
  ]);
}

/** Adds locking hints to a table, which SQL Server expects after its name in FROM. */
function hinted(db: Db, table: string, hints: string[]): Knex.Raw {
  return db.raw(`?? with (${hints.join(', ')})`, [table]);
}

/**
 * UPDLOCK locks the rows before they are changed, READPAST skips rows locked by others, and ROWLOCK prevents page
 * locks, which would include unrelated rows. With row versions (READ_COMMITTED_SNAPSHOT), READPAST is an error unless
 * READCOMMITTEDLOCK makes the read take locks. Source: Transact-SQL, table hints.
 */
const SKIPPING = ['updlock', 'readpast', 'rowlock', 'readcommittedlock'];

async function claimRows<T>(db: Db, options: ClaimOptions): Promise<T[]> {
  const { table, limit, set, returning, orderBy } = options;
  const picked = db
    .select('*')
    .from(hinted(db, table, SKIPPING))
    .limit(limit);
  options.where(picked);
  applyOrder(picked, orderBy);
  const answered = [...new Set([...returning, ...orderBy.map(({ column }) => column)])];
  const rows = await db.with('Picked', picked).from('Picked').update(set).returning<Row[]>(answered);
  // OUTPUT returns rows in no order, and it accepts no ORDER BY.
  return rows.sort(compareBy(orderBy)).map((row) => only(row, returning)) as T[];
}

function compareBy(terms: ClaimOptions['orderBy']): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const { column, direction = 'asc' } of terms) {
      const order = compareValues(a[column], b[column]);
      if (order !== 0) return direction === 'asc' ? order : -order;
    }
    return 0;
  };
}

function compareValues(a: SqlValue | undefined, b: SqlValue | undefined): number {
  const left = a instanceof Date ? a.getTime() : (a ?? null);
  const right = b instanceof Date ? b.getTime() : (b ?? null);
  if (left === right) return 0;
  if (left === null) return -1;
  if (right === null) return 1;
  return left < right ? -1 : 1;
}

function only(row: Row, columns: string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column]]));
}

async function lockRows<T>(trx: Knex.Transaction, options: LockOptions): Promise<T[]> {
  const hints = options.locked === 'skip' ? SKIPPING : ['updlock', 'rowlock'];
  const query = trx.select(options.columns).from(hinted(trx, options.table, hints));
  options.where(query);
  applyOrder(query, options.orderBy);
  if (options.limit !== undefined) void query.limit(options.limit);
  return (await query) as T[];
}

/** A column of a VALUES list has the collation of the database, which differs from that of the tables' columns. */
const LISTED_TEXT = `? collate ${MSSQL_EXACT}`;

/** Uses MERGE. HOLDLOCK prevents two of them from both finding a key missing and then both inserting it. */
async function upsert(db: Db, { table, rows, key, update }: UpsertOptions): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const many = (names: string[]): string => names.map(() => '??').join(', ');
  const values = rows.flatMap((row) => columns.map((column) => row[column] ?? null));
  const placeholders = values.map((value) => (typeof value === 'string' ? LISTED_TEXT : '?'));
  const source = rows.map(
    (_, row) => `(${placeholders.slice(row * columns.length, (row + 1) * columns.length).join(', ')})`,
  );
  const matching = key.map(() => '?? = ??').join(' and ');
  const matchingNames = key.flatMap((column) => [`Target.${column}`, `Source.${column}`]);
  const setting = update.map(() => '?? = ??').join(', ');
  const settingNames = update.flatMap((column) => [column, `Source.${column}`]);
  const sourceNames = columns.map((column) => `Source.${column}`);
  await db.raw(
    `merge into ?? with (holdlock) as [Target] using (values ${source.join(', ')}) as [Source] (${many(columns)}) on ${matching}` +
      (update.length > 0 ? ` when matched then update set ${setting}` : '') +
      ` when not matched then insert (${many(columns)}) values (${many(columns)});`,
    [table, ...values, ...columns, ...matchingNames, ...settingNames, ...columns, ...sourceNames] as Knex.RawBinding[],
  );
}

async function deleteChunk(db: Db, { table, where, limit }: DeleteChunkOptions): Promise<number> {
  const doomed = db
    .select('*')
    .from(hinted(db, table, SKIPPING))
    .limit(limit);
  where(doomed);
  return db.with('Doomed', doomed).from('Doomed').delete();
}

/**
 * HOLDLOCK locks the range of the owner's runs until the transaction ends, and UPDLOCK lets only one of several starts
 * read it at a time. Source: Transact-SQL, table hints. The statuses are literals, because the filtered index does not
 * match bound values.
 */
const lastRankOf: Dialect['lastRankOf'] = (db, owner, { pool, from, below }) =>
  db.raw(
    '(select max([Own].[Turn]) from [ActivityRuns] as [Own] with (updlock, holdlock, rowlock) ' +
      'where [Own].[TurnOwner] = ? and [Own].[Pool] = ? and [Own].[Turn] >= ? and [Own].[Turn] < ? ' +
      "and [Own].[Status] in ('Queued', 'PickedUp', 'Started'))",
    [owner, pool, from, below],
  );

const NEVER = -1;
const DEADLOCK = 1205;
/** Result of sp_getapplock for a deadlock victim. */
const LOCK_DEADLOCK = -3;

/**
 * sp_getapplock returns 0 or 1 if the lock was granted, and a negative number for a timeout, cancellation or deadlock.
 * Resource names are truncated at 255 characters. They include the database's id, because some servers that speak SQL
 * Server's protocol have one set of locks for all databases.
 */
async function applicationLock(trx: Knex.Transaction, name: string, timeoutMs: number): Promise<number> {
  const rows = (await trx.raw(
    "declare @result int, @resource nvarchar(255) = concat(db_id(), '.', ?); " +
      "exec @result = sp_getapplock @Resource = @resource, @LockMode = 'Exclusive', @LockOwner = 'Transaction', " +
      '@LockTimeout = ?; select @result as [Result]',
    [name, timeoutMs],
  )) as { Result: number }[];
  return rows[0]?.Result ?? -999;
}

const DUPLICATE_KEY = new Set([2601, 2627]);
/**
 * 1205: deadlock victim. 1222: lock timeout. 3960 and 3961: snapshot conflict. 413xx: conflicts of memory-optimized
 * tables.
 */
const RETRYABLE = new Set([DEADLOCK, 1222, 3960, 3961, 41301, 41302, 41305, 41325]);
/**
 * 229 and 230: no permission on an object or its column. 262: no permission to create tables. 1088 and 4902: no
 * permission to alter a table, or it does not exist. 2760: no permission on the schema. Source: "Database Engine events
 * and errors".
 */
const DENIED = new Set([229, 230, 262, 1088, 2760, 4902]);
/** 1101 and 1105: no space for data pages. 9002: the log is full. Source: "Database Engine events and errors". */
const FULL = new Set([1101, 1105, 9002]);
/** Server shutting down, database starting or failing over, and the transient errors of Azure SQL. */
const LOST = new Set([
  233, 4060, 6005, 9001, 10053, 10054, 10060, 10928, 10929, 18401, 40143, 40197, 40501, 40613, 49918, 49919, 49920,
]);
/**
 * EINVALIDSTATE: a statement for a connection that was already closed. ELOGIN: also reported while the server starts or
 * the database recovers, without a number that would distinguish these cases.
 */
const LOST_CODES = new Set(['ESOCKET', 'ECONNCLOSED', 'ENOTOPEN', 'ECLOSE', 'EINSTLOOKUP', 'EINVALIDSTATE', 'ELOGIN']);

function classify(error: unknown): ClassifiedError {
  const { number = 0, code = '', message = '' } = (error ?? {}) as { number?: number; code?: string; message?: string };
  // "… unique index 'UX_Users'…", "… UNIQUE KEY constraint 'UX_Users'.": only the message contains the name, in quotes
  // in every language.
  const names = [...message.matchAll(/["'«„“]([^"'»“”]+)["'»“”]/g)].map((match) => match[1]);
  if (DUPLICATE_KEY.has(number)) return { fault: 'unique', constraint: number === 2601 ? names[1] : names[0] };
  if (number === 547) return { fault: 'foreignKey', constraint: names[0] };
  if (RETRYABLE.has(number)) return { fault: 'retryable' };
  if (DENIED.has(number)) return { fault: 'denied' };
  if (FULL.has(number)) return { fault: 'full' };
  if (LOST.has(number) || LOST_CODES.has(code)) return { fault: 'connection' };
  if (code === 'ECANCEL' || code === 'ETIMEOUT' || code === 'EREQUEST_TIMEOUT') {
    return { fault: /connect/i.test(message) ? 'connection' : 'cancelled' };
  }
  const fault = networkFault(error);
  // If the connection was lost within a transaction, Knex reports a failed rollback and attaches the original error.
  const { originalError = error } = (error ?? {}) as { originalError?: unknown };
  return fault === 'other' && originalError !== error ? classify(originalError) : { fault };
}

/** Supports SQL Server 2019 and later, and Azure SQL. */
export const mssqlDialect: Dialect = {
  name: 'mssql',
  product: 'SQL Server',
  // The limit is 2,100, and sp_executesql uses some of these itself.
  maxBindings: 2_000,
  maxRows: 1_000,
  types: { timestamp: 'datetimeoffset(3)', longText: `nvarchar(max) collate ${MSSQL_EXACT}`, bytes: 'varbinary(max)' },

  prepareDatabase: turnOnRowVersions,

  serverVersion: (db) => db.raw("cast(serverproperty('ProductVersion') as nvarchar(128))"),
  now: (db) => db.raw(MSSQL_NOW),
  nowPlus: (db, seconds) => dateAdd(db, MSSQL_NOW, [], seconds),
  plusSeconds: (db, column, seconds) => dateAdd(db, '??', [column], seconds),
  secondsSince: (db, column) => db.raw(`datediff_big(millisecond, ??, ${MSSQL_NOW}) / 1000e0`, [column]),
  periodOf: (db, column, seconds) =>
    db.raw(`datediff_big(second, '1970-01-01', ??) / cast(? as bigint)`, [column, seconds]),
  nullBytes: (db) => db.raw('cast(null as varbinary(max))'),
  jsonText: (db, column, path) =>
    db.raw('json_value(??, ?)', [column, `$${path.map((step) => `.${JSON.stringify(step)}`).join('')}`]),
  byteLength: (db, column) => db.raw('datalength(??)', [column]),

  contains: (db, column, text) =>
    db.raw(`?? collate ${IGNORING_CASE} like ? escape '!'`, [column, `%${escapeLike(text)}%`]),
  startsWith: (db, column, text) =>
    db.raw(`?? collate ${IGNORING_CASE} like ? escape '!'`, [column, `${escapeLike(text)}%`]),
  lower: (db, text) => db.raw(LOWER, [text]),
  listedText: (db, text) => db.raw(LISTED_TEXT, [text]),
  beginsWith: (db, column, text) => db.raw(`?? like ${LOWER} escape '!'`, [column, `${escapeLike(text)}%`]),
  orderIgnoringCase: (db, column, direction = 'asc') => db.raw(`?? collate ${IGNORING_CASE} ${direction}`, [column]),

  // Knex puts the query in parentheses; with a second pair, SQL Server accepts no ORDER BY.
  leftJoinEach: (query, each, alias) => void query.joinRaw('outer apply ? as ??', [each as never, alias]),

  claimRows,
  lockRows,
  upsert,
  deleteChunk,

  lastRankOf,

  lock: async (trx, name) => {
    const result = await applicationLock(trx, name, NEVER);
    if (result >= 0) return;
    const refused = new Error(`sp_getapplock answered ${result} for ${name}`);
    throw result === LOCK_DEADLOCK ? Object.assign(refused, { number: DEADLOCK }) : refused;
  },
  tryLock: async (trx, name) => (await applicationLock(trx, name, 0)) >= 0,
  limitLockWait: async (trx, milliseconds) => {
    await trx.raw(`set lock_timeout ${milliseconds === null ? -1 : Math.trunc(milliseconds)}`);
  },
  notify: async () => {},
  listen: async () => undefined,
  classify,
};
