/** The log of deliveries to webhooks. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { sendAgain, sendWaitingNow } from '#server/automation/deliveries/delivery-rows.ts';
import {
  DELIVERY_PAGE_SIZE,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetails,
  type DeliveryStatus,
} from '#shared/contract/webhooks.ts';
import {
  findDelivery,
  findWebhook,
  listAttempts,
  listDeliveryRows,
  listLastAttempts,
  type AttemptRow,
  type DeliveryRow,
} from './webhooks-repository.ts';
import { webhookNotFound } from './webhooks-service.ts';

export interface DeliveryLogService {
  list(
    webhookId: number,
    page: { before: number | null; status: DeliveryStatus | null },
  ): Promise<{ Items: Delivery[]; HasMore: boolean }>;
  details(id: number): Promise<DeliveryDetails>;
  redeliver(id: number): Promise<void>;
  /** Sends everything that waits for its next attempt. Returns the number of deliveries. */
  sendWaiting(webhookId: number): Promise<number>;
}

const ATTEMPTS_SHOWN = 100;
const notFound = (): AppError => new AppError('deliveryNotFound', 404, 'There is no such delivery');

export function createDeliveryLogService({ knex, dialect }: Database, kick: () => void): DeliveryLogService {
  return {
    list: async (webhookId, page) => {
      if (!(await findWebhook(knex, webhookId))) throw webhookNotFound();
      const rows = await listDeliveryRows(knex, webhookId, { ...page, limit: DELIVERY_PAGE_SIZE + 1 });
      const shown = rows.slice(0, DELIVERY_PAGE_SIZE);
      const ids = shown.map(({ Id }) => Id);
      const last = new Map((await listLastAttempts(knex, ids)).map((attempt) => [attempt.DeliveryId, attempt]));
      return { Items: shown.map((row) => viewOf(row, last.get(row.Id))), HasMore: rows.length > shown.length };
    },
    details: async (id) => {
      const row = await findDelivery(knex, id);
      if (!row) throw notFound();
      const attempts = await listAttempts(knex, id, ATTEMPTS_SHOWN);
      return { ...viewOf(row, attempts[0]), Body: row.Body, Log: attempts.map(attemptOf) };
    },
    redeliver: async (id) => {
      if (!(await findDelivery(knex, id))) throw notFound();
      if (!(await sendAgain({ knex, dialect }, id))) {
        throw new AppError('stillWaiting', 409, 'It is being sent at the moment');
      }
      kick();
    },
    sendWaiting: async (webhookId) => {
      if (!(await findWebhook(knex, webhookId))) throw webhookNotFound();
      const count = await sendWaitingNow(knex, webhookId);
      kick();
      return count;
    },
  };
}

function viewOf({ Id, DeliveryKey, Event, Status, Attempts, ...row }: DeliveryRow, last?: AttemptRow): Delivery {
  return {
    Id,
    DeliveryKey,
    Event,
    Status,
    Attempts,
    CreateTime: row.CreateTime.toISOString(),
    DueTime: Status === 'Waiting' ? row.DueTime.toISOString() : null,
    StatusCode: last?.StatusCode ?? null,
    Error: last?.Error ?? null,
  };
}

const attemptOf = ({ Time, Milliseconds, StatusCode, Error, Answer }: AttemptRow): DeliveryAttempt => ({
  Time: Time.toISOString(),
  Milliseconds,
  StatusCode,
  Error,
  Answer,
});
