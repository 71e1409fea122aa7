/** Converts errors of calls to messages for people. */
import { ConnectionError } from '../connection-error.ts';
import type { ConnectionTarget } from '../connection-target.ts';
import { faultOf, type Bounds } from '../faults.ts';
import { ArgumentError, ProcedureError, type CallMode } from './types.ts';
import { parseErrorLocation } from './where-pg.ts';

/** An error that this program detects during a call. */
export class CallFault extends Error {
  override readonly name = 'CallFault';
  readonly kind: 'commit' | 'takenBack' | 'transactionLeft' | 'transactionEnded' | 'cursorLost';

  constructor(kind: CallFault['kind'], cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/**
 * Lowest level of errors after which SQL Server closes the connection. Source: Transact-SQL reference, "Database engine
 * error severities" and RAISERROR: "Severity levels from 20 through 25 are considered fatal. … the client connection is
 * terminated after receiving the message".
 */
export const ENDS_CONNECTION = 20;

/** Wraps an error thrown by onRows or onEnd. */
export class CallerFault extends Error {
  constructor(cause: unknown) {
    super('the caller ended the call', { cause });
  }
}

type Target = Pick<ConnectionTarget, 'name' | 'database'>;

/** Returns the error to throw for an error of a call. `mode` is null if only the catalog was read. */
export function callFaultOf(target: Target, thrown: unknown, bounds: Bounds, mode: CallMode | null): unknown {
  const error = firstOf(thrown);
  if (error instanceof CallerFault) return error.cause;
  if (error instanceof ArgumentError || error instanceof ProcedureError || error instanceof ConnectionError)
    return error;
  if (bounds.signal.aborted) return ended('cancelled', 'was cancelled', target, mode, error);
  if (bounds.deadline.aborted || isTimeout(error)) {
    return ended('timeLimit', `took longer than ${Math.round(bounds.timeLimit / 1000)} s`, target, mode, error);
  }
  if (error instanceof CallFault) return ofCall(target, error, bounds, mode);
  const { fault, isReadOnly } = target.database.dialect.classify(error);
  if (fault === 'connection' && !isReadOnly && mode !== null) {
    const lost = `The connection to the database of '${target.name}' was lost while the procedure was running${effectText(mode)}`;
    return new ConnectionError('unreachable', lost, error);
  }
  return (mode === null ? null : raisedBy(error, mode)) ?? faultOf(target, error, bounds);
}

/** Detects PostgreSQL's statement_timeout, which ends a statement no later than our own limit. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && /^canceling statement due to statement timeout$/.test(error.message);

const effectText = (mode: CallMode | null): string =>
  mode === 'own' ? '; changes that it had already committed remain' : '; its changes were rolled back';

function ended(
  kind: 'cancelled' | 'timeLimit',
  what: string,
  { name }: Target,
  mode: CallMode | null,
  cause: unknown,
): ConnectionError {
  if (mode === null)
    return new ConnectionError(kind, `Reading the procedures of the connection '${name}' ${what}`, cause);
  return new ConnectionError(kind, `The procedure on the connection '${name}' ${what}${effectText(mode)}`, cause);
}

const ENDS_BY_ITSELF = 'the procedure commits or rolls back its own changes, but the activity is not set up for this';

function transactionLeft({ name }: Target, consequence: string, { cause }: CallFault): ConnectionError {
  return new ConnectionError(
    'transactionLeft',
    `On the connection '${name}', ${ENDS_BY_ITSELF}; ${consequence}`,
    cause,
  );
}

function ofCall(target: Target, error: CallFault, bounds: Bounds, mode: CallMode | null): Error {
  switch (error.kind) {
    case 'commit':
      return ofCommit(target, error, bounds, mode);
    case 'takenBack':
      return new ConnectionError(
        'refused',
        `The database of the connection '${target.name}' rolled back the changes`,
        error,
      );
    case 'transactionLeft':
      return transactionLeft(target, 'its changes were rolled back', error);
    case 'transactionEnded':
      return transactionLeft(target, 'changes that it committed, or made after a rollback, remain', error);
    case 'cursorLost': {
      const text = `On the connection '${target.name}', the procedure opened a cursor that was closed with the procedure's own transaction before its rows could be read`;
      return new ConnectionError('refused', text, error.cause);
    }
  }
}

/** The commit was rejected by a deferred constraint, or its outcome is unknown because the connection was lost. */
function ofCommit(target: Target, { cause }: CallFault, bounds: Bounds, mode: CallMode | null): Error {
  if (target.database.dialect.classify(cause).fault !== 'connection')
    return callFaultOf(target, cause, bounds, mode) as Error;
  const text =
    `The connection to the database of '${target.name}' was lost while the work of the procedure was committed: ` +
    'check there whether it was saved';
  return new ConnectionError('unreachable', text, cause);
}

interface DriverError extends Error {
  code?: unknown;
  severity?: unknown;
  where?: unknown;
  number?: unknown;
  class?: unknown;
  procName?: unknown;
  lineNumber?: unknown;
}

/** "Invalid transaction termination". */
const ENDS_TRANSACTION = '2D000';

/**
 * Returns the first error of a batch that describes the cause. Error 266 follows every error that ends a transaction.
 */
function firstOf(error: unknown): unknown {
  if (!(error instanceof AggregateError)) return error;
  const errors = error.errors as DriverError[];
  return errors.find(({ number }) => number !== MISMATCHING_COUNT) ?? errors[0];
}

const MISMATCHING_COUNT = 266;

/** Converts an error that the database raised in a statement; returns null for errors of the driver and the network. */
function raisedBy(error: unknown, mode: CallMode): ProcedureError | null {
  if (!(error instanceof Error)) return null;
  const { code, severity, where, number, class: level, procName, lineNumber, message } = error as DriverError;
  if (typeof number === 'number' && typeof level === 'number') {
    const said = {
      number: String(number),
      severity: String(level),
      procedure: textOr(procName),
      line: numberOr(lineNumber),
    };
    const isFatal = level >= ENDS_CONNECTION;
    const end = `: an error of level ${level}, with which the database ended the connection${effectText(mode)}`;
    return new ProcedureError(isFatal ? `${message}${end}` : message, said, error);
  }
  // Sign-in errors belong to the connection.
  if (typeof severity !== 'string' || typeof code !== 'string' || /^(?:28|3D)/.test(code)) return null;
  // If the procedure may commit, it has done so where PostgreSQL does not allow it: in a function, or in a block with
  // exception handlers.
  const isOfSetup = code === ENDS_TRANSACTION && mode !== 'own';
  const text = isOfSetup ? `${message}: ${ENDS_BY_ITSELF}; its changes were rolled back` : message;
  return new ProcedureError(
    text,
    { number: code, severity, isOfSetup, ...parseErrorLocation(textOr(where) ?? undefined) },
    error,
  );
}

const textOr = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const numberOr = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null);
