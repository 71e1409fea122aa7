import type { FastifyInstance } from 'fastify';
import { createApiKey, deleteApiKey, listApiKeys, NEW_KEY } from '#shared/contract/users.ts';
import { actorOf } from '#server/features/security-actions/actor.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { ApiKeysService } from './api-keys-service.ts';

export function registerApiKeysRoutes(app: FastifyInstance, keys: ApiKeysService): void {
  registerEndpoint(app, listApiKeys, ({ person, params, request }) =>
    keys.list(actorOf(person, request.ip), params.id),
  );
  registerEndpoint(app, createApiKey, ({ person, params, body, request }) => {
    return keys.create(actorOf(person, request.ip), params.id, { Name: '', ...NEW_KEY, ...body });
  });
  registerEndpoint(app, deleteApiKey, async ({ person, params, request }) => {
    await keys.delete(actorOf(person, request.ip), params.id, params.key);
    return null;
  });
}
