/** Queries for runs of checklists and workflows, and for the state of their steps. */
import type { Db } from '#server/db/dialect/types.ts';
import type { ChecklistRunLogEntriesRow, ChecklistRunStepsRow } from '#server/db/tables.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import type { NotRunReason } from '#shared/rules/workflows/types.ts';

export async function findByUniqueId(
  db: Db,
  UserId: number,
  UniqueId: string,
): Promise<{ Id: number; ChecklistId: number; ResumeOf: number | null } | undefined> {
  return db('ChecklistRuns').where({ UserId, UniqueId }).first('Id', 'ChecklistId', 'ResumeOf');
}

/** Returns the newest run that resumes the given run. */
export async function findResumed(db: Db, runId: number): Promise<number | null> {
  const row = await db('ChecklistRuns').where('ResumeOf', runId).orderBy('Id', 'desc').first('Id');
  return row?.Id ?? null;
}

/** Returns the keys of the steps of which these runs started at least one run. */
export async function listStartedSteps(db: Db, runIds: readonly number[]): Promise<ReadonlySet<string>> {
  const keys = await db('ActivityRuns')
    .whereIn('ChecklistRunId', runIds)
    .whereNotNull('StartTime')
    .distinct()
    .pluck<(string | null)[]>('StepKey');
  return new Set(keys.flatMap((key) => key ?? []));
}

/** The activity run that executes a step. */
export interface StepRunRow {
  Id: number;
  ActivityId: number;
  ActivityVersion: number;
  StepKey: string;
  Attempt: number;
  UserId: number;
  Status: RunStatus;
  NotRunBecause: NotRunReason | null;
  WaitsForSteps: boolean;
  QueueTime: Date;
  PickupTime: Date | null;
  StartTime: Date | null;
  EndTime: Date | null;
}

const STEP_COLUMNS = [
  'Id',
  'ActivityId',
  'ActivityVersion',
  'StepKey',
  'Attempt',
  'UserId',
  'Status',
  'NotRunBecause',
  'WaitsForSteps',
  'QueueTime',
  'PickupTime',
  'StartTime',
  'EndTime',
].map((column) => `R.${column}`);

/** Returns the newest attempt of each step that is a single run. It excludes the rows of For each steps. */
export async function listStepRuns(
  db: Db,
  ChecklistRunId: number,
  keys: readonly string[],
): Promise<Map<string, StepRunRow>> {
  const rows = await db('ActivityRuns as R')
    .where({ 'R.ChecklistRunId': ChecklistRunId, 'R.RowKey': '' })
    .whereIn('R.StepKey', keys)
    .orderBy('R.Attempt')
    .select<StepRunRow[]>(STEP_COLUMNS);
  return new Map(rows.map((row) => [row.StepKey, row]));
}

/** Returns the runs of steps that a resumed run reuses. */
export async function listReusedRuns(
  db: Db,
  ChecklistRunId: number,
  keys: readonly string[],
): Promise<Map<string, StepRunRow>> {
  const rows = await db('ChecklistKeptRuns as K')
    .join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId')
    .where({ 'K.ChecklistRunId': ChecklistRunId, 'K.RowKey': '' })
    .whereIn('K.StepKey', keys)
    .select<StepRunRow[]>(STEP_COLUMNS);
  return new Map(rows.map((row) => [row.StepKey, row]));
}

export interface RowCount {
  StepKey: string;
  Status: RunStatus;
  Count: number;
}

/**
 * Counts row runs by step and status, including reused ones. It does not count the placeholder run of a step without
 * rows.
 */
export async function countRows(db: Db, ChecklistRunId: number, keys: readonly string[]): Promise<RowCount[]> {
  if (keys.length === 0) return [];
  const again = db('ActivityRuns as Again')
    .select(db.raw('1'))
    .where('Again.ChecklistRunId', ChecklistRunId)
    .whereRaw('?? = ??', ['Again.StepKey', 'R.StepKey'])
    .whereRaw('?? = ??', ['Again.RowKey', 'R.RowKey'])
    .whereRaw('?? > ??', ['Again.Attempt', 'R.Attempt']);
  const own = await db('ActivityRuns as R')
    .where('R.ChecklistRunId', ChecklistRunId)
    .whereIn('R.StepKey', keys)
    .where((counted) => void counted.whereNot('R.Status', 'Abandoned').orWhereNotExists(again))
    .groupBy('R.StepKey', 'R.Status')
    .select('R.StepKey', 'R.Status')
    .count<RowCount[]>({ Count: '*' });
  const standIns = await db('ActivityRuns')
    .where({ ChecklistRunId, RowKey: '' })
    .whereIn('StepKey', keys)
    .select('StepKey', 'Status');
  for (const { StepKey, Status } of standIns) {
    const count = own.find((one) => one.StepKey === StepKey && one.Status === Status);
    if (count) count.Count -= 1;
  }
  const reused = await db('ChecklistKeptRuns as K')
    .join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId')
    .where('K.ChecklistRunId', ChecklistRunId)
    .whereIn('K.StepKey', keys)
    .groupBy('K.StepKey', 'R.Status')
    .select('K.StepKey', 'R.Status')
    .count<RowCount[]>({ Count: '*' });
  return [...own, ...reused];
}

/** A step that is not a run: a decision, an approval, or a For each step. */
export type OtherStepRow = Pick<
  ChecklistRunStepsRow,
  'StepKey' | 'Kind' | 'Status' | 'NotRunBecause' | 'StartTime' | 'EndTime' | 'KeptOf'
>;

export async function listOtherSteps(db: Db, ChecklistRunId: number): Promise<Map<string, OtherStepRow>> {
  const rows = await db('ChecklistRunSteps')
    .where({ ChecklistRunId })
    .select('StepKey', 'Kind', 'Status', 'NotRunBecause', 'StartTime', 'EndTime', 'KeptOf');
  return new Map(rows.map((row) => [row.StepKey, row]));
}

export type WorkflowLogRow = Pick<ChecklistRunLogEntriesRow, 'StepKey' | 'Message'>;

/** Returns the log entries of the workflow run itself, in order. Its activity runs have their own logs. */
export async function listWorkflowLog(db: Db, ChecklistRunId: number): Promise<WorkflowLogRow[]> {
  return db('ChecklistRunLogEntries').where({ ChecklistRunId }).orderBy('Id').select('StepKey', 'Message');
}

/** Returns the activities and users of the runs that created files, including reused runs. */
export async function listFileMakers(
  db: Db,
  ChecklistRunId: number,
): Promise<{ ActivityId: number; UserId: number }[]> {
  const withOutputs = (query: ReturnType<Db>) =>
    query
      .whereExists(
        db('RunOutputs as V')
          .select(db.raw('1'))
          .whereRaw('?? = ??', ['V.ActivityRunId', 'R.Id'])
          .whereNotNull('V.FileId'),
      )
      .distinct<{ ActivityId: number; UserId: number }[]>('R.ActivityId', 'R.UserId');
  const own = withOutputs(db('ActivityRuns as R') as never).where('R.ChecklistRunId', ChecklistRunId);
  const reused = withOutputs(
    db('ChecklistKeptRuns as K').join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId') as never,
  ).where('K.ChecklistRunId', ChecklistRunId);
  return [...(await own), ...(await reused)];
}

export interface WorkflowFileRow {
  ActivityRunId: number;
  ActivityId: number;
  UserId: number;
  StepKey: string;
  RowKey: string;
  FileId: string;
  StoreKey: string;
  FileName: string;
}

/** Returns the files that the runs of a workflow run created, including files of reused runs. */
export async function listWorkflowFiles(db: Db, ChecklistRunId: number): Promise<WorkflowFileRow[]> {
  const columns = ['R.Id as ActivityRunId', 'R.ActivityId', 'R.UserId', 'F.FileId', 'F.StoreKey', 'F.FileName'];
  const files = (query: ReturnType<Db>) =>
    query
      .join('RunOutputs as V', 'V.ActivityRunId', 'R.Id')
      .join('StoredFiles as F', 'F.FileId', 'V.FileId')
      .orderBy(['R.Id', 'V.ActivityParameterId', 'V.ArrayIndex']);
  const own = files(db('ActivityRuns as R') as never)
    .where('R.ChecklistRunId', ChecklistRunId)
    .select<WorkflowFileRow[]>(...columns, 'R.StepKey', 'R.RowKey');
  const reused = files(db('ChecklistKeptRuns as K').join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId') as never)
    .where('K.ChecklistRunId', ChecklistRunId)
    .select<WorkflowFileRow[]>(...columns, 'K.StepKey', 'K.RowKey');
  return [...(await own), ...(await reused)];
}
