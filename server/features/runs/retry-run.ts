import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { retryColumns } from '#server/workflows/child-runs/retry-child-runs.ts';
import { copyRunInputs, insertRun, type NewRun } from '#server/queue/enqueue-run.ts';
import { retryObstacle } from '#server/queue/retry-obstacle.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { Person } from '#server/base/person.ts';
import { hasSucceeded, isPending, PENDING_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';
import type { RunAccess } from '#server/access/run-access.ts';
import { whereStatus } from '#server/db/where-status.ts';

export interface RetryOptions {
  /** True to refuse with 'retriedBefore' if anybody has retried the run before, whatever has become of the retry. */
  onlyOnce?: boolean;
}

export interface RetryDeps {
  database: Database;
  runAccess: RunAccess;
  signals: RunSignals;
}

/**
 * Repeats a run that did not succeed, with the same version and inputs.
 * @param UniqueId idempotency key: calls with the same key repeat the run once, and all return the new run
 */
export async function retryRun(
  deps: RetryDeps,
  person: Person,
  runId: number,
  UniqueId: string | null,
  how: RetryOptions = {},
): Promise<{ Id: number }> {
  const { knex } = deps.database;
  const before = await retriedBefore(knex, { UserId: person.UserId, UniqueId, runId });
  if (before) return before;
  try {
    return await storeRetry(deps, person, { UserId: person.UserId, UniqueId, runId }, how);
  } catch (error) {
    // The same call may have been handled at the same time.
    const made = await retriedBefore(knex, { UserId: person.UserId, UniqueId, runId });
    if (!made) throw error;
    return made;
  }
}

interface KeyedRetry {
  UserId: number;
  UniqueId: string | null;
  runId: number;
}

async function retriedBefore(db: Db, { UserId, UniqueId, runId }: KeyedRetry): Promise<{ Id: number } | null> {
  if (UniqueId === null) return null;
  const run = await db('ActivityRuns').where({ UserId, UniqueId }).first('Id', 'RetryOf');
  if (!run) return null;
  if (run.RetryOf !== runId) throw new AppError('uniqueIdTaken', 409, 'The UniqueId belongs to another start');
  return { Id: run.Id };
}

async function storeRetry(
  { database: { knex }, runAccess, signals }: RetryDeps,
  person: Person,
  { UniqueId, runId }: KeyedRetry,
  { onlyOnce = false }: RetryOptions,
): Promise<{ Id: number }> {
  const { run, CanRun } = await runAccess.require(knex, person, runId);
  if (!CanRun) throw new AppError('activityInactive', 409, 'The activity is not active and cannot be run');
  const again: NewRun = {
    ActivityId: run.ActivityId,
    ActivityVersion: run.ActivityVersion,
    UserId: person.UserId,
    UniqueId,
    RetryOf: runId,
    MemoryCost: run.ActivityMemoryCost,
    SingleRun: run.PreventsSimultaneous,
    ActivityLinkId: run.ActivityLinkId,
    SourceRunId: run.SourceRunId,
  };
  const { Id } = await inTransaction(knex, async (trx) => {
    await requireRetryable(trx, runId, onlyOnce);
    const inserted = await insertRun(trx, { ...again, ...(await retryColumns(trx, runId)) });
    await copyRunInputs(trx, runId, inserted.Id);
    return inserted;
  });
  signals.queued();
  if (run.ParentRunId !== null) signals.changed(run.ParentRunId);
  return { Id };
}

/** Returns the first retry of a run. */
export async function findRetryOf(db: Db, runId: number): Promise<number | undefined> {
  return (await db('ActivityRuns').where('RetryOf', runId).orderBy('Id').first('Id'))?.Id;
}

/** Locks the run's row. If two retries are concurrent, the second one sees the first. */
async function requireRetryable(trx: Knex.Transaction, runId: number, onlyOnce: boolean): Promise<void> {
  const run = await trx('ActivityRuns').where('Id', runId).forUpdate().first<{ Status: RunStatus }>('Status');
  if (isPending(run.Status)) throw new AppError('runPending', 409, 'The run has not ended yet');
  if (hasSucceeded(run.Status)) {
    throw new AppError('runSucceeded', 409, 'The run succeeded, so it cannot be retried');
  }
  if (onlyOnce && (await findRetryOf(trx, runId)) !== undefined)
    throw new AppError('retriedBefore', 409, 'The run has already been retried');
  const obstacle = await retryObstacle(trx, runId);
  if (obstacle !== null) throw new AppError('runPurged', 409, obstacle);
  const inFlight = await whereStatus(trx('ActivityRuns').where('RetryOf', runId), PENDING_STATUSES).first('Id');
  if (inFlight) throw new AppError('retryPending', 409, 'The run is already being retried');
}
