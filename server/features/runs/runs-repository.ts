import { whereStatus } from '#server/db/where-status.ts';
import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { columnsOf, prepared } from '#server/db/prepared.ts';
import { whereInScope, type RightScope } from '#server/features/rights/right-scope.ts';
import { ON_ACTIVITY, whereVisible, type ActivityScopes } from '#server/features/activities/activity-scopes.ts';
import type { NameColumns } from '#server/base/full-name.ts';
import type { ActivityType } from '#shared/contract/activities.ts';
import { PENDING_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';

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

export interface InputRow {
  ActivityParameterId: number;
  ArrayIndex: number;
  Value: string | null;
  UseDefault: boolean;
  HasPresetValue: boolean;
  FileId: string | null;
  FileName: string | null;
  ContentLength: number | null;
}

export interface OutputRow {
  ActivityParameterId: number | null;
  ArrayIndex: number;
  Value: string | null;
  FileId: string | null;
  FileName: string | null;
  ContentLength: number | null;
}

export interface LogRow {
  Id: number;
  Message: string;
  StatusCode: number;
  Category: number;
  PromptKey: string | null;
  Time: Date;
}

const OUTPUT_COLUMNS = columnsOf<OutputRow>({
  ActivityParameterId: true,
  ArrayIndex: true,
  Value: true,
  FileId: true,
  FileName: true,
  ContentLength: true,
});
const LOG_COLUMNS = columnsOf<LogRow>({
  Id: true,
  Message: true,
  StatusCode: true,
  Category: true,
  PromptKey: true,
  Time: true,
});

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
export function runs(db: Db): Knex.QueryBuilder {
  return db('ActivityRuns as R')
    .join('Activities as A', 'A.Id', 'R.ActivityId')
    .join('Users as U', 'U.UserId', 'R.UserId')
    .select(RUN_COLUMNS);
}

/** Adds the name of the checklist or workflow that each run is a step of. */
function withChecklistName(query: Knex.QueryBuilder): Knex.QueryBuilder {
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
    .first();
  whereRunVisible(query, scopes, userId);
  const run = (await prepared(query)) as Record<keyof RunOfActivity, unknown> | undefined;
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

export interface PendingRow extends RunRow {
  Schema: string;
  Name: string;
  ChecklistName: string | null;
}

/** Maximum number of pending runs returned, and of those counted beyond them. */
export const PENDING_SHOWN = 500;
export const PENDING_COUNTED = 10_000;

/**
 * Returns the newest runs in progress, then the newest waiting runs, up to `PENDING_SHOWN`. Also returns how many more
 * there are, up to a maximum.
 */
export async function listPendingRuns(
  db: Db,
  scopes: ActivityScopes,
  userId: number,
): Promise<{ rows: PendingRow[]; more: number }> {
  const visible = (statuses: readonly RunStatus[]): Knex.QueryBuilder => {
    // A step that waits for earlier steps belongs to a checklist run. It neither waits for a worker nor runs.
    const query = whereStatus(runs(db), statuses, 'R.Status').where('R.WaitsForSteps', false);
    whereRunVisible(query, scopes, userId);
    return query;
  };
  const newest = async (statuses: readonly RunStatus[], limit: number): Promise<PendingRow[]> => {
    const query = withChecklistName(visible(statuses))
      .orderBy('R.Id', 'desc')
      .limit(limit)
      .select('A.Schema', 'A.Name');
    return (await query) as PendingRow[];
  };
  const atWork = await newest(['PickedUp', 'Started'], PENDING_SHOWN);
  const remaining = PENDING_SHOWN - atWork.length;
  const waiting = remaining === 0 ? [] : await newest(['Queued', 'QueuedInSeq'], remaining);
  const rows = [...atWork, ...waiting].sort((one, other) => other.Id - one.Id);
  if (rows.length < PENDING_SHOWN) return { rows, more: 0 };
  const counted = visible(PENDING_STATUSES)
    .clearSelect()
    .select('R.Id')
    .limit(PENDING_SHOWN + PENDING_COUNTED);
  const [total] = (await db.from(counted.as('Counted')).count({ Total: '*' })) as { Total: number | string }[];
  return { rows, more: Math.max(Number(total?.Total ?? 0) - rows.length, 0) };
}

/** Returns the pending runs that the person may cancel. */
export async function listCancellableRuns(
  db: Db,
  scopes: ActivityScopes,
  cancelAny: RightScope,
  userId: number,
): Promise<RunRow[]> {
  const query = whereStatus(runs(db), PENDING_STATUSES, 'R.Status').orderBy('R.Id');
  whereRunVisible(query, scopes, userId);
  void query.where((either) => {
    void either.where('R.UserId', userId);
    void either.orWhere((others) => whereInScope(others.whereRaw('1 = 1'), cancelAny, ON_ACTIVITY));
  });
  return (await query) as RunRow[];
}

export async function listInputs(db: Db, runId: number): Promise<InputRow[]> {
  return db('RunInputs').where('ActivityRunId', runId).orderBy(['ActivityParameterId', 'ArrayIndex']);
}

export async function listOutputs(db: Db, runId: number): Promise<OutputRow[]> {
  const outputs = db('RunOutputs').where('ActivityRunId', runId).orderBy(['ActivityParameterId', 'ArrayIndex']);
  return prepared(outputs.select(OUTPUT_COLUMNS)) as unknown as Promise<OutputRow[]>;
}

export async function listLogEntries(db: Db, runId: number): Promise<LogRow[]> {
  const lines = db('RunLogEntries').where('ActivityRunId', runId).orderBy('Id');
  return prepared(lines.select(LOG_COLUMNS)) as unknown as Promise<LogRow[]>;
}

/** The fields of a run that a form has started. */
export type RunOfForm = Pick<
  RunRow,
  'Id' | 'ActivityId' | 'ActivityVersion' | 'Status' | 'EndTime' | 'ActivityLinkId' | 'SourceRunId'
>;

export async function findByUniqueId(db: Db, userId: number, uniqueId: string): Promise<RunOfForm | undefined> {
  const run = db('ActivityRuns')
    .where({ UserId: userId, UniqueId: uniqueId })
    .first('Id', 'ActivityId', 'ActivityVersion', 'Status', 'EndTime', 'ActivityLinkId', 'SourceRunId');
  return prepared(run) as unknown as Promise<RunOfForm | undefined>;
}

/** Returns those of the given runs that have ended. */
export async function listEnded(db: Db, runIds: readonly number[]): Promise<number[]> {
  const ended = db('ActivityRuns').whereIn('Id', runIds).whereNotNull('EndTime').select('Id');
  // Nearly always there is one id. With more, the statement text varies, so preparing it would not help.
  const rows = (await (runIds.length === 1 ? prepared(ended) : ended)) as { Id: number }[];
  return rows.map(({ Id }) => Id);
}

/** @param userId if set, only this user's runs */
export async function findLastRunId(db: Db, activityId: number, userId?: number): Promise<number | null> {
  const query = db('ActivityRuns').where('ActivityId', activityId).max({ Id: 'Id' });
  if (userId !== undefined) void query.where('UserId', userId);
  const [row] = (await query) as { Id: number | null }[];
  return row?.Id ?? null;
}
