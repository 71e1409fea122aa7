/** The steps of a checklist run, as its status shows them. */
import type { Person } from '#server/base/person.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import { readStepApprovals } from '#server/features/approvals/step-approvals-service.ts';
import type { StepApproval } from '#shared/contract/approvals.ts';
import type { ChecklistStep } from '#shared/contract/checklist-runs.ts';
import { hasSucceeded, isPending, type RunStatus } from '#shared/contract/run-status.ts';
import type { WorkflowPlan, WorkflowStep } from '#shared/rules/workflows/types.ts';
import type { ChecklistAccess, ChecklistScopes } from '#server/access/checklist-access.ts';
import { isActivityUse } from './entered-inputs.ts';
import type { MemberRow } from '#server/access/find-checklist.ts';
import { listActivities } from './checklists-repository.ts';
import type { NamedWorkflowRunRow } from '#server/access/find-workflow-run.ts';
import {
  countRows,
  listWorkflowLog,
  listReusedRuns,
  listOtherSteps,
  listStepRuns,
  type OtherStepRow,
  type RowCount,
  type StepRunRow,
  type WorkflowLogRow,
} from './checklist-runs-repository.ts';
import { listFirstProblems } from '#server/queue/first-problems.ts';

export interface StepsView {
  steps: ChecklistStep[];
  /** Message about the run as a whole; null if there is none. */
  message: string | null;
}

interface StepRows {
  runs: ReadonlyMap<string, StepRunRow>;
  reused: ReadonlyMap<string, StepRunRow>;
  others: ReadonlyMap<string, OtherStepRow>;
  counts: ReadonlyMap<string, RowCount[]>;
  /** By run id, and by step key. */
  problems: ReadonlyMap<number, string>;
  messages: ReadonlyMap<string, string>;
  approvals: ReadonlyMap<string, StepApproval>;
  activities: ReadonlyMap<number, MemberRow>;
  mayView: RunViewer;
}

/**
 * Returns the steps with their states, in the order of the graph. The database counts the rows of For each steps,
 * however many there are.
 */
export async function readSteps(
  { knex }: Database,
  access: ChecklistAccess,
  person: Person,
  run: NamedWorkflowRunRow,
  { Graph }: WorkflowPlan,
): Promise<StepsView> {
  const keysOf = (kind: WorkflowStep['Kind']): string[] =>
    Graph.Steps.filter(({ Kind }) => Kind === kind).map(({ Key }) => Key);
  const single = keysOf('Activity');
  const activityIds = [...new Set(Graph.Steps.filter(isActivityUse).map(({ ActivityId }) => ActivityId))];
  const [runs, reused, others, counts, log, activities, scopes] = await Promise.all([
    listStepRuns(knex, run.Id, single),
    run.ResumeOf === null ? new Map<string, StepRunRow>() : listReusedRuns(knex, run.Id, single),
    single.length === Graph.Steps.length ? new Map<string, OtherStepRow>() : listOtherSteps(knex, run.Id),
    countRows(knex, run.Id, keysOf('ForEach')),
    listWorkflowLog(knex, run.Id),
    listActivities(knex, activityIds),
    access.scopes(person),
  ]);
  const ended = [...runs.values(), ...reused.values()].filter(
    ({ Status }) => !isPending(Status) && !hasSucceeded(Status),
  );
  const [notRun, failed] = [true, false].map((isNotRun) =>
    ended.filter(({ NotRunBecause }) => (NotRunBecause !== null) === isNotRun).map(({ Id }) => Id),
  );
  const asked = keysOf('Approval').map((StepKey) => ({
    StepKey,
    KeptOf: others.get(StepKey)?.KeptOf ?? null,
  }));
  const rows: StepRows = {
    runs,
    reused,
    others,
    counts: Map.groupBy(counts, ({ StepKey }) => StepKey),
    problems: await listFirstProblems(knex, failed!, notRun!),
    messages: new Map([...(await reusedMessages(knex, others)), ...messagesOf(log)]),
    approvals: await readStepApprovals(knex, person, run.Id, asked),
    activities: new Map(activities.map((activity) => [activity.Id, activity])),
    mayView: viewerOf(person, scopes, activities),
  };
  const steps = Graph.Steps.map((step) => stepView(run, step, rows));
  addBlockingSteps(Graph.Steps, steps);
  const message = log.findLast(({ StepKey }) => StepKey === null)?.Message ?? null;
  return { steps, message };
}

const messagesOf = (log: readonly WorkflowLogRow[]): [string, string][] =>
  log.flatMap(({ StepKey, Message }) => (StepKey === null ? [] : [[StepKey, Message]]));

/** Returns the messages of steps that are not runs, such as the reasons of decisions, from the runs that decided them. */
async function reusedMessages(db: Db, others: ReadonlyMap<string, OtherStepRow>): Promise<[string, string][]> {
  const byRun = Map.groupBy([...others.values()], ({ KeptOf }) => KeptOf);
  const found: [string, string][] = [];
  for (const [runId, steps] of byRun) {
    if (runId === null) continue;
    const keys = new Set(steps.map(({ StepKey }) => StepKey));
    found.push(...messagesOf(await listWorkflowLog(db, runId)).filter(([key]) => keys.has(key)));
  }
  return found;
}

function stepView(workflowRun: NamedWorkflowRunRow, step: WorkflowStep, rows: StepRows): ChecklistStep {
  const reused = rows.reused.get(step.Key);
  const run = rows.runs.get(step.Key) ?? reused;
  const other = rows.others.get(step.Key);
  const ActivityId = isActivityUse(step) ? step.ActivityId : null;
  const activity = ActivityId === null ? undefined : rows.activities.get(ActivityId);
  const counts = rows.counts.get(step.Key) ?? [];
  const sum = (of: (status: RunStatus) => boolean): number =>
    counts.reduce((total, { Status, Count }) => total + (of(Status) ? Count : 0), 0);
  const isReused = reused !== undefined && run === reused;
  // A step that is not a run has no row until it begins.
  const Status = run?.Status ?? other?.Status ?? (isPending(workflowRun.Status) ? 'QueuedInSeq' : 'Cancelled');
  return {
    Id: run && !isReused ? run.Id : null,
    StepKey: step.Key,
    StepName: step.Name,
    Kind: step.Kind,
    ActivityId,
    Name: activity?.Name ?? step.Name,
    Status,
    QueueTime: run && !run.WaitsForSteps ? run.QueueTime.toISOString() : null,
    PickupTime: time(run?.PickupTime),
    StartTime: time(run?.StartTime ?? other?.StartTime),
    EndTime: time(run?.EndTime ?? other?.EndTime),
    UserFullName: fullName(workflowRun),
    Attempt: run?.Attempt ?? 1,
    After: step.After,
    ...(step.X === undefined || step.Y === undefined ? {} : { X: step.X, Y: step.Y }),
    WaitsFor: [],
    KeptRunId: isReused ? reused.Id : null,
    Message: (run && rows.problems.get(run.Id)) ?? rows.messages.get(step.Key) ?? '',
    Approval: rows.approvals.get(step.Key) ?? null,
    CanView: run !== undefined && ActivityId !== null && rows.mayView(ActivityId, run.UserId),
    SuccessfulChildRuns: sum(hasSucceeded),
    FailedChildRuns: sum((status) => !isPending(status) && !hasSucceeded(status)),
    RunningChildRuns: sum(isPending),
  };
}

/** Returns whether the person may see a run of an activity that a given user started. */
export type RunViewer = (activityId: number, userId: number) => boolean;

export function viewerOf(person: Person, scopes: ChecklistScopes, activities: readonly MemberRow[]): RunViewer {
  const byId = new Map(activities.map((activity) => [activity.Id, activity]));
  return (activityId, userId) => {
    const activity = byId.get(activityId);
    if (!activity) return false;
    const keys = { Id: activity.Id, Schema: activity.Schema };
    const isSeen = isInScope(scopes.edit, keys) || (activity.IsActive && isInScope(scopes.run, keys));
    return isSeen && (userId === person.UserId || isInScope(scopes.viewRuns, keys));
  };
}

const time = (date: Date | null | undefined): string | null => date?.toISOString() ?? null;

/** Lists, for each waiting step, the preceding steps that have not ended. */
function addBlockingSteps(graph: readonly WorkflowStep[], steps: readonly ChecklistStep[]): void {
  const byKey = new Map(steps.map((step) => [step.StepKey, step]));
  for (const [index, { After }] of graph.entries()) {
    const step = steps[index]!;
    if (step.Status !== 'QueuedInSeq') continue;
    step.WaitsFor = After.flatMap(({ Step }) => {
      const before = byKey.get(Step);
      return before && isPending(before.Status) ? [before.StepName] : [];
    });
  }
}
