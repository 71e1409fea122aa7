import type { FastifyInstance } from 'fastify';
import { activityQueueing, setActivityQueueing } from '#shared/contract/queueing.ts';
import { actorOf } from '#server/access/actor.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { QueueingService } from './queueing-service.ts';

export function registerQueueingRoutes(app: FastifyInstance, queueing: QueueingService): void {
  registerEndpoint(app, activityQueueing, ({ params }) => queueing.get(params.id));
  registerEndpoint(app, setActivityQueueing, ({ params, body, person, request }) =>
    queueing.set(actorOf(person, request.ip), params.id, body),
  );
}
