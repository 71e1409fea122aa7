/** Runs of checklists and workflows: their status, cancelling, resuming and retrying. */
import { AppError } from '#server/base/app-error.ts';
import type { Static } from 'typebox';
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { cancelWorkflowRun } from '#server/workflows/cancel-workflow-run.ts';
import type { ReadPlan } from '#server/workflows/workflow-plans.ts';
import { resumeWorkflowRun, type ResumedBy } from '#server/workflows/resume-workflow-run.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type {
  ChecklistRun,
  ChecklistRunInput,
  ChecklistStatus,
  resumeChecklistRun,
} from '#shared/contract/checklist-runs.ts';
import { OUTCOME_TEXT } from '#shared/contract/run-status.ts';
import type { StepAgain } from '#shared/rules/workflows/reused-steps.ts';
import type { WorkflowPlan } from '#shared/rules/workflows/types.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import type { ChecklistDownloadsService } from './checklist-downloads-service.ts';
import type { ChecklistRunAccess, VisibleWorkflowRun } from '#server/access/checklist-run-access.ts';
import { seenActivities } from './chosen-activities-service.ts';
import { findLatestVersions, requireLatestFits, type LatestVersionsDeps } from './latest-versions.ts';
import { findByUniqueId, findResumed } from './checklist-runs-repository.ts';
import { readSteps } from './checklist-steps.ts';
import { plannedSteps, readEntered, ownInputs } from './entered-inputs.ts';

export interface ChecklistRunsService {
  status(person: Person, runId: number): Promise<ChecklistStatus>;
  /** Cancels everything that has not ended. Returns the message to show. */
  cancel(person: Person, runId: number): Promise<string>;
  /** Runs again what did not succeed, and reuses what did. Returns the id of the new run. */
  resume(person: Person, runId: number, how: ResumeBody): Promise<number>;
  /** Runs one step again, and reuses everything else. Returns the id of the new run. */
  retry(person: Person, runId: number, only: StepAgain, UniqueId: string | null): Promise<number>;
}

type ResumeBody = Static<typeof resumeChecklistRun.parts.body>;

export interface ChecklistRunsDeps extends LatestVersionsDeps {
  database: Database;
  access: ChecklistAccess;
  runAccess: ChecklistRunAccess;
  versions: VersionCatalog;
  readPlan: ReadPlan;
  signals: RunSignals;
  downloads: Pick<ChecklistDownloadsService, 'hasFiles'>;
}

export function createChecklistRunsService(deps: ChecklistRunsDeps): ChecklistRunsService {
  const { database, access, runAccess, readPlan, signals, downloads } = deps;
  const { knex } = database;

  /** Returns the run that an earlier identical call created. */
  async function resumedBefore(runId: number, { UserId, UniqueId }: ResumedBy): Promise<number | null> {
    const run = UniqueId === null ? undefined : await findByUniqueId(knex, UserId, UniqueId);
    if (!run) return null;
    if (run.ResumeOf !== runId) throw new AppError('uniqueIdTaken', 409, 'The UniqueId belongs to another start');
    return run.Id;
  }

  /** Ensures that calls with the same UniqueId create only one run; all of them return its id. */
  async function resumeOnce(runId: number, by: ResumedBy): Promise<number> {
    try {
      return (await resumedBefore(runId, by)) ?? (await resumeWorkflowRun(database, signals, runId, by)).Id;
    } catch (error) {
      const existing = await resumedBefore(runId, by);
      if (existing === null) throw error;
      return existing;
    }
  }

  return {
    status: async (person, runId) => {
      const found = await runAccess.require(person, runId);
      const plan = await readPlan(knex, found.run.PlanId);
      const { steps, message } = await readSteps(database, access, person, found.run, plan);
      const Inputs = await runInputs(deps, person, found, plan);
      // A download of all files is offered only after the run has ended.
      const HasFiles = found.run.EndTime !== null && (await downloads.hasFiles(person, runId));
      const ResumedBy = await findResumed(knex, runId);
      // A run that a schedule could not start has no steps to resume.
      const CanResume = found.CanResume && steps.length > 0 && ResumedBy === null;
      const NewerVersions = CanResume ? (await findLatestVersions(deps, found.run)).newer : [];
      const more = { Inputs, HasFiles, ResumedBy, NewerVersions };
      return { Checklist: workflowRunView({ ...found, CanResume }, more), ActivityRuns: steps, message };
    },
    cancel: async (person, runId) => {
      const { run, CanCancel } = await runAccess.require(person, runId);
      if (!CanCancel && run.EndTime === null) {
        throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      }
      const result = run.EndTime === null ? await cancelWorkflowRun(database, signals, runId) : 'ended';
      if (result === 'ended' && run.Status !== 'Cancelled') {
        throw new AppError('runEnded', 409, 'The run has already ended');
      }
      return OUTCOME_TEXT.Cancelled ?? '';
    },
    retry: async (person, runId, only, UniqueId) => {
      const { visible } = await runAccess.require(person, runId);
      if (!visible.CanRun) throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      return resumeOnce(runId, { UserId: person.UserId, UniqueId, only });
    },
    resume: async (person, runId, how) => {
      const { run, visible, CanResume } = await runAccess.require(person, runId);
      if (run.EndTime === null) throw new AppError('runPending', 409, 'The run has not ended yet');
      if (!visible.CanRun) throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      if (!CanResume) {
        throw new AppError('runSucceeded', 409, 'The run succeeded, so it cannot be resumed');
      }
      const Versions = how?.LatestVersions === true ? await requireLatestFits(deps, person, run) : undefined;
      const by = { UserId: person.UserId, UniqueId: how?.UniqueId ?? null, ...(Versions ? { Versions } : {}) };
      return resumeOnce(runId, by);
    },
  };
}

function workflowRunView(
  { run, visible, CanCancel, CanPurge, CanResume }: VisibleWorkflowRun,
  more: Pick<ChecklistRun, 'Inputs' | 'HasFiles' | 'ResumedBy' | 'NewerVersions'>,
): ChecklistRun {
  const { Id, Name, Description, Schema } = visible.checklist;
  const IsWorkflow = run.WorkflowVersion !== null;
  return {
    Id,
    Name,
    Description,
    Schema,
    IsWorkflow,
    WorkflowId: IsWorkflow ? Id : null,
    WorkflowVersion: run.WorkflowVersion,
    RunId: run.Id,
    Status: run.Status,
    QueueTime: run.QueueTime.toISOString(),
    EndTime: run.EndTime?.toISOString() ?? null,
    UserFullName: fullName(run),
    ResumeOf: run.ResumeOf,
    ...more,
    CanEdit: visible.CanEdit,
    CanRun: visible.CanRun,
    CanCancel,
    CanPurge,
    CanResume,
  };
}

/**
 * Returns the values entered for activities that the person may see, with the input definitions of the run's versions.
 */
async function runInputs(
  { database, access, versions }: ChecklistRunsDeps,
  person: Person,
  { run, visible }: VisibleWorkflowRun,
  plan: WorkflowPlan,
): Promise<ChecklistRunInput[]> {
  const entered = readEntered(run.Inputs);
  if (entered.length === 0) return [];
  const steps = await plannedSteps(versions, plan);
  const ids = steps.map(({ step }) => step.ActivityId);
  const seen = await seenActivities(database.knex, access, person, visible, ids);
  const own = steps.filter(({ step }) => seen.has(step.ActivityId));
  const inputs = [...own.flatMap(({ version }) => version.inputs), ...ownInputs(plan.Graph, own)];
  const infos = new Map(inputs.map((input) => [input.Id, input]));
  return entered.flatMap(({ Rows: _rows, ...value }) => {
    const input = infos.get(value.ActivityParameterId);
    return input ? [{ ...value, ActivityRunId: run.Id, Name: input.Name, ParameterInfo: input.Info }] : [];
  });
}
