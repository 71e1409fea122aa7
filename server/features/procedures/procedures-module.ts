import type { FastifyInstance } from 'fastify';
import { runProcedure } from '#server/executors/procedure/procedure-executor.ts';
import type { Core } from '#server/features/core.ts';
import { createProcedureAccess } from './procedure-access.ts';
import { createProcedurePublishing } from './procedure-publishing-service.ts';
import { registerProceduresRoutes, type ProceduresRoutesDeps } from './procedures-routes.ts';
import { createProceduresService } from './procedures-service.ts';

export const proceduresModule = {
  create: (core: Core) => {
    const deps = { ...core, procedureAccess: createProcedureAccess(core.connections) };
    return {
      procedures: createProceduresService({ ...deps, execute: runProcedure }),
      procedurePublishing: createProcedurePublishing(deps),
    };
  },
  register: (http: FastifyInstance, parts: ProceduresRoutesDeps): void => registerProceduresRoutes(http, parts),
};
