import type { FastifyInstance } from 'fastify';
import {
  createApiKey,
  deleteApiKey,
  ROTATED_KEY_GRACE_HOURS,
  listApiKeys,
  NEW_KEY,
  rotateApiKey,
} from '#shared/contract/users.ts';
import { actorOf } from '#server/access/actor.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { ApiKeysService } from './api-keys-service.ts';

export function registerApiKeysRoutes(app: FastifyInstance, keys: ApiKeysService): void {
  registerEndpoint(app, listApiKeys, ({ person, params, request }) =>
    keys.list(actorOf(person, request.ip), params.id),
  );
  registerEndpoint(app, createApiKey, ({ person, params, body, request }) => {
    return keys.create(actorOf(person, request.ip), params.id, { Name: '', Activities: null, ...NEW_KEY, ...body });
  });
  registerEndpoint(app, rotateApiKey, ({ person, params, body, request }) =>
    keys.rotate(actorOf(person, request.ip), params.id, params.key, body?.KeepHours ?? ROTATED_KEY_GRACE_HOURS.usual),
  );
  registerEndpoint(app, deleteApiKey, async ({ person, params, request }) => {
    await keys.delete(actorOf(person, request.ip), params.id, params.key);
    return null;
  });
}
