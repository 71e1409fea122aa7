/** Deletes runs and data whose retention period, set for an activity or checklist, is over. */
import type { Knex } from 'knex';
import type { RetentionField } from '#shared/rules/retention-rules.ts';
import { listWorkflowRetentions } from './workflow-purge-repository.ts';
import { finishPurges, purgeWorkflowRuns } from './purge-workflow-runs.ts';
import { purgeRuns, type PurgeDeps, type PurgeTarget } from './purge-runs.ts';
import { listRetentions } from './retention-repository.ts';

const DAY_SECONDS = 86_400;

/** Whole runs come first, because their data is deleted with them. */
const PERIODS: [RetentionField, PurgeTarget, what: string][] = [
  ['RunRetention', 'runs', 'run'],
  ['RunDataRetention', 'outputs', 'outputs'],
  ['RunInputsRetention', 'inputs', 'inputs'],
];

/**
 * Returns the number of runs that were deleted or lost data. A retention period starts at the end of a run, by database
 * time. The call can be aborted at any time.
 * @param onProgress called after each chunk with the number of runs
 */
export async function deleteByRetention(
  deps: PurgeDeps,
  signal: AbortSignal,
  onProgress?: (count: number) => void,
): Promise<number> {
  const { knex, dialect } = deps.database;
  let count = await deleteWorkflowRuns(deps, signal);
  for (const retention of await listRetentions(knex)) {
    for (const [field, target, what] of PERIODS) {
      const days = retention[field];
      if (days === null || signal.aborted) continue;
      const where = (query: Knex.QueryBuilder): void =>
        void query
          .where('ActivityId', retention.ActivityId)
          .where('EndTime', '<', dialect.nowPlus(knex, -days * DAY_SECONDS));
      const message =
        days === 1
          ? `The ${what} of this run no longer exist: this activity retains them for 1 day`
          : `The ${what} of this run no longer exist: this activity retains them for ${days} days`;
      count += await purgeRuns(deps, { target, where, message, onProgress }, signal);
    }
  }
  return count;
}

/** Runs before activity runs are deleted, so that runs of deleted checklist runs need not be checked again. */
async function deleteWorkflowRuns(deps: PurgeDeps, signal: AbortSignal): Promise<number> {
  const { knex, dialect } = deps.database;
  await finishPurges(deps, signal);
  let count = 0;
  for (const { ChecklistId, RunRetention } of await listWorkflowRetentions(knex)) {
    const where = (query: Knex.QueryBuilder): void =>
      void query.where({ ChecklistId }).where('EndTime', '<', dialect.nowPlus(knex, -RunRetention * DAY_SECONDS));
    count += await purgeWorkflowRuns(deps, where, signal);
  }
  return count;
}
