import type { Database } from '#server/db/database.ts';
import type { SendDelivery } from '#server/automation/deliveries/delivery-engine.ts';
import { postJson } from '#server/automation/deliveries/post-json.ts';
import { signedHeaders } from '#server/automation/deliveries/signature.ts';
import type { WebhookSecrets } from '#server/access/webhook-secrets.ts';
import { findWebhook } from './webhooks-repository.ts';
import { secretsOf } from './webhooks-service.ts';

export interface WebhookSenderDeps {
  database: Pick<Database, 'knex'>;
  secrets: WebhookSecrets;
  /** Private network addresses that webhooks may reach. */
  allowed: readonly string[];
  timeLimit?: number;
}

/** In milliseconds. */
const SEND_LIMIT_MS = 10_000;

const refused = (Error: string, isFinal = true) => ({ StatusCode: null, Error, Answer: '', isFinal });

export function createWebhookSender({ database, secrets, allowed, timeLimit }: WebhookSenderDeps): SendDelivery {
  return async ({ WebhookId, DeliveryKey, Body, Event }, signal) => {
    const webhook = WebhookId === null ? undefined : await findWebhook(database.knex, WebhookId);
    if (!webhook) return refused('The webhook was removed');
    if (!webhook.IsActive && Event !== 'test') return refused('The webhook is switched off');
    const known = secretsOf(secrets, webhook);
    if (known.length === 0) return refused('Its secret cannot be read: the key of this server has changed', false);
    const headers = signedHeaders(known, DeliveryKey, Body);
    return postJson(webhook.Url, Body, { headers, allowed, timeLimit: timeLimit ?? SEND_LIMIT_MS, signal });
  };
}
