import type { FastifyInstance } from 'fastify';
import * as contract from '#shared/contract/schemas.ts';
import { actorOf } from '#server/access/actor.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { SchemasAdminService } from './schemas-admin-service.ts';

export function registerSchemasRoutes(app: FastifyInstance, schemas: SchemasAdminService): void {
  registerEndpoint(app, contract.listAllSchemas, async () => ({ Items: await schemas.list() }));
  registerEndpoint(app, contract.createSchema, async ({ body, person, request }) => {
    await schemas.create(actorOf(person, request.ip), body);
    return null;
  });
  registerEndpoint(app, contract.renameSchema, async ({ body, person, request }) => {
    await schemas.rename(actorOf(person, request.ip), body);
    return null;
  });
  registerEndpoint(app, contract.orderSchemas, async ({ body }) => {
    await schemas.order(body.Names);
    return null;
  });
  registerEndpoint(app, contract.deleteSchema, async ({ body, person, request }) => {
    await schemas.delete(actorOf(person, request.ip), body.Name);
    return null;
  });
}
