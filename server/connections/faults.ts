/** Converts driver errors to messages for people. */
import { ConnectionError } from './connection-error.ts';
import type { ConnectionTarget } from './connection-target.ts';
import { TransactionLeft } from './read-mssql.ts';

export interface Bounds {
  /** The caller's signal. */
  signal: AbortSignal;
  deadline: AbortSignal;
  /** Milliseconds. */
  timeLimit: number;
}

/** Returns the ConnectionError for an error thrown by a statement. No message contains the URL. */
export function faultOf(
  { name, database }: Pick<ConnectionTarget, 'name' | 'database'>,
  error: unknown,
  { signal, deadline, timeLimit }: Bounds,
): ConnectionError {
  if (error instanceof ConnectionError) return error;
  if (error instanceof TransactionLeft) {
    const message =
      `A query on the connection '${name}' ended the transaction that was to take it back, so that it may have changed data: ` +
      'tell an administrator';
    return new ConnectionError('transactionLeft', message, error);
  }
  if (signal.aborted)
    return new ConnectionError('cancelled', `The query on the connection '${name}' was cancelled`, error);
  const { fault, isReadOnly } = database.dialect.classify(error);
  if (deadline.aborted || fault === 'cancelled') {
    const seconds = Math.round(timeLimit / 1000);
    return new ConnectionError('timeLimit', `A query on the connection '${name}' took longer than ${seconds} s`, error);
  }
  if ((fault === 'connection' && !isReadOnly) || isSignInFault(error)) {
    return new ConnectionError('unreachable', `The database of the connection '${name}' cannot be reached`, error);
  }
  const said = error instanceof Error ? error.message : String(error);
  return new ConnectionError('refused', `The database of the connection '${name}' rejected the query: ${said}`, error);
}

/**
 * Wrong password, unknown database or unknown server name: for people who run an activity, the database is unreachable.
 */
function isSignInFault(error: unknown): boolean {
  const { code = '' } = (error ?? {}) as { code?: unknown };
  return /^(28...|3D000|ELOGIN|ESOCKET|ETIMEOUT|EINSTLOOKUP|ECONNCLOSED|SELF_SIGNED_CERT.*|DEPTH_ZERO.*)$/.test(
    String(code),
  );
}
