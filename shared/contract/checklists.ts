/** Checklists: activities run one after another. Source: specification of activities, sections 2, 3, 5 and 7. */
import { Type, type Static } from 'typebox';
import { ActivityType, LastRun } from './activities.ts';
import {
  closed,
  closedBut,
  get,
  Id,
  IdParams,
  INTEGER_MAX,
  needsOn,
  nullable,
  post,
  RunId,
  signedIn,
  TypedNumber,
} from './endpoint.ts';
import { Input } from './parameters.ts';

/** Inputs of activities that are asked for as one, under a name. */
export const ChecklistInput = closed({
  ChecklistId: Id,
  /** That of the first of its ActivityInputs. */
  InputId: Id,
  InputName: Type.String(),
  /** As the inputs stand in the activities, the first activity's first. */
  ActivityInputs: Type.Array(Input),
  /** Where it stands among the inputs of the checklist: all inputs of the name have it. */
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
  /** Whether the person may run it. Who may not sees its name here, but not the activity. */
  CanRun: Type.Boolean(),
});
export type ChecklistActivity = Static<typeof ChecklistActivity>;

/** Another number whenever the checklist was changed. */
const Revision = Type.Integer({ minimum: 0 });

export const Checklist = closed({
  Id,
  Revision,
  Name: Type.String(),
  Description: Type.String(),
  Schema: Type.String(),
  Group: Type.String(),
  Order: nullable(Type.Integer()),
  /** The workflow as which it is run, by its Id, and its Revision; null once it was edited as a workflow, so that it cannot be run as a checklist. */
  WorkflowId: nullable(Id),
  WorkflowVersion: nullable(Type.Integer()),
  /** The newest version of the workflow, once it was edited as one. */
  Workflow: nullable(closed({ Id, Version: Type.Integer({ minimum: 1 }) })),
  UniqueId: nullable(Type.String()),
  CanEdit: Type.Boolean(),
  CanRun: Type.Boolean(),
  Activities: Type.Array(ChecklistActivity),
  /** Of activities that the person may see; who may edit the checklist sees those of all. UnmappedInputs likewise. */
  Inputs: Type.Array(ChecklistInput),
  /** Inputs under no name; those without a PresetValue keep it from being run. */
  UnmappedInputs: Type.Array(Input),
  LastRunId: nullable(RunId),
  IsLastRunWorkflow: Type.Boolean(),
  LastRun: nullable(LastRun),
});
export type Checklist = Static<typeof Checklist>;

/** Longer texts than a checklist may have are cut, or refused in words: the schema lets them through. */
const Text = Type.String({ maxLength: 2000 });

/** Of the inputs of a checklist as its details answer them, what is stored. */
const EditedInput = closedBut(Object.keys(ChecklistInput.properties), {
  InputName: Text,
  ActivityInputs: Type.Array(closedBut(Object.keys(Input.properties), { Id }), { maxItems: 10_000 }),
  Order: Type.Optional(nullable(Type.Integer({ minimum: -INTEGER_MAX, maximum: INTEGER_MAX }))),
});

/** A checklist as its details answer it may be sent back. */
export const ChecklistEdit = closedBut(Object.keys(Checklist.properties), {
  /** 0 makes a new one. */
  Id: Type.Integer({ minimum: 0 }),
  /** The one that was edited: where it is no longer the current one, nothing is saved. Without it the last to save wins. */
  Revision: Type.Optional(nullable(Revision)),
  Name: Text,
  Description: Type.Optional(nullable(Text)),
  Schema: Type.String({ maxLength: 30 }),
  Group: Type.Optional(nullable(Text)),
  Order: Type.Optional(TypedNumber),
  /** Names the form of a new one: sent twice, one is made. */
  UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  /** In the order in which they run. */
  Activities: Type.Array(closedBut(Object.keys(ChecklistActivity.properties), { Id }), { maxItems: 200 }),
  /** Null or absent: what was mapped stays. An empty list removes all mappings. */
  Inputs: Type.Optional(nullable(Type.Array(EditedInput, { maxItems: 10_000 }))),
});
export type ChecklistEdit = Static<typeof ChecklistEdit>;

export const checklistDetails = get('/api/checklists/details/:id', {
  access: signedIn,
  summary: 'A checklist with its activities and the inputs it asks for',
  offline: 'answer',
  parts: { params: IdParams, result: Checklist },
});

export const checklistSchemas = get('/api/checklists/create/allowedSchemas', {
  access: signedIn,
  summary: 'The schemas in which the person may make and change checklists',
  parts: { result: closed({ Items: Type.Array(closed({ Name: Type.String() })) }) },
});

export const saveChecklist = post('/api/checklists/create', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Make a checklist, or change it',
  parts: { body: ChecklistEdit, result: closed({ Id, Revision }) },
});
