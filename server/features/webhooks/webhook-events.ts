/** Finds events for webhooks and adds them to the deliveries, once per webhook. */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { insertDeliveries } from '#server/automation/deliveries/delivery-rows.ts';
import { sinceCursor, type EventSpan } from '#server/automation/deliveries/event-cursor.ts';
import { WEBHOOK_EVENTS, type WebhookEventField } from '#shared/contract/webhooks.ts';
import { askedApprovalBody, endedRunBody, publishedVersionBody, targetOf } from './webhook-bodies.ts';
import {
  hasWebhooks,
  unpublishedApprovals,
  unpublishedRuns,
  unpublishedVersions,
  type ForWebhook,
} from './webhook-events-repository.ts';

const EVENT_BATCH_SIZE = 500;

export interface WebhookEventsDeps {
  database: Pick<Database, 'knex' | 'dialect'>;
  /** Public URL of the portal, ending with a slash; null if none is configured. */
  address: string | null;
}

/** Polls once. Returns whether there were any events. */
export async function collectWebhookEvents({ database, address }: WebhookEventsDeps): Promise<boolean> {
  let isAny = false;
  await sinceCursor(database, 'webhooks', async (trx, span) => {
    isAny = false;
    if (!(await hasWebhooks(trx))) return;
    const collect = async <T>(
      field: WebhookEventField,
      find: (db: Knex, span: EventSpan, limit: number) => Promise<ForWebhook<T>[]>,
      body: (event: T, address: string | null) => string,
    ): Promise<void> => {
      for (let isFull = true; isFull;) {
        const found = await find(trx, span, EVENT_BATCH_SIZE);
        isFull = found.length === EVENT_BATCH_SIZE;
        isAny ||= found.length > 0;
        await insertDeliveries(
          trx,
          found.map(({ WebhookId, SubjectId, ...event }) => ({
            Channel: 'Webhook' as const,
            Event: WEBHOOK_EVENTS[field],
            SubjectId,
            WebhookId,
            TargetKey: targetOf(WebhookId),
            Body: body(event as T, address),
          })),
        );
      }
    };
    await collect('OnRunEnded', unpublishedRuns, endedRunBody);
    await collect('OnVersionPublished', unpublishedVersions, publishedVersionBody);
    await collect('OnApprovalAsked', unpublishedApprovals, askedApprovalBody);
  });
  return isAny;
}
