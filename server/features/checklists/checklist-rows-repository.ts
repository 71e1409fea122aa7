import type { Db } from '#server/db/dialect/types.ts';
import type { ActivityRunsRow } from '#server/db/tables.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';

export type RowRunRow = Pick<
  ActivityRunsRow,
  | 'Id'
  | 'ActivityId'
  | 'UserId'
  | 'RowKey'
  | 'Status'
  | 'NotRunBecause'
  | 'WaitsForSteps'
  | 'Attempt'
  | 'QueueTime'
  | 'StartTime'
  | 'EndTime'
>;

const COLUMNS = ['Id', 'ActivityId', 'UserId', 'Status', 'NotRunBecause', 'WaitsForSteps', 'Attempt', 'QueueTime'];
const TIMES = ['StartTime', 'EndTime'];

export interface RowsFilter {
  workflowRunId: number;
  stepKey: string;
  statuses: readonly RunStatus[];
  /** True for only the rows that still wait for their start, false for only the others. */
  waiting: boolean;
  afterId: number;
  limit: number;
}

/** Returns the row runs of a step by run id, including those that a resumed workflow run reuses. */
export async function listRowRuns(db: Db, filter: RowsFilter): Promise<(RowRunRow & { IsKept: boolean })[]> {
  const { limit } = filter;
  const own = await ownRows(db, filter);
  const reused = filter.waiting ? [] : await reusedRows(db, filter);
  return [...reused.map((row) => ({ ...row, IsKept: true })), ...own.map((row) => ({ ...row, IsKept: false }))]
    .sort((a, b) => a.Id - b.Id)
    .slice(0, limit);
}

/** Excludes runs that were repeated. */
function ownRows(db: Db, { workflowRunId, stepKey, statuses, waiting, afterId, limit }: RowsFilter) {
  const again = db('ActivityRuns as Again')
    .select(db.raw('1'))
    .where({ 'Again.ChecklistRunId': workflowRunId, 'Again.StepKey': stepKey })
    .whereRaw('?? = ??', ['Again.RowKey', 'R.RowKey'])
    .whereRaw('?? > ??', ['Again.Attempt', 'R.Attempt']);
  return db('ActivityRuns as R')
    .where({ 'R.ChecklistRunId': workflowRunId, 'R.StepKey': stepKey, 'R.WaitsForSteps': waiting })
    .whereNot('R.RowKey', '')
    .whereIn('R.Status', statuses)
    .where('R.Id', '>', afterId)
    .whereNotExists(again)
    .orderBy('R.Id')
    .limit(limit)
    .select<RowRunRow[]>([...COLUMNS, ...TIMES, 'RowKey'].map((column) => `R.${column}`));
}

function reusedRows(db: Db, { workflowRunId, stepKey, statuses, afterId, limit }: RowsFilter) {
  return db('ChecklistKeptRuns as K')
    .join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId')
    .where({ 'K.ChecklistRunId': workflowRunId, 'K.StepKey': stepKey })
    .whereNot('K.RowKey', '')
    .whereIn('R.Status', statuses)
    .where('R.Id', '>', afterId)
    .orderBy('R.Id')
    .limit(limit)
    .select<RowRunRow[]>([...[...COLUMNS, ...TIMES].map((column) => `R.${column}`), 'K.RowKey']);
}
