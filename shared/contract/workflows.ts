/**
 * Workflows: checklists that were edited as graphs of steps. A workflow has the Id of its checklist and is started
 * through the same call.
 */
import { Type, type Static } from 'typebox';
import { FileToken } from './activities.ts';
import { closed, get, Id, IdParams, INTEGER_MAX, needsOn, nullable, post, signedIn, Timestamp } from './endpoint.ts';
import { COLUMN_KINDS } from '../codecs/condition-columns.ts';
import { CellUsage, RangeType } from './parameters.ts';
import { EXPRESSION_MAX } from '#shared/rules/workflows/expression-names.ts';
import { MAX_FOR_EACH_CONCURRENCY } from '#shared/rules/workflows/types.ts';

const Key = Type.String({ minLength: 1, maxLength: 40 });
/** Allows longer names than a step or input may have: the service refuses them with a readable message. */
const Name = Type.String({ maxLength: 500 });
const Version = Type.Integer({ minimum: 1, maximum: INTEGER_MAX });

const FromInput = closed({ Kind: Type.Literal('Input'), Name });
const FromOutput = closed({ Kind: Type.Literal('Output'), Step: Key, Name });
const FromColumn = closed({ Kind: Type.Literal('Column'), Name });
/** A single value; a Date is a serial day. */
const FromConstant = closed({
  Kind: Type.Literal('Constant'),
  Value: nullable(Type.Union([Type.String({ maxLength: 32_767 }), Type.Number(), Type.Boolean()])),
});
/** A formula in Excel's language over Inputs.[Name], [Step].[Output] and [Step].[Table][Column]. */
const FromExpression = closed({
  Kind: Type.Literal('Expression'),
  Formula: Type.String({ maxLength: EXPRESSION_MAX }),
});

const stepFields = {
  Key,
  Name,
  After: Type.Array(
    closed({ Step: Key, When: Type.Enum(['success', 'warning', 'failure', 'always', 'yes', 'no'] as const) }),
    { maxItems: 1000 },
  ),
  Join: Type.Enum(['AllSucceeded', 'AllEnded', 'AnySucceeded'] as const),
  OnFailure: Type.Enum(['Stop', 'Continue', 'Handled'] as const),
  /** Position in the diagram if the user placed the step by hand. */
  X: Type.Optional(Type.Number({ minimum: -1_000_000, maximum: 1_000_000 })),
  Y: Type.Optional(Type.Number({ minimum: -1_000_000, maximum: 1_000_000 })),
};

const activityFields = {
  ...stepFields,
  ActivityId: Id,
  Inputs: Type.Array(
    closed({ Input: Name, From: Type.Union([FromInput, FromOutput, FromColumn, FromConstant, FromExpression]) }),
    { maxItems: 10_000 },
  ),
  /**
   * True if repeating the step is harmless: if a server is interrupted during it, the step is run again automatically.
   */
  MayRepeat: Type.Optional(Type.Boolean()),
};

export const ActivityStep = closed({ Kind: Type.Literal('Activity'), ...activityFields });

/** Runs the activity once per row of a table that an earlier step returns or that is entered at the start. */
export const ForEachStep = closed({
  Kind: Type.Literal('ForEach'),
  ...activityFields,
  Rows: Type.Union([FromInput, FromOutput, FromExpression]),
  /** Column that names the rows; null to use their numbers, from 1. */
  KeyColumn: nullable(Name),
  /** Maximum number of rows that run concurrently. */
  AtOnce: Type.Integer({ minimum: 1, maximum: MAX_FOR_EACH_CONCURRENCY }),
  /** Number of failed rows after which no further row is started; null for no limit. */
  StopAfterFailures: nullable(Type.Integer({ minimum: 1, maximum: 10_000 })),
});

export const DecisionStep = closed({
  Kind: Type.Literal('Decision'),
  ...stepFields,
  /**
   * In the condition language; its columns are the names in Values. If it begins with '=', it is an expression that
   * returns TRUE or FALSE.
   */
  Condition: Type.String({ maxLength: 4000 }),
  Values: Type.Array(closed({ Name, From: Type.Union([FromInput, FromOutput, FromExpression]) }), { maxItems: 100 }),
});

/** A step that waits for decisions by users. */
export const ApprovalStep = closed({
  Kind: Type.Literal('Approval'),
  ...stepFields,
  /** Names of roles whose members may decide, in addition to the users in UserIds. */
  Roles: Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 100 }),
  UserIds: Type.Array(Id, { maxItems: 100 }),
  /** Number of approvals required. A single rejection ends the step. */
  Needed: Type.Integer({ minimum: 1, maximum: 100 }),
  /** True if the user who started the run, or an earlier run that it resumes, may decide. */
  StarterMayApprove: Type.Boolean(),
  /** Shown to the approvers; plain text. */
  Text: Type.String({ maxLength: 4000 }),
  /** Values shown to the approvers: single values, tables and files. */
  Values: Type.Array(closed({ Name, From: Type.Union([FromInput, FromOutput, FromExpression]) }), { maxItems: 100 }),
  /** Null for never. */
  ExpiresAfterHours: nullable(Type.Number({ minimum: 0.01, maximum: 8784 })),
  /** Outcome of an expired approval. */
  OnExpiry: Type.Enum(['Fail', 'Approve'] as const),
});

/** A step as defined in shared/rules/workflows. */
export const WorkflowStepData = Type.Union([ActivityStep, ForEachStep, DecisionStep, ApprovalStep]);
export type WorkflowStepData = Static<typeof WorkflowStepData>;

export const WorkflowGraphData = closed({
  /** The inputs that a start asks for, in order. */
  Inputs: Type.Array(
    closed({
      Name,
      /** Type of an input that no activity takes. Absent if activities or rows decide it. */
      Type: Type.Optional(Type.Enum(COLUMN_KINDS)),
      /** Value if none is entered: a constant, or an expression over other inputs. */
      Default: Type.Optional(Type.Union([FromConstant, FromExpression])),
    }),
    { maxItems: 1000 },
  ),
  Steps: Type.Array(WorkflowStepData, { maxItems: 1000 }),
});
export type WorkflowGraphData = Static<typeof WorkflowGraphData>;

export const WorkflowProblem = closed({
  /** Key of the step; null if the problem concerns the whole workflow. */
  Step: nullable(Type.String()),
  Message: Type.String(),
});
export type WorkflowProblem = Static<typeof WorkflowProblem>;

/** The properties of an input or output that determine what fits it. */
const ValueShape = closed({
  RangeType,
  CellUsages: Type.Array(CellUsage),
  ColumnHeaderValues: Type.Array(Type.String()),
});

/** An activity that steps can run, with its inputs and outputs. */
export const WorkflowActivity = closed({
  Id,
  Name: Type.String(),
  Schema: Type.String(),
  IsActive: Type.Boolean(),
  Inputs: Type.Array(
    closed({
      Name: Type.String(),
      /** False for inputs that are preset or read-only, or that take a folder of the server. */
      IsMappable: Type.Boolean(),
      /** True if it may stay unmapped because the workbook has its own value. */
      IsOptional: Type.Boolean(),
      Info: ValueShape,
    }),
  ),
  Outputs: Type.Array(closed({ Name: Type.String(), Info: ValueShape })),
});
export type WorkflowActivity = Static<typeof WorkflowActivity>;

export const Workflow = closed({
  Id,
  Name: Type.String(),
  Schema: Type.String(),
  Version,
  /** The newest version, which is the one being edited. */
  NewestVersion: Version,
  Graph: WorkflowGraphData,
  ChangeDescription: Type.String(),
  Modified: Timestamp,
  UserFullName: Type.String(),
  CanEdit: Type.Boolean(),
  CanRun: Type.Boolean(),
  /**
   * Problems that prevent saving it unchanged and would prevent steps from running: activities have changed since, or
   * the user sees fewer of them.
   */
  Faults: Type.Array(WorkflowProblem),
  /** The current activities of its steps, except those that the user may not see. */
  Activities: Type.Array(WorkflowActivity),
});
export type Workflow = Static<typeof Workflow>;

export const WorkflowVersionItem = closed({
  Version,
  ChangeDescription: Type.String(),
  Modified: Timestamp,
  UserFullName: Type.String(),
  Steps: Type.Integer(),
});
export type WorkflowVersionItem = Static<typeof WorkflowVersionItem>;

export const WorkflowChange = closed({
  Kind: Type.Enum(['Added', 'Removed', 'Changed'] as const),
  /** Key of the step; null for an input of the workflow. */
  Step: nullable(Type.String()),
  Name: Type.String(),
  /** The changed property; '' if the whole step or input was added or removed. */
  What: Type.String(),
  Before: Type.String(),
  After: Type.String(),
});
export type WorkflowChange = Static<typeof WorkflowChange>;

const ChangeDescription = Type.Optional(nullable(Type.String({ maxLength: 1000 })));
const VersionParams = closed({ id: Id, version: Version });

export const editAsWorkflow = post('/api/workflows/create', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Convert a checklist to a workflow; it can no longer be edited as a checklist',
  parts: { body: closed({ ChecklistId: Id }), result: closed({ Id, Version }) },
});

export const workflowDetails = get('/api/workflows/details/:id', {
  access: signedIn,
  summary: 'Get the newest version of a workflow',
  parts: { params: IdParams, result: Workflow },
});

export const workflowVersionDetails = get('/api/workflows/details/:id/:version', {
  access: signedIn,
  summary: 'Get a version of a workflow',
  parts: { params: VersionParams, result: Workflow },
});

export const saveWorkflow = post('/api/workflows/update', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Save a workflow as a new version',
  parts: {
    body: closed({
      Id,
      /** The version on which the edit is based. If it is no longer the newest, nothing is saved. */
      Version,
      Graph: WorkflowGraphData,
      ChangeDescription,
    }),
    result: closed({ Id, Version }),
  },
});

export const checkWorkflow = post('/api/workflows/check', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Validate a workflow: list the problems that prevent saving it',
  parts: {
    /** Id 0 for a workflow that was never saved. */
    body: closed({ Id: Type.Integer({ minimum: 0, maximum: INTEGER_MAX }), Graph: WorkflowGraphData }),
    result: closed({ Faults: Type.Array(WorkflowProblem) }),
  },
});

/** A user who may be asked to approve. */
export const Approver = closed({ UserId: Id, UserName: Type.String(), UserFullName: Type.String() });
export type Approver = Static<typeof Approver>;

export const workflowApprovers = post('/api/workflows/approvers', {
  access: needsOn('sk.EditChecklist'),
  summary: 'List the roles and people that an approval may name',
  parts: {
    body: closed({
      /** Words of names or e-mail; at most 100 users are returned. */
      Search: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
      /** Users that are returned whether they match or not. */
      UserIds: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
    }),
    result: closed({
      /** Active roles, by name. */
      Roles: Type.Array(Type.String()),
      Users: Type.Array(Approver),
      HasMore: Type.Boolean(),
    }),
  },
});

export const workflowVersions = get('/api/workflows/versions/:id', {
  access: signedIn,
  summary: 'List the versions of a workflow, newest first, at most 1,000',
  parts: { params: IdParams, result: closed({ Name: Type.String(), Versions: Type.Array(WorkflowVersionItem) }) },
});

export const compareWorkflows = get('/api/workflows/compare/:id/:version/:other', {
  access: signedIn,
  summary: 'Compare two versions of a workflow',
  parts: {
    params: closed({ id: Id, version: Version, other: Version }),
    result: closed({ Changes: Type.Array(WorkflowChange) }),
  },
});

/** yaml is a manifest, which names its schema and can be applied (see workflow-manifests.ts). */
const WorkflowFormat = Type.Enum(['json', 'yaml'] as const);
export type WorkflowFormat = Static<typeof WorkflowFormat>;

export const exportWorkflow = get('/api/workflows/export/:id/:version', {
  access: signedIn,
  summary: 'Export a version of a workflow; returns a file token',
  parts: {
    params: VersionParams,
    query: closed({ Format: Type.Optional(WorkflowFormat) }),
    result: FileToken,
  },
});

/** Maximum number of characters in an imported file. */
export const WORKFLOW_FILE_MAX = 5_000_000;

export const importWorkflow = post('/api/workflows/import', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Import a workflow from a file that this or another portal exported',
  parts: {
    body: closed({
      /** The text of the file. */
      Content: Type.String({ maxLength: WORKFLOW_FILE_MAX }),
      Schema: Type.String({ maxLength: 30 }),
      /** If absent, the name in the file. */
      Name: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
      UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
    }),
    result: closed({ Id, Version }),
  },
});
