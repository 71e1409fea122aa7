import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { copyWorkflow, createWorkflow } from '#shared/contract/new-workflows.ts';
import { applyWorkflow, planWorkflow, workflowManifest } from '#shared/contract/workflow-manifests.ts';
import * as contract from '#shared/contract/workflows.ts';
import type { NewWorkflows } from './new-workflows-service.ts';
import type { WorkflowApprovers } from './workflow-approvers-service.ts';
import type { WorkflowEditor } from './workflow-editor.ts';
import type { WorkflowImport } from './workflow-import-service.ts';
import type { WorkflowManifests } from './workflow-manifest-service.ts';
import type { WorkflowsService } from './workflows-service.ts';

export interface WorkflowsRoutesDeps {
  workflows: WorkflowsService;
  workflowEditor: WorkflowEditor;
  newWorkflows: NewWorkflows;
  workflowImport: WorkflowImport;
  workflowApprovers: WorkflowApprovers;
  workflowManifests: WorkflowManifests;
}

const BODY_BYTES = 16 * 1024 * 1024;

export function registerWorkflowsRoutes(app: FastifyInstance, deps: WorkflowsRoutesDeps): void {
  const { workflows, workflowEditor, newWorkflows, workflowImport, workflowApprovers, workflowManifests } = deps;
  const large = { bodyLimit: BODY_BYTES };
  registerEndpoint(app, contract.editAsWorkflow, ({ person, body }) =>
    workflowEditor.editAsWorkflow(person, body.ChecklistId),
  );
  registerEndpoint(app, createWorkflow, ({ person, body }) => newWorkflows.create(person, body), large);
  registerEndpoint(app, copyWorkflow, ({ person, params }) => workflows.copy(person, params.id));
  registerEndpoint(app, contract.workflowDetails, ({ person, params }) => workflows.details(person, params.id));
  registerEndpoint(app, contract.workflowVersionDetails, ({ person, params }) =>
    workflows.details(person, params.id, params.version),
  );
  registerEndpoint(app, contract.saveWorkflow, ({ person, body }) => workflowEditor.save(person, body), large);
  registerEndpoint(
    app,
    contract.checkWorkflow,
    async ({ person, body }) => ({ Faults: await workflowEditor.check(person, body.Id, body.Graph) }),
    large,
  );
  registerEndpoint(app, contract.workflowApprovers, ({ body }) => workflowApprovers.find(body));
  registerEndpoint(app, contract.workflowVersions, ({ person, params }) => workflows.versions(person, params.id));
  registerEndpoint(app, contract.compareWorkflows, async ({ person, params }) => ({
    Changes: await workflows.compare(person, params.id, params.version, params.other),
  }));
  registerEndpoint(app, contract.exportWorkflow, ({ person, params, query }) =>
    workflows.export(person, params.id, params.version, query.Format ?? 'json'),
  );
  registerEndpoint(app, contract.importWorkflow, ({ person, body }) => workflowImport.import(person, body), large);
  registerEndpoint(app, planWorkflow, ({ person, body }) => workflowManifests.plan(person, body.Manifest), large);
  registerEndpoint(app, applyWorkflow, ({ person, body }) => workflowManifests.apply(person, body), large);
  registerEndpoint(app, workflowManifest, ({ person, params }) =>
    workflowManifests.read(person, params.id, params.version),
  );
}
