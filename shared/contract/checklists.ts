/** Checklists: activities run one after another. Source: specification of activities, sections 2, 3, 5 and 7. */
import { Type, type Static } from 'typebox';
import { ActivityType, LastRun } from './activities.ts';
import {
  closed,
  closedBut,
  EditedRevision,
  get,
  Id,
  IdParams,
  INTEGER_MAX,
  needsOn,
  nullable,
  post,
  Revision,
  RunId,
  signedIn,
  TypedNumber,
} from './endpoint.ts';
import { Input } from './parameters.ts';

/** Inputs of several activities that a checklist asks for once, under one name. */
export const ChecklistInput = closed({
  ChecklistId: Id,
  /** InputId of the first of its ActivityInputs. */
  InputId: Id,
  InputName: Type.String(),
  /** In the order of the activities and of the inputs within each activity. */
  ActivityInputs: Type.Array(Input),
  /** Position among the inputs of the checklist, shared by all activity inputs of the name. */
  Order: Type.Integer(),
});
export type ChecklistInput = Static<typeof ChecklistInput>;

export const ChecklistActivity = closed({
  Id,
  Name: Type.String(),
  Description: Type.String(),
  Type: ActivityType,
  Schema: Type.String(),
  Version: Type.Integer({ minimum: 1 }),
  IsActive: Type.Boolean(),
  /** True if the user may run the activity. Other users see its name here but cannot open the activity. */
  CanRun: Type.Boolean(),
});
export type ChecklistActivity = Static<typeof ChecklistActivity>;

export const Checklist = closed({
  Id,
  Revision,
  Name: Type.String(),
  Description: Type.String(),
  Schema: Type.String(),
  Group: Type.String(),
  Order: nullable(Type.Integer()),
  /**
   * Id and Revision to start the checklist with. Null once it has been edited as a workflow: it can then no longer run
   * as a checklist.
   */
  WorkflowId: nullable(Id),
  WorkflowVersion: nullable(Type.Integer()),
  /** The newest version of the workflow; null if it was never edited as one. */
  Workflow: nullable(closed({ Id, Version: Type.Integer({ minimum: 1 }) })),
  UniqueId: nullable(Type.String()),
  CanEdit: Type.Boolean(),
  CanRun: Type.Boolean(),
  Activities: Type.Array(ChecklistActivity),
  /**
   * Inputs of activities that the user may see. Users who may edit the checklist get the inputs of all activities. The
   * same applies to UnmappedInputs.
   */
  Inputs: Type.Array(ChecklistInput),
  /** Activity inputs that have no name in the checklist. It cannot run while one of them has no PresetValue. */
  UnmappedInputs: Type.Array(Input),
  LastRunId: nullable(RunId),
  IsLastRunWorkflow: Type.Boolean(),
  LastRun: nullable(LastRun),
});
export type Checklist = Static<typeof Checklist>;

/** Allows longer texts than a checklist may have: the service shortens them or refuses them with a readable message. */
const Text = Type.String({ maxLength: 2000 });

/** The stored part of a ChecklistInput. Clients may send back the inputs as the details call returned them. */
const EditedInput = closedBut(Object.keys(ChecklistInput.properties), {
  InputName: Text,
  ActivityInputs: Type.Array(closedBut(Object.keys(Input.properties), { Id }), { maxItems: 10_000 }),
  Order: Type.Optional(nullable(Type.Integer({ minimum: -INTEGER_MAX, maximum: INTEGER_MAX }))),
});

/** Clients may send back the checklist as the details call returned it. */
export const ChecklistEdit = closedBut(Object.keys(Checklist.properties), {
  /** 0 creates a new checklist. */
  Id: Type.Integer({ minimum: 0 }),
  Revision: EditedRevision,
  Name: Text,
  Description: Type.Optional(nullable(Text)),
  Schema: Type.String({ maxLength: 30 }),
  Group: Type.Optional(nullable(Text)),
  Order: Type.Optional(TypedNumber),
  /** Idempotency key of the form for a new checklist: two saves with the same UniqueId create one checklist. */
  UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  /** In execution order. */
  Activities: Type.Array(closedBut(Object.keys(ChecklistActivity.properties), { Id }), { maxItems: 200 }),
  /** Null or absent keeps the existing mappings. An empty list removes them all. */
  Inputs: Type.Optional(nullable(Type.Array(EditedInput, { maxItems: 10_000 }))),
});
export type ChecklistEdit = Static<typeof ChecklistEdit>;

export const checklistDetails = get('/api/checklists/details/:id', {
  access: signedIn,
  summary: 'Get a checklist with its activities and inputs',
  offline: 'answer',
  parts: { params: IdParams, result: Checklist },
});

export const checklistSchemas = get('/api/checklists/create/allowedSchemas', {
  access: signedIn,
  summary: 'List the schemas in which the user may create and edit checklists',
  parts: { result: closed({ Items: Type.Array(closed({ Name: Type.String() })) }) },
});

export const saveChecklist = post('/api/checklists/create', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Create or update a checklist',
  parts: { body: ChecklistEdit, result: closed({ Id, Revision }) },
});
