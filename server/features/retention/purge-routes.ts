import type { FastifyInstance } from 'fastify';
import type { VersionPurge } from '#server/features/versions/version-purge-service.ts';
import { clientGone } from '#server/http/client-gone.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/purge.ts';
import type { PurgeService } from './purge-service.ts';

export function registerPurgeRoutes(
  app: FastifyInstance,
  { purge, versions }: { purge: PurgeService; versions: VersionPurge },
): void {
  registerEndpoint(app, contract.purgeableActivities, ({ person, params }) => purge.activities(person, params.date));
  registerEndpoint(app, contract.runDataSize, ({ person, params }) => purge.sizes(person, params.date));
  registerEndpoint(app, contract.purgeRunData, ({ person, params, query, body, reply }) =>
    // If the client disconnects, the purge stops: deleted runs stay deleted, the others remain.
    purge.purge(person, { ...params, activityIds: body, limit: query.Most ?? Infinity }, clientGone(reply)),
  );
  registerEndpoint(app, contract.purgeSingleRunData, ({ person, params }) =>
    purge.purgeRun(person, params.runId, params.scope),
  );
  registerEndpoint(app, contract.purgeVersionFiles, ({ person, params }) =>
    versions.purge(person, params.id, params.version),
  );
}
