/** Runs of checklists and workflows. Source: specification of activities, sections 2 to 4 and 7. */
import { Type, type Static } from 'typebox';
import { FileToken } from './activities.ts';
import { StepApproval } from './approvals.ts';
import {
  closed,
  closedBut,
  get,
  Id,
  needsOn,
  nullable,
  post,
  RunId,
  RunParams,
  signedIn,
  Timestamp,
} from './endpoint.ts';
import { InputInfo, OutputInfo, RunInput, RunInputValue, UNUSED_RUN_INPUT_FIELDS } from './parameters.ts';
import { ExportedHistory, HistoryValue, PrevRunId } from './run-history.ts';
import { RunStatus } from './run-status.ts';
import { EDGE_CONDITIONS } from '../rules/chains/types.ts';

/** A value of an input of a checklist. Without a name the input is the one that has the activity's input; a value counts for all inputs of its name. */
export const ChecklistInputValue = closedBut(
  UNUSED_RUN_INPUT_FIELDS.filter((field) => field !== 'ChecklistInputName'),
  {
    ...RunInputValue.properties,
    ActivityParameterId: Type.Optional(nullable(Id)),
    ChecklistInputName: Type.Optional(nullable(Type.String({ maxLength: 30 }))),
  },
);
export type ChecklistInputValue = Static<typeof ChecklistInputValue>;

export const ChecklistStart = closed({
  ChecklistId: Id,
  /** As the details answered it: null where it is run as a checklist, or as theirs. */
  WorkflowId: Type.Optional(nullable(Id)),
  WorkflowVersion: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
  /** Names the form the start comes from: the same UniqueId started twice is one run. */
  UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  Inputs: Type.Array(ChecklistInputValue, { maxItems: 10_000 }),
});
export type ChecklistStart = Static<typeof ChecklistStart>;

/** A value that a run was started with, by the name under which it was asked for. */
export const ChecklistRunInput = closed({ ...RunInput.properties, ChecklistInputName: Type.String() });
export type ChecklistRunInput = Static<typeof ChecklistRunInput>;

/** A run of a checklist or workflow. */
export const ChecklistRun = closed({
  /** Of the checklist. */
  Id,
  Name: Type.String(),
  Description: Type.String(),
  Schema: Type.String(),
  IsWorkflow: Type.Boolean(),
  WorkflowId: nullable(Id),
  WorkflowVersion: nullable(Type.Integer()),
  RunId,
  Status: RunStatus,
  QueueTime: Timestamp,
  EndTime: nullable(Timestamp),
  UserFullName: Type.String(),
  /** The run that it goes on with. */
  ResumeOf: nullable(RunId),
  /** The run that goes on with this one. */
  ResumedBy: nullable(RunId),
  /** What it was started with. */
  Inputs: Type.Array(ChecklistRunInput),
  CanEdit: Type.Boolean(),
  CanRun: Type.Boolean(),
  CanCancel: Type.Boolean(),
  CanPurge: Type.Boolean(),
  /** Whether what did not succeed may be run again, with what did kept. */
  CanResume: Type.Boolean(),
  /** Names of activities of which there are newer versions than those that a resumed run would take; empty where it cannot be resumed. */
  NewerVersions: Type.Array(Type.String()),
  /** Whether it has ended and left files that the person may see. */
  HasFiles: Type.Boolean(),
});
export type ChecklistRun = Static<typeof ChecklistRun>;

/** A step of a chain. Of one that has been carried out several times the newest attempt; of one for each row the counts of its rows. */
export const ChecklistStep = closed({
  /** Of the run of the activity; null where there is none: of an approval or decision, of rows, or of a step that did not come to one. */
  Id: nullable(RunId),
  StepKey: Type.String(),
  StepName: Type.String(),
  Kind: Type.Enum(['Activity', 'ForEach', 'Approval', 'Decision'] as const),
  ActivityId: nullable(Id),
  /** Of the activity; that of the step where it has none. */
  Name: Type.String(),
  Status: RunStatus,
  QueueTime: nullable(Timestamp),
  PickupTime: nullable(Timestamp),
  StartTime: nullable(Timestamp),
  EndTime: nullable(Timestamp),
  UserFullName: Type.String(),
  Attempt: Type.Integer(),
  /** By their StepKeys, those that it comes after, and on what. */
  After: Type.Array(closed({ Step: Type.String(), When: Type.Enum(EDGE_CONDITIONS) })),
  /** Where it was put in the drawing by hand. */
  X: Type.Optional(Type.Number()),
  Y: Type.Optional(Type.Number()),
  /** Names of the steps that it waits for. */
  WaitsFor: Type.Array(Type.String()),
  /** The run of this step in an earlier run of the chain whose result counts */
  KeptRunId: nullable(RunId),
  /** Why it was not run, or what went wrong; '' where there is nothing to say. */
  Message: Type.String(),
  /** Of an approval that people were asked for: who decides it, and what they did. In a run that keeps it, of the run it was decided in. */
  Approval: nullable(StepApproval),
  /** Whether the person may see the run of the activity. */
  CanView: Type.Boolean(),
  SuccessfulChildRuns: Type.Integer(),
  FailedChildRuns: Type.Integer(),
  RunningChildRuns: Type.Integer(),
});
export type ChecklistStep = Static<typeof ChecklistStep>;

export const ChecklistStatus = closed({
  Checklist: ChecklistRun,
  /** The steps in their order. Rows of a step are counted here, and listed by a call of their own. */
  ActivityRuns: Type.Array(ChecklistStep),
  /** What there is to say of the run as a whole; null where nothing is. */
  message: nullable(Type.String()),
});
export type ChecklistStatus = Static<typeof ChecklistStatus>;

/** A run in the history of a checklist. */
export const ChecklistHistoryRun = closed({
  Id: RunId,
  QueueTime: Timestamp,
  EndTime: nullable(Timestamp),
  Status: RunStatus,
  UserFullName: Type.String(),
  /** Of the checklist or workflow. */
  ActivityVersion: Type.Integer(),
  IsWorkflow: Type.Boolean(),
  /** By the InputId of the columns. */
  Inputs: Type.Array(closed({ ...HistoryValue.properties, ChecklistInputName: Type.String() })),
  /** Of the steps, those that it keeps from an earlier run included; by the StepKey and OutputId of the columns. */
  Outputs: Type.Array(closed({ ...HistoryValue.properties, StepKey: Type.String() })),
});
export type ChecklistHistoryRun = Static<typeof ChecklistHistoryRun>;

const historySearch = {
  ChecklistId: Id,
  /** Whether runs as a workflow are wanted too. Null or absent: yes. */
  FetchWorkflowRuns: Type.Optional(nullable(Type.Boolean())),
  /** Null or empty, as of UserIds: all. */
  Statuses: Type.Optional(nullable(Type.Array(RunStatus, { maxItems: 20 }))),
  UserIds: Type.Optional(nullable(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 200 }))),
  /** Part of the name of whoever started the run. */
  RunBy: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Queued at this time or later. */
  QueuedFrom: Type.Optional(Timestamp),
  /** Queued earlier than this. */
  QueuedBefore: Type.Optional(Timestamp),
};

export const ChecklistHistorySearch = closed(historySearch);
export type ChecklistHistorySearch = Static<typeof ChecklistHistorySearch>;

/** An activity is asked for at /api/activities/runhistory: its fields are taken here and not looked at. */
export const ChecklistHistoryQuery = closedBut(['ActivityId', 'LinkId'], {
  ...historySearch,
  ApproxRows: Type.Integer({ minimum: 1, maximum: 200 }),
  PrevRunId,
});
export type ChecklistHistoryQuery = Static<typeof ChecklistHistoryQuery>;

export const ChecklistHistory = closed({
  Runs: Type.Array(ChecklistHistoryRun),
  HasMore: Type.Boolean(),
  Checklist: closed({
    Id,
    Name: Type.String(),
    CanEdit: Type.Boolean(),
    CanRun: Type.Boolean(),
    IsWorkflow: Type.Boolean(),
    LastRunId: nullable(RunId),
    IsLastRunWorkflow: Type.Boolean(),
    Inputs: Type.Array(closed({ InputId: Id, InputName: Type.String(), Info: InputInfo })),
    /** Of its steps as it is now, in their order, as far as the person may see their activities. */
    Outputs: Type.Array(
      closed({
        StepKey: Type.String(),
        StepName: Type.String(),
        OutputId: Id,
        OutputName: Type.String(),
        Info: OutputInfo,
      }),
    ),
  }),
});
export type ChecklistHistory = Static<typeof ChecklistHistory>;

export const startChecklist = post('/api/checklists/start', {
  access: needsOn('sk.RunActivity'),
  summary: 'Start a checklist or workflow; its runs are stored before this answers',
  parts: { body: ChecklistStart, result: closed({ Id: RunId }) },
});

export const checklistStatus = get('/api/checklists/status/:kind/:runId', {
  access: signedIn,
  summary: 'A run of a checklist or workflow with its steps',
  offline: 'answer',
  parts: {
    params: closed({ kind: Type.Enum(['workflow', 'checklist'] as const), runId: RunId }),
    result: ChecklistStatus,
  },
});

export const checklistHistory = post('/api/checklists/runhistory', {
  access: signedIn,
  summary: 'Runs of a checklist, newest first, a page at a time',
  offline: 'answer',
  parts: { body: ChecklistHistoryQuery, result: ChecklistHistory },
});

export const exportChecklistHistory = post('/api/checklists/runhistory/export', {
  access: signedIn,
  summary: 'The runs of a checklist that a search finds, newest first, as .xlsx; no more than 100,000',
  parts: { body: ChecklistHistorySearch, result: ExportedHistory },
});

export const cancelChecklistRun = post('/api/checklists/cancel/:runId', {
  access: needsOn('sk.RunActivity'),
  summary: 'Cancel the whole of a checklist’s run',
  parts: { params: RunParams, result: closed({ Message: Type.String() }) },
});

export const resumeChecklistRun = post('/api/checklists/resume/:runId', {
  access: needsOn('sk.RunActivity'),
  summary: 'Run again what did not succeed in a run of a checklist; what succeeded is kept',
  parts: {
    params: RunParams,
    body: nullable(
      closed({
        UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
        /** What runs again takes the newest versions of its activities, and not those the run was started with. */
        LatestVersions: Type.Optional(Type.Boolean()),
      }),
    ),
    result: closed({ Id: RunId }),
  },
});

const downloadFiles = (kind: 'checklists' | 'workflows') =>
  get(`/api/${kind}/downloadFiles/:runId`, {
    access: signedIn,
    summary: "A file token for all files of a run; the prefix '<PARTIAL>' says that some are missing",
    offline: 'file',
    parts: { params: RunParams, result: FileToken },
  });

export const downloadChecklistFiles = downloadFiles('checklists');
export const downloadWorkflowFiles = downloadFiles('workflows');
