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
import { EDGE_CONDITIONS } from '#shared/rules/workflows/types.ts';

/**
 * A value for an input of a checklist. Without a ChecklistInputName, it belongs to the checklist input that contains
 * the activity's input. A value applies to all inputs of the same name.
 */
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
  /**
   * As returned by the details call. Required if the checklist was edited as a workflow. A WorkflowVersion that is no
   * longer current is refused with 409; null skips that check.
   */
  WorkflowId: Type.Optional(nullable(Id)),
  WorkflowVersion: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
  /** Idempotency key of the form that sends the start: two starts with the same UniqueId produce one run. */
  UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  Inputs: Type.Array(ChecklistInputValue, { maxItems: 10_000 }),
});
export type ChecklistStart = Static<typeof ChecklistStart>;

/** A value that a run was started with, under the name of the checklist input. */
export const ChecklistRunInput = closed({ ...RunInput.properties, ChecklistInputName: Type.String() });
export type ChecklistRunInput = Static<typeof ChecklistRunInput>;

/** A run of a checklist or workflow. */
export const ChecklistRun = closed({
  /** Id of the checklist. */
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
  /** The earlier run that this run resumes. */
  ResumeOf: nullable(RunId),
  /** The later run that resumes this one. */
  ResumedBy: nullable(RunId),
  /** Values that the run was started with. */
  Inputs: Type.Array(ChecklistRunInput),
  CanEdit: Type.Boolean(),
  CanRun: Type.Boolean(),
  CanCancel: Type.Boolean(),
  CanPurge: Type.Boolean(),
  /** True if the run may be resumed: unsuccessful steps run again and results of successful steps are reused. */
  CanResume: Type.Boolean(),
  /** Names of activities that have newer versions than a resumed run would use. Empty if the run cannot be resumed. */
  NewerVersions: Type.Array(Type.String()),
  /** True if the run has ended and left files that the user may see. */
  HasFiles: Type.Boolean(),
});
export type ChecklistRun = Static<typeof ChecklistRun>;

/**
 * A step of a workflow run. If it was executed several times, this is the newest attempt; for a ForEach step, it counts
 * the rows.
 */
export const ChecklistStep = closed({
  /**
   * Id of the activity run. Null for approvals, decisions and ForEach steps, and if the step produced no activity run
   * in this run.
   */
  Id: nullable(RunId),
  StepKey: Type.String(),
  StepName: Type.String(),
  Kind: Type.Enum(['Activity', 'ForEach', 'Approval', 'Decision'] as const),
  ActivityId: nullable(Id),
  /** Name of the activity; the step's own name if it runs no activity. */
  Name: Type.String(),
  Status: RunStatus,
  QueueTime: nullable(Timestamp),
  PickupTime: nullable(Timestamp),
  StartTime: nullable(Timestamp),
  EndTime: nullable(Timestamp),
  UserFullName: Type.String(),
  Attempt: Type.Integer(),
  /** The steps that it depends on, by StepKey, each with its condition. */
  After: Type.Array(closed({ Step: Type.String(), When: Type.Enum(EDGE_CONDITIONS) })),
  /** Position in the diagram if the user placed the step by hand. */
  X: Type.Optional(Type.Number()),
  Y: Type.Optional(Type.Number()),
  /** Names of the steps that it currently waits for. */
  WaitsFor: Type.Array(Type.String()),
  /** Id of the run of this step in an earlier workflow run whose result is reused; null if none is. */
  KeptRunId: nullable(RunId),
  /** Why the step was not run, or what went wrong; '' if there is nothing to report. */
  Message: Type.String(),
  /**
   * For an approval step that was reached: who decides and what they decided. A run that reuses the decision shows the
   * run in which it was made.
   */
  Approval: nullable(StepApproval),
  /** True if the user may see the activity run. */
  CanView: Type.Boolean(),
  SuccessfulChildRuns: Type.Integer(),
  FailedChildRuns: Type.Integer(),
  RunningChildRuns: Type.Integer(),
});
export type ChecklistStep = Static<typeof ChecklistStep>;

export const ChecklistStatus = closed({
  Checklist: ChecklistRun,
  /** The steps in their order. A ForEach step only counts its rows; a separate call lists them. */
  ActivityRuns: Type.Array(ChecklistStep),
  /** A message about the run as a whole; null if there is none. */
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
  /** Version of the checklist or workflow. */
  ActivityVersion: Type.Integer(),
  IsWorkflow: Type.Boolean(),
  /** Identified by the InputId of the columns. */
  Inputs: Type.Array(closed({ ...HistoryValue.properties, ChecklistInputName: Type.String() })),
  /**
   * Outputs of the steps, including reused steps of an earlier run. Identified by the StepKey and OutputId of the
   * columns.
   */
  Outputs: Type.Array(closed({ ...HistoryValue.properties, StepKey: Type.String() })),
});
export type ChecklistHistoryRun = Static<typeof ChecklistHistoryRun>;

const historySearch = {
  ChecklistId: Id,
  /** True to include runs as a workflow. Null or absent: true. */
  FetchWorkflowRuns: Type.Optional(nullable(Type.Boolean())),
  /** Null or empty means all; the same applies to UserIds. */
  Statuses: Type.Optional(nullable(Type.Array(RunStatus, { maxItems: 20 }))),
  UserIds: Type.Optional(nullable(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 200 }))),
  /** Part of the name of the user who started the run. */
  RunBy: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Inclusive lower limit of the queue time. */
  QueuedFrom: Type.Optional(Timestamp),
  /** Exclusive upper limit of the queue time. */
  QueuedBefore: Type.Optional(Timestamp),
};

export const ChecklistHistorySearch = closed(historySearch);
export type ChecklistHistorySearch = Static<typeof ChecklistHistorySearch>;

/** Activities have their own call, /api/activities/runhistory; its additional fields are accepted here and ignored. */
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
    /**
     * Outputs of its steps in the current version, in step order. Steps whose activities the user may not see are
     * omitted.
     */
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
  summary: 'Start a checklist or workflow; its runs are stored before the response',
  parts: { body: ChecklistStart, result: closed({ Id: RunId }) },
});

export const checklistStatus = get('/api/checklists/status/:kind/:runId', {
  access: signedIn,
  summary: 'Get a run of a checklist or workflow with its steps',
  offline: 'answer',
  parts: {
    params: closed({ kind: Type.Enum(['workflow', 'checklist'] as const), runId: RunId }),
    result: ChecklistStatus,
  },
});

export const checklistHistory = post('/api/checklists/runhistory', {
  access: signedIn,
  summary: 'List the runs of a checklist, newest first, paged',
  offline: 'answer',
  parts: { body: ChecklistHistoryQuery, result: ChecklistHistory },
});

export const exportChecklistHistory = post('/api/checklists/runhistory/export', {
  access: signedIn,
  summary:
    'Export the runs of a checklist that match a search as .xlsx, newest first, at most 100,000; returns a file token',
  parts: { body: ChecklistHistorySearch, result: ExportedHistory },
});

export const cancelChecklistRun = post('/api/checklists/cancel/:runId', {
  access: needsOn('sk.RunActivity'),
  summary: 'Cancel an entire run of a checklist',
  parts: { params: RunParams, result: closed({ Message: Type.String() }) },
});

const downloadFiles = (kind: 'checklists' | 'workflows') =>
  get(`/api/${kind}/downloadFiles/:runId`, {
    access: signedIn,
    summary: "Download all files of a run; returns a file token, with the prefix '<PARTIAL>' if some files are missing",
    offline: 'file',
    parts: { params: RunParams, result: FileToken },
  });

export const downloadChecklistFiles = downloadFiles('checklists');
export const downloadWorkflowFiles = downloadFiles('workflows');
