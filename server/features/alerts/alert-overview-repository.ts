/** The list of all alerts that concern a user, and what the user has muted. */
import type { Knex } from 'knex';
import type { NameColumns } from '#server/base/full-name.ts';
import type { ChecklistScopes } from '#server/access/checklist-access.ts';
import { ON_ACTIVITY } from '#server/access/activity-scopes.ts';
import { bySchema, whereInScope } from '#server/access/rights/right-scope.ts';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import type { AlertsRow } from '#server/db/tables.ts';
import { RULE_SCOPES } from '#shared/contract/alert-rule-scopes.ts';

export interface OverviewRow extends AlertsRow, NameColumns {
  ActivityName: string | null;
  ActivitySchema: string | null;
  ChecklistName: string | null;
  ChecklistSchema: string | null;
  /** When it fired last, apart from tests; null if it has not. */
  LastTime: Date | null;
}

export interface OverviewPage {
  scopes: Pick<ChecklistScopes, 'edit' | 'editChecklist'>;
  userId: number;
  /** True to list the rules of all users. */
  isAdmin: boolean;
  /** Part of a name; null for all. */
  name: string | null;
  before: number | null;
  /** Only this alert; null for all. */
  id: number | null;
  limit: number;
}

const NAMES = ['U.FirstName', 'U.MiddleName', 'U.LastName'];
const NOTIFIED_SECONDS = 30 * 86_400;

/**
 * Returns, newest first, the alerts that the user owns, may edit or was notified by in the last month. The default
 * rules are not listed: they are part of the notification settings.
 */
export async function listOverview(
  db: Db,
  dialect: Dialect,
  { scopes, userId, isAdmin, name, before, id, limit }: OverviewPage,
): Promise<OverviewRow[]> {
  const notified = db('AlertNotices as N')
    .join('AlertFirings as F', 'F.Id', 'N.AlertFiringId')
    .where('N.UserId', userId)
    .where('N.VisibleTime', '>', dialect.nowPlus(db, -NOTIFIED_SECONDS))
    .select('F.AlertId');
  const query = db('Alerts as T')
    .join('Users as U', 'U.UserId', 'T.UserId')
    .leftJoin('Activities as A', 'A.Id', 'T.ActivityId')
    .leftJoin('Checklists as C', 'C.Id', 'T.ChecklistId')
    .where((listed) => void listed.whereNull('T.Scope').orWhereIn('T.Scope', RULE_SCOPES))
    .where((seen) => {
      void seen.whereIn('T.Id', notified);
      void seen.orWhere((rule) => {
        void rule.whereNotNull('T.Scope');
        if (!isAdmin) void rule.where('T.UserId', userId);
      });
      void seen.orWhere((edit) => whereInScope(edit.whereNotNull('A.Id'), scopes.edit, ON_ACTIVITY));
      void seen.orWhere((edit) =>
        whereInScope(edit.whereNotNull('C.Id'), bySchema(scopes.editChecklist), { Schema: 'C.Schema' }),
      );
    })
    .orderBy('T.Id', 'desc')
    .limit(limit)
    .select('T.*', ...NAMES, 'A.Name as ActivityName', 'A.Schema as ActivitySchema')
    .select<OverviewRow[]>('C.Name as ChecklistName', 'C.Schema as ChecklistSchema', 'L.Time as LastTime');
  dialect.leftJoinEach(query, lastFiring(db), 'L');
  if (before !== null) void query.where('T.Id', '<', before);
  if (id !== null) void query.where('T.Id', id);
  if (name !== null) {
    void query.where((part) => {
      for (const column of ['T.Name', 'A.Name', 'C.Name']) void part.orWhere(dialect.contains(db, column, name));
    });
  }
  return query;
}

/** The last firing of alert T, by one look-up in the index. */
const lastFiring = (db: Db): Knex.QueryBuilder =>
  db('AlertFirings as E')
    .whereRaw('?? = ??', ['E.AlertId', 'T.Id'])
    .where('E.IsTest', false)
    .orderBy('E.Id', 'desc')
    .limit(1)
    .select('E.Time');

/** Returns until when the user has muted the alerts; null until they unmute them. */
export async function listOwnMutes(
  db: Db,
  dialect: Dialect,
  UserId: number,
  alertIds: readonly number[],
): Promise<Map<number, Date | null>> {
  if (alertIds.length === 0) return new Map();
  const rows = await db('AlertMutes')
    .where({ UserId })
    .whereIn('AlertId', alertIds)
    .where((current) => void current.whereNull('Until').orWhere('Until', '>', dialect.now(db)))
    .select('AlertId', 'Until');
  return new Map(rows.map(({ AlertId, Until }) => [AlertId, Until]));
}

export async function saveMute(
  db: Db,
  dialect: Dialect,
  row: { AlertId: number; UserId: number; minutes: number | null },
): Promise<void> {
  const { AlertId, UserId, minutes } = row;
  const { Now } = await db.select({ Now: dialect.now(db) }).first<{ Now: Date }>();
  const rows = [{ AlertId, UserId, Until: minutes === null ? null : new Date(Now.getTime() + minutes * 60_000) }];
  await dialect.upsert(db, { table: 'AlertMutes', rows, key: ['AlertId', 'UserId'], update: ['Until'] });
}

export async function deleteMute(db: Db, AlertId: number, UserId: number): Promise<void> {
  await db('AlertMutes').where({ AlertId, UserId }).delete();
}
