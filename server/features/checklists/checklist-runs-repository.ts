/** Queries for runs of checklists and workflows, and for where their steps stand. */
import type { NameColumns } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import type { NotRunReason, StepKind } from '#shared/rules/chains/types.ts';

export interface ChainRunRow extends NameColumns {
  Id: number;
  ChecklistId: number;
  WorkflowVersion: number | null;
  PlanId: number;
  UserId: number;
  Status: RunStatus;
  QueueTime: Date;
  EndTime: Date | null;
  CancelTime: Date | null;
  ResumeOf: number | null;
  /** What was entered: JSON. */
  Inputs: string;
}

const COLUMNS = [
  'Id',
  'ChecklistId',
  'WorkflowVersion',
  'PlanId',
  'UserId',
  'Status',
  'QueueTime',
  'EndTime',
  'CancelTime',
  'ResumeOf',
  'Inputs',
];

/** Runs with the names of those who started them. */
export const chainRuns = (db: Db) =>
  db('ChecklistRuns as R')
    .join('Users as U', 'U.UserId', 'R.UserId')
    .select(...COLUMNS.map((column) => `R.${column}`), 'U.FirstName', 'U.MiddleName', 'U.LastName');

export async function findChainRun(db: Db, id: number): Promise<ChainRunRow | undefined> {
  return chainRuns(db).where('R.Id', id).whereNull('R.PurgeTime').first() as unknown as Promise<
    ChainRunRow | undefined
  >;
}

export async function findByUniqueId(
  db: Db,
  UserId: number,
  UniqueId: string,
): Promise<{ Id: number; ChecklistId: number; ResumeOf: number | null } | undefined> {
  return db('ChecklistRuns').where({ UserId, UniqueId }).first('Id', 'ChecklistId', 'ResumeOf') as Promise<
    { Id: number; ChecklistId: number; ResumeOf: number | null } | undefined
  >;
}

/** The newest run that goes on from it. */
export async function findResumed(db: Db, runId: number): Promise<number | null> {
  const row = (await db('ChecklistRuns').where('ResumeOf', runId).orderBy('Id', 'desc').first('Id')) as
    | { Id: number }
    | undefined;
  return row?.Id ?? null;
}

/** The run of an activity as which a step is carried out. */
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

/** Of each step that is no more than one run, its newest attempt; rows of steps are not among them. */
export async function listStepRuns(
  db: Db,
  ChecklistRunId: number,
  keys: readonly string[],
): Promise<Map<string, StepRunRow>> {
  const rows = (await db('ActivityRuns as R')
    .where({ 'R.ChecklistRunId': ChecklistRunId, 'R.RowKey': '' })
    .whereIn('R.StepKey', keys)
    .orderBy('R.Attempt')
    .select(STEP_COLUMNS)) as StepRunRow[];
  return new Map(rows.map((row) => [row.StepKey, row]));
}

/** Runs of steps that a resumed run keeps. */
export async function listKeptRuns(
  db: Db,
  ChecklistRunId: number,
  keys: readonly string[],
): Promise<Map<string, StepRunRow>> {
  const rows = (await db('ChecklistKeptRuns as K')
    .join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId')
    .where({ 'K.ChecklistRunId': ChecklistRunId, 'K.RowKey': '' })
    .whereIn('K.StepKey', keys)
    .select(STEP_COLUMNS)) as StepRunRow[];
  return new Map(rows.map((row) => [row.StepKey, row]));
}

export interface RowCount {
  StepKey: string;
  Status: RunStatus;
  Count: number;
}

/** How many runs of rows stand where, those that are kept among them; the run that stands for a step without rows is none. */
export async function countRows(db: Db, ChecklistRunId: number, keys: readonly string[]): Promise<RowCount[]> {
  if (keys.length === 0) return [];
  const again = db('ActivityRuns as Again')
    .select(db.raw('1'))
    .where('Again.ChecklistRunId', ChecklistRunId)
    .whereRaw('?? = ??', ['Again.StepKey', 'R.StepKey'])
    .whereRaw('?? = ??', ['Again.RowKey', 'R.RowKey'])
    .whereRaw('?? > ??', ['Again.Attempt', 'R.Attempt']);
  const own = (await db('ActivityRuns as R')
    .where('R.ChecklistRunId', ChecklistRunId)
    .whereIn('R.StepKey', keys)
    .where((counted) => void counted.whereNot('R.Status', 'Abandoned').orWhereNotExists(again))
    .groupBy('R.StepKey', 'R.Status')
    .select('R.StepKey', 'R.Status')
    .count({ Count: '*' })) as unknown as RowCount[];
  const standIns = (await db('ActivityRuns')
    .where({ ChecklistRunId, RowKey: '' })
    .whereIn('StepKey', keys)
    .select('StepKey', 'Status')) as Omit<RowCount, 'Count'>[];
  for (const { StepKey, Status } of standIns) {
    const count = own.find((one) => one.StepKey === StepKey && one.Status === Status);
    if (count) count.Count -= 1;
  }
  const kept = (await db('ChecklistKeptRuns as K')
    .join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId')
    .where('K.ChecklistRunId', ChecklistRunId)
    .whereIn('K.StepKey', keys)
    .groupBy('K.StepKey', 'R.Status')
    .select('K.StepKey', 'R.Status')
    .count({ Count: '*' })) as unknown as RowCount[];
  return [...own, ...kept];
}

/** A step that is no run: a decision, an approval, or an activity for each row. */
export interface OtherStepRow {
  StepKey: string;
  Kind: StepKind;
  Status: RunStatus;
  NotRunBecause: NotRunReason | null;
  StartTime: Date | null;
  EndTime: Date | null;
  KeptOf: number | null;
}

export async function listOtherSteps(db: Db, ChecklistRunId: number): Promise<Map<string, OtherStepRow>> {
  const rows = (await db('ChecklistRunSteps')
    .where({ ChecklistRunId })
    .select('StepKey', 'Kind', 'Status', 'NotRunBecause', 'StartTime', 'EndTime', 'KeptOf')) as OtherStepRow[];
  return new Map(rows.map((row) => [row.StepKey, row]));
}

export interface ChainLogRow {
  StepKey: string | null;
  Message: string;
}

/** What the log of the chain says beside those of its runs, in its order. */
export async function listChainLog(db: Db, ChecklistRunId: number): Promise<ChainLogRow[]> {
  return db('ChecklistRunLogEntries').where({ ChecklistRunId }).orderBy('Id').select('StepKey', 'Message');
}

/** Of which activities and people the runs of a chain are that made files, those that it keeps among them. */
export async function listFileMakers(
  db: Db,
  ChecklistRunId: number,
): Promise<{ ActivityId: number; UserId: number }[]> {
  const made = (query: ReturnType<Db>) =>
    query
      .whereExists(
        db('RunOutputs as V')
          .select(db.raw('1'))
          .whereRaw('?? = ??', ['V.ActivityRunId', 'R.Id'])
          .whereNotNull('V.FileId'),
      )
      .distinct('R.ActivityId', 'R.UserId');
  const own = made(db('ActivityRuns as R') as never).where('R.ChecklistRunId', ChecklistRunId);
  const kept = made(db('ChecklistKeptRuns as K').join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId') as never).where(
    'K.ChecklistRunId',
    ChecklistRunId,
  );
  return [...(await own), ...(await kept)] as { ActivityId: number; UserId: number }[];
}

export interface ChainFileRow {
  ActivityRunId: number;
  ActivityId: number;
  UserId: number;
  StepKey: string;
  RowKey: string;
  FileId: string;
  StoreKey: string;
  FileName: string;
}

/** The files that the runs of a chain made, those that it keeps among them. */
export async function listChainFiles(db: Db, ChecklistRunId: number): Promise<ChainFileRow[]> {
  const columns = ['R.Id as ActivityRunId', 'R.ActivityId', 'R.UserId', 'F.FileId', 'F.StoreKey', 'F.FileName'];
  const files = (query: ReturnType<Db>) =>
    query
      .join('RunOutputs as V', 'V.ActivityRunId', 'R.Id')
      .join('StoredFiles as F', 'F.FileId', 'V.FileId')
      .orderBy(['R.Id', 'V.ActivityParameterId', 'V.ArrayIndex']);
  const own = files(db('ActivityRuns as R') as never)
    .where('R.ChecklistRunId', ChecklistRunId)
    .select(...columns, 'R.StepKey', 'R.RowKey');
  const kept = files(db('ChecklistKeptRuns as K').join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId') as never)
    .where('K.ChecklistRunId', ChecklistRunId)
    .select(...columns, 'K.StepKey', 'K.RowKey');
  return [...((await own) as ChainFileRow[]), ...((await kept) as ChainFileRow[])];
}
