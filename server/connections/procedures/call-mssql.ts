/** Calls procedures of SQL Server. */
import type { Request } from 'tedious';
import { tedious } from '#server/base/on-demand.ts';
import { hasMismatchingCount, watchTransaction, type WatchedTransaction } from '../mssql-transaction.ts';
import { batchOf, LOST_CHARACTERS, type MssqlBatch, type StagedTable } from './batch-mssql.ts';
import type { MssqlCallable } from './catalog-mssql.ts';
import { readAsDriverDoes, readExactly } from './exact-tedious.ts';
import { CallFault, ENDS_CONNECTION } from './faults.ts';
import { send, type MssqlSession } from './session-mssql.ts';
import { columnOfDriver, type DriverColumn } from './types-mssql.ts';
import type { ProcedureCell, ProcedureColumn, ProcedureType, ProcedureValue } from '#server/base/procedure-types.ts';
import { ArgumentError, type CallMode, type CallOptions, type CallOutcome, type ProcedureMessage } from './types.ts';

export interface MssqlCall extends Pick<CallOptions, 'onMessage' | 'onRows' | 'onEnd'> {
  callable: MssqlCallable;
  arguments: ReadonlyMap<string, ProcedureValue>;
  mode: CallMode;
  signal: AbortSignal;
  timeZone: string;
}

const BATCH_ROWS = 1000;

/** Throws driver errors, an ArgumentError, or a CallFault. */
export async function callMssql(connection: MssqlSession, call: MssqlCall): Promise<CallOutcome> {
  const batch = batchOf(call.callable, call.arguments, call.timeZone);
  const { mode, signal } = call;
  const transaction = mode === 'own' ? null : await Transaction.begin(connection);
  if (batch.staging !== null) await stage(connection, batch.staging, batch.tables);
  signal.throwIfAborted();
  readExactly(connection);
  let outcome: CallOutcome;
  try {
    const last = await new Running(connection, call, batch).results();
    await transaction?.check(last.open);
    outcome = last.outcome;
  } catch (error) {
    await transaction?.check(null, error);
    throw refusedValue(error, batch);
  } finally {
    readAsDriverDoes(connection);
  }
  await call.onEnd?.(outcome);
  signal.throwIfAborted();
  if (mode === 'transaction') await transaction!.commit();
  return outcome;
}

/** Converts the error about lost characters to an ArgumentError that names the parameter. */
function refusedValue(error: unknown, { marker, checked }: MssqlBatch): unknown {
  const { number, message, state } = error as { number?: number; message?: string; state?: number };
  if (number !== LOST_CHARACTERS || message !== marker) return error;
  const name = checked[(state ?? 1) - 1] ?? '';
  return new ArgumentError(name, `${name}: it has characters that the code page of its type has not`);
}

/**
 * The transaction around a call, begun twice. If the procedure commits once too often, it only ends the inner one, so
 * its changes can still be rolled back. Source: COMMIT TRANSACTION (Transact-SQL), Remarks: only the outermost makes
 * changes permanent.
 */
class Transaction {
  private readonly connection: MssqlSession;
  private readonly watched: WatchedTransaction;

  private constructor(connection: MssqlSession) {
    this.connection = connection;
    this.watched = watchTransaction(connection);
  }

  static async begin(connection: MssqlSession): Promise<Transaction> {
    await send((ended) => connection.beginTransaction(ended));
    await batch(connection, 'set xact_abort on; begin transaction;');
    return new Transaction(connection);
  }

  /**
   * Call after the procedure: throws if it has ended or left the transaction. @param open number of transactions open
   * after it; null if it failed
   */
  async check(open: number | null, error?: unknown): Promise<void> {
    this.watched.stop();
    if (this.connection.closed) return;
    const hasEnded = this.watched.hasEnded(error);
    const hasLeftTransaction = hasEnded || hasMismatchingCount(error) || (open !== null && open !== OPEN_TRANSACTIONS);
    if (!hasLeftTransaction) return;
    const isOver = hasEnded || (open ?? (await openTransactions(this.connection))) === 0;
    throw new CallFault(isOver ? 'transactionEnded' : 'transactionLeft', error);
  }

  async commit(): Promise<void> {
    await batch(this.connection, 'commit transaction; commit transaction;').catch((error: unknown) => {
      throw new CallFault('commit', error);
    });
  }
}

/** Number of transactions open around a call. */
const OPEN_TRANSACTIONS = 2;

async function openTransactions(connection: MssqlSession): Promise<number> {
  let open = 0;
  await send((ended) => {
    const request = new (tedious().Request)('select @@trancount', ended);
    request.on('row', ([cell]: DriverCell[]) => (open = Number(cell?.value)));
    connection.execSqlBatch(request);
  });
  return open;
}

const batch = (connection: MssqlSession, sql: string): Promise<void> =>
  send((ended) => connection.execSqlBatch(new (tedious().Request)(sql, ended)));

/** Uses a separate batch, because temporary tables created by a statement with parameters are dropped at its end. */
async function stage(connection: MssqlSession, sql: string, tables: readonly StagedTable[]): Promise<void> {
  const { TYPES } = tedious();
  await batch(connection, sql);
  for (const { name, columns, rows } of tables) {
    await send((ended) => {
      const load = connection.newBulkLoad(name, { keepNulls: true }, ended);
      for (const column of columns) {
        load.addColumn(column.name, column.isBytes ? TYPES.VarBinary : TYPES.NVarChar, {
          length: Infinity,
          nullable: true,
        });
      }
      connection.execBulkLoad(load, rows);
    });
  }
}

interface DriverCell {
  value: unknown;
}

/** What the driver has pushed and the caller has not taken yet, in order. */
type Pushed = { columns: ProcedureColumn[] } | { cells: DriverCell[] };

interface LastResult {
  outcome: CallOutcome;
  open: number;
}

class Running {
  private readonly connection: MssqlSession;
  private readonly call: MssqlCall;
  private readonly batch: MssqlBatch;
  private pushed: Pushed[] = [];
  private isEnded = false;
  private failure: unknown;
  private fatal: Error | undefined;
  private wake: () => void = () => undefined;
  private count = 0;
  private columns: ProcedureColumn[] | null = null;
  private rows: ProcedureCell[][] = [];
  private isEmpty = true;
  private last: LastResult | undefined;

  constructor(connection: MssqlSession, call: MssqlCall, batch: MssqlBatch) {
    this.connection = connection;
    this.call = call;
    this.batch = batch;
  }

  /** Passes rows on until the call has ended. */
  async results(): Promise<LastResult> {
    const { connection, call } = this;
    const request = this.request();
    const onInfo = (info: Info): void => call.onMessage?.(messageOf(info));
    const onError = (said: Info): void => this.said(said);
    const onAbort = (): void => this.cancel(request);
    connection.on('infoMessage', onInfo as never);
    connection.on('errorMessage', onError as never);
    call.signal.addEventListener('abort', onAbort);
    connection.execSql(request);
    try {
      await this.takeAll(request);
    } catch (error) {
      // An error of the caller: the statement must end before the connection is cleaned.
      if (!this.isEnded) this.cancel(request);
      while (!this.isEnded) await this.more();
      throw error;
    } finally {
      call.signal.removeEventListener('abort', onAbort);
      connection.off('infoMessage', onInfo as never);
      connection.off('errorMessage', onError as never);
    }
    // If the connection was cut before the response was complete, the driver only reports the lost connection.
    if (this.failure) throw this.fatal ?? this.failure;
    if (!this.last) throw new Error('the call ended before its outputs');
    return this.last;
  }

  private said({ message, ...info }: Info): void {
    if ((info.class ?? 0) >= ENDS_CONNECTION) this.fatal ??= Object.assign(new Error(message), info);
  }

  private cancel(request: Request): void {
    this.connection.cancel();
    request.resume();
  }

  private more(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private async takeAll(request: Request): Promise<void> {
    for (;;) {
      if (this.pushed.length === 0 && !this.isEnded) await this.more();
      const taken = this.pushed;
      this.pushed = [];
      request.resume();
      for (const one of taken) await this.take(one);
      if (this.isEnded && this.pushed.length === 0) break;
    }
    await this.give(true);
  }

  private request(): Request {
    const { Request, TYPES } = tedious();
    const request = new Request(this.batch.sql, (error) => {
      this.isEnded = true;
      this.failure = error ?? undefined;
      this.wake();
    });
    for (const { name, value } of this.batch.values) {
      if (typeof value === 'string') request.addParameter(name, TYPES.NVarChar, value);
      // With the length of its bytes, an empty value would be rejected.
      else request.addParameter(name, TYPES.VarBinary, value, { length: Infinity });
    }
    const push = (one: Pushed): void => {
      this.pushed.push(one);
      if (this.pushed.length >= BATCH_ROWS) request.pause();
      this.wake();
    };
    request.on('columnMetadata', (columns) => push({ columns: (columns as DriverColumn[]).map(columnOfDriver) }));
    request.on('row', (cells: DriverCell[]) => push({ cells }));
    return request;
  }

  private async take(one: Pushed): Promise<void> {
    if ('columns' in one) {
      await this.give(true);
      this.columns = one.columns;
      this.isEmpty = true;
      if (one.columns[0]?.name !== this.batch.marker) this.count += 1;
      return;
    }
    const { columns } = this;
    if (columns === null) return;
    const read = one.cells.map(({ value }, index) => readCell(columns[index]!.type, value));
    if (columns[0]?.name === this.batch.marker) {
      this.last = this.lastOf(read);
      this.columns = null;
      return;
    }
    this.rows.push(read);
    if (this.rows.length >= BATCH_ROWS) await this.give(false);
  }

  /** Passes on the collected rows; at the end of a result without rows, only its columns. */
  private async give(isEnd: boolean): Promise<void> {
    const { columns, rows } = this;
    if (columns === null) return;
    if (rows.length > 0 || (isEnd && this.isEmpty)) {
      this.rows = [];
      this.isEmpty = false;
      await this.call.onRows?.({ result: this.count, columns, rows });
    }
    if (isEnd) this.columns = null;
  }

  private lastOf([code, open, ...values]: readonly ProcedureCell[]): LastResult {
    const outputs = new Map<string, ProcedureValue>();
    for (const [index, { name }] of this.batch.outputs.entries()) outputs.set(name, values[index] ?? null);
    const returnCode = code === null || code === undefined ? null : Number(code);
    return { outcome: { returnCode, outputs, results: this.count }, open: Number(open) };
  }
}

/** Converts the values that exact reading leaves to the driver: integers, texts, bytes. */
function readCell({ kind }: ProcedureType, value: unknown): ProcedureCell {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return kind === 'File' ? value : `0x${value.toString('hex').toUpperCase()}`;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  return value instanceof Date ? value.toISOString() : String(value as number);
}

interface Info {
  message: string;
  class?: number;
  number?: number;
  procName?: string;
  lineNumber?: number;
}

const messageOf = ({ message, class: level, number, procName, lineNumber }: Info): ProcedureMessage => ({
  text: message,
  severity: String(level ?? 0),
  number: number ? String(number) : null,
  procedure: procName || null,
  line: lineNumber || null,
});
