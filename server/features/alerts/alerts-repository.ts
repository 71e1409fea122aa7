import type { Knex } from 'knex';
import type { NameColumns } from '#server/base/full-name.ts';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import type { AlertFiringsRow, AlertsRow } from '#server/db/tables.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { AlertScope } from '#shared/contract/alert-rule-scopes.ts';
import type { AlertCondition } from '#shared/contract/alerts.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';

/**
 * Condition, Receivers and NextReceivers are JSON. CalendarId is set only for an alert on lateness. Scope is what a rule
 * covers; null for an alert of one activity or checklist.
 */
export type AlertRow = Omit<AlertsRow, 'CreateTime'>;

export type AlertOwner = { ActivityId: number; ChecklistId: null } | { ActivityId: null; ChecklistId: number };

export type FiringRow = NameColumns &
  Pick<
    AlertFiringsRow,
    | 'Id'
    | 'AlertId'
    | 'Time'
    | 'Message'
    | 'Category'
    | 'IsTest'
    | 'ActivityId'
    | 'ChecklistId'
    | 'ActivityRunId'
    | 'ChecklistRunId'
    | 'SeenTime'
  >;

/** A firing of an alert of one activity or checklist. */
export type NewFiring = Pick<FiringRow, 'AlertId' | 'ActivityRunId' | 'ChecklistRunId' | 'Message' | 'Category'> & {
  Subject: string;
  IsTest: boolean;
};

export async function findAlert(db: Db, Id: number): Promise<AlertRow | undefined> {
  return db('Alerts').where({ Id }).first();
}

export async function listAlerts(db: Db, owner: AlertOwner): Promise<AlertRow[]> {
  const of = owner.ActivityId === null ? { ChecklistId: owner.ChecklistId } : { ActivityId: owner.ActivityId };
  return db('Alerts').where(of).orderBy('Id').select();
}

export async function insertAlert(trx: Knex.Transaction, row: Omit<AlertRow, 'Id'>): Promise<number> {
  return insertedId(trx('Alerts').insert(row).returning('Id'));
}

export async function updateAlert(trx: Knex.Transaction, Id: number, row: Partial<AlertRow>): Promise<void> {
  await trx('Alerts').where({ Id }).update(row);
}

export async function removeAlert(trx: Knex.Transaction, Id: number): Promise<void> {
  await trx('Alerts').where({ Id }).delete();
}

/** CalendarId has its own column, not a place in the JSON, because it is a foreign key. */
export function conditionOf({ Condition, CalendarId }: Pick<AlertRow, 'Condition' | 'CalendarId'>): AlertCondition {
  const condition = JSON.parse(Condition) as AlertCondition;
  return condition.Kind === 'Late' ? { ...condition, CalendarId } : condition;
}

/** Returns the last firings of each alert, newest first, with who has seen them. */
export async function listFirings(db: Db, alertIds: readonly number[], limit: number): Promise<FiringRow[]> {
  if (alertIds.length === 0) return [];
  const numbered = db('AlertFirings')
    .whereIn('AlertId', alertIds)
    .select('*', db.raw('row_number() over (partition by ?? order by ?? desc) as ??', ['AlertId', 'Id', 'Place']));
  return db
    .from(numbered.as('F'))
    .leftJoin('Users as U', 'U.UserId', 'F.SeenBy')
    .where('F.Place', '<=', limit)
    .orderBy('F.Id', 'desc')
    .select<FiringRow[]>('F.*', 'U.FirstName', 'U.MiddleName', 'U.LastName');
}

export async function findFiring(db: Db, Id: number): Promise<FiringRow | undefined> {
  return db('AlertFirings as F')
    .leftJoin('Users as U', 'U.UserId', 'F.SeenBy')
    .where('F.Id', Id)
    .first<FiringRow | undefined>('F.*', 'U.FirstName', 'U.MiddleName', 'U.LastName');
}

/** Counts how many people were notified of each firing, and the deliveries by status. */
export async function countNotified(
  db: Db,
  firingIds: readonly number[],
): Promise<{ AlertFiringId: number; Status: string; Count: number }[]> {
  if (firingIds.length === 0) return [];
  const people = await db('AlertNotices')
    .whereIn('AlertFiringId', firingIds)
    .groupBy('AlertFiringId')
    .select('AlertFiringId')
    .count<{ AlertFiringId: number; Count: number }[]>({ Count: '*' });
  const sent = await db('Deliveries')
    .whereIn('AlertFiringId', firingIds)
    .groupBy('AlertFiringId', 'Status')
    .select('AlertFiringId', 'Status')
    .count<{ AlertFiringId: number; Status: string; Count: number }[]>({ Count: '*' });
  return [...people.map((row) => ({ ...row, Status: 'Told' })), ...sent];
}

/** Returns the id of the new firing; null if the alert has already fired for this subject. */
export async function insertFiring(trx: Knex.Transaction, firing: NewFiring): Promise<number | null> {
  const { AlertId, Subject } = firing;
  if (await trx('AlertFirings').where({ AlertId, Subject }).first('Id')) return null;
  return insertedId(trx('AlertFirings').insert(firing).returning('Id'));
}

export interface NoticeRow {
  Id: number;
  AlertFiringId: number;
  VisibleTime: Date;
  Message: string;
  Category: number;
  ActivityRunId: number | null;
  ChecklistRunId: number | null;
  ActivityId: number | null;
  ChecklistId: number | null;
  OwnerName: string;
  Scope: AlertScope | null;
}

/** Returns the alerts in a user's notification bell, newest first. */
export async function listNotices(db: Db, dialect: Dialect, UserId: number, limit: number): Promise<NoticeRow[]> {
  return db('AlertNotices as N')
    .join('AlertFirings as F', 'F.Id', 'N.AlertFiringId')
    .join('Alerts as A', 'A.Id', 'F.AlertId')
    .leftJoin('Activities as V', 'V.Id', db.raw('coalesce(??, ??)', ['F.ActivityId', 'A.ActivityId']))
    .leftJoin('Checklists as C', 'C.Id', db.raw('coalesce(??, ??)', ['F.ChecklistId', 'A.ChecklistId']))
    .where({ 'N.UserId': UserId, 'N.ByBell': true })
    .whereNull('N.DismissedTime')
    .where('N.VisibleTime', '<=', dialect.now(db))
    .where('N.VisibleTime', '>', dialect.nowPlus(db, -30 * 86_400))
    .orderBy('N.Id', 'desc')
    .limit(limit)
    .select<NoticeRow[]>(
      'N.Id',
      'N.AlertFiringId',
      'N.VisibleTime',
      'F.Message',
      'F.Category',
      'F.ActivityRunId',
      'F.ChecklistRunId',
      'A.Scope',
      'V.Id as ActivityId',
      'C.Id as ChecklistId',
      db.raw('coalesce(??, ??, ??) as ??', ['V.Name', 'C.Name', 'A.Name', 'OwnerName']),
    );
}

export async function dismissNotice(db: Db, dialect: Dialect, Id: number, UserId: number): Promise<boolean> {
  return (
    (await db('AlertNotices')
      .where({ Id, UserId })
      .update({ DismissedTime: dialect.now(db) })) > 0
  );
}

export async function wasNotified(db: Db, AlertFiringId: number, UserId: number): Promise<boolean> {
  return (await db('AlertNotices').where({ AlertFiringId, UserId }).first('Id')) !== undefined;
}

/** Only the first person to see the alert is recorded. */
export async function markSeen(db: Db, dialect: Dialect, Id: number, SeenBy: number): Promise<void> {
  await db('AlertFirings')
    .where({ Id })
    .whereNull('SeenTime')
    .update({ SeenTime: dialect.now(db), SeenBy, EscalateTime: null });
}

export async function ownerName(db: Db, { ActivityId, ChecklistId }: Pick<AlertRow, 'ActivityId' | 'ChecklistId'>) {
  const [table, Id] = ActivityId === null ? ['Checklists', ChecklistId] : ['Activities', ActivityId];
  const row = await db(table).where({ Id }).first<{ Name: string } | undefined>('Name');
  return row?.Name ?? '';
}

export interface WatchedRun {
  Id: number;
  OwnerId: number;
  UserId: number;
  Status: RunStatus;
  ActivityVersion: number;
  QueueTime: Date;
  StartTime: Date | null;
  EndTime: Date | null;
  ChecklistRunId: number | null;
  ParentRunId: number | null;
}
