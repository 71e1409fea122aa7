/** Queries for the runs that alert rules must check, and for what the rules have fired for. */
import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { inParts } from '#server/db/in-parts.ts';
import { inRows } from '#server/db/in-rows.ts';
import type { AlertFiringsRow, AlertNoticesRow, AlertsRow } from '#server/db/tables.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { whereNotBatchRun } from '#server/queue/batch-runs.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import type { WatchedKind } from './alert-watch-repository.ts';
import type { WatchedRun } from './alerts-repository.ts';

export interface RuleRun extends WatchedRun {
  Name: string;
  Schema: string;
  Group: string;
  /** False for an activity that is not active; true for checklists and workflows. */
  IsActive: boolean;
  AuthorId: number | null;
}

const COLUMNS = ['Id', 'UserId', 'Status', 'QueueTime', 'EndTime'].map((column) => `R.${column}`);
const OF_ACTIVITY = ['R.StartTime', 'R.ActivityVersion', 'R.ChecklistRunId', 'R.ParentRunId', 'V.IsActive'];
const NAMES = ['V.Name', 'V.Schema', 'V.Group'];

/** Selects runs with what rules compare. The owner of an activity is who published its current version. */
function runsOf(db: Db, kind: WatchedKind): Knex.QueryBuilder {
  if (kind === 'checklists') {
    return db('ChecklistRuns as R')
      .join('Checklists as V', 'V.Id', 'R.ChecklistId')
      .select(...COLUMNS, ...NAMES, 'V.Id as OwnerId', 'V.UserId as AuthorId');
  }
  const query = db('ActivityRuns as R')
    .join('Activities as V', 'V.Id', 'R.ActivityId')
    .leftJoin('ActivityVersions as W', (on) => {
      on.on('W.ActivityId', 'V.Id').on('W.Version', 'V.Version');
    })
    .select(...COLUMNS, ...OF_ACTIVITY, ...NAMES, 'V.Id as OwnerId', 'W.UserId as AuthorId');
  return whereNotBatchRun(db, query, 'R.Id');
}

/** Workflow runs do not belong to other runs. */
const complete = (rows: RuleRun[], kind: WatchedKind): RuleRun[] =>
  kind === 'activities'
    ? rows
    : rows.map((row) => ({ ...row, IsActive: true, ChecklistRunId: null, ParentRunId: null }));

/** The last row of the previous page. */
export interface AfterEnd {
  EndTime: Date;
  Id: number;
}

/** Returns runs that ended within the span, in the order of their ends: the database reads only these in its index. */
export async function listEndedRuns(
  db: Db,
  kind: WatchedKind,
  { since, now }: { since: Date; now: Date },
  { after, statuses, limit }: { after: AfterEnd | null; statuses: readonly RunStatus[]; limit: number },
): Promise<RuleRun[]> {
  const query = whereStatus(runsOf(db, kind), statuses, 'R.Status')
    .where('R.EndTime', '>', since)
    .where('R.EndTime', '<=', now)
    .orderBy([{ column: 'R.EndTime' }, { column: 'R.Id' }])
    .limit(limit);
  if (after) {
    void query.where('R.EndTime', '>=', after.EndTime).where((later) => {
      void later.where('R.EndTime', '>', after.EndTime).orWhere('R.Id', '>', after.Id);
    });
  }
  return complete(await query, kind);
}

/** Returns runs in progress by ascending id. */
export async function listRunsInProgress(db: Db, kind: WatchedKind, after: number, limit: number): Promise<RuleRun[]> {
  const query = whereStatus(runsOf(db, kind), ['Started'], 'R.Status')
    .where('R.Id', '>', after)
    .orderBy('R.Id')
    .limit(limit);
  return complete(await query, kind);
}

/** Returns for which of the subjects alerts have fired, as `${AlertId} ${Subject}`. */
export async function listFiredKeys(db: Db, subjects: readonly string[]): Promise<Set<string>> {
  const rows = await inParts(subjects, (part) =>
    db('AlertFirings').whereIn('Subject', part).select('AlertId', 'Subject'),
  );
  return new Set(rows.map(({ AlertId, Subject }) => `${AlertId} ${Subject}`));
}

export type NewRuleFiring = Pick<
  AlertFiringsRow,
  | 'AlertId'
  | 'Subject'
  | 'ActivityId'
  | 'ChecklistId'
  | 'ActivityRunId'
  | 'ChecklistRunId'
  | 'Message'
  | 'Category'
  | 'IsTest'
>;

/** Returns the ids of the new firings by `${AlertId} ${Subject}`. */
export async function insertFirings(
  trx: Knex.Transaction,
  rows: readonly NewRuleFiring[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  await inRows(trx, rows, async (part) => {
    const inserted = await trx('AlertFirings').insert(part).returning(['Id', 'AlertId', 'Subject']);
    for (const { Id, AlertId, Subject } of inserted) ids.set(`${AlertId} ${Subject}`, Id);
  });
  return ids;
}

export type NewNotice = Pick<AlertNoticesRow, 'AlertFiringId' | 'UserId' | 'ByBell' | 'VisibleTime' | 'MailTime'>;

export async function insertNotices(trx: Knex.Transaction, rows: readonly NewNotice[]): Promise<void> {
  await inRows(trx, rows, (part) => trx('AlertNotices').insert(part));
}

/** Returns the default rules about what the users own, switched on or off. */
export async function listOwnerRules(db: Db, userIds: readonly number[]): Promise<AlertsRow[]> {
  return inParts(userIds, (part) => db('Alerts').where('Scope', 'Owner').whereIn('UserId', part).select());
}

/** Returns the users who have muted alerts, by alert. */
export async function listMutes(db: Db, alertIds: readonly number[], now: Date): Promise<Map<number, Set<number>>> {
  const rows = await inParts(alertIds, (part) =>
    db('AlertMutes')
      .whereIn('AlertId', part)
      .where((current) => void current.whereNull('Until').orWhere('Until', '>', now))
      .select('AlertId', 'UserId'),
  );
  const muted = new Map<number, Set<number>>();
  for (const { AlertId, UserId } of rows) muted.set(AlertId, (muted.get(AlertId) ?? new Set()).add(UserId));
  return muted;
}
