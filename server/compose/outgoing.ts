/** What the portal tells others by itself: webhooks, and what delivers it. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '#server/config/config-schema.ts';
import { publicAddress } from '#server/config/public-address.ts';
import type { Database } from '#server/db/database.ts';
import { createDeliveryEngine, type DeliveryEngine } from '#server/deliveries/delivery-engine.ts';
import { lookRepeatedly } from '#server/deliveries/repeated-look.ts';
import { createDeliveryLogService } from '#server/features/webhooks/delivery-log-service.ts';
import { collectWebhookEvents } from '#server/features/webhooks/webhook-events.ts';
import { createWebhookSecrets } from '#server/features/webhooks/webhook-secrets.ts';
import { createWebhookSender } from '#server/features/webhooks/webhook-sender.ts';
import { registerWebhooksRoutes, type WebhookParts } from '#server/features/webhooks/webhooks-routes.ts';
import { createWebhooksService } from '#server/features/webhooks/webhooks-service.ts';
import type { RunSignals } from '#server/jobs/queue/run-signals.ts';

export interface OutgoingDeps {
  config: Config;
  database: Database;
  secretKey: string;
  log: Logger;
  signals: RunSignals;
}

export interface Outgoing extends WebhookParts {
  deliveries: DeliveryEngine;
  /** One look at what has happened since the last. */
  collect(): Promise<void>;
  start(): () => Promise<void>;
}

const LOOK_MS = 2_000;

export function createOutgoing({ config, database, secretKey, log, signals }: OutgoingDeps): Outgoing {
  const address = publicAddress(config);
  const allowed = config.webhookPrivateAddresses;
  const secrets = createWebhookSecrets(secretKey);
  const webhook = createWebhookSender({ database, secrets, allowed });
  const channels = { Webhook: webhook, Teams: webhook, Slack: webhook, Mail: webhook };
  const deliveries = createDeliveryEngine({ database, log, channels });
  const kick = (): void => deliveries.kick();
  const collect = async (): Promise<void> => {
    if (await collectWebhookEvents({ database, address })) kick();
  };
  return {
    webhooks: createWebhooksService({ database, secrets, kick }),
    deliveryLog: createDeliveryLogService(database, kick),
    deliveries,
    collect,
    start: () => {
      const looking = lookRepeatedly(collect, { intervalMs: LOOK_MS, log, what: 'events could not be looked for' });
      const unsubscribe = signals.onChanged(() => looking.soon());
      const stop = deliveries.start();
      return async () => {
        unsubscribe();
        await looking.stop();
        await stop();
      };
    },
  };
}

export function registerOutgoingRoutes(http: FastifyInstance, outgoing: Outgoing): void {
  registerWebhooksRoutes(http, outgoing);
}
