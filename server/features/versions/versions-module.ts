import type { FastifyInstance } from 'fastify';
import { createWorkbookComparer } from '#server/executors/workbook/compare/workbook-comparer.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { InputsOf } from '#server/features/checklists/checklist-inputs-service.ts';
import { createChecklistsOfActivity } from '#server/features/checklists/checklists-of-activity-service.ts';
import { createWorkflowIncompatibilityFinder } from '#server/features/checklists/workflow-incompatibilities-service.ts';
import type { Core } from '#server/features/core.ts';
import type { DesignsService } from '#server/features/designs/designs-service.ts';
import type { MarkedWorkbooks } from '#server/features/designs/marked-workbooks-service.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { ProcedurePublishing } from '#server/features/procedures/procedure-publishing-service.ts';
import type { TestGate } from '#server/features/test-beds/test-gate-service.ts';
import { createInspectService } from './inspect-service.ts';
import { createPublishService, type PublishService } from './publish-service.ts';
import { registerVersionChangesRoutes } from './version-changes-routes.ts';
import { createVersionChangesService } from './version-changes-service.ts';
import { createVersionPurge } from './version-purge-service.ts';
import { registerVersionsRoutes } from './versions-routes.ts';
import { createVersionsService, type VersionsService } from './versions-service.ts';

export interface Needs extends Core {
  activities: ActivitiesService;
  files: FilesService;
  procedurePublishing: ProcedurePublishing;
  testGate: TestGate;
}

export interface RouteNeeds extends Core {
  activities: ActivitiesService;
  procedurePublishing: ProcedurePublishing;
  checklistInputs: InputsOf;
  designs: DesignsService;
  markedWorkbooks: MarkedWorkbooks;
  publishing: PublishService;
  activityVersions: VersionsService;
}

export const versionsModule = {
  create: (core: Needs) => {
    const { fileStore, procedurePublishing: procedures } = core;
    return {
      publishing: createPublishService({ ...core, files: fileStore, procedures }),
      activityVersions: createVersionsService(core),
      versionPurge: createVersionPurge({ ...core, store: fileStore }),
    };
  },
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const { database, fileStore, checklistAccess, checklistInputs, procedurePublishing: procedures } = parts;
    const checklistsOf = createChecklistsOfActivity(database, checklistAccess);
    const deps = { ...parts, files: fileStore };
    registerVersionsRoutes(http, { ...deps, versions: parts.activityVersions, inspecting: createInspectService(deps) });
    const inWorkflows = { ...parts, checklistsOf, inputsOf: checklistInputs };
    const versionChanges = createVersionChangesService({
      ...deps,
      procedures,
      comparer: createWorkbookComparer(),
      findWorkflowIncompatibilities: createWorkflowIncompatibilityFinder(inWorkflows),
    });
    registerVersionChangesRoutes(http, versionChanges);
  },
};
