/** Activities: list, details, editing, pickers. Source: specification of activities, sections 2, 3 and 7. */
import { Type, type Static } from 'typebox';
import { ChecklistListItem } from './checklist-list.ts';
import {
  closed,
  closedBut,
  EditedRevision,
  get,
  Id,
  IdParams,
  needsOn,
  nullable,
  post,
  publicAccess,
  Revision,
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

/** A link: maps outputs of one activity to inputs of another. */
export const ActivityLink = closed({
  Id,
  Name: Type.String(),
  ActivityId: Id,
  LinkedActivityId: Id,
  LinkedActivityName: Type.String(),
  /** JSON text: a list of LinkMapping. */
  LinkInfo: Type.String(),
  /** The newest run started through this link that the user may see. */
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
  /** True if the activity is active. Only users who may edit an activity see it while it is inactive. */
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
  /** Checklists that the user may see. */
  Checklists: Type.Array(ChecklistListItem),
  Groups: Type.Array(Type.String()),
  Functions: Type.Array(Type.String()),
});
export type ActivityList = Static<typeof ActivityList>;

export const DisplayInfo = closed({
  /** Title of the run page; {0} is replaced by the activity's name. */
  RunActivityTitle: Type.String(),
  /** Label of the Start button; 'Start' if empty. */
  StartDisplayName: Type.String(),
  Classifications: Type.Array(Type.String()),
});

/** The fields of an activity that can be edited. */
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

export const Activity = closed({
  Id: Type.Integer({ minimum: 0 }),
  Revision,
  Version: Type.Integer({ minimum: 1 }),
  Type: ActivityType,
  ProcedureName: nullable(Type.String()),
  /** Only for procedure activities, and only for users who may edit the activity. */
  Procedure: Type.Optional(nullable(ProcedureSettings)),
  Schema: Type.String(),
  ...editableFields,
  DisplayInfo,
  /** Region of the workbook of the newest version. Absent for procedures, and if no version recorded a region yet. */
  WorkbookRegion: Type.Optional(WorkbookRegion),
  CanEdit: Type.Boolean(),
  CanRun: Type.Boolean(),
  Inputs: Type.Array(Input),
  Outputs: Type.Array(Output),
  /** Links to activities that the user may see. */
  ActivityLinks: Type.Array(ActivityLink),
  /** Only for users who may edit the activity; null if there is no schedule. */
  Schedule: nullable(Schedule),
  RunRetention: nullable(RunRetention),
  /** The newest run that the user may see. */
  LastRun: nullable(LastRun),
  /** True if the activity prevents simultaneous runs and has a pending run, even one that the user may not see. */
  IsRunning: Type.Boolean(),
});
export type Activity = Static<typeof Activity>;

/** Clients may send back the activity as the details call returned it. */
export const ActivityUpdate = closedBut(Object.keys(Activity.properties), {
  Id,
  ...editableFields,
  Order: TypedNumber,
  MemoryCost: TypedNumber,
  Revision: EditedRevision,
  /** Only for procedure activities. Settings that differ from those of the newest version create a new version. */
  Procedure: Type.Optional(nullable(ProcedureSettings)),
  /** Change description of that new version. */
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
  /** If absent, the settings that the database reports are used. */
  Procedure: Type.Optional(nullable(ProcedureSettings)),
});
export type ActivityCreation = Static<typeof ActivityCreation>;

export const FileToken = Type.String();

export const listActivities = get('/api/activities', {
  access: signedIn,
  summary: 'List the activities that the user may see, with their last runs',
  offline: 'answer',
  parts: { result: ActivityList },
});

export const activityDetails = get('/api/activities/details/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'Get an activity with its inputs and outputs',
  offline: 'answer',
  parts: { params: IdParams, result: Activity },
});

export const allowedSchemas = get('/api/activities/create/allowedSchemas', {
  access: signedIn,
  summary: 'List the schemas in which the user may create activities',
  parts: { result: closed({ Items: Type.Array(closed({ Name: Type.String() })) }) },
});

export const updateActivity = post('/api/activities/update', {
  access: needsOn('sk.EditActivity'),
  summary: 'Update an activity without changing its file',
  parts: { body: ActivityUpdate, result: closed({ Id }) },
});

export const PickerQuery = closed({
  /** For a Condition picker: the column whose values are requested. */
  ColumnName: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
  /** Text to search for; null or '' returns all values. */
  Value: Type.Optional(nullable(Type.String({ maxLength: 4000 }))),
  /**
   * With FetchNext, Last is the last item of the previous page. With FetchPrevious, First is the first item of the
   * following page.
   */
  Last: Type.Optional(nullable(Type.String({ maxLength: 32_767 }))),
  First: Type.Optional(nullable(Type.String({ maxLength: 32_767 }))),
  FetchPrevious: Type.Optional(Type.Boolean()),
  FetchNext: Type.Optional(Type.Boolean()),
  /**
   * The groups of Last and First, because a value may occur in several groups. If absent, the server determines them.
   */
  LastGroup: Type.Optional(nullable(Type.String({ maxLength: 4000 }))),
  FirstGroup: Type.Optional(nullable(Type.String({ maxLength: 4000 }))),
  /** Values of the inputs that a Database picker's query refers to, in the format of a start. */
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
  summary: 'List the values of a picker of an input; index is the column, from 0',
  offline: 'answer',
  parts: {
    params: closed({ activityId: Id, inputId: Id, index: Type.Integer({ minimum: 0 }) }),
    body: PickerQuery,
    result: PickerPage,
  },
});

export const health = get('/api/health', {
  access: publicAccess,
  summary: 'Check whether the server responds and reaches its database',
  parts: { result: closed({ Status: Type.Literal('ok') }) },
});

export const live = get('/api/health/live', {
  access: publicAccess,
  summary: 'Check whether the process responds, without checking its database',
  parts: { result: closed({ Status: Type.Literal('ok') }) },
});

export const ready = get('/api/health/ready', {
  access: publicAccess,
  summary: 'Check whether the server accepts calls: not while it is stopping, or without its database or file store',
  parts: { result: closed({ Status: Type.Literal('ok') }) },
});
