/** Automatic notifications of the portal: webhooks, alerts, and their delivery. */
import type { FastifyInstance } from 'fastify';
import { publicAddress } from '#server/config/public-address.ts';
import { createDeliveryEngine, type DeliveryEngine } from '#server/automation/deliveries/delivery-engine.ts';
import { createPoller } from '#server/background/poller.ts';
import { createChannelSender, createMailDelivery } from '#server/features/alerts/alert-senders.ts';
import { registerAlertsRoutes } from '#server/features/alerts/alerts-routes.ts';
import { createDeliveryLogService } from '#server/features/webhooks/delivery-log-service.ts';
import { collectWebhookEvents } from '#server/features/webhooks/webhook-events.ts';
import { createWebhookSecrets } from '#server/access/webhook-secrets.ts';
import { createWebhookSender } from '#server/features/webhooks/webhook-sender.ts';
import { registerWebhooksRoutes, type WebhookParts } from '#server/features/webhooks/webhooks-routes.ts';
import { createWebhooksService } from '#server/features/webhooks/webhooks-service.ts';
import { registerSharingRoutes } from '#server/features/sharing/sharing-routes.ts';
import { createAlerts, type Alerts } from './alerts.ts';
import { createSharingParts, type SharingParts } from './sharing.ts';
import type { ServerWorkProbes } from './work-probes.ts';
import type { OutgoingDeps } from './outgoing-deps.ts';

export interface Outgoing extends WebhookParts, Alerts {
  deliveries: DeliveryEngine;
  sharing: SharingParts;
  /** Polls once for events since the last poll. */
  collect(): Promise<void>;
  start(probes: Pick<ServerWorkProbes, 'events' | 'deliveries'>): () => Promise<void>;
}

const POLL_INTERVAL_MS = 2_000;
/** Runs that change within this time share a poll. */
const REQUEST_DELAY_MS = 300;

export function createOutgoing(deps: OutgoingDeps): Outgoing {
  const { config, database, secretKey, log, signals, mail } = deps;
  const address = publicAddress(config);
  const allowed = config.webhookPrivateAddresses;
  const secrets = createWebhookSecrets(secretKey);
  const engine: { deliveries?: DeliveryEngine } = {};
  const kick = (): void => engine.deliveries?.kick();
  const alerts = createAlerts(deps, kick);
  const channel = createChannelSender(alerts.alertWebhooks, allowed);
  const channels = {
    Webhook: createWebhookSender({ database, secrets, allowed }),
    Teams: channel,
    Slack: channel,
    Mail: createMailDelivery(database, mail),
  };
  const deliveries = createDeliveryEngine({ database, log, channels });
  engine.deliveries = deliveries;
  const collect = async (): Promise<void> => {
    await collectWebhookEvents({ database, address });
    await alerts.watch();
    kick();
  };
  return {
    ...alerts,
    webhooks: createWebhooksService({ database, secrets, allowed, kick }),
    deliveryLog: createDeliveryLogService(database, kick),
    deliveries,
    sharing: createSharingParts(deps, kick),
    collect,
    start: (probes) => {
      const poller = createPoller({
        // Every poll probes, because most runs that change cause no events.
        poll: async () => {
          if (await probes.events()) await collect();
        },
        intervalMs: POLL_INTERVAL_MS,
        requestDelayMs: REQUEST_DELAY_MS,
        onError: (err) => log.warn({ err }, 'events could not be looked for; tried again'),
      });
      poller.start();
      poller.request();
      const unsubscribe = signals.onChanged(() => poller.request());
      const stop = deliveries.start(probes.deliveries);
      return async () => {
        unsubscribe();
        await poller.stop();
        await stop();
      };
    },
  };
}

export function registerOutgoingRoutes(http: FastifyInstance, outgoing: Outgoing): void {
  registerWebhooksRoutes(http, outgoing);
  registerAlertsRoutes(http, outgoing);
  registerSharingRoutes(http, outgoing.sharing);
}
