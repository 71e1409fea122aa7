import type { FastifyInstance } from 'fastify';
import * as contract from '#shared/contract/roles.ts';
import { actorOf } from '#server/access/actor.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { RolesService } from './roles-service.ts';

export function registerRolesRoutes(app: FastifyInstance, roles: RolesService): void {
  registerEndpoint(app, contract.listRoles, async () => ({ Items: await roles.list() }));
  registerEndpoint(app, contract.roleUsers, ({ params, query }) => roles.users(params.name, query));
  registerEndpoint(app, contract.createRole, async ({ person, params, request }) => {
    await roles.create(actorOf(person, request.ip), params.name);
    return null;
  });
  registerEndpoint(app, contract.enableRole, async ({ person, params, request }) => {
    await roles.setActive(actorOf(person, request.ip), params.name, true);
    return null;
  });
  registerEndpoint(app, contract.disableRole, async ({ person, params, request }) => {
    await roles.setActive(actorOf(person, request.ip), params.name, false);
    return null;
  });
  registerEndpoint(app, contract.deleteRole, async ({ person, params, request }) => {
    await roles.delete(actorOf(person, request.ip), params.name);
    return null;
  });
  registerEndpoint(app, contract.includeUsers, async ({ person, params, body, request }) => {
    await roles.include(actorOf(person, request.ip), params.name, body);
    return null;
  });
  registerEndpoint(app, contract.excludeUsers, async ({ person, params, body, request }) => {
    await roles.exclude(actorOf(person, request.ip), params.name, body);
    return null;
  });
}
