/** A transaction on SQL Server around statements that somebody else wrote: whether they ended it themselves. */
import type { MssqlSession } from './procedures/session-mssql.ts';

/** "Transaction count after EXECUTE indicates a mismatching number of BEGIN and COMMIT statements". */
const MISMATCHING_COUNT = 266;

export interface WatchedTransaction {
  /**
   * Whether the statements ended it, so that what they did since is outside of it. Not where the server took it back because of an error.
   * @param failure what they failed with; undefined where they did not fail
   */
  hasEnded(failure?: unknown): boolean;
  /** Whether the server took a transaction back since. */
  isTakenBack(): boolean;
  stop(): void;
}

/** Begins with the transaction that is open now. */
export function watchTransaction(connection: MssqlSession): WatchedTransaction {
  const begun = connection.currentTransactionDescriptor();
  let isTakenBack = false;
  const onRollback = (): void => {
    isTakenBack = true;
  };
  connection.on('rollbackTransaction', onRollback);
  return {
    hasEnded: (failure) => {
      if (connection.currentTransactionDescriptor() === begun) return false;
      // A ROLLBACK of the statements looks the same as that of an error, but succeeds or leads to a mismatching count alone.
      const isByError = isTakenBack && failure !== undefined && !hasMismatchingCount(failure);
      return !isByError;
    },
    isTakenBack: () => isTakenBack,
    stop: () => void connection.off('rollbackTransaction', onRollback),
  };
}

/** Whether statements failed for nothing but transactions that they began or ended in excess. */
export function hasMismatchingCount(failure: unknown): boolean {
  const errors: unknown[] = failure instanceof AggregateError ? failure.errors : [failure];
  return (
    errors.length > 0 &&
    errors.every((error) => (error as { number?: number } | null | undefined)?.number === MISMATCHING_COUNT)
  );
}
