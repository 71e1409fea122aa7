import type { FastifyInstance } from 'fastify';
import { health } from '#shared/contract/activities.ts';
import type { Database } from '#server/db/database.ts';
import { registerPublicEndpoint } from '#server/http/register-endpoint.ts';

/** For load balancers and containers: fails where the database cannot be reached. */
export function registerHealthRoutes(app: FastifyInstance, { knex }: Pick<Database, 'knex'>): void {
  registerPublicEndpoint(app, health, async () => {
    await knex.raw('select 1');
    return { Status: 'ok' as const };
  });
}
