import type { FastifyInstance } from 'fastify';
import { clientGone } from '#server/http/client-gone.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/procedures.ts';
import type { ProcedurePublishing } from './procedure-publishing-service.ts';
import type { ProceduresService } from './procedures-service.ts';

export interface ProceduresRoutesDeps {
  procedures: ProceduresService;
  procedurePublishing: ProcedurePublishing;
}

export function registerProceduresRoutes(
  app: FastifyInstance,
  { procedures, procedurePublishing }: ProceduresRoutesDeps,
): void {
  registerEndpoint(app, contract.listProcedures, ({ person, reply }) => procedures.list(person, clientGone(reply)));
  registerEndpoint(app, contract.describeProcedure, ({ person, body, reply }) =>
    procedures.describe(person, body.ProcedureName, clientGone(reply)),
  );
  registerEndpoint(app, contract.tryProcedure, ({ person, body, reply }) =>
    procedures.tryOut(person, body, clientGone(reply)),
  );
  registerEndpoint(app, contract.createStoredProcedureActivity, ({ person, body, reply }) =>
    procedurePublishing.create(person, body, clientGone(reply)),
  );
  registerEndpoint(app, contract.procedureState, ({ person, params, reply }) =>
    procedures.state(person, params.id, clientGone(reply)),
  );
  registerEndpoint(app, contract.updateProcedure, ({ person, body, reply }) =>
    procedurePublishing.refresh(person, body, clientGone(reply)),
  );
}
