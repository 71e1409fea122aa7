import type { FastifyInstance } from 'fastify';
import type { ChecklistGraphs } from '#server/features/checklists/checklist-graphs-service.ts';
import type { InputsOf } from '#server/features/checklists/checklist-inputs-service.ts';
import type { Core } from '#server/features/core.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { createNewWorkflows } from './new-workflows-service.ts';
import { createWorkflowApprovers } from './workflow-approvers-service.ts';
import { createWorkflowEditor } from './workflow-editor.ts';
import { createWorkflowImport, type WorkflowImport } from './workflow-import-service.ts';
import { createWorkflowManifests } from './workflow-manifest-service.ts';
import { registerWorkflowsRoutes } from './workflows-routes.ts';
import { createWorkflowsService } from './workflows-service.ts';

export interface Needs extends Core {
  checklistInputs: InputsOf;
  checklistGraphs: ChecklistGraphs;
}

export const workflowsModule = {
  create: (core: Needs) => ({ workflowImport: createWorkflowImport(catalogueDeps(core)) }),
  register: (http: FastifyInstance, parts: Needs & { files: FilesService; workflowImport: WorkflowImport }): void => {
    const { database, workflowImport } = parts;
    registerWorkflowsRoutes(http, {
      workflows: createWorkflowsService(catalogueDeps(parts)),
      workflowEditor: createWorkflowEditor(catalogueDeps(parts)),
      newWorkflows: createNewWorkflows(catalogueDeps(parts)),
      workflowApprovers: createWorkflowApprovers(database),
      workflowManifests: createWorkflowManifests(catalogueDeps(parts)),
      workflowImport,
    });
  },
};

const catalogueDeps = <T extends Needs>(parts: T) => ({
  ...parts,
  access: parts.checklistAccess,
  graphs: parts.checklistGraphs,
  inputsOf: parts.checklistInputs,
});
