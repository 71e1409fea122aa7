import type { FastifyInstance } from 'fastify';
import { clientGone } from '#server/http/client-gone.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/checklist-purge.ts';
import type { WorkflowPurgeService } from './workflow-purge-service.ts';

export function registerWorkflowPurgeRoutes(app: FastifyInstance, purge: WorkflowPurgeService): void {
  registerEndpoint(app, contract.checklistRunDataSize, ({ person, params }) => purge.sizes(person, params.date));
  registerEndpoint(app, contract.purgeChecklistRuns, ({ person, params, body, reply }) =>
    // If the client disconnects, the purge stops: deleted runs stay deleted, the others remain.
    purge.purge(person, { date: params.date, checklistIds: body }, clientGone(reply)),
  );
  registerEndpoint(app, contract.purgeChecklistRun, ({ person, params, reply }) =>
    purge.purgeRun(person, params.runId, clientGone(reply)),
  );
  registerEndpoint(app, contract.checklistRetention, ({ person, params }) => purge.retention(person, params.id));
  registerEndpoint(app, contract.updateChecklistRetention, ({ person, body }) => purge.updateRetention(person, body));
  registerEndpoint(app, contract.deleteChecklistRetention, async ({ person, params }) => {
    await purge.deleteRetention(person, params.id);
    return null;
  });
}
