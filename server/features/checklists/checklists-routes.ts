import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/checklists.ts';
import type { ChecklistsService } from './checklists-service.ts';

/** An edit contains the details of all inputs, possibly of hundreds of activities. */
const EDIT_BODY_BYTES = 64 * 1024 * 1024;

export function registerChecklistsRoutes(app: FastifyInstance, checklists: ChecklistsService): void {
  registerEndpoint(app, contract.checklistDetails, ({ person, params }) => checklists.details(person, params.id));
  registerEndpoint(app, contract.checklistSchemas, async ({ person }) => ({
    Items: await checklists.allowedSchemas(person),
  }));
  registerEndpoint(app, contract.saveChecklist, ({ person, body }) => checklists.save(person, body), {
    bodyLimit: EDIT_BODY_BYTES,
  });
}
