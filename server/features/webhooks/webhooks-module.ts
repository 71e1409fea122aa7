import type { FastifyInstance } from 'fastify';
import { createWebhookSecrets } from '#server/access/webhook-secrets.ts';
import { createDeliveryEngine } from '#server/automation/deliveries/delivery-engine.ts';
import { createPoller } from '#server/background/poller.ts';
import type { WorkProbe } from '#server/db/work-probes.ts';
import type { alertsModule } from '#server/features/alerts/alerts-module.ts';
import type { Core } from '#server/features/core.ts';
import { createDeliveryLogService } from './delivery-log-service.ts';
import { collectWebhookEvents } from './webhook-events.ts';
import { createWebhookSender } from './webhook-sender.ts';
import { registerWebhooksRoutes, type WebhookParts } from './webhooks-routes.ts';
import { createWebhooksService } from './webhooks-service.ts';

const POLL_INTERVAL_MS = 2_000;
/** Runs that change within this time share a poll. */
const REQUEST_DELAY_MS = 300;

type Needs = Core & Pick<ReturnType<typeof alertsModule.create>, 'alertChannels' | 'watchAlerts'>;

export const webhooksModule = {
  create: (core: Needs) => {
    const { config, database, log, secretKey, alertChannels, watchAlerts } = core;
    const deps = { database, secrets: createWebhookSecrets(secretKey), allowed: config.webhookPrivateAddresses };
    const channels = { Webhook: createWebhookSender(deps), ...alertChannels };
    const deliveries = createDeliveryEngine({ database, log, channels });
    const kick = (): void => deliveries.kick();
    const collectEvents = async (): Promise<void> => {
      await collectWebhookEvents(core);
      await watchAlerts();
      kick();
    };
    return {
      webhooks: createWebhooksService({ ...deps, kick }),
      deliveryLog: createDeliveryLogService(database, kick),
      deliveries,
      /** Polls once for events since the last poll. */
      collectEvents,
      /** Polls for events whenever runs change; returns a function that stops it. */
      startEvents: (hasEvents: WorkProbe) => startEvents(core, hasEvents, collectEvents),
    };
  },
  register: (http: FastifyInstance, parts: WebhookParts): void => registerWebhooksRoutes(http, parts),
};

function startEvents(
  { log, signals }: Pick<Core, 'log' | 'signals'>,
  hasEvents: WorkProbe,
  collect: () => Promise<void>,
): () => Promise<void> {
  const poller = createPoller({
    // Every poll probes, because most runs that change cause no events.
    poll: async () => {
      if (await hasEvents()) await collect();
    },
    intervalMs: POLL_INTERVAL_MS,
    requestDelayMs: REQUEST_DELAY_MS,
    onError: (err) => log.warn({ err }, 'could not poll events; trying again'),
  });
  poller.start();
  poller.request();
  const unsubscribe = signals.onChanged(() => poller.request());
  return async () => {
    unsubscribe();
    await poller.stop();
  };
}
