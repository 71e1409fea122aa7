import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { activityHome } from '#shared/contract/activity-home.ts';
import type { ActivityHomeService } from './activity-home-service.ts';

export function registerActivityHomeRoutes(app: FastifyInstance, home: ActivityHomeService): void {
  registerEndpoint(app, activityHome, ({ person, params }) => home.of(person, params.id));
}
