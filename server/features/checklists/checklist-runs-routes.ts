import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { withIdempotencyKey } from '#server/http/idempotency-key.ts';
import * as resumeContract from '#shared/contract/checklist-resumes.ts';
import * as rowsContract from '#shared/contract/checklist-rows.ts';
import * as contract from '#shared/contract/checklist-runs.ts';
import type { ChecklistDownloadsService } from './checklist-downloads-service.ts';
import type { ChecklistHistoryService } from './checklist-history-service.ts';
import type { ChecklistResumeService } from './checklist-resume-service.ts';
import type { ChecklistRowsService } from './checklist-rows-service.ts';
import type { ChecklistRunsService } from './checklist-runs-service.ts';
import type { ChecklistStartService } from './checklist-start-service.ts';

export interface ChecklistRunsRoutesDeps {
  checklistStarts: ChecklistStartService;
  checklistRuns: ChecklistRunsService;
  checklistResumes: ChecklistResumeService;
  checklistDownloads: ChecklistDownloadsService;
  checklistHistory: ChecklistHistoryService;
  checklistRows: ChecklistRowsService;
}

/** The same limit as for starting an activity. */
const START_BODY_BYTES = 64 * 1024 * 1024;

export function registerChecklistRunsRoutes(app: FastifyInstance, deps: ChecklistRunsRoutesDeps): void {
  const { checklistStarts, checklistRuns, checklistResumes, checklistDownloads, checklistRows, checklistHistory } =
    deps;
  registerEndpoint(
    app,
    contract.startChecklist,
    async ({ person, body, request }) => ({
      Id: await checklistStarts.start(person, withIdempotencyKey(request, body)),
    }),
    { bodyLimit: START_BODY_BYTES },
  );
  registerEndpoint(app, contract.checklistStatus, ({ person, params }) => checklistRuns.status(person, params.runId));
  registerEndpoint(app, contract.checklistHistory, ({ person, body }) => checklistHistory.page(person, body));
  registerEndpoint(app, contract.exportChecklistHistory, ({ person, body }) => checklistHistory.export(person, body));
  registerEndpoint(app, contract.cancelChecklistRun, async ({ person, params }) => ({
    Message: await checklistRuns.cancel(person, params.runId),
  }));
  registerEndpoint(app, resumeContract.planChecklistResume, ({ person, params, body }) =>
    checklistResumes.plan(person, params.runId, body),
  );
  registerEndpoint(
    app,
    resumeContract.resumeChecklistRun,
    async ({ person, params, body }) => ({ Id: await checklistResumes.resume(person, params.runId, body) }),
    { bodyLimit: START_BODY_BYTES },
  );
  for (const endpoint of [contract.downloadChecklistFiles, contract.downloadWorkflowFiles]) {
    registerEndpoint(app, endpoint, ({ person, params }) => checklistDownloads.allFiles(person, params.runId));
  }
  registerEndpoint(app, rowsContract.checklistRows, ({ person, body }) => checklistRows.page(person, body));
  registerEndpoint(app, rowsContract.downloadChecklistRows, ({ person, body }) => checklistRows.download(person, body));
}
