/** The rows of deliveries and of their attempts. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inRows } from '#server/db/in-rows.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { DeliveryStatus } from '#shared/contract/webhooks.ts';
import { GIVE_UP_SECONDS } from './backoff.ts';
import type { Posted } from './post-json.ts';

export type DeliveryChannel = 'Webhook' | 'Teams' | 'Slack' | 'Mail';

export interface NewDelivery {
  Channel: DeliveryChannel;
  Event: string;
  SubjectId: number | null;
  WebhookId?: number;
  AlertFiringId?: number;
  UserId?: number;
  EncryptedTarget?: string;
  TargetKey: string;
  Body: string;
  /** Earliest time to send it; immediately if absent. */
  DueTime?: Date;
}

export interface TakenDelivery {
  Id: number;
  DeliveryKey: string;
  Channel: DeliveryChannel;
  Event: string;
  WebhookId: number | null;
  AlertFiringId: number | null;
  UserId: number | null;
  EncryptedTarget: string | null;
  TargetKey: string;
  Body: string;
  Attempts: number;
}

const TAKEN: (keyof TakenDelivery)[] = [
  'Id',
  'DeliveryKey',
  'Channel',
  'Event',
  'WebhookId',
  'AlertFiringId',
  'UserId',
  'EncryptedTarget',
  'TargetKey',
  'Body',
  'Attempts',
];

export async function insertDeliveries(db: Db, deliveries: readonly NewDelivery[]): Promise<void> {
  const rows = deliveries.map((delivery) => ({
    ...delivery,
    DeliveryKey: randomUUID(),
    Status: 'Waiting' as const,
  }));
  await inRows(db, rows, (part) => db('Deliveries').insert(part));
}

/** Restricts a query to deliveries that are due and that no server is sending. */
export const waitingDeliveries = (
  query: Knex.QueryBuilder,
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
): Knex.QueryBuilder => unsentDeliveries(query, knex).where('DueTime', '<=', dialect.now(knex));

/** Restricts a query to deliveries that wait, also for a later time, and that no server is sending. */
function unsentDeliveries(query: Knex.QueryBuilder, db: Db): Knex.QueryBuilder {
  const now = dialectOf(db).now(db);
  return whereStatus(query, ['Waiting']).where(
    (free) => void free.whereNull('TakenUntil').orWhere('TakenUntil', '<', now),
  );
}

/**
 * Takes deliveries that are due and that no server is sending. If the server dies, they become available again when
 * their lease expires.
 */
export async function takeDeliveries(
  database: Pick<Database, 'knex' | 'dialect'>,
  limit: number,
  leaseSeconds: number,
): Promise<TakenDelivery[]> {
  const { knex, dialect } = database;
  return dialect.claimRows<TakenDelivery>(knex, {
    table: 'Deliveries',
    key: 'Id',
    where: (query) => void waitingDeliveries(query, database),
    orderBy: [{ column: 'DueTime' }, { column: 'Id' }],
    limit,
    set: { TakenUntil: dialect.nowPlus(knex, leaseSeconds), Attempts: knex.raw('?? + 1', ['Attempts']) },
    returning: TAKEN,
  });
}

export interface Attempt extends Posted {
  Milliseconds: number;
  /** True if retrying would not help. */
  isFinal?: boolean;
}

/** What decides whether a delivery has arrived, waits for another attempt or is given up. */
type Outcome = Pick<Attempt, 'StatusCode' | 'Error' | 'isFinal'>;

/**
 * Adds an attempt to the log of its delivery, and stores its outcome.
 * @param wait seconds until the next attempt
 */
export async function recordAttempt(
  database: Pick<Database, 'knex' | 'dialect'>,
  delivery: TakenDelivery,
  attempt: Attempt,
  wait: number,
): Promise<DeliveryStatus> {
  const { StatusCode, Error: text, Answer, Milliseconds } = attempt;
  return inTransaction(database.knex, async (trx) => {
    const row = { DeliveryId: delivery.Id, StatusCode, Error: text?.slice(0, 500) ?? null, Answer, Milliseconds };
    await trx('DeliveryAttempts').insert(row);
    return storeOutcome(trx, database, { delivery, attempt, wait });
  });
}

/** Stores only the outcome of an attempt, for an attempt that cannot be recorded. */
export async function recordOutcome(
  database: Pick<Database, 'knex' | 'dialect'>,
  delivery: TakenDelivery,
  attempt: Outcome,
  wait: number,
): Promise<DeliveryStatus> {
  return inTransaction(database.knex, (trx) => storeOutcome(trx, database, { delivery, attempt, wait }));
}

async function storeOutcome(
  trx: Knex.Transaction,
  { dialect }: Pick<Database, 'dialect'>,
  { delivery, attempt, wait }: { delivery: TakenDelivery; attempt: Outcome; wait: number },
): Promise<DeliveryStatus> {
  const { Id, Attempts, TargetKey } = delivery;
  const { isFinal = false } = attempt;
  const isLate = isFinal || attempt.Error === null ? isFinal : await isOverdue(trx, { dialect }, Id, wait);
  const Status = attempt.Error === null ? 'Delivered' : isLate ? 'GivenUp' : 'Waiting';
  const DueTime = dialect.nowPlus(trx, wait);
  // Only if no other server has taken it in the meantime.
  await trx('Deliveries')
    .where({ Id, Attempts, Status: 'Waiting' })
    .update(
      Status === 'Waiting' ? { TakenUntil: null, DueTime } : { Status, TakenUntil: null, EndTime: dialect.now(trx) },
    );
  // The receiver cannot be reached, so other deliveries to it wait as well.
  if (Status === 'Waiting' && attempt.StatusCode === null) {
    await trx('Deliveries')
      .where({ TargetKey, Status: 'Waiting' })
      .whereNull('TakenUntil')
      .where('DueTime', '<', dialect.nowPlus(trx, wait))
      .update({ DueTime });
  }
  return Status;
}

async function isOverdue(db: Db, { dialect }: Pick<Database, 'dialect'>, Id: number, wait: number): Promise<boolean> {
  const row = await db('Deliveries')
    .where({ Id })
    .where('CreateTime', '<', dialect.nowPlus(db, wait - GIVE_UP_SECONDS))
    .first('Id');
  return row !== undefined;
}

/**
 * Sends a delivery again immediately, with the same key, so that the receiver recognizes it. If it has ended, its
 * retries begin again as well. Returns false if it does not exist or is just being sent.
 */
export async function sendAgain({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>, Id: number): Promise<boolean> {
  const now = dialect.now(knex);
  const begun = await knex('Deliveries')
    .where({ Id })
    .whereNot('Status', 'Waiting')
    .update({ Status: 'Waiting', Attempts: 0, DueTime: now, CreateTime: now, EndTime: null, TakenUntil: null });
  if (begun > 0) return true;
  const changed: number = await unsentDeliveries(knex('Deliveries').where({ Id }), knex).update({ DueTime: now });
  return changed > 0;
}

/** Sends all deliveries to a webhook that wait for their next attempt, because the reason to wait may be gone. */
export async function sendWaitingNow(db: Db, WebhookId: number): Promise<number> {
  const DueTime = dialectOf(db).now(db);
  return unsentDeliveries(db('Deliveries').where({ WebhookId }), db).update({ DueTime });
}

const RETENTION_SECONDS = 30 * 86_400;
const DELETE_BATCH_SIZE = 1000;

/** Deletes deliveries that ended more than a month ago. */
export async function deleteOldDeliveries(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  signal?: AbortSignal,
): Promise<void> {
  const where = (query: { where: (column: string, is: string, value: unknown) => unknown }): void =>
    void query.where('EndTime', '<', dialect.nowPlus(knex, -RETENTION_SECONDS));
  for (;;) {
    if (signal?.aborted) return;
    if ((await dialect.deleteChunk(knex, { table: 'Deliveries', key: 'Id', where, limit: DELETE_BATCH_SIZE })) === 0)
      return;
  }
}
