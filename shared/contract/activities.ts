/** Activities: list, details, editing, versions. Source: specification of activities, sections 2, 3 and 7. */
import { Type, type Static } from 'typebox';
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
  publicAccess,
  RunId,
  signedIn,
  Timestamp,
  TypedNumber,
} from './endpoint.ts';
import { Input, Output, RunInputValue } from './parameters.ts';
import { RunStatus } from './run-status.ts';
import { RunRetention, Schedule } from './schedules.ts';

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
  /** Checklists the person may see; none exist so far. */
  Checklists: Type.Array(closed({ Id })),
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
const editable = {
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
const Revision = Type.Integer({ minimum: 0 });

export const Activity = closed({
  Id: Type.Integer({ minimum: 0 }),
  Revision,
  Version: Type.Integer({ minimum: 1 }),
  Type: ActivityType,
  ProcedureName: nullable(Type.String()),
  Schema: Type.String(),
  ...editable,
  DisplayInfo,
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
const EditedRevision = Type.Optional(nullable(Revision));

/** An activity as its details answer it may be sent back. */
export const ActivityUpdate = closedBut(Object.keys(Activity.properties), {
  Id,
  ...editable,
  Order: TypedNumber,
  MemoryCost: TypedNumber,
  Revision: EditedRevision,
});
export type ActivityUpdate = Static<typeof ActivityUpdate>;

/** The text fields beside the file of an upload, each JSON or plain text as multipart has it. Id 0 creates, any other Id replaces the file. */
export const ActivityUpload = closed({
  Id: Type.Integer({ minimum: 0, maximum: INTEGER_MAX }),
  Schema: Type.String({ maxLength: 30 }),
  ...editable,
  ChangeDescription: Type.String({ maxLength: 1000 }),
  /** Functions the engine lacks, on the way to an output, that the uploader accepts by name. */
  AcceptUnsupported: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 }),
  Revision: EditedRevision,
});
export type ActivityUpload = Static<typeof ActivityUpload>;

/** Something in an uploaded workbook that keeps it from being an activity. Sheet and Cell are '' where it concerns the whole file. */
export const WorkbookFault = closed({
  Sheet: Type.String(),
  Cell: Type.String(),
  Message: Type.String(),
  Remedy: Type.String(),
});
export type WorkbookFault = Static<typeof WorkbookFault>;

export const UploadFailure = closed({
  Message: Type.String(),
  Faults: Type.Optional(Type.Array(WorkbookFault)),
  /** Functions the upload may accept by name (AcceptUnsupported). */
  Unsupported: Type.Optional(Type.Array(Type.String())),
  /** The current one, where the activity was changed since it was opened. */
  Revision: Type.Optional(Revision),
});
export type UploadFailure = Static<typeof UploadFailure>;

/** A formula whose recalculated value is not the one Excel saved. Values as Excel would show them unformatted. */
export const FidelityDifference = closed({
  Sheet: Type.String(),
  Cell: Type.String(),
  Formula: Type.String(),
  Saved: Type.String(),
  Got: Type.String(),
  Reason: Type.String(),
  /** Whether an output depends on the cell. */
  FeedsOutput: Type.Boolean(),
});
export type FidelityDifference = Static<typeof FidelityDifference>;

/**
 * Why a formula has not been compared with the value Excel saved for it:
 * - Volatile: it depends on the clock, on chance or on the machine (NOW, RAND, CELL), so that no second calculation repeats it
 * - CircularReference: it depends on a circular reference that comes to no value of its own
 * - Unsupported: it calls a function that the engine lacks, and shows the saved value itself
 * - ExternalLink: it reads another workbook of whose values the file keeps none, and shows the saved value itself
 * - NoSavedValue: the file has no value for it, as where another program than Excel wrote it
 * - LargeArray: it fills more than 100,000 cells, of which the first are equal
 */
export const NotComparedReason = Type.Union([
  Type.Literal('Volatile'),
  Type.Literal('CircularReference'),
  Type.Literal('Unsupported'),
  Type.Literal('ExternalLink'),
  Type.Literal('NoSavedValue'),
  Type.Literal('LargeArray'),
]);
export type NotComparedReason = Static<typeof NotComparedReason>;

export const NotComparedCell = closed({
  Sheet: Type.String(),
  Cell: Type.String(),
  Formula: Type.String(),
  Reason: NotComparedReason,
  /** The cell it depends on that the reason is true of, 'Sheet1!A1'; null where that is itself. */
  DependsOn: nullable(Type.String()),
  /** Whether an output depends on the cell. */
  FeedsOutput: Type.Boolean(),
});
export type NotComparedCell = Static<typeof NotComparedCell>;

/** An output that depends on a formula that was not compared, and one such formula. */
export const NotComparedOutput = closed({
  Output: Type.String(),
  Sheet: Type.String(),
  Cell: Type.String(),
  Reason: NotComparedReason,
});
export type NotComparedOutput = Static<typeof NotComparedOutput>;

export const FidelityReport = closed({
  /** The engine that calculates the version, in words: 'LibreOffice 7.4'. */
  Engine: Type.String(),
  /** The regional settings it is calculated with, 'de-DE'; absent where they are those of the United States. */
  Region: Type.Optional(Type.String()),
  /** Formulas compared. An array formula is one formula, whatever it fills. */
  Formulas: Type.Integer(),
  Equal: Type.Integer(),
  Different: Type.Integer(),
  /** Of the different ones, those an output depends on. */
  DifferentFeedingOutputs: Type.Integer(),
  /** Formulas that were not compared; with Formulas, all of the workbook. This and the next four are absent in reports made before they were counted. */
  NotCompared: Type.Optional(Type.Integer()),
  /** Of these, the ones that an output depends on; all of them where the workbook names no outputs. */
  NotComparedFeedingOutputs: Type.Optional(Type.Integer()),
  /** How many formulas were not compared for each reason, the most frequent first. */
  NotComparedReasons: Type.Optional(Type.Array(closed({ Reason: NotComparedReason, Formulas: Type.Integer() }))),
  /** At most the first thousand, those that feed an output first. */
  NotComparedCells: Type.Optional(Type.Array(NotComparedCell)),
  /** At most the first thousand; what checks and other steps read counts as an output. */
  NotComparedOutputs: Type.Optional(Type.Array(NotComparedOutput)),
  /** Volatile functions in use (NOW, RAND, …); formulas that depend on them are not compared. */
  Volatile: Type.Array(Type.String()),
  Unsupported: Type.Array(
    closed({ Name: Type.String(), Sheet: Type.String(), Cell: Type.String(), FeedsOutput: Type.Boolean() }),
  ),
  ExternalLinks: Type.Array(Type.String()),
  /** At most the first thousand, those that feed an output first. */
  Differences: Type.Array(FidelityDifference),
  /** What the workbook asks for and does not get, and what was guessed of it, each with how to say it; absent where there is nothing, and in older versions. */
  Findings: Type.Optional(Type.Array(WorkbookFault)),
});
export type FidelityReport = Static<typeof FidelityReport>;

export const VersionItem = closed({
  Id,
  Schema: Type.String(),
  Name: Type.String(),
  Version: Type.Integer(),
  Modified: Timestamp,
  UserFullName: Type.String(),
  ChangeDescription: Type.String(),
  ContentLength: Type.Integer(),
  /** Null where the version was made without a calculation to compare. */
  Fidelity: nullable(
    closed({
      /** The engine that calculates the version, in words; absent where the version is older than the choice. */
      Engine: Type.Optional(Type.String()),
      Formulas: Type.Integer(),
      Different: Type.Integer(),
      DifferentFeedingOutputs: Type.Integer(),
      /** Both absent where the version is older than their being counted. */
      NotCompared: Type.Optional(Type.Integer()),
      NotComparedFeedingOutputs: Type.Optional(Type.Integer()),
    }),
  ),
});
export type VersionItem = Static<typeof VersionItem>;

export const FileToken = Type.String();

export const listActivities = get('/api/activities', {
  access: signedIn,
  summary: 'The activities the person may see, with their last runs',
  parts: { result: ActivityList },
});

export const activityDetails = get('/api/activities/details/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'One activity with its inputs and outputs',
  parts: { params: IdParams, result: Activity },
});

export const allowedSchemas = get('/api/activities/create/allowedSchemas', {
  access: signedIn,
  summary: 'The schemas in which the person may create activities',
  parts: { result: closed({ Items: Type.Array(closed({ Name: Type.String() })) }) },
});

export const createActivity = post('/api/activities/create', {
  // sk.CreateActivity for a new one, sk.EditActivity for a new version: the service checks which.
  access: signedIn,
  summary: 'Upload a workbook: a new activity, or a new version of one',
  transport: 'multipart',
  parts: { result: closed({ Id, Version: Type.Integer() }) },
});

export const updateActivity = post('/api/activities/update', {
  access: needsOn('sk.EditActivity'),
  summary: 'Change an activity without changing its file',
  parts: { body: ActivityUpdate, result: closed({ Id }) },
});

export const downloadVersion = get('/api/activities/download/:id/:version', {
  access: needsOn('sk.EditActivity'),
  summary: 'A file id for the workbook of a version',
  parts: { params: closed({ id: Id, version: Type.Integer({ minimum: 1 }) }), result: FileToken },
});

export const allVersions = post('/api/activities/versions/all', {
  access: signedIn,
  summary: 'Versions of all activities, newest first',
  parts: {
    body: closed({
      ApproxRows: Type.Integer({ minimum: 1, maximum: 200 }),
      Schema: nullable(Type.String({ maxLength: 30 })),
      FetchSchemas: Type.Boolean(),
      /** The Modified of the last row shown; null for the first page. */
      ModifiedMin: nullable(Timestamp),
    }),
    result: closed({
      Schemas: Type.Array(Type.String()),
      ListItems: closed({ Items: Type.Array(VersionItem) }),
      HasMore: Type.Boolean(),
    }),
  },
});

export const activityVersions = get('/api/activities/versions/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'The versions of one activity, newest first',
  parts: {
    params: IdParams,
    result: closed({ Name: Type.String(), LastRunId: nullable(RunId), Versions: Type.Array(VersionItem) }),
  },
});

export const versionFidelity = get('/api/activities/fidelity/:id/:version', {
  access: needsOn('sk.RunActivity'),
  summary: 'How the recalculation of a version agrees with the values Excel saved in it',
  parts: { params: closed({ id: Id, version: Type.Integer({ minimum: 1 }) }), result: FidelityReport },
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
