/** Queries on SQL Server, row by row as the driver receives them. */
import type { Knex } from 'knex';
import type { Connection, Request, TYPES } from 'tedious';
import { tedious } from '#server/base/on-demand.ts';
import type { BoundQuery, SqlParameter } from '#shared/codecs/query-text.ts';
import { watchTransaction, type WatchedTransaction } from './mssql-transaction.ts';
import { readAsDriverDoes, readNumbersExactly } from './procedures/exact-tedious.ts';
import { send, type MssqlSession } from './procedures/session-mssql.ts';
import { createInstantSerial, exactNumberOfText, hexOf, numberOfText, serialOfUtc } from './result-values.ts';
import type { ResultBatch, ResultColumn, ResultValue } from './types.ts';

/** Members that the driver's types lack. */
type ReadConnection = MssqlSession & {
  readonly databaseCollation?: { codepage?: string };
  readonly inTransaction: boolean;
};

interface Pooling {
  acquireConnection(): Promise<ReadConnection>;
  releaseConnection(connection: Connection): Promise<void>;
}

interface ColumnMetadata {
  colName: string;
  type: { name: string };
  /** Length in bytes, for types with several sizes. */
  dataLength?: number;
}

interface Cell {
  value: unknown;
  metadata: ColumnMetadata;
}

/**
 * Reads in a transaction that is always rolled back. Aborting sends the server the attention signal, which ends the
 * statement. Throws TransactionLeft if the query itself ended that transaction.
 */
export async function* readMssql(
  knex: Knex,
  query: BoundQuery,
  signal: AbortSignal,
  { timeZone, batchRows, exactNumbers = false }: { timeZone: string; batchRows: number; exactNumbers?: boolean },
): AsyncGenerator<ResultBatch, void, void> {
  signal.throwIfAborted();
  const count = query.values.length;
  if (count > MAX_VALUES)
    throw new Error(`it has ${count.toLocaleString('en')} values, and a query of SQL Server takes 2,098`);
  const pooling = knex.client as Pooling;
  const connection = await pooling.acquireConnection();
  let transaction: WatchedTransaction | undefined;
  let failure: unknown;
  try {
    await send((ended) => connection.beginTransaction(ended));
    transaction = watchTransaction(connection);
    // The signal may have been aborted before anything listened to it.
    signal.throwIfAborted();
    if (exactNumbers) readNumbersExactly(connection);
    yield* rowsOf(connection, query, signal, { batchRows, read: createReader(timeZone, exactNumbers) });
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    if (exactNumbers) readAsDriverDoes(connection);
    try {
      await takeBack(connection, transaction, failure);
    } finally {
      await pooling.releaseConnection(connection);
    }
  }
}

/** The transaction of a read ended before it was rolled back: later changes of the query are permanent. */
export class TransactionLeft extends Error {
  override readonly name = 'TransactionLeft';
}

/** Rolls back the transaction of a read. Throws TransactionLeft if the query ended it. */
async function takeBack(connection: ReadConnection, watched: WatchedTransaction | undefined, failure: unknown) {
  watched?.stop();
  let hasLeftTransaction = watched?.hasEnded(failure) ?? false;
  // No transaction is open: a rollback would fail, and the pool would lose the connection.
  if (watched?.isTakenBack() && !hasLeftTransaction && !connection.inTransaction) return;
  // If the rollback fails, the connection is not used again.
  await send((ended) => connection.rollbackTransaction(ended)).catch((error: unknown) => {
    connection.__knex__disposed = error;
    // The server rolls back the transaction of a lost connection.
    hasLeftTransaction ||= failure === undefined && watched !== undefined && !connection.closed;
  });
  if (!hasLeftTransaction) return;
  connection.__knex__disposed ??= 'its transaction was left';
  throw new TransactionLeft('the query ended its own transaction', { cause: failure });
}

interface Reading {
  batchRows: number;
  read: (cell: Cell) => ResultValue;
}

/** The driver pushes rows; it is paused while a full batch waits to be taken. */
async function* rowsOf(
  connection: ReadConnection,
  query: BoundQuery,
  signal: AbortSignal,
  { batchRows, read }: Reading,
): AsyncGenerator<ResultBatch> {
  let columns: ResultColumn[] = [];
  let rows: ResultValue[][] = [];
  let isEnded = false;
  let failure: unknown = null;
  let wake: () => void = () => undefined;
  const request = requestOf(query, hasCodePage(connection), (error) => {
    isEnded = true;
    failure ??= error ?? null;
    wake();
  });
  let results = 0;
  request.on('columnMetadata', (found) => {
    results += 1;
    // Rows of a second statement would be mistaken for rows of the first.
    if (results > 1) failure ??= new Error('it answers more than one result');
    columns = (found as ColumnMetadata[]).map(columnOf);
  });
  request.on('row', (cells: Cell[]) => {
    rows.push(cells.map(read));
    if (rows.length < batchRows) return;
    request.pause();
    wake();
  });
  const onAbort = (): void => void connection.cancel();
  signal.addEventListener('abort', onAbort);
  connection.execSql(request);
  let isFirst = true;
  try {
    for (;;) {
      if (!isEnded && rows.length < batchRows) await new Promise<void>((resolve) => (wake = resolve));
      if (failure !== null) throw failure;
      const taken = rows;
      rows = [];
      if (taken.length > 0 || isFirst) yield { columns, rows: taken };
      isFirst = false;
      // Cancelled while the caller read the batch.
      if (failure !== null) throw failure as Error;
      if (isEnded && rows.length === 0) return;
      request.resume();
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (!isEnded)
      await cancelled(
        connection,
        request,
        () => isEnded,
        (resume) => (wake = resume),
      );
  }
}

/** The caller stopped early: the statement must end before the connection can be used again. */
async function cancelled(
  connection: Connection,
  request: Request,
  isEnded: () => boolean,
  onWake: (wake: () => void) => void,
): Promise<void> {
  connection.cancel();
  request.resume();
  while (!isEnded()) await new Promise<void>(onWake);
}

/** Databases of some languages have no code page: all their texts are Unicode, and the driver can send no others. */
const hasCodePage = ({ databaseCollation }: ReadConnection): boolean => databaseCollation?.codepage !== undefined;

function requestOf({ sql, values }: BoundQuery, takesNarrow: boolean, ended: (error?: Error | null) => void): Request {
  const request = new (tedious().Request)(sql, ended);
  for (const [index, value] of values.entries()) request.addParameter(`p${index}`, typeOf(value, takesNarrow), value);
  return request;
}

/**
 * The limit is 2,100, of which sp_executesql uses two. Source: "Maximum capacity specifications for SQL Server",
 * Parameters per stored procedure.
 */
const MAX_VALUES = 2_098;

const MAX_INT = 2 ** 31;
/** The characters that are equal in every code page. */
const ASCII = /^[\x20-\x7e]*$/;

/**
 * ASCII text is sent as varchar. In a comparison, the side with lower type precedence is converted. With nvarchar, a
 * varchar column would be converted row by row, and none of its indexes could be used. With varchar, the value is
 * converted if the column is nvarchar. Source: Transact-SQL Reference, "Data type precedence".
 */
function typeOf(value: SqlParameter, takesNarrow: boolean): (typeof TYPES)[keyof typeof TYPES] {
  const { TYPES: types } = tedious();
  if (typeof value === 'boolean') return types.Bit;
  if (value instanceof Date) return types.DateTime2;
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < MAX_INT ? types.Int : types.Float;
  return takesNarrow && value !== null && ASCII.test(value) ? types.VarChar : types.NVarChar;
}

const NUMBERS =
  /^(TinyInt|SmallInt|Int|BigInt|IntN|Float|FloatN|Real|Decimal|DecimalN|Numeric|NumericN|Money|MoneyN|SmallMoney)$/;
const DATES = /^(Date|DateTime|DateTimeN|DateTime2|SmallDateTime|DateTimeOffset|Time)$/;

function columnOf({ colName, type: { name }, dataLength }: ColumnMetadata): ResultColumn {
  const kind = NUMBERS.test(name) ? 'Number' : DATES.test(name) ? 'Date' : name.startsWith('Bit') ? 'Boolean' : 'Text';
  const bits = BITS[name] ?? (/^(?:Int|Float)N$/.test(name) ? BITS_OF_LENGTH[dataLength ?? 0] : undefined);
  return {
    name: colName,
    kind,
    ...(/^(?:FloatN?|Real)$/.test(name) ? { isFloat: true } : {}),
    ...(bits ? { bits } : {}),
  };
}

const BITS: Record<string, ResultColumn['bits']> = {
  TinyInt: 8,
  SmallInt: 16,
  Int: 32,
  BigInt: 64,
  Real: 32,
  Float: 64,
};
/** By length, for the nullable types IntN and FloatN. Source: [MS-TDS] 2.2.5.4.2 "Variable-Length Data Types". */
const BITS_OF_LENGTH: Record<number, ResultColumn['bits']> = { 1: 8, 2: 16, 4: 32, 8: 64 };

const DAY_MS = 86_400_000;

function createReader(timeZone: string, exactNumbers: boolean): (cell: Cell) => ResultValue {
  const serialOfInstant = createInstantSerial(timeZone);
  return ({ value, metadata: { type } }) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Date) {
      if (type.name === 'DateTimeOffset') return serialOfInstant(value);
      return type.name === 'Time' ? (value.getTime() % DAY_MS) / DAY_MS : serialOfUtc(value);
    }
    if (exactNumbers && typeof value === 'string' && NUMBERS.test(type.name)) return exactNumberOfText(value);
    // The driver returns bigint as text because it supports any size.
    if (typeof value === 'string') return type.name === 'BigInt' || type.name === 'IntN' ? numberOfText(value) : value;
    if (Buffer.isBuffer(value)) return hexOf(value);
    return value as number | boolean;
  };
}
