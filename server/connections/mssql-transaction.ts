/** Detects whether statements of unknown origin have ended the SQL Server transaction around them. */
import type { MssqlSession } from './procedures/session-mssql.ts';

/** "Transaction count after EXECUTE indicates a mismatching number of BEGIN and COMMIT statements". */
const MISMATCHING_COUNT = 266;

export interface WatchedTransaction {
  /**
   * Returns true if the statements ended the transaction, so that later changes are outside it. Returns false if the
   * server rolled it back because of an error.
   * @param failure the error of the statements; undefined if they succeeded
   */
  hasEnded(failure?: unknown): boolean;
  /** Returns true if the server has rolled back a transaction since. */
  isTakenBack(): boolean;
  stop(): void;
}

/** Watches the transaction that is open now. */
export function watchTransaction(connection: MssqlSession): WatchedTransaction {
  const transaction = connection.currentTransactionDescriptor();
  let isTakenBack = false;
  const onRollback = (): void => {
    isTakenBack = true;
  };
  connection.on('rollbackTransaction', onRollback);
  return {
    hasEnded: (failure) => {
      if (connection.currentTransactionDescriptor() === transaction) return false;
      // A ROLLBACK by the statements looks the same as one after an error, but it succeeds, or its only error is a
      // mismatching count.
      const isByError = isTakenBack && failure !== undefined && !hasMismatchingCount(failure);
      return !isByError;
    },
    isTakenBack: () => isTakenBack,
    stop: () => void connection.off('rollbackTransaction', onRollback),
  };
}

/**
 * Returns true if the only errors are mismatching transaction counts: the statements began or ended too many
 * transactions.
 */
export function hasMismatchingCount(failure: unknown): boolean {
  const errors: unknown[] = failure instanceof AggregateError ? failure.errors : [failure];
  return (
    errors.length > 0 &&
    errors.every((error) => (error as { number?: number } | null | undefined)?.number === MISMATCHING_COUNT)
  );
}
