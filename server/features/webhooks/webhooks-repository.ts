import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inRows } from '#server/db/in-rows.ts';
import type { DeliveriesRow, DeliveryAttemptsRow, WebhooksRow } from '#server/db/tables.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { DeliveryStatus } from '#shared/contract/webhooks.ts';

export interface WebhookRow extends WebhooksRow {
  /** True if OldSecretUntil is in the future, by database time. */
  IsOldSecretUsed: boolean;
}

export type DeliveryRow = Pick<
  DeliveriesRow,
  'Id' | 'DeliveryKey' | 'Event' | 'Status' | 'Attempts' | 'CreateTime' | 'DueTime'
>;

export type AttemptRow = Pick<
  DeliveryAttemptsRow,
  'DeliveryId' | 'Time' | 'Milliseconds' | 'StatusCode' | 'Error' | 'Answer'
>;

const DELIVERY_COLUMNS = ['Id', 'DeliveryKey', 'Event', 'Status', 'Attempts', 'CreateTime', 'DueTime'] as const;

export async function findWebhook(db: Db, Id: number): Promise<WebhookRow | undefined> {
  const [row] = await listRows(webhooks(db).where({ Id }));
  return row;
}

type StoredWebhook = Omit<WebhookRow, 'IsOldSecretUsed'> & { IsOldSecretUsed: number };

function webhooks(db: Db) {
  const isUsed = 'case when ?? > ? then 1 else 0 end as ??';
  return db('Webhooks').select<StoredWebhook[]>(
    '*',
    db.raw(isUsed, ['OldSecretUntil', dialectOf(db).now(db), 'IsOldSecretUsed']),
  );
}

async function listRows(query: PromiseLike<StoredWebhook[]>): Promise<WebhookRow[]> {
  const rows = await query;
  return rows.map((row) => ({ ...row, IsOldSecretUsed: row.IsOldSecretUsed === 1 }));
}

export async function listWebhookRows(db: Db): Promise<WebhookRow[]> {
  return listRows(webhooks(db).orderBy('Name').orderBy('Id'));
}

export async function countWebhooks(db: Db): Promise<number> {
  return (await db('Webhooks').count({ Count: '*' }).first<{ Count: number }>()).Count;
}

export async function listWebhookActivities(db: Db): Promise<{ WebhookId: number; ActivityId: number }[]> {
  return db('WebhookActivities').orderBy('ActivityId').select('WebhookId', 'ActivityId');
}

/** Counts the waiting and failed deliveries of all webhooks. */
export async function countUndelivered(
  db: Db,
): Promise<{ WebhookId: number; Status: DeliveryStatus; Count: number }[]> {
  return db('Deliveries')
    .whereNotNull('WebhookId')
    .whereNot('Status', 'Delivered')
    .groupBy('WebhookId', 'Status')
    .select('WebhookId', 'Status')
    .count<{ WebhookId: number; Status: DeliveryStatus; Count: number }[]>({ Count: '*' });
}

export async function insertWebhook(
  trx: Knex.Transaction,
  row: Omit<WebhookRow, 'Id' | 'CreateTime' | 'EncryptedOldSecret' | 'OldSecretUntil' | 'IsOldSecretUsed'>,
): Promise<number> {
  return insertedId(trx('Webhooks').insert(row).returning('Id'));
}

export async function changeWebhook(trx: Knex.Transaction, Id: number, columns: object): Promise<boolean> {
  return (await trx('Webhooks').where({ Id }).update(columns)) > 0;
}

export async function removeWebhook(trx: Knex.Transaction, Id: number): Promise<boolean> {
  return (await trx('Webhooks').where({ Id }).delete()) > 0;
}

export async function replaceActivities(
  trx: Knex.Transaction,
  WebhookId: number,
  activityIds: readonly number[],
): Promise<void> {
  await trx('WebhookActivities').where({ WebhookId }).delete();
  const rows = activityIds.map((ActivityId) => ({ WebhookId, ActivityId }));
  await inRows(trx, rows, (part) => trx('WebhookActivities').insert(part));
}

export async function countActivities(db: Db, ids: readonly number[]): Promise<number> {
  const row = await db('Activities').whereIn('Id', ids).count({ Count: '*' }).first<{ Count: number }>();
  return row.Count;
}

/** Returns the deliveries newest first. */
export async function listDeliveryRows(
  db: Db,
  WebhookId: number,
  { before, status, limit }: { before: number | null; status: DeliveryStatus | null; limit: number },
): Promise<DeliveryRow[]> {
  const query = db('Deliveries')
    .where({ WebhookId })
    .orderBy('Id', 'desc')
    .limit(limit)
    .select(...DELIVERY_COLUMNS);
  if (before !== null) void query.where('Id', '<', before);
  if (status !== null) void query.where('Status', status);
  return query;
}

export async function findDelivery(db: Db, Id: number): Promise<(DeliveryRow & { Body: string }) | undefined> {
  return db('Deliveries')
    .where({ Id })
    .whereNotNull('WebhookId')
    .first(...DELIVERY_COLUMNS, 'Body');
}

/** Returns the last attempt of each delivery. */
export async function listLastAttempts(db: Db, deliveryIds: readonly number[]): Promise<AttemptRow[]> {
  if (deliveryIds.length === 0) return [];
  const last = db('DeliveryAttempts').whereIn('DeliveryId', deliveryIds).groupBy('DeliveryId').max('Id');
  return db('DeliveryAttempts').whereIn('Id', last).select();
}

export async function listAttempts(db: Db, DeliveryId: number, limit: number): Promise<AttemptRow[]> {
  return db('DeliveryAttempts').where({ DeliveryId }).orderBy('Id', 'desc').limit(limit).select();
}
