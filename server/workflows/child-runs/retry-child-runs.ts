import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityRunsRow } from '#server/db/tables.ts';
import { rowsOwnerOf } from '#server/workflows/begin-for-each.ts';
import { copyInputsOfRetried } from '#server/workflows/filled-inputs.ts';
import { insertWaitingRuns } from '#server/workflows/step-runs.ts';
import { retryObstacle } from '#server/queue/retry-obstacle.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { hasSucceeded, isPending, RUN_STATUSES } from '#shared/contract/run-status.ts';
import { newestChildren } from './child-counts.ts';
import { lockRunStart, type OfStart } from '#server/queue/run-starts.ts';

const UNSUCCESSFUL = RUN_STATUSES.filter((status) => !isPending(status) && !hasSucceeded(status));

interface FailedChild {
  Id: number;
  StepKey: string;
  RowKey: string;
  RowIndex: number | null;
  ActivityId: number;
  ActivityVersion: number;
  MemoryCost: number;
  SingleRun: boolean;
  Attempt: number;
}

/**
 * Retries the rows of a Start step that did not succeed, each with its earlier version and inputs. Succeeded rows are
 * not changed. Returns the number of retried rows.
 */
export async function retryChildRuns(
  { knex }: Database,
  signals: RunSignals,
  of: OfStart,
  UserId: number,
): Promise<number> {
  const count = await inTransaction(knex, async (trx) => {
    if (!(await lockRunStart(trx, of)))
      throw new AppError('stepNotFound', 404, 'This run has no such step, or it has no rows');
    const failed = await newestChildren(trx, of)
      .whereIn('R.Status', UNSUCCESSFUL)
      .orderBy('R.RowIndex')
      .select<FailedChild[]>(
        [
          'Id',
          'StepKey',
          'RowKey',
          'RowIndex',
          'ActivityId',
          'ActivityVersion',
          'MemoryCost',
          'SingleRun',
          'Attempt',
        ].map((column) => `R.${column}`),
      );
    if (failed.length === 0) throw new AppError('nothingToRetry', 409, 'Nothing to retry: all ended rows succeeded');
    await requireInputs(trx, failed);
    const waiting = failed.map(({ Id, Attempt, ...row }) => ({
      run: { ...row, UserId, TurnOwner: rowsOwnerOf(UserId), Attempt: Attempt + 1, RetryOf: Id },
      inputs: [],
    }));
    await insertWaitingRuns(trx, { ParentRunId: of.ParentRunId }, waiting);
    await copyInputsOfRetried(trx, of);
    await trx('RunStarts').where(of).update({ EndTime: null });
    return failed.length;
  });
  signals.childEnded(of.ParentRunId);
  return count;
}

/** Rows of a step share one version, so checking the first row is enough; purged inputs are checked for each row. */
async function requireInputs(trx: Knex.Transaction, [first, ...others]: readonly FailedChild[]): Promise<void> {
  const obstacle = await retryObstacle(trx, first!.Id);
  const purged = await trx('ActivityRuns')
    .whereIn(
      'Id',
      others.map(({ Id }) => Id),
    )
    .whereNotNull('InputsPurgedTime')
    .first('Id');
  const text = obstacle ?? (purged ? 'The inputs of these runs no longer exist, so the runs cannot be retried' : null);
  if (text !== null) throw new AppError('runPurged', 409, text);
}

type RetriedColumns = Pick<ActivityRunsRow, 'ParentRunId' | 'StepKey' | 'RowKey' | 'RowIndex'>;

/** Returns the columns that let a manual retry replace a run that another run had started. */
export async function retryColumns(trx: Knex.Transaction, runId: number) {
  const run = await trx('ActivityRuns')
    .where('Id', runId)
    .first<RetriedColumns>('ParentRunId', 'StepKey', 'RowKey', 'RowIndex');
  if (run.ParentRunId === null) return {};
  const { ParentRunId, StepKey, RowKey } = run;
  const newest = await trx('ActivityRuns')
    .where({ ParentRunId, StepKey, RowKey })
    .orderBy('Attempt', 'desc')
    .first<Pick<ActivityRunsRow, 'Id' | 'Attempt'>>('Id', 'Attempt');
  if (newest.Id !== runId) throw new AppError('retriedAlready', 409, `The run was already retried as run ${newest.Id}`);
  return { ...run, Attempt: newest.Attempt + 1 };
}
