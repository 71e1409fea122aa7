import type { FastifyInstance } from 'fastify';
import { idempotencyKeyOf } from '#server/http/idempotency-key.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/links.ts';
import type { LinkedActivityService } from './linked-activity-service.ts';
import type { LinkedStartService } from './linked-start-service.ts';
import type { LinksService } from './links-service.ts';

export interface LinksRoutesDeps {
  links: LinksService;
  linkedActivities: LinkedActivityService;
  linkedStarts: LinkedStartService;
}

/** The same limit as for a start. */
const START_BODY_BYTES = 64 * 1024 * 1024;

export function registerLinksRoutes(app: FastifyInstance, deps: LinksRoutesDeps): void {
  const { links, linkedActivities, linkedStarts } = deps;
  registerEndpoint(app, contract.writeLink, async ({ person, body, request }) => ({
    Id: await links.write(person, body, idempotencyKeyOf(request)),
  }));
  registerEndpoint(app, contract.deleteLink, async ({ person, body }) => {
    await links.delete(person, body);
    return null;
  });
  registerEndpoint(app, contract.linkDetails, ({ person, params }) => links.details(person, params.linkId));
  registerEndpoint(app, contract.linkedActivityDetails, ({ person, params }) =>
    linkedActivities.details(person, params.linkId),
  );
  registerEndpoint(
    app,
    contract.startLink,
    async ({ person, body }) => ({ Id: await linkedStarts.start(person, body) }),
    {
      bodyLimit: START_BODY_BYTES,
    },
  );
}
