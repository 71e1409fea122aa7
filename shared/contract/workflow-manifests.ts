/** Workflows as manifests: documents by names, which can be kept under version control and applied to a portal. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, needsOn, nullable, post, signedIn } from './endpoint.ts';
import { WorkflowManifest } from '#shared/manifests/workflow-manifest.ts';

export const ManifestChange = closed({
  /** For example steps.collect.inputs.Month.constant: items of lists are named by their key or name. */
  Path: Type.String(),
  /** The value as JSON; null if it is new. */
  Before: nullable(Type.String()),
  /** The value as JSON; null if it is removed. */
  After: nullable(Type.String()),
});

const Planned = {
  Action: Type.Enum(['Create', 'Change', 'None'] as const),
  /** Empty for a new workflow. */
  Changes: Type.Array(ManifestChange),
};

export const WorkflowPlan = closed({
  /** The workflow of this schema and name; null if there is none yet. */
  Id: nullable(Id),
  ...Planned,
});
export type WorkflowPlan = Static<typeof WorkflowPlan>;

const Version = Type.Integer({ minimum: 1 });

export const planWorkflow = post('/api/workflows/plan', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Compare a manifest with the workflow of its schema and name, without changing anything',
  parts: { body: closed({ Manifest: WorkflowManifest }), result: WorkflowPlan },
});

export const applyWorkflow = post('/api/workflows/apply', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Create the workflow of a manifest, or save what differs as a new version',
  parts: {
    body: closed({
      Manifest: WorkflowManifest,
      ChangeDescription: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
    }),
    result: closed({ Id, Version, ...Planned }),
  },
});

export const workflowManifest = get('/api/workflows/manifest/:id/:version', {
  access: signedIn,
  summary: 'Get a version of a workflow as a manifest',
  parts: { params: closed({ id: Id, version: Version }), result: WorkflowManifest },
});
