import type { FastifyInstance } from 'fastify';
import { actorOf } from '#server/access/actor.ts';
import { idempotencyKeyOf } from '#server/http/idempotency-key.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/webhooks.ts';
import type { DeliveryLogService } from './delivery-log-service.ts';
import type { WebhooksService } from './webhooks-service.ts';

export interface WebhookParts {
  webhooks: WebhooksService;
  deliveryLog: DeliveryLogService;
}

export function registerWebhooksRoutes(app: FastifyInstance, { webhooks, deliveryLog }: WebhookParts): void {
  registerEndpoint(app, contract.listWebhooks, async () => ({ Items: await webhooks.list() }));
  registerEndpoint(app, contract.createWebhook, ({ person, request, body }) =>
    webhooks.create(actorOf(person, request.ip), body, idempotencyKeyOf(request)),
  );
  registerEndpoint(app, contract.updateWebhook, ({ person, request, body }) =>
    webhooks.update(actorOf(person, request.ip), body),
  );
  registerEndpoint(app, contract.deleteWebhook, async ({ person, request, params }) => {
    await webhooks.delete(actorOf(person, request.ip), params.id);
    return null;
  });
  registerEndpoint(app, contract.rotateWebhookSecret, ({ person, request, params }) =>
    webhooks.rotate(actorOf(person, request.ip), params.id),
  );
  registerEndpoint(app, contract.testWebhook, async ({ params }) => {
    await webhooks.test(params.id);
    return null;
  });
  registerEndpoint(app, contract.listDeliveries, ({ params, query }) =>
    deliveryLog.list(params.id, { before: query.Before ?? null, status: query.Status ?? null }),
  );
  registerEndpoint(app, contract.deliveryDetails, ({ params }) => deliveryLog.details(params.id));
  registerEndpoint(app, contract.redeliver, async ({ params }) => {
    await deliveryLog.redeliver(params.id);
    return null;
  });
  registerEndpoint(app, contract.sendWaiting, async ({ params }) => ({
    Count: await deliveryLog.sendWaiting(params.id),
  }));
}
