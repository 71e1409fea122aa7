import type { FastifyInstance } from 'fastify';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { Core } from '#server/features/core.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { StartService } from '#server/features/runs/start-service.ts';
import { createPlanReader } from '#server/workflows/workflow-plans.ts';
import { createChecklistDownloadsService } from './checklist-downloads-service.ts';
import { createChecklistGraphs } from './checklist-graphs-service.ts';
import { createChecklistHistoryService } from './checklist-history-service.ts';
import { createInputsOf, type InputsOf } from './checklist-inputs-service.ts';
import { createChecklistResumeService } from './checklist-resume-service.ts';
import { createChecklistRowsService } from './checklist-rows-service.ts';
import { registerChecklistRunsRoutes } from './checklist-runs-routes.ts';
import { createChecklistRunsService } from './checklist-runs-service.ts';
import { createChecklistStartService, type ChecklistStartService } from './checklist-start-service.ts';
import { registerChecklistsRoutes } from './checklists-routes.ts';
import { createChecklistsService, type ChecklistsService } from './checklists-service.ts';

export interface RouteNeeds extends Core {
  files: FilesService;
  checklists: ChecklistsService;
  checklistInputs: InputsOf;
  checklistStarts: ChecklistStartService;
}

export const checklistsModule = {
  create: (core: Core & { activities: ActivitiesService; starts: StartService }) => {
    const { database, activities, versions } = core;
    const checklistInputs = createInputsOf(activities, versions);
    const checklistGraphs = createChecklistGraphs(database, checklistInputs);
    const deps = { ...core, access: core.checklistAccess, inputsOf: checklistInputs };
    return {
      checklistInputs,
      checklistGraphs,
      checklists: createChecklistsService(deps),
      checklistStarts: createChecklistStartService({ ...deps, graphs: checklistGraphs }),
    };
  },
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const { checklistAccess, checklistRunAccess, checklistInputs, checklists } = parts;
    const deps = {
      ...parts,
      access: checklistAccess,
      runAccess: checklistRunAccess,
      inputsOf: checklistInputs,
      readPlan: createPlanReader(),
    };
    const downloads = createChecklistDownloadsService(deps);
    registerChecklistsRoutes(http, checklists);
    registerChecklistRunsRoutes(http, {
      ...parts,
      checklistRuns: createChecklistRunsService({ ...deps, downloads }),
      checklistResumes: createChecklistResumeService({ ...deps, starts: parts.checklistStarts }),
      checklistDownloads: downloads,
      checklistHistory: createChecklistHistoryService(deps),
      checklistRows: createChecklistRowsService(deps),
    });
  },
};
