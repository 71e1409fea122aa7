/** Queries for the list of checklists and their newest runs. */
import type { Knex } from 'knex';
import type { NameColumns } from '#server/base/full-name.ts';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import { prepared } from '#server/db/prepared.ts';
import type { ChecklistRunsRow } from '#server/db/tables.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';

/** The newest run of a checklist; all fields are null if it has none. */
export interface NewestRun {
  RunId: number | null;
  RunWorkflowVersion: number | null;
  RunQueueTime: Date | null;
  RunStatus: RunStatus | null;
}

export interface ListedRow extends NewestRun, NameColumns {
  Id: number;
  Revision: number;
  Name: string;
  Description: string;
  Schema: string;
  Group: string;
  Order: number | null;
  SchemaDisplayName: string;
  SchemaOrder: number;
  WorkflowVersion: number | null;
}

const LISTED = ['Id', 'Revision', 'Name', 'Description', 'Schema', 'Group', 'Order', 'WorkflowVersion'];
const RUN = ['Id', 'WorkflowVersion', 'QueueTime', 'Status'];
const RUN_COLUMNS = [
  ...RUN.map((column) => `R.${column} as Run${column}`),
  'U.FirstName',
  'U.MiddleName',
  'U.LastName',
];

/**
 * Builds a subquery for the newest run of checklist C, with one index lookup. It excludes runs that the schedule
 * skipped, because nobody would look at them.
 */
const newestRun = (db: Db): Knex.QueryBuilder =>
  db('ChecklistRuns as N')
    .whereRaw('?? = ??', ['N.ChecklistId', 'C.Id'])
    .where({ 'N.PurgeTime': null, 'N.IsLeftOut': false })
    .orderBy('N.Id', 'desc')
    .limit(1)
    .select(...RUN.map((column) => `N.${column}`), 'N.UserId');

/** Returns all checklists with their newest runs, in display order. */
export async function listChecklists(db: Db, dialect: Dialect): Promise<ListedRow[]> {
  const query = db('Checklists as C')
    .join('Schemas as S', 'S.Name', 'C.Schema')
    .orderBy([{ column: 'S.Order' }, { column: 'C.Schema' }])
    .orderByRaw(dialect.orderIgnoringCase(db, 'C.Name'))
    .select(LISTED.map((column) => `C.${column}`))
    .select<ListedRow[]>('S.DisplayName as SchemaDisplayName', 'S.Order as SchemaOrder', ...RUN_COLUMNS);
  dialect.leftJoinEach(query, newestRun(db), 'R');
  void query.leftJoin('Users as U', 'U.UserId', 'R.UserId');
  return prepared(query);
}

/**
 * Returns the user's newest run of each checklist. It costs one index lookup per checklist, regardless of how many runs
 * exist.
 */
export async function listOwnNewest(
  db: Db,
  dialect: Dialect,
  userId: number,
): Promise<Map<number, NewestRun & NameColumns>> {
  const query = db('Checklists as C').select<(NewestRun & NameColumns & { ChecklistId: number })[]>(
    'C.Id as ChecklistId',
    ...RUN_COLUMNS,
  );
  dialect.leftJoinEach(query, newestRun(db).where('N.UserId', userId), 'R');
  // An inner join: it drops checklists without a run.
  void query.join('Users as U', 'U.UserId', 'R.UserId');
  const rows = await prepared(query);
  return new Map(rows.map((row) => [row.ChecklistId, row]));
}

export async function listAllMembers(db: Db): Promise<{ ChecklistId: number; ActivityId: number }[]> {
  return db('ChecklistActivities').select('ChecklistId', 'ActivityId');
}

export type LastRunRow = NameColumns & Pick<ChecklistRunsRow, 'Id' | 'WorkflowVersion' | 'QueueTime' | 'Status'>;

/** Returns the newest run of all users, or of one user. */
export async function findLastRun(db: Db, checklistId: number, userId?: number): Promise<LastRunRow | undefined> {
  const query = db('ChecklistRuns as R')
    .join('Users as U', 'U.UserId', 'R.UserId')
    .where('R.ChecklistId', checklistId)
    .where({ 'R.PurgeTime': null, 'R.IsLeftOut': false })
    .orderBy('R.Id', 'desc')
    .first<LastRunRow | undefined>(...RUN.map((column) => `R.${column}`), 'U.FirstName', 'U.MiddleName', 'U.LastName');
  if (userId !== undefined) void query.where('R.UserId', userId);
  return query;
}
