/** Runs: their details and status, cancelling them, and answering their prompts. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivityScopes } from '#server/access/activity-scopes.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { readNamedApprovers } from '#server/features/approvals/named-approvers-service.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import type { ActivityVersion, VersionCatalog } from '#server/versions/version-catalog.ts';
import type { LinksService } from '#server/features/links/links-service.ts';
import { isInScope, type RightScope } from '#server/access/rights/right-scope.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { cancelWorkflowRun } from '#server/workflows/cancel-workflow-run.ts';
import { cancelChildRuns } from '#server/workflows/child-runs/cancel-child-runs.ts';
import { childStatuses, countChildRuns, NO_CHILDREN } from '#server/workflows/child-runs/child-counts.ts';
import { readFormulasOfRun } from '#server/workflows/step-formulas.ts';
import { cancelRun } from '#server/queue/cancel-run.ts';
import { answerPrompt, openPrompts } from '#server/queue/steps/run-prompts.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { Person } from '#server/base/person.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import type {
  ActivityRun,
  PendingApproval,
  PendingRetry,
  pendingRuns,
  ProvideInputBody,
  RunState,
} from '#shared/contract/runs.ts';
import { isPending, OUTCOME_TEXT } from '#shared/contract/run-status.ts';
import type { RunAccess } from '#server/access/run-access.ts';
import {
  listCancellableWorkflowRuns,
  listPendingApprovals,
  type PendingApprovalRow,
} from './pending-approvals-repository.ts';
import { listAnswerTimes, listPendingRetries, listPendingWorkflowRetries } from './pending-waits.ts';
import { activityRun, pendingApproval, pendingRun, runState, valuedOutputs, type OpenPrompts } from './run-views.ts';
import type { RunRow } from '#server/access/find-run.ts';
import {
  listCancellableRuns,
  listInputs,
  listLogEntries,
  listOutputs,
  listPendingRuns,
  PENDING_COUNTED,
  PENDING_SHOWN,
  type LogRow,
} from './runs-repository.ts';

export interface RunsService {
  details(person: Person, runId: number): Promise<ActivityRun>;
  /** @param childIds ids of child runs whose statuses are wanted */
  state(person: Person, runId: number, childIds?: readonly number[]): Promise<RunState>;
  /**
   * Returns the outcome of an ended run to a call that waited.
   * @param startedAt when that call started the run, by this process's performance.now(); undefined if it did not start
   * it
   */
  outcome(person: Person, runId: number, startedAt: number | undefined): Promise<RunOutcome>;
  cancel(person: Person, runId: number): Promise<string>;
  /** Answers a prompt of a run that the person started. */
  provideInput(person: Person, answer: ProvideInputBody): Promise<void>;
  cancelAll(person: Person): Promise<string>;
  pending(person: Person): Promise<ResultOf<typeof pendingRuns>>;
  wakeup(): void;
}

export interface RunsDeps {
  database: Database;
  rights: RightsService;
  activityAccess: ActivityAccess;
  checklistAccess: ChecklistAccess;
  access: RunAccess;
  versions: VersionCatalog;
  signals: RunSignals;
  links: LinksService;
}

const CANCELLED = OUTCOME_TEXT.Cancelled ?? '';

type RunOutcome = Pick<RunState, 'Status' | 'EndTime' | 'LogEntries' | 'Outputs'>;

/**
 * For this many milliseconds after starting a run, its starter may see the outputs without another check of their
 * rights.
 */
const RIGHTS_HOLD_MS = 1_000;

export function createRunsService(deps: RunsDeps): RunsService {
  const { database, access, signals } = deps;
  const { knex } = database;

  const service: RunsService = {
    outcome: async (person, runId, startedAt) => {
      const isFresh = startedAt !== undefined && performance.now() - startedAt < RIGHTS_HOLD_MS;
      const answer = isFresh ? signals.answerOf(runId) : undefined;
      if (!answer) return service.state(person, runId);
      const { Status, EndTime, outputs } = answer;
      const Outputs = valuedOutputs(await versionOf(deps.versions, answer), outputs);
      return { Status, EndTime: EndTime.toISOString(), LogEntries: [], Outputs };
    },
    details: async (person, runId) => {
      const visible = await access.require(knex, person, runId);
      const [version, inputs, outputs, logs, links, children, formulas] = await Promise.all([
        versionOf(deps.versions, visible.run),
        listInputs(knex, runId),
        listOutputs(knex, runId),
        listLogEntries(knex, runId),
        followable(deps.links, person, visible.run),
        countChildRuns(knex, runId),
        readFormulasOfRun(knex, visible.run),
      ]);
      const prompts = await promptsFor(database, person, visible.run, logs);
      return activityRun(visible, version, { inputs, outputs, logs, prompts, links, children, formulas });
    },
    state: async (person, runId, childIds = []) => {
      const { run } = await access.require(knex, person, runId);
      if (isPending(run.Status)) {
        const entries = await listLogEntries(knex, runId);
        const prompts = await promptsFor(database, person, run, entries);
        return runState(run, [], entries, { children: NO_CHILDREN, statuses: {}, prompts });
      }
      // Read after the status: a run's end is written together with its log, outputs and child runs.
      const [version, logs, outputs, children, statuses] = await Promise.all([
        versionOf(deps.versions, run),
        run.HasLog ? listLogEntries(knex, runId) : [],
        listOutputs(knex, runId),
        run.HasStarts ? countChildRuns(knex, runId) : NO_CHILDREN,
        childStatuses(knex, runId, childIds),
      ]);
      return runState(run, valuedOutputs(version, outputs), logs, { children, statuses });
    },
    cancel: (person, runId) => cancelOne(deps, person, runId),
    provideInput: (person, body) => provideInput(deps, person, body),
    cancelAll: (person) => cancelAll(deps, person),
    pending: (person) => listPending(deps, person),
    wakeup: () => signals.queued(),
  };
  return service;
}

async function listPending(deps: RunsDeps, person: Person): Promise<ResultOf<typeof pendingRuns>> {
  const { database, rights, activityAccess } = deps;
  const { knex } = database;
  const scopes = await activityAccess.scopes(person);
  const cancelAny = await rights.scope(person, 'sk.CancelAnyRun');
  const { rows, more } = await listPendingRuns(knex, scopes, person.UserId);
  const approvals = await listApprovals(deps, person, { cancelAny, limit: PENDING_SHOWN });
  const running = rows.filter(({ Status }) => Status === 'Started').map(({ Id }) => Id);
  const answers = await listAnswerTimes(knex, running);
  const Items = rows.map((row) => {
    const any = isInScope(cancelAny, { Id: row.ActivityId, Schema: row.Schema });
    return pendingRun(row, row.UserId === person.UserId || any, answers.get(row.Id));
  });
  const Approvals = await approvalViews(database, approvals.rows);
  const Retries = await listRetries(deps, person, scopes);
  return { Items, Approvals, Retries, MoreCount: Math.min(more + approvals.more, PENDING_COUNTED) };
}

type ListedApproval = PendingApprovalRow & { CanCancel: boolean };

/** A key for running activities does not see approvals. */
async function listApprovals(
  { database: { knex }, checklistAccess }: RunsDeps,
  person: Person,
  { cancelAny, limit }: { cancelAny: RightScope; limit: number },
): Promise<{ rows: ListedApproval[]; more: number }> {
  if (person.keyScope !== undefined) return { rows: [], more: 0 };
  const viewer = { userId: person.UserId, scopes: await checklistAccess.scopes(person) };
  const { rows, more } = await listPendingApprovals(knex, viewer, { limit, counted: PENDING_COUNTED });
  const mayCancel = ({ UserId, Schema }: PendingApprovalRow): boolean =>
    UserId === person.UserId || isInScope(cancelAny, { Schema });
  return { rows: rows.map((row) => ({ ...row, CanCancel: mayCancel(row) })), more };
}

async function listRetries(
  { database: { knex }, checklistAccess }: RunsDeps,
  person: Person,
  scopes: ActivityScopes,
): Promise<PendingRetry[]> {
  const ofActivities = await listPendingRetries(knex, scopes, person.UserId, PENDING_SHOWN);
  if (person.keyScope !== undefined) return ofActivities;
  const viewer = { userId: person.UserId, scopes: await checklistAccess.scopes(person) };
  const ofWorkflows = await listPendingWorkflowRetries(knex, viewer, PENDING_SHOWN);
  return [...ofActivities, ...ofWorkflows].sort((a, b) => (a.Time < b.Time ? -1 : 1));
}

/** Returns the workflow runs that wait for an approval and that the person may cancel. */
async function waitingWorkflowRunIds(
  { database: { knex }, checklistAccess }: RunsDeps,
  person: Person,
  cancelAny: RightScope,
): Promise<number[]> {
  if (person.keyScope !== undefined) return [];
  const viewer = { userId: person.UserId, scopes: await checklistAccess.scopes(person) };
  return listCancellableWorkflowRuns(knex, viewer, cancelAny);
}

async function approvalViews({ knex }: Database, rows: readonly ListedApproval[]): Promise<PendingApproval[]> {
  const named = await readNamedApprovers(
    knex,
    rows.map(({ Id }) => Id),
  );
  return rows.map((row) => pendingApproval(row, named.get(row.Id) ?? [], row.CanCancel));
}

/** Cancels a run and its child runs. */
async function cancelOne({ database, access, signals }: RunsDeps, person: Person, runId: number): Promise<string> {
  const { run, mayCancel } = await access.require(database.knex, person, runId);
  if (!mayCancel) throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
  const result = await cancelRun(database, signals, run);
  // A run that had not ended starts no child runs after it is cancelled.
  const children = result === 'ended' ? await cancelChildRuns(database, signals, runId) : 0;
  if (result === 'ended' && children === 0 && run.Status !== 'Cancelled') {
    throw new AppError('runEnded', 409, 'The run has already ended');
  }
  return CANCELLED;
}

/** Cancels the person's checklist runs and child runs as a whole: otherwise their waiting parts would continue. */
async function cancelAll(deps: RunsDeps, person: Person): Promise<string> {
  const { database, rights, activityAccess, signals } = deps;
  const scopes = await activityAccess.scopes(person);
  const cancelAny = await rights.scope(person, 'sk.CancelAnyRun');
  const found = await listCancellableRuns(database.knex, scopes, cancelAny, person.UserId);
  const isOwnStep = (run: RunRow): boolean => run.ChecklistRunId !== null && run.UserId === person.UserId;
  const isOwnChild = (run: RunRow): boolean => run.ParentRunId !== null && run.UserId === person.UserId;
  const workflowRunIds = new Set(found.filter(isOwnStep).map(({ ChecklistRunId }) => ChecklistRunId!));
  // A workflow may be waiting only for an approval, without a pending activity run.
  for (const id of await waitingWorkflowRunIds(deps, person, cancelAny)) workflowRunIds.add(id);
  const parents = new Set(found.filter(isOwnChild).map(({ ParentRunId }) => ParentRunId!));
  let count = 0;
  for (const id of workflowRunIds) if ((await cancelWorkflowRun(database, signals, id)) !== 'ended') count += 1;
  for (const id of parents) count += await cancelChildRuns(database, signals, id);
  for (const run of found.filter((one) => !isOwnStep(one) && !isOwnChild(one))) {
    if ((await cancelRun(database, signals, run)) !== 'ended') count += 1;
  }
  return count === 1 ? CANCELLED : `${count} runs were cancelled`;
}

/** Returns the links that an ended run's outputs can be passed on to. */
async function followable(
  links: LinksService,
  person: Person,
  { ActivityId, Status }: Pick<RunRow, 'ActivityId' | 'Status'>,
): Promise<ActivityRun['ActivityLinks']> {
  return isPending(Status) ? [] : links.of(person, ActivityId, { onlyRunnable: true });
}

/** Only the person who started the run can answer a prompt. To others, it is an ordinary log entry. */
async function promptsFor(
  database: Database,
  person: Person,
  run: Pick<RunRow, 'Id' | 'Status' | 'UserId'>,
  logs: readonly LogRow[],
): Promise<OpenPrompts> {
  const mayAnswer = isPending(run.Status) && run.UserId === person.UserId;
  if (!mayAnswer || logs.every(({ PromptKey }) => PromptKey === null)) return new Map();
  return openPrompts(database, run.Id);
}

const NOT_TAKEN = {
  expired: ['promptExpired', 409, 'The time for this answer is over'],
  answered: ['promptAnswered', 409, 'This question has been answered already'],
  unknown: ['promptNotFound', 404, 'The run asks no such question'],
} as const;

async function provideInput(
  { database, access }: RunsDeps,
  person: Person,
  { ActivityRunId, Key, Value }: ProvideInputBody,
): Promise<void> {
  const { run } = await access.require(database.knex, person, ActivityRunId);
  if (run.UserId !== person.UserId)
    throw new AppError('forbidden', 403, 'Only the user who started the run may answer its questions');
  const answer = { runId: run.Id, key: Key, value: Value, userId: person.UserId };
  const result = await answerPrompt(database, answer);
  if (result === 'taken') return;
  const [code, status, message] = NOT_TAKEN[result];
  throw new AppError(code, status, message);
}

async function versionOf(
  versions: VersionCatalog,
  { ActivityId, ActivityVersion }: { ActivityId: number; ActivityVersion: number },
): Promise<ActivityVersion> {
  const version = await versions.get(ActivityId, ActivityVersion);
  if (!version) throw new Error(`activity ${ActivityId} has no version ${ActivityVersion}`);
  return version;
}
