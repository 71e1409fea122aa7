/** Workflows that are drawn from nothing, or start as a copy of a workflow or checklist. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, IdParams, needsOn, nullable, post, signedIn } from './endpoint.ts';
import { WorkflowActivity, WorkflowGraphData, WorkflowProblem } from './workflows.ts';

/** Allows longer texts than a workflow may have: the service shortens them or refuses them with a readable message. */
const Text = Type.String({ maxLength: 2000 });

export const createWorkflow = post('/api/workflows/new', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Store a new workflow as its version 1',
  parts: {
    body: closed({
      Name: Text,
      Description: Type.Optional(nullable(Text)),
      Group: Type.Optional(nullable(Text)),
      Schema: Type.String({ maxLength: 30 }),
      Graph: WorkflowGraphData,
      /** Idempotency key of the form: two saves with the same UniqueId create one workflow. */
      UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
    }),
    result: closed({ Id, Version: Type.Integer({ minimum: 1 }) }),
  },
});

/** What a new workflow takes over from an existing one. */
export const WorkflowCopy = closed({
  Name: Type.String(),
  Description: Type.String(),
  Group: Type.String(),
  Schema: Type.String(),
  Graph: WorkflowGraphData,
  /** Problems that prevent saving it unchanged. */
  Faults: Type.Array(WorkflowProblem),
  /** The current activities of its steps, except those that the user may not see. */
  Activities: Type.Array(WorkflowActivity),
});
export type WorkflowCopy = Static<typeof WorkflowCopy>;

export const copyWorkflow = get('/api/workflows/copy/:id', {
  access: signedIn,
  summary: 'The newest version of a workflow, or a checklist as a workflow, to start a new workflow from',
  parts: { params: IdParams, result: WorkflowCopy },
});
