/** Queries for the run history of a checklist. */
import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { usersNamed } from '#server/access/user-queries.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { selectWorkflowRuns, type NamedWorkflowRunRow } from '#server/access/find-workflow-run.ts';

export interface WorkflowHistoryFilter {
  /** If set, only this user's runs are returned. */
  userId: number | undefined;
  before: number | null;
  limit: number;
  withWorkflows: boolean;
  statuses: readonly RunStatus[] | null;
  userIds: readonly number[] | null;
  /** Words in the name of the person who started the run. */
  runBy: string | null;
  queuedFrom: Date | null;
  queuedBefore: Date | null;
}

/** Returns the runs of a checklist, newest first. */
export async function listWorkflowHistory(
  db: Db,
  checklistId: number,
  { userId, before, limit, withWorkflows, statuses, userIds, runBy, queuedFrom, queuedBefore }: WorkflowHistoryFilter,
): Promise<NamedWorkflowRunRow[]> {
  const query = selectWorkflowRuns(db)
    .where('R.ChecklistId', checklistId)
    .whereNull('R.PurgeTime')
    .orderBy('R.Id', 'desc')
    .limit(limit);
  if (userId !== undefined) void query.where('R.UserId', userId);
  if (before !== null) void query.where('R.Id', '<', before);
  if (!withWorkflows) void query.whereNull('R.WorkflowVersion');
  if (statuses) void query.whereIn('R.Status', statuses);
  if (userIds) void query.whereIn('R.UserId', userIds);
  if (runBy !== null) void query.whereIn('R.UserId', usersNamed(db, runBy));
  if (queuedFrom) void query.where('R.QueueTime', '>=', queuedFrom);
  if (queuedBefore) void query.where('R.QueueTime', '<', queuedBefore);
  return query;
}

/** An output of a step in a workflow run. */
export interface WorkflowOutputRow {
  /** Workflow run in whose history the output appears. */
  WorkflowRunId: number;
  StepKey: string;
  ActivityId: number;
  /** User who started the run of the step. */
  UserId: number;
  ActivityParameterId: number;
  Value: string | null;
  Rows: number | null;
  FileName: string | null;
}

/**
 * Returns the outputs of workflow steps, without the contents of tables. It includes outputs of reused steps and
 * excludes the rows of For each steps.
 */
export async function listWorkflowOutputs(db: Db, workflowRunIds: readonly number[]): Promise<WorkflowOutputRow[]> {
  if (workflowRunIds.length === 0) return [];
  const outputs = (runs: Knex.QueryBuilder, of: 'R' | 'K') =>
    runs
      .join('RunOutputs as V', 'V.ActivityRunId', 'R.Id')
      .whereIn(`${of}.ChecklistRunId`, workflowRunIds)
      .where(`${of}.RowKey`, '')
      .whereNotNull('V.ActivityParameterId')
      .orderBy(['R.Id', 'V.ActivityParameterId', 'V.ArrayIndex'])
      .select<WorkflowOutputRow[]>(
        `${of}.ChecklistRunId as WorkflowRunId`,
        `${of}.StepKey`,
        'R.ActivityId',
        'R.UserId',
        'V.ActivityParameterId',
        db.raw('case when ?? is null then ?? end as ??', ['V.Rows', 'V.Value', 'Value']),
        'V.Rows',
        'V.FileName',
      );
  const own = outputs(db('ActivityRuns as R'), 'R');
  const reused = outputs(db('ChecklistKeptRuns as K').join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId'), 'K');
  return [...(await own), ...(await reused)];
}
