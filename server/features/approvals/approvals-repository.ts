/** Queries for approvals, for people who decide them and people who started their runs. */
import type { Knex } from 'knex';
import { fullName, type NameColumns } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { ApprovalDecisionsRow, ApprovalFilesRow } from '#server/db/tables.ts';
import type { ApprovalOutcome } from '#shared/contract/approvals.ts';

export interface ApprovalItemRow extends NameColumns {
  Id: number;
  Name: string;
  ChecklistName: string;
  ChecklistRunId: number;
  WorkflowVersion: number | null;
  StarterId: number;
  Text: string;
  OnExpiry: 'Fail' | 'Approve';
  Status: ApprovalOutcome;
  Needed: number;
  StartTime: Date;
  ExpiryTime: Date | null;
  RemindedTime: Date | null;
  EndTime: Date | null;
}

const COLUMNS = [
  'A.Id',
  'A.Name',
  'A.ChecklistRunId',
  'A.StarterId',
  'A.Text',
  'A.OnExpiry',
  'A.Status',
  'A.Needed',
  'A.StartTime',
  'A.ExpiryTime',
  'A.RemindedTime',
  'A.EndTime',
  'C.Name as ChecklistName',
  'CR.WorkflowVersion',
  'S.FirstName',
  'S.MiddleName',
  'S.LastName',
];

const approvals = (db: Db): Knex.QueryBuilder => db('Approvals as A');

const withNames = (query: Knex.QueryBuilder) =>
  query
    .join('ChecklistRuns as CR', 'CR.Id', 'A.ChecklistRunId')
    .join('Checklists as C', 'C.Id', 'CR.ChecklistId')
    .join('Users as S', 'S.UserId', 'A.StarterId')
    .select<ApprovalItemRow[]>(COLUMNS);

export async function findApprovalItem(db: Db, id: number): Promise<ApprovalItemRow | undefined> {
  const [row] = await withNames(approvals(db).where('A.Id', id));
  return row;
}

const decisionsOf = (db: Db, userId: number): Knex.QueryBuilder =>
  db('ApprovalDecisions as D')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['D.ApprovalId', 'A.Id'])
    .where('D.UserId', userId);

/** Restricts approvals (as A) to those that the user may decide, by role or by name. */
function whereDecidableBy(query: Knex.QueryBuilder, db: Db, userId: number): void {
  const inRole = db('ApprovalRoles as AR')
    .join('Roles as R', 'R.Name', 'AR.RoleName')
    .join('RoleUsers as M', 'M.RoleName', 'R.Name')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['AR.ApprovalId', 'A.Id'])
    .where({ 'R.IsActive': true, 'M.UserId': userId });
  const named = partOf(db, 'ApprovalUsers').where('P.UserId', userId);
  void query
    .where((either) => void either.whereExists(named).orWhereExists(inRole))
    .whereNotExists(partOf(db, 'ApprovalStarters').where('P.UserId', userId));
}

const partOf = (db: Db, table: string): Knex.QueryBuilder =>
  db(`${table} as P`).select(db.raw('1')).whereRaw('?? = ??', ['P.ApprovalId', 'A.Id']);

/** Selects the open approvals that the user may decide and has not decided yet. */
function waitingFor(db: Db, userId: number): Knex.QueryBuilder {
  const query = whereStatus(approvals(db), ['Open'], 'A.Status').whereNotExists(decisionsOf(db, userId));
  whereDecidableBy(query, db, userId);
  return query;
}

export interface ApprovalPage {
  /** Id of the last approval of the previous page. */
  before: number | null;
  limit: number;
}

/** Returns the approvals newest first. */
export async function listWaiting(db: Db, userId: number, { before, limit }: ApprovalPage): Promise<ApprovalItemRow[]> {
  const query = waitingFor(db, userId).orderBy('A.Id', 'desc').limit(limit);
  if (before !== null) void query.where('A.Id', '<', before);
  return withNames(query);
}

export async function listDecided(db: Db, userId: number, { before, limit }: ApprovalPage): Promise<ApprovalItemRow[]> {
  const query = approvals(db)
    .join('ApprovalDecisions as Own', 'Own.ApprovalId', 'A.Id')
    .where('Own.UserId', userId)
    .orderBy('Own.ApprovalId', 'desc')
    .limit(limit);
  if (before !== null) void query.where('Own.ApprovalId', '<', before);
  return withNames(query);
}

export async function countWaiting(db: Db, userId: number, limit: number): Promise<number> {
  const some = waitingFor(db, userId).select('A.Id').limit(limit).as('Some');
  const row = await db.from(some).count({ Count: '*' }).first<{ Count: number }>();
  return row.Count;
}

/**
 * Returns whether any approval was ever addressed to the user. It only reads indexes, because every page load calls it.
 */
export async function hasAny(db: Db, UserId: number): Promise<boolean> {
  const ofRoles = db('RoleUsers as M')
    .join('Roles as R', 'R.Name', 'M.RoleName')
    .join('ApprovalRoles as AR', 'AR.RoleName', 'R.Name')
    .where({ 'M.UserId': UserId, 'R.IsActive': true })
    .first('ApprovalId');
  const decided = db('ApprovalDecisions').where({ UserId }).first('ApprovalId');
  const named = db('ApprovalUsers').where({ UserId }).first('ApprovalId');
  for (const query of [decided, named, ofRoles]) if ((await query) !== undefined) return true;
  return false;
}

export type DecisionRow = NameColumns & ApprovalDecisionsRow;

/** Returns the decisions by approval id, in the order they were made. */
export async function listDecisions(db: Db, ids: readonly number[]): Promise<Map<number, DecisionRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db('ApprovalDecisions as D')
    .join('Users as U', 'U.UserId', 'D.UserId')
    .whereIn('D.ApprovalId', ids)
    .orderBy(['D.Time', 'D.UserId'])
    .select<DecisionRow[]>(
      'D.ApprovalId',
      'D.UserId',
      'D.Approved',
      'D.Comment',
      'D.Time',
      'U.FirstName',
      'U.MiddleName',
      'U.LastName',
    );
  return Map.groupBy(rows, ({ ApprovalId }) => ApprovalId);
}

/** Returns the names of the roles and people that may decide, by approval id. */
export async function listNamed(db: Db, ids: readonly number[]): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map();
  const roles = await db('ApprovalRoles')
    .whereIn('ApprovalId', ids)
    .orderBy('RoleName')
    .select('ApprovalId', 'RoleName');
  const users = await db('ApprovalUsers as P')
    .join('Users as U', 'U.UserId', 'P.UserId')
    .whereIn('P.ApprovalId', ids)
    .orderBy('U.UserNameKey')
    .select<({ ApprovalId: number } & NameColumns)[]>('P.ApprovalId', 'U.FirstName', 'U.MiddleName', 'U.LastName');
  const named = [
    ...roles.map(({ ApprovalId, RoleName }) => ({ ApprovalId, name: RoleName })),
    ...users.map((user) => ({ ApprovalId: user.ApprovalId, name: fullName(user) })),
  ];
  return new Map(
    [...Map.groupBy(named, ({ ApprovalId }) => ApprovalId)].map(([id, of]) => [id, of.map(({ name }) => name)]),
  );
}

export interface ValueRow {
  Position: number;
  Name: string;
  /** OutputInfo as JSON. */
  Info: string;
  Value: string | null;
}

export async function listValues(db: Db, ApprovalId: number): Promise<ValueRow[]> {
  return db('ApprovalValues').where({ ApprovalId }).orderBy('Position').select('Position', 'Name', 'Info', 'Value');
}

export type FileRow = Pick<ApprovalFilesRow, 'Position' | 'ArrayIndex' | 'FileId' | 'FileName' | 'ContentLength'>;

export async function listFiles(db: Db, ApprovalId: number): Promise<FileRow[]> {
  return db('ApprovalFiles')
    .where({ ApprovalId })
    .orderBy(['Position', 'ArrayIndex'])
    .select('Position', 'ArrayIndex', 'FileId', 'FileName', 'ContentLength');
}

/** Returns the approvals of the given steps. For a reused step, pass the id of the run in which it was decided. */
export async function listApprovalsOfSteps(
  db: Db,
  steps: readonly { ChecklistRunId: number; StepKey: string }[],
): Promise<(ApprovalItemRow & { StepKey: string })[]> {
  if (steps.length === 0) return [];
  const query = withNames(approvals(db))
    .select<(ApprovalItemRow & { StepKey: string })[]>('A.StepKey')
    .where((any) => {
      for (const { ChecklistRunId, StepKey } of steps) {
        void any.orWhere({ 'A.ChecklistRunId': ChecklistRunId, 'A.StepKey': StepKey });
      }
    });
  return query;
}

/**
 * Returns ended approvals, newest first: of runs that the user started, ended since the given time, and not dismissed.
 */
export async function listEnded(
  db: Db,
  { since, userId, limit }: { since: Knex.Raw; userId: number; limit: number },
): Promise<ApprovalItemRow[]> {
  const query = approvals(db)
    .where('A.StarterId', userId)
    .where('A.EndTime', '>', since)
    .whereIn('A.Status', ['Approved', 'Rejected', 'Expired', 'NoApprovers'])
    .whereNull('A.DismissedTime')
    .orderBy('A.EndTime', 'desc')
    .limit(limit);
  return withNames(query);
}

/** Returns whether there was an approval to dismiss. */
export async function dismissEnded(db: Db, Id: number, StarterId: number, DismissedTime: Knex.Raw): Promise<boolean> {
  return (await db('Approvals').where({ Id, StarterId }).whereNotNull('EndTime').update({ DismissedTime })) > 0;
}
