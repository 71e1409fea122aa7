/** Composes the parts around stored-procedure activities. */
import { runProcedure } from '#server/executors/procedure/procedure-executor.ts';
import { createProcedureAccess } from '#server/features/procedures/procedure-access.ts';
import {
  createProcedurePublishing,
  type ProcedurePublishing,
  type ProcedurePublishingDeps,
} from '#server/features/procedures/procedure-publishing-service.ts';
import { createProceduresService, type ProceduresService } from '#server/features/procedures/procedures-service.ts';

export interface ProcedureParts {
  procedures: ProceduresService;
  procedurePublishing: ProcedurePublishing;
}

export function createProcedureParts(deps: Omit<ProcedurePublishingDeps, 'procedureAccess'>): ProcedureParts {
  const base = { ...deps, procedureAccess: createProcedureAccess(deps.connections) };
  return {
    procedures: createProceduresService({ ...base, execute: runProcedure }),
    procedurePublishing: createProcedurePublishing(base),
  };
}
