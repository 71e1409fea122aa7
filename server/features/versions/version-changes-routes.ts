import type { FastifyInstance } from 'fastify';
import { rollBack, versionChanges } from '#shared/contract/version-changes.ts';
import { clientGone } from '#server/http/client-gone.ts';
import { idempotencyKeyOf } from '#server/http/idempotency-key.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { VersionChangesService } from './version-changes-service.ts';

export function registerVersionChangesRoutes(app: FastifyInstance, versionChange: VersionChangesService): void {
  registerEndpoint(app, versionChanges, ({ person, params, reply }) =>
    versionChange.changes(person, params.id, params.from, params.to, clientGone(reply)),
  );
  registerEndpoint(app, rollBack, async ({ person, params, body, request, reply }) => {
    const change = { ...body, UniqueId: idempotencyKeyOf(request) };
    return { Version: await versionChange.rollBack(person, params.id, change, clientGone(reply)) };
  });
}
