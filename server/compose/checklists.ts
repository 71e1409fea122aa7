/** Composes the parts around checklists and workflows, and their runs. */
import type { FastifyInstance } from 'fastify';
import type { Database } from '#server/db/database.ts';
import { registerApprovalsRoutes } from '#server/features/approvals/approvals-routes.ts';
import { createApprovalsService, type ApprovalsService } from '#server/features/approvals/approvals-service.ts';
import type { ChecklistsOfList } from '#server/features/activities/activities-service.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import { createInputsOf } from '#server/features/checklists/checklist-inputs-service.ts';
import { createChecklistList } from '#server/features/checklists/checklist-list.ts';
import { createChecklistsService } from '#server/features/checklists/checklists-service.ts';
import { createChecklistDownloadsService } from '#server/features/checklists/checklist-downloads-service.ts';
import { createChecklistGraphs } from '#server/features/checklists/checklist-graphs-service.ts';
import { createChecklistHistoryService } from '#server/features/checklists/checklist-history-service.ts';
import { createChecklistRowsService } from '#server/features/checklists/checklist-rows-service.ts';
import { createChecklistRunAccess } from '#server/access/checklist-run-access.ts';
import {
  registerChecklistRunsRoutes,
  type ChecklistRunsRoutesDeps,
} from '#server/features/checklists/checklist-runs-routes.ts';
import { createChecklistRunsService } from '#server/features/checklists/checklist-runs-service.ts';
import { createChecklistStartService } from '#server/features/checklists/checklist-start-service.ts';
import { createWorkflowApprovers } from '#server/features/workflows/workflow-approvers-service.ts';
import { createWorkflowEditor } from '#server/features/workflows/workflow-editor.ts';
import { createWorkflowImport } from '#server/features/workflows/workflow-import-service.ts';
import { registerWorkflowsRoutes, type WorkflowsRoutesDeps } from '#server/features/workflows/workflows-routes.ts';
import { createWorkflowsService } from '#server/features/workflows/workflows-service.ts';
import { registerWorkflowPurgeRoutes } from '#server/features/retention/workflow-purge-routes.ts';
import {
  createWorkflowPurgeService,
  type WorkflowPurgeService,
} from '#server/features/retention/workflow-purge-service.ts';
import { createChecklistScheduleStarter } from '#server/features/schedules/checklist-schedule-starter.ts';
import { registerChecklistScheduleRoutes } from '#server/features/schedules/checklist-schedules-routes.ts';
import {
  createChecklistSchedulesService,
  type ChecklistSchedulesService,
} from '#server/features/schedules/checklist-schedules-service.ts';
import type { WorkflowScheduleStarter } from '#server/automation/schedules/workflow-schedule-starter.ts';
import type { StartService } from '#server/features/runs/start-service.ts';
import { createPlanReader } from '#server/workflows/workflow-plans.ts';
import type { ActivityParts, Checklists } from './activity-parts.ts';
import type { PortalDeps } from './portal-deps.ts';

/** Returns the checklists shown in the list of activities. */
export function listedChecklists(database: Database, access: ChecklistAccess): ChecklistsOfList {
  const list = createChecklistList(database, access);
  return (person, activities) => list.of(person, activities);
}

export function createChecklists({
  database,
  rights,
  checklistAccess,
  activities,
  versions,
}: Pick<PortalDeps, 'database' | 'rights'> &
  Pick<ActivityParts, 'checklistAccess' | 'activities' | 'versions'>): Checklists {
  const checklistInputs = createInputsOf(activities, versions);
  const deps = { database, rights, access: checklistAccess, inputsOf: checklistInputs };
  return { checklistAccess, checklists: createChecklistsService(deps), checklistInputs };
}

export interface ChecklistParts extends ChecklistRunsRoutesDeps, WorkflowsRoutesDeps {
  workflowPurge: WorkflowPurgeService;
  approvals: ApprovalsService;
  checklistSchedules: ChecklistSchedulesService;
  workflowScheduleStarter: WorkflowScheduleStarter;
}

export function createChecklistParts(deps: PortalDeps, parts: ActivityParts, starts: StartService): ChecklistParts {
  const { database, rights, signals, fileStore, timeZone, users } = deps;
  const { checklistAccess: access, checklists, checklistInputs, versions, files } = parts;
  const runAccess = createChecklistRunAccess(database, rights, access);
  const graphs = createChecklistGraphs(database, checklistInputs);
  const readPlan = createPlanReader();
  const downloads = createChecklistDownloadsService({ database, access, runAccess, readPlan, files });
  const checklistStarts = createChecklistStartService({
    database,
    access,
    graphs,
    inputsOf: checklistInputs,
    versions,
    starts,
    signals,
  });
  const starter = createChecklistScheduleStarter({ database, users, access, checklists, starts: checklistStarts });
  const ofWorkflows = { database, access, graphs, versions, files, inputsOf: checklistInputs };
  return {
    checklistStarts,
    checklistRuns: createChecklistRunsService({
      database,
      access,
      runAccess,
      versions,
      readPlan,
      inputsOf: checklistInputs,
      signals,
      downloads,
    }),
    approvals: createApprovalsService({ database, signals, files, users, runAccess }),
    workflows: createWorkflowsService(ofWorkflows),
    workflowEditor: createWorkflowEditor(ofWorkflows),
    workflowApprovers: createWorkflowApprovers(database),
    workflowImport: createWorkflowImport({ ...ofWorkflows, rights }),
    checklistDownloads: downloads,
    checklistHistory: createChecklistHistoryService({ database, access, checklists, versions, files }),
    workflowScheduleStarter: starter,
    checklistSchedules: createChecklistSchedulesService({ database, access, checklists, starter, timeZone }),
    workflowPurge: createWorkflowPurgeService({ database, store: fileStore, rights, access, runAccess, timeZone }),
    checklistRows: createChecklistRowsService({ database, access, runAccess, readPlan, versions, files }),
  };
}

export function registerChecklistRoutes(http: FastifyInstance, parts: ChecklistParts): void {
  registerChecklistRunsRoutes(http, parts);
  registerWorkflowsRoutes(http, parts);
  registerWorkflowPurgeRoutes(http, parts.workflowPurge);
  registerApprovalsRoutes(http, parts.approvals);
  registerChecklistScheduleRoutes(http, parts.checklistSchedules);
}
