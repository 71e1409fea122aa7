/** A connection to SQL Server for the duration of a call. */
import type { Connection } from 'tedious';
import { tedious } from '#server/base/on-demand.ts';
import type { ConnectionTarget } from '../connection-target.ts';

/** Members that the driver's types lack. */
export type MssqlSession = Connection & {
  __knex__disposed?: unknown;
  readonly closed: boolean;
  /** Identifies the transaction; a new object for each. */
  currentTransactionDescriptor(): Buffer;
  on(event: 'rollbackTransaction', listener: () => void): unknown;
  off(event: 'rollbackTransaction', listener: () => void): unknown;
};

interface Pooling {
  acquireConnection(): Promise<MssqlSession>;
  releaseConnection(connection: Connection): Promise<void>;
}

/** Converts a callback of the driver to a promise. */
export const send = (statement: (ended: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => statement((error) => (error ? reject(error) : resolve())));

/**
 * Afterwards, the connection is used again if the server has rolled back open transactions and reset the session
 * (sp_reset_connection: settings, temporary tables, cursors, application locks). After a cancellation, or if either
 * step fails, the connection is closed, which makes the server roll back as well.
 */
export async function withMssqlSession<T>(
  { database }: Pick<ConnectionTarget, 'database'>,
  signal: AbortSignal,
  work: (connection: MssqlSession) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const pooling = database.knex.client as Pooling;
  const connection = await pooling.acquireConnection();
  try {
    return await work(connection);
  } finally {
    await clean(connection, signal.aborted);
    await pooling.releaseConnection(connection);
  }
}

/** Milliseconds. */
const RESPONSE_TIMEOUT_MS = 5000;

async function clean(connection: MssqlSession, isSpent: boolean): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('the database does not answer')), RESPONSE_TIMEOUT_MS);
  try {
    if (connection.closed) throw new Error('the connection was lost');
    await Promise.race([rolledBack(connection), late]);
    if (isSpent) throw new Error('something was cancelled on it');
    await Promise.race([send((ended) => connection.reset(ended)), late]);
  } catch (error) {
    connection.__knex__disposed = error;
    // The pool would close it only when the next connection is requested.
    connection.close();
  } finally {
    clearTimeout(timer);
  }
}

async function rolledBack(connection: MssqlSession): Promise<void> {
  const sql = 'if @@trancount > 0 rollback transaction';
  await send((ended) => connection.execSqlBatch(new (tedious().Request)(sql, ended)));
}
