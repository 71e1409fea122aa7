/** Runs of checklists and workflows: their status, and cancelling them. */
import { AppError } from '#server/base/app-error.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { cancelWorkflowRun } from '#server/workflows/cancel-workflow-run.ts';
import type { ReadPlan } from '#server/workflows/workflow-plans.ts';
import { readStates } from '#server/workflows/workflow-states.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { ChecklistRun, ChecklistRunInput, ChecklistStatus } from '#shared/contract/checklist-runs.ts';
import { OUTCOME_TEXT } from '#shared/contract/run-status.ts';
import { stepsAgain } from '#shared/rules/workflows/steps-again.ts';
import type { WorkflowPlan } from '#shared/rules/workflows/types.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import type { ChecklistDownloadsService } from './checklist-downloads-service.ts';
import type { ChecklistRunAccess, VisibleWorkflowRun } from '#server/access/checklist-run-access.ts';
import { seenActivities } from './chosen-activities-service.ts';
import { findLatestVersions } from './latest-versions.ts';
import { findResumed } from './checklist-runs-repository.ts';
import { readSteps } from './checklist-steps.ts';
import { plannedSteps, readEntered, ownInputs } from './entered-inputs.ts';

export interface ChecklistRunsService {
  status(person: Person, runId: number): Promise<ChecklistStatus>;
  /** Cancels everything that has not ended. Returns the message to show. */
  cancel(person: Person, runId: number): Promise<string>;
}

export interface ChecklistRunsDeps {
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

  async function newerVersions(run: VisibleWorkflowRun['run'], plan: WorkflowPlan): Promise<string[]> {
    const { steps } = await readStates(knex, run, plan.Graph);
    return (await findLatestVersions(knex, plan, stepsAgain(plan.Graph, steps, {}))).newer;
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
      const NewerVersions = CanResume ? await newerVersions(found.run, plan) : [];
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
