import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { prepared } from '#server/db/prepared.ts';
import { whereInScope } from './rights/right-scope.ts';
import { ON_ACTIVITY, whereVisible, type ActivityScopes } from './activity-scopes.ts';
import type { NameColumns } from '#server/base/full-name.ts';
import type { ActivityType } from '#shared/contract/activities.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';

export interface RunRow extends NameColumns {
  Id: number;
  ActivityId: number;
  ActivityVersion: number;
  Status: RunStatus;
  UserId: number;
  RetryOf: number | null;
  ActivityLinkId: number | null;
  SourceRunId: number | null;
  /** The checklist or workflow run that the run is a step of. */
  ChecklistRunId: number | null;
  StepKey: string | null;
  /** '' if the run is not for a row. */
  RowKey: string;
  /** The run whose Start step started this run. */
  ParentRunId: number | null;
  /** The program that started the run for its user; null if the user did. */
  ClientName: string | null;
  SingleRun: boolean;
  QueueTime: Date;
  PickupTime: Date | null;
  StartTime: Date | null;
  EndTime: Date | null;
  Phase: string;
  Share: number | null;
}

export interface RunOfActivity extends RunRow {
  Name: string;
  Description: string;
  Type: ActivityType;
  Schema: string;
  IsActive: boolean;
  /** The activity's current setting, which applies to future runs. */
  PreventsSimultaneous: boolean;
  ActivityMemoryCost: number;
  ChecklistName: string | null;
  /** Name of the parent run's activity; null if there is no parent, or if it was purged. */
  ParentName: string | null;
  /** Only set if the run represents a whole batch. */
  BatchFileName: string | null;
  /** Whether the run has log entries, and whether it starts other runs. */
  HasLog: boolean;
  HasStarts: boolean;
}

const RUN_COLUMNS = [
  'R.Id',
  'R.ActivityId',
  'R.ActivityVersion',
  'R.Status',
  'R.UserId',
  'R.RetryOf',
  'R.ActivityLinkId',
  'R.SourceRunId',
  'R.ChecklistRunId',
  'R.StepKey',
  'R.RowKey',
  'R.ParentRunId',
  'R.ClientName',
  'R.SingleRun',
  'R.QueueTime',
  'R.PickupTime',
  'R.StartTime',
  'R.EndTime',
  'R.Phase',
  'R.Share',
  'U.FirstName',
  'U.MiddleName',
  'U.LastName',
];

/** Selects runs with the users who started them. */
export function runs(db: Db) {
  return db('ActivityRuns as R')
    .join('Activities as A', 'A.Id', 'R.ActivityId')
    .join('Users as U', 'U.UserId', 'R.UserId')
    .select<RunRow[]>(RUN_COLUMNS);
}

/** Adds the name of the checklist or workflow that each run is a step of. */
export function withChecklistName(query: Knex.QueryBuilder): Knex.QueryBuilder {
  return query
    .leftJoin('ChecklistRuns as CR', 'CR.Id', 'R.ChecklistRunId')
    .leftJoin('Checklists as C', 'C.Id', 'CR.ChecklistId')
    .select('C.Name as ChecklistName');
}

/** Restricts the query to runs of visible activities: the person's own, and others' if they may see these. */
export function whereRunVisible(query: Knex.QueryBuilder, scopes: ActivityScopes, userId: number): void {
  whereVisible(query, scopes);
  if (scopes.viewRuns.kind === 'every') return;
  void query.where((either) => {
    void either.where('R.UserId', userId);
    if (scopes.viewRuns.kind === 'nothing') return;
    // Uses the run's own column, so that one index scan of the runs suffices.
    void either.orWhere((others) => whereInScope(others, scopes.viewRuns, { ...ON_ACTIVITY, Id: 'R.ActivityId' }));
  });
}

export async function findVisibleRun(
  db: Db,
  runId: number,
  scopes: ActivityScopes,
  userId: number,
): Promise<RunOfActivity | undefined> {
  const query = withChecklistName(runs(db))
    .where('R.Id', runId)
    .select(
      'A.Name',
      'A.Description',
      'A.Type',
      'A.Schema',
      'A.IsActive',
      'A.SingleRun as PreventsSimultaneous',
      'A.MemoryCost as ActivityMemoryCost',
      'PA.Name as ParentName',
      'WB.FileName as BatchFileName',
      hasAny(db, 'HasLog', 'RunLogEntries.ActivityRunId'),
      hasAny(db, 'HasStarts', 'RunStarts.ParentRunId'),
    )
    .leftJoin('ActivityRuns as P', 'P.Id', 'R.ParentRunId')
    .leftJoin('Activities as PA', 'PA.Id', 'P.ActivityId')
    .leftJoin('Batches as WB', 'WB.RunId', 'R.Id')
    .first<Record<keyof RunOfActivity, unknown> | undefined>();
  whereRunVisible(query, scopes, userId);
  const run = await prepared(query);
  return run && ({ ...run, HasLog: run.HasLog === 1, HasStarts: run.HasStarts === 1 } as RunOfActivity);
}

/** Selects 1 if a table has rows of run R, else 0. */
function hasAny(db: Db, name: string, column: string): Knex.Raw {
  const [table] = column.split('.');
  return db.raw('case when exists (select 1 from ?? where ?? = ??) then 1 else 0 end as ??', [
    table!,
    column,
    'R.Id',
    name,
  ]);
}
