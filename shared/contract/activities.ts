/** Activities: list, details, editing, pickers. Source: specification of activities, sections 2, 3 and 7. */
import { Type, type Static } from 'typebox';
import { ChecklistListItem } from './checklist-list.ts';
import {
  closed,
  closedBut,
  get,
  Id,
  IdParams,
  needsOn,
  nullable,
  post,
  publicAccess,
  RunId,
  signedIn,
  Timestamp,
  TypedNumber,
} from './endpoint.ts';
import { Input, Output, RunInputValue } from './parameters.ts';
import { RunStatus } from './run-status.ts';
import { PROCEDURE_NAME_MAX, ProcedureSettings } from './procedure-settings.ts';
import { RunRetention, Schedule } from './schedules.ts';
import { WorkbookRegion } from './workbook-region.ts';

export const ActivityType = Type.Enum(['Workbook', 'StoredProcedure']);
export type ActivityType = Static<typeof ActivityType>;

export const LastRun = closed({ Id: RunId, QueueTime: Timestamp, Status: RunStatus, UserFullName: Type.String() });
export type LastRun = Static<typeof LastRun>;

/** How outputs of an activity become inputs of another. */
export const ActivityLink = closed({
  Id,
  Name: Type.String(),
  ActivityId: Id,
  LinkedActivityId: Id,
  LinkedActivityName: Type.String(),
  /** JSON of a list of LinkMapping. */
  LinkInfo: Type.String(),
  /** The newest run that was started by it, of those the person may see. */
  LastRun: nullable(LastRun),
});
export type ActivityLink = Static<typeof ActivityLink>;

export const ActivityListItem = closed({
  Id,
  Name: Type.String(),
  Description: Type.String(),
  Type: ActivityType,
  Schema: Type.String(),
  Group: Type.String(),
  Function: Type.String(),
  Order: nullable(Type.Integer()),
  /** False only for those who may edit it: nobody else sees one that is not. */
  IsActive: Type.Boolean(),
  CanEdit: Type.Boolean(),
  CanRun: Type.Boolean(),
  LastRun: nullable(LastRun),
});
export type ActivityListItem = Static<typeof ActivityListItem>;

export const SchemaItem = closed({ Name: Type.String(), DisplayName: Type.String(), Order: Type.Integer() });

export const ActivityList = closed({
  Schemas: Type.Array(SchemaItem),
  Activities: Type.Array(ActivityListItem),
  /** Those the person may see. */
  Checklists: Type.Array(ChecklistListItem),
  Groups: Type.Array(Type.String()),
  Functions: Type.Array(Type.String()),
});
export type ActivityList = Static<typeof ActivityList>;

export const DisplayInfo = closed({
  /** Title of the run page; {0} stands for the activity's name. */
  RunActivityTitle: Type.String(),
  /** Label of the Start button; 'Start' where empty. */
  StartDisplayName: Type.String(),
  Classifications: Type.Array(Type.String()),
});

/** The fields of an activity that its editor writes. */
export const editableFields = {
  Name: Type.String({ maxLength: 30 }),
  Description: Type.String({ maxLength: 200 }),
  SingleRun: Type.Boolean(),
  IsActive: Type.Boolean(),
  Group: Type.String({ maxLength: 30 }),
  Function: Type.String({ maxLength: 30 }),
  Order: nullable(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
  MemoryCost: Type.Number({ minimum: 0, maximum: 1_000_000 }),
};

/** Another number whenever what an editor sees of an activity was changed. */
export const Revision = Type.Integer({ minimum: 0 });

export const Activity = closed({
  Id: Type.Integer({ minimum: 0 }),
  Revision,
  Version: Type.Integer({ minimum: 1 }),
  Type: ActivityType,
  ProcedureName: nullable(Type.String()),
  /** Of a procedure, for those who may edit it. */
  Procedure: Type.Optional(nullable(ProcedureSettings)),
  Schema: Type.String(),
  ...editableFields,
  DisplayInfo,
  /** Of the workbook of its newest version; absent for a procedure, and where no version has told it yet. */
  WorkbookRegion: Type.Optional(WorkbookRegion),
  CanEdit: Type.Boolean(),
  CanRun: Type.Boolean(),
  Inputs: Type.Array(Input),
  Outputs: Type.Array(Output),
  /** To activities that the person may see. */
  ActivityLinks: Type.Array(ActivityLink),
  /** For those who may edit it, where there is one. */
  Schedule: nullable(Schedule),
  RunRetention: nullable(RunRetention),
  /** The newest run that the person may see. */
  LastRun: nullable(LastRun),
  /** Whether it prevents simultaneous runs and has a pending one, whoever may see that. */
  IsRunning: Type.Boolean(),
});
export type Activity = Static<typeof Activity>;

/** The Revision that was edited: where it is no longer the current one, nothing is saved. Without it the last to save wins. */
export const EditedRevision = Type.Optional(nullable(Revision));

/** An activity as its details answer it may be sent back. */
export const ActivityUpdate = closedBut(Object.keys(Activity.properties), {
  Id,
  ...editableFields,
  Order: TypedNumber,
  MemoryCost: TypedNumber,
  Revision: EditedRevision,
  /** Of a procedure: where they are others than those of the newest version, they make a new one. */
  Procedure: Type.Optional(nullable(ProcedureSettings)),
  /** Of that version. */
  ChangeDescription: Type.Optional(Type.String({ maxLength: 1000 })),
});
export type ActivityUpdate = Static<typeof ActivityUpdate>;

/** A new activity of a stored procedure. */
export const ActivityCreation = closedBut([...Object.keys(Activity.properties), 'ChangeDescription'], {
  ...editableFields,
  Order: TypedNumber,
  MemoryCost: TypedNumber,
  Schema: Type.String({ maxLength: 30 }),
  ProcedureName: Type.Optional(nullable(Type.String({ maxLength: PROCEDURE_NAME_MAX }))),
  /** What the database says counts where absent. */
  Procedure: Type.Optional(nullable(ProcedureSettings)),
});
export type ActivityCreation = Static<typeof ActivityCreation>;

export const FileToken = Type.String();

export const listActivities = get('/api/activities', {
  access: signedIn,
  summary: 'The activities the person may see, with their last runs',
  offline: 'answer',
  parts: { result: ActivityList },
});

export const activityDetails = get('/api/activities/details/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'One activity with its inputs and outputs',
  offline: 'answer',
  parts: { params: IdParams, result: Activity },
});

export const allowedSchemas = get('/api/activities/create/allowedSchemas', {
  access: signedIn,
  summary: 'The schemas in which the person may create activities',
  parts: { result: closed({ Items: Type.Array(closed({ Name: Type.String() })) }) },
});

export const updateActivity = post('/api/activities/update', {
  access: needsOn('sk.EditActivity'),
  summary: 'Change an activity without changing its file',
  parts: { body: ActivityUpdate, result: closed({ Id }) },
});

export const PickerQuery = closed({
  /** Of a Condition: the column whose values are asked for. */
  ColumnName: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
  /** Text to search for; null or '' for all. */
  Value: Type.Optional(nullable(Type.String({ maxLength: 4000 }))),
  /** The last item of the page before, with FetchNext; the first one of the page after, with FetchPrevious. */
  Last: Type.Optional(nullable(Type.String({ maxLength: 32_767 }))),
  First: Type.Optional(nullable(Type.String({ maxLength: 32_767 }))),
  FetchPrevious: Type.Optional(Type.Boolean()),
  FetchNext: Type.Optional(Type.Boolean()),
  /** The groups of Last and First, where a value may stand in several; found out by the server where absent. */
  LastGroup: Type.Optional(nullable(Type.String({ maxLength: 4000 }))),
  FirstGroup: Type.Optional(nullable(Type.String({ maxLength: 4000 }))),
  /** Values of the inputs that a Database picker's query asks for, as a start would send them. */
  OtherInputValues: Type.Optional(nullable(Type.Array(RunInputValue, { maxItems: 1000 }))),
  LinkId: Type.Optional(nullable(Id)),
  All: Type.Optional(Type.Boolean()),
});
export type PickerQuery = Static<typeof PickerQuery>;

export const PickerPage = closed({
  Items: Type.Array(closed({ Value: Type.String(), Group: Type.Optional(Type.String()) })),
  HasMore: Type.Boolean(),
  HasMorePrecedingItems: Type.Boolean(),
});
export type PickerPage = Static<typeof PickerPage>;

export const picker = post('/api/activities/picker/:activityId/:inputId/:index', {
  access: needsOn('sk.RunActivity'),
  summary: 'Values to pick from for an input; index is the column, from 0',
  offline: 'answer',
  parts: {
    params: closed({ activityId: Id, inputId: Id, index: Type.Integer({ minimum: 0 }) }),
    body: PickerQuery,
    result: PickerPage,
  },
});

export const health = get('/api/health', {
  access: publicAccess,
  summary: 'Whether the server answers and reaches its database',
  parts: { result: closed({ Status: Type.Literal('ok') }) },
});

export const live = get('/api/health/live', {
  access: publicAccess,
  summary: 'Whether the process answers; it says nothing of its database',
  parts: { result: closed({ Status: Type.Literal('ok') }) },
});

export const ready = get('/api/health/ready', {
  access: publicAccess,
  summary:
    'Whether calls may be sent to this server: not while it is about to stop, nor without its database or its file store',
  parts: { result: closed({ Status: Type.Literal('ok') }) },
});
