/** Finds events for webhooks and adds them to the deliveries, once per webhook. */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { insertDeliveries } from '#server/deliveries/delivery-rows.ts';
import { sinceCursor, type EventSpan } from '#server/deliveries/event-cursor.ts';
import { WEBHOOK_EVENTS, type WebhookEventField } from '#shared/contract/webhooks.ts';
import { askedApprovalBody, endedRunBody, publishedVersionBody, targetOf } from './webhook-bodies.ts';
import {
  hasWebhooks,
  untoldApprovals,
  untoldRuns,
  untoldVersions,
  type ForWebhook,
} from './webhook-events-repository.ts';

const AT_ONCE = 500;

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
      body: (told: T, address: string | null) => string,
    ): Promise<void> => {
      for (let isFull = true; isFull;) {
        const found = await find(trx, span, AT_ONCE);
        isFull = found.length === AT_ONCE;
        isAny ||= found.length > 0;
        await insertDeliveries(
          trx,
          found.map(({ WebhookId, SubjectId, ...told }) => ({
            Channel: 'Webhook' as const,
            Event: WEBHOOK_EVENTS[field],
            SubjectId,
            WebhookId,
            TargetKey: targetOf(WebhookId),
            Body: body(told as T, address),
          })),
        );
      }
    };
    await collect('OnRunEnded', untoldRuns, endedRunBody);
    await collect('OnVersionPublished', untoldVersions, publishedVersionBody);
    await collect('OnApprovalAsked', untoldApprovals, askedApprovalBody);
  });
  return isAny;
}
