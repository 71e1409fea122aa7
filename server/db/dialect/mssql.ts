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

/** Compares and sorts alike wherever the server was installed; the database's own collation may be any. */
const IGNORING_CASE = 'Latin1_General_100_CI_AS_SC';
/** By code points: the collation of all columns of text. */
export const MSSQL_EXACT = 'Latin1_General_100_BIN2';

/** Milliseconds are all a JavaScript Date keeps; the server's clock gives 100 ns. */
export const MSSQL_NOW = 'cast(sysdatetimeoffset() as datetimeoffset(3))';

/** A value has the collation of its database, in which I may have another lower case (Turkish); columns have theirs from MSSQL_EXACT. */
const LOWER = `lower(? collate ${MSSQL_EXACT})`;

const MAX_INT = 2 ** 31 - 1;
const DAY_SECONDS = 86_400;

/**
 * DATEADD counts in int, which milliseconds overflow after 24 days and seconds after 68 years: whole days, whole seconds and the
 * rest are added apart.
 */
function dateAdd(db: Db, moment: string, bindings: string[], seconds: number): Knex.Raw {
  const whole = Math.trunc(seconds);
  const rest = Math.round((seconds - whole) * 1000);
  const days = Math.abs(whole) > MAX_INT ? Math.trunc(whole / DAY_SECONDS) : 0;
  const [from, daysBound] = days === 0 ? [moment, []] : [`dateadd(day, ?, ${moment})`, [days]];
  return db.raw(`dateadd(millisecond, ?, dateadd(second, ?, ${from}))`, [
    rest,
    whole - days * DAY_SECONDS,
    ...daysBound,
    ...bindings,
  ]);
}

/** A table with locking hints, which SQL Server wants behind its name in FROM. */
function hinted(db: Db, table: string, hints: string[]): Knex.Raw {
  return db.raw(`?? with (${hints.join(', ')})`, [table]);
}

/**
 * UPDLOCK takes the rows before they are changed, READPAST passes over those that others took, and ROWLOCK keeps the server from
 * locking whole pages with rows that nobody asked for. READPAST is refused where reads are of row versions (READ_COMMITTED_SNAPSHOT),
 * unless READCOMMITTEDLOCK says that this one locks. Source: Transact-SQL, table hints.
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
  const rows = (await db.with('Picked', picked).from('Picked').update(set).returning(answered)) as Row[];
  // OUTPUT answers in no order, and an ORDER BY is not to be had on it.
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

/** A column of a list has the collation of the database, which is another than that of the tables' columns. */
const LISTED_TEXT = `? collate ${MSSQL_EXACT}`;

/** MERGE; HOLDLOCK keeps two of them from both finding a key missing, and then both inserting it. */
async function upsert(db: Db, { table, rows, key, update }: UpsertOptions): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const many = (names: string[]): string => names.map(() => '??').join(', ');
  const values = rows.flatMap((row) => columns.map((column) => row[column] ?? null));
  const places = values.map((value) => (typeof value === 'string' ? LISTED_TEXT : '?'));
  const source = rows.map((_, row) => `(${places.slice(row * columns.length, (row + 1) * columns.length).join(', ')})`);
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
  return (await db.with('Doomed', doomed).from('Doomed').delete()) as number;
}

/**
 * HOLDLOCK holds the range of the owner's runs until the transaction ends, and UPDLOCK lets one of several starts read it at a time.
 * Source: Transact-SQL, table hints. The statuses are literals, as bound ones would not do for the filtered index.
 */
const lastTurnOf: Dialect['lastTurnOf'] = (db, owner, { pool, from, below }) =>
  db.raw(
    '(select max([Own].[Turn]) from [ActivityRuns] as [Own] with (updlock, holdlock, rowlock) ' +
      'where [Own].[TurnOwner] = ? and [Own].[Pool] = ? and [Own].[Turn] >= ? and [Own].[Turn] < ? ' +
      "and [Own].[Status] in ('Queued', 'PickedUp', 'Started'))",
    [owner, pool, from, below],
  );

const NEVER = -1;
const DEADLOCK = 1205;
/** What sp_getapplock answers to the victim of a deadlock. */
const LOCK_DEADLOCK = -3;

/**
 * sp_getapplock answers 0 or 1 when the lock was given, and a negative number for time-out, cancellation or deadlock.
 * Resource names are cut off at 255 characters.
 */
async function applicationLock(trx: Knex.Transaction, name: string, timeoutMs: number): Promise<number> {
  const rows = (await trx.raw(
    "declare @result int; exec @result = sp_getapplock @Resource = ?, @LockMode = 'Exclusive', @LockOwner = 'Transaction', " +
      '@LockTimeout = ?; select @result as [Result]',
    [name, timeoutMs],
  )) as { Result: number }[];
  return rows[0]?.Result ?? -999;
}

const DUPLICATE_KEY = new Set([2601, 2627]);
/** 1205 deadlock victim, 1222 lock time-out, 3960 snapshot conflict, 41302 and the like: memory-optimised tables. */
const RETRYABLE = new Set([DEADLOCK, 1222, 3960, 3961, 41301, 41302, 41305, 41325]);
/**
 * 229 and 230 no right to an object or its column, 262 none to make tables, 1088 and 4902 none to change one (or it is not there), 2760 none to
 * the schema. Source: "Database Engine events and errors".
 */
const DENIED = new Set([229, 230, 262, 1088, 2760, 4902]);
/** 1101 and 1105 no room for pages, 9002 none in the log. Source: "Database Engine events and errors". */
const FULL = new Set([1101, 1105, 9002]);
/** Server shutting down, database not yet up or failing over, and the transient errors of Azure SQL. */
const LOST = new Set([
  233, 4060, 6005, 9001, 10053, 10054, 10060, 10928, 10929, 18401, 40143, 40197, 40501, 40613, 49918, 49919, 49920,
]);
/**
 * EINVALIDSTATE: a statement for a connection that was closed before. ELOGIN: also said, without a number that could tell, while the
 * server starts or the database is recovered.
 */
const LOST_CODES = new Set(['ESOCKET', 'ECONNCLOSED', 'ENOTOPEN', 'ECLOSE', 'EINSTLOOKUP', 'EINVALIDSTATE', 'ELOGIN']);

function classify(error: unknown): ClassifiedError {
  const { number = 0, code = '', message = '' } = (error ?? {}) as { number?: number; code?: string; message?: string };
  // "… unique index 'UX_Users'…", "… UNIQUE KEY constraint 'UX_Users'.": the name stands only in the text, in every language in quotes.
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
  // Knex says first that it could not roll back, where the connection was lost in a transaction; else it is the error itself.
  const { originalError = error } = (error ?? {}) as { originalError?: unknown };
  return fault === 'other' && originalError !== error ? classify(originalError) : { fault };
}

/** SQL Server 2019 and later, Azure SQL. */
export const mssqlDialect: Dialect = {
  name: 'mssql',
  // The limit is 2,100, of which sp_executesql takes some for itself.
  maxBindings: 2_000,
  maxRows: 1_000,
  types: { timestamp: 'datetimeoffset(3)', longText: `nvarchar(max) collate ${MSSQL_EXACT}`, bytes: 'varbinary(max)' },

  prepareDatabase: turnOnRowVersions,

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

  // Knex brackets the query; in a second pair SQL Server takes no ORDER BY.
  leftJoinEach: (query, each, alias) => void query.joinRaw('outer apply ? as ??', [each as never, alias]),

  claimRows,
  lockRows,
  upsert,
  deleteChunk,

  lastTurnOf,

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
