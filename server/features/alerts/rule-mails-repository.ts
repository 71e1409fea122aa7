import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import type { AlertFiringsRow } from '#server/db/tables.ts';
import type { AlertScope } from '#shared/contract/alert-rule-scopes.ts';

export interface DueNotice extends Pick<
  AlertFiringsRow,
  'Message' | 'Category' | 'ActivityRunId' | 'ChecklistRunId' | 'ChecklistId'
> {
  AlertFiringId: number;
  AlertName: string;
  Scope: AlertScope | null;
  /** The owner of the rule. */
  RuleUserId: number;
  OwnerId: number;
  Name: string;
  Schema: string;
  IsActive: boolean;
  /** Null if the run was purged. */
  StarterId: number | null;
}

export async function listDueUsers(db: Db, now: Date, limit: number): Promise<number[]> {
  return db('AlertNotices').where('MailTime', '<=', now).distinct().orderBy('UserId').limit(limit).pluck('UserId');
}

/** Selects the due notices of a user, without those of rules that the user has muted since. */
function dueNotices(db: Db, userId: number, now: Date): Knex.QueryBuilder {
  const muted = db('AlertMutes as M')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['M.AlertId', 'F.AlertId'])
    .where('M.UserId', userId)
    .where((current) => void current.whereNull('M.Until').orWhere('M.Until', '>', now));
  return db('AlertNotices as N')
    .join('AlertFirings as F', 'F.Id', 'N.AlertFiringId')
    .where('N.UserId', userId)
    .whereNotNull('N.MailTime')
    .where('N.VisibleTime', '<=', now)
    .whereNotExists(muted);
}

export async function countDueNotices(db: Db, userId: number, now: Date): Promise<number> {
  return (await dueNotices(db, userId, now).count({ Count: '*' }).first<{ Count: number }>()).Count;
}

/** Returns the newest due notices. */
export async function listDueNotices(db: Db, userId: number, now: Date, limit: number): Promise<DueNotice[]> {
  const rows = await dueNotices(db, userId, now)
    .join('Alerts as A', 'A.Id', 'F.AlertId')
    .leftJoin('Activities as V', 'V.Id', 'F.ActivityId')
    .leftJoin('Checklists as C', 'C.Id', 'F.ChecklistId')
    .leftJoin('ActivityRuns as R', 'R.Id', 'F.ActivityRunId')
    .leftJoin('ChecklistRuns as K', 'K.Id', 'F.ChecklistRunId')
    .where((known) => void known.whereNotNull('V.Id').orWhereNotNull('C.Id'))
    .orderBy('N.Id', 'desc')
    .limit(limit)
    .select('N.AlertFiringId', 'F.Message', 'F.Category', 'F.ActivityRunId', 'F.ChecklistRunId', 'F.ChecklistId')
    .select('A.Name as AlertName', 'A.Scope', 'A.UserId as RuleUserId', 'V.IsActive')
    .select<(Omit<DueNotice, 'IsActive'> & { IsActive: boolean | null })[]>(
      db.raw('coalesce(??, ??) as ??', ['V.Id', 'C.Id', 'OwnerId']),
      db.raw('coalesce(??, ??) as ??', ['V.Name', 'C.Name', 'Name']),
      db.raw('coalesce(??, ??) as ??', ['V.Schema', 'C.Schema', 'Schema']),
      db.raw('coalesce(??, ??) as ??', ['R.UserId', 'K.UserId', 'StarterId']),
    );
  return rows.map((row) => ({ ...row, IsActive: row.IsActive ?? true }));
}

export async function markMailed(db: Db, userId: number, now: Date): Promise<void> {
  await db('AlertNotices')
    .where('UserId', userId)
    .whereNotNull('MailTime')
    .where('VisibleTime', '<=', now)
    .update({ MailTime: null, MailedTime: now });
}
