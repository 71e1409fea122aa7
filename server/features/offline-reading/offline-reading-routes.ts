import type { FastifyInstance } from 'fastify';
import { offlineReading, setOfflineReading } from '#shared/contract/offline-reading.ts';
import { actorOf } from '#server/access/actor.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { OfflineReadingService } from './offline-reading-service.ts';

export function registerOfflineReadingRoutes(app: FastifyInstance, service: OfflineReadingService): void {
  registerEndpoint(app, offlineReading, () => service.current());
  registerEndpoint(app, setOfflineReading, ({ body, person, request }) =>
    service.set(actorOf(person, request.ip), body),
  );
}
