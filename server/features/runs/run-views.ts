/** Converts database rows to the shapes of the contract. */
import { inputsOf, outputsOf } from '#server/versions/version-views.ts';
import { nameKey, type ActivityVersion } from '#server/versions/version-catalog.ts';
import { fullName } from '#server/base/full-name.ts';
import type { HomeRun } from '#shared/contract/activity-home.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import type { Output, RunInput } from '#shared/contract/parameters.ts';
import { isPending, type LogEntry, type LogPrompt } from '#shared/contract/run-status.ts';
import type { HistoryRun, HistoryValue } from '#shared/contract/run-history.ts';
import type { ActivityRun, PendingApproval, pendingRuns, RunState } from '#shared/contract/runs.ts';
import type { ChildCounts } from '#server/workflows/child-runs/child-counts.ts';
import type { VisibleRun } from '#server/access/run-access.ts';
import type { HistoryRow, ValueRow } from './history-repository.ts';
import type { PendingApprovalRow } from './pending-approvals-repository.ts';
import type { RunRow } from '#server/access/find-run.ts';
import type { InputRow, LogRow, OutputRow, PendingRow } from './runs-repository.ts';

export type OpenPrompts = ReadonlyMap<string, LogPrompt>;

const NO_PROMPTS: OpenPrompts = new Map();

function promptOf(prompts: OpenPrompts, key: string | null): { prompt?: LogPrompt } {
  const prompt = key === null ? undefined : prompts.get(key);
  return prompt ? { prompt } : {};
}

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** @param prompts by key: the prompts that the reader of the entries may answer */
export function logEntries(runId: number, rows: readonly LogRow[], prompts: OpenPrompts = NO_PROMPTS): LogEntry[] {
  return rows.map(({ Id, Message, StatusCode, Category, Time, PromptKey }) => ({
    Id,
    ActivityRunId: runId,
    Message,
    StatusCode,
    Category,
    displayMessage: Message,
    Time: Time.toISOString(),
    ...promptOf(prompts, PromptKey),
  }));
}

export function valuedOutputs(version: ActivityVersion, rows: readonly OutputRow[]): Output[] {
  const values = new Map(
    rows.filter(({ FileId }) => FileId === null).map((row) => [row.ActivityParameterId, row.Value]),
  );
  return outputsOf(version, (id) => values.get(id) ?? null);
}

function progressOf({ Status, Phase, Share }: RunRow): ActivityRun['Progress'] {
  return isPending(Status) && Phase !== '' ? { Phase, Share } : null;
}

function runInputs(
  runId: number,
  version: ActivityVersion,
  rows: readonly InputRow[],
  formulas: ReadonlyMap<string, string>,
): RunInput[] {
  const known = new Map(inputsOf(version, () => true).map((input) => [input.Id, input]));
  const order = [...known.keys()];
  return rows
    .filter((row) => known.has(row.ActivityParameterId))
    .sort((a, b) => order.indexOf(a.ActivityParameterId) - order.indexOf(b.ActivityParameterId))
    .map((row) => {
      const { Name, Info } = known.get(row.ActivityParameterId)!;
      const { ActivityParameterId, Value, UseDefault, HasPresetValue, ArrayIndex, FileId, FileName, ContentLength } =
        row;
      const value = { ActivityParameterId, ActivityRunId: runId, Name, Value, UseDefault, HasPresetValue };
      const Formula = formulas.get(nameKey(Name));
      const shown = Formula === undefined ? {} : { Formula };
      return { ...value, ArrayIndex, FileId, FileName, ContentLength, ParameterInfo: Info, ...shown };
    });
}

const childCounts = ({ MaxChildRunEndTime, ...counts }: ChildCounts) => ({
  ...counts,
  MaxChildRunEndTime: time(MaxChildRunEndTime),
});

export function activityRun(
  { run, CanPurge, mayCancel, CanRun, CanEdit }: VisibleRun,
  version: ActivityVersion,
  rows: {
    inputs: readonly InputRow[];
    outputs: readonly OutputRow[];
    logs: readonly LogRow[];
    prompts: OpenPrompts;
    links: ActivityRun['ActivityLinks'];
    children: ChildCounts;
    /** Formulas of the workflow by nameKey of the input. */
    formulas: ReadonlyMap<string, string>;
  },
): ActivityRun {
  const files = rows.outputs.flatMap(({ FileId, FileName, ContentLength, ActivityParameterId, ArrayIndex }) =>
    FileId === null || FileName === null
      ? []
      : [{ FileName, ContentLength: ContentLength ?? 0, ActivityParameterId, ArrayIndex, DocumentId: FileId }],
  );
  // The calculated workbook, which belongs to no output, comes first.
  files.sort((a, b) => (a.ActivityParameterId ?? 0) - (b.ActivityParameterId ?? 0) || a.ArrayIndex - b.ArrayIndex);
  const { Id, ActivityId, ActivityVersion, Name, Description, Type, Status, RetryOf, SourceRunId } = run;
  const { ChecklistRunId, ChecklistName, StepKey, RowKey, ParentRunId, ParentName, BatchFileName } = run;
  return {
    Id,
    ActivityId,
    ActivityVersion,
    Fidelity: version.fidelity,
    Name,
    Description,
    Type,
    Status,
    QueueTime: run.QueueTime.toISOString(),
    PickupTime: time(run.PickupTime),
    StartTime: time(run.StartTime),
    EndTime: time(run.EndTime),
    UserFullName: fullName(run),
    ClientName: run.ClientName,
    ChecklistRunId,
    ChecklistName,
    StepKey,
    RowKey,
    ParentRunId,
    ParentName,
    BatchFileName,
    CanPurge,
    CanCancel: mayCancel && (isPending(Status) || rows.children.RunningChildRuns > 0),
    CanRun,
    CanEdit,
    RetryOf,
    SourceRunId,
    Progress: progressOf(run),
    StoredFileNames: files.map(({ FileName }) => FileName),
    StoredFiles: files,
    Inputs: runInputs(Id, version, rows.inputs, rows.formulas),
    Outputs: valuedOutputs(version, rows.outputs),
    LogEntries: logEntries(Id, rows.logs, rows.prompts),
    ActivityLinks: rows.links,
    ...childCounts(rows.children),
  };
}

/** The states of a run's child runs. */
export interface ChildrenNow {
  children: ChildCounts;
  statuses: RunState['ChildStatuses'];
}

export function runState(
  run: RunRow,
  Outputs: Output[],
  logs: readonly LogRow[],
  { children, statuses, prompts = NO_PROMPTS }: ChildrenNow & { prompts?: OpenPrompts },
): RunState {
  return {
    Status: run.Status,
    PickupTime: time(run.PickupTime),
    StartTime: time(run.StartTime),
    EndTime: time(run.EndTime),
    Progress: progressOf(run),
    LogEntries: logEntries(run.Id, logs, prompts),
    Outputs,
    ChildStatuses: statuses,
    ...childCounts(children),
  };
}

/** @param answerUntil until when the run waits for an answer; undefined if it asks nothing */
export function pendingRun(
  row: PendingRow,
  CanCancel: boolean,
  answerUntil: Date | undefined,
): ResultOf<typeof pendingRuns>['Items'][number] {
  const { Id, ActivityId, Schema, Name, Status, ChecklistName } = row;
  const QueueTime = row.QueueTime.toISOString();
  return {
    Id,
    ActivityId,
    Schema,
    Name,
    Status,
    QueueTime,
    UserFullName: fullName(row),
    ChecklistName,
    CanCancel,
    AnswerUntil: time(answerUntil ?? null),
  };
}

export function pendingApproval(
  row: PendingApprovalRow,
  WaitsFor: readonly string[],
  CanCancel: boolean,
): PendingApproval {
  const { ChecklistRunId, Schema, Name, QueueTime, ChecklistName } = row;
  return {
    ChecklistRunId,
    Schema,
    Name,
    Status: 'QueuedInSeq',
    QueueTime: QueueTime.toISOString(),
    UserFullName: fullName(row),
    ChecklistName,
    WaitsFor: [...WaitsFor],
    CanCancel,
    ExpiryTime: time(row.ExpiryTime),
    OnExpiry: row.OnExpiry,
  };
}

export function homeRun(row: RunRow): HomeRun {
  const { Id, Status, ActivityVersion } = row;
  return {
    Id,
    QueueTime: row.QueueTime.toISOString(),
    StartTime: time(row.StartTime),
    EndTime: time(row.EndTime),
    Status,
    UserFullName: fullName(row),
    ActivityVersion,
  };
}

export function historyRun(row: HistoryRow, values: readonly ValueRow[]): HistoryRun {
  const of = (direction: ValueRow['Direction']): HistoryValue[] =>
    values
      .filter((value) => value.Direction === direction)
      .map(({ ActivityParameterId, Value, Rows, FileName }) => ({ ActivityParameterId, Value, Rows, FileName }));
  const { Id, ActivityId, Name, Status, ActivityVersion } = row;
  return {
    Id,
    ActivityId,
    Name,
    QueueTime: row.QueueTime.toISOString(),
    StartTime: time(row.StartTime),
    EndTime: time(row.EndTime),
    Status,
    UserFullName: fullName(row),
    ActivityVersion,
    IsWorkflow: false,
    Inputs: of('input'),
    Outputs: of('output'),
  };
}
