import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/saved-searches.ts';
import type { SavedSearchesService } from './saved-searches-service.ts';

export function registerSavedSearchesRoutes(app: FastifyInstance, searches: SavedSearchesService): void {
  registerEndpoint(app, contract.listSavedSearches, ({ person, body }) => searches.list(person, body.ActivityId));
  registerEndpoint(app, contract.saveSearch, ({ person, body }) => searches.save(person, body));
  registerEndpoint(app, contract.deleteSearch, async ({ person, params }) => {
    await searches.delete(person, params.id);
    return null;
  });
}
