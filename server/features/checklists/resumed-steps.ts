/** The steps of an ended run as a new run would treat them. */
import type { MemberRow } from '#server/access/find-checklist.ts';
import type { Database } from '#server/db/database.ts';
import { listContinued } from '#server/workflows/continued-runs.ts';
import type { PlannedResume } from '#server/workflows/reused-runs.ts';
import { effectsOf } from '#server/versions/triable.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { ResumedStep } from '#shared/contract/checklist-resumes.ts';
import type { RunAgain } from '#shared/rules/workflows/steps-again.ts';
import type { WorkflowPlan, WorkflowStep } from '#shared/rules/workflows/types.ts';
import { listStartedSteps } from './checklist-runs-repository.ts';
import { isActivityUse } from './entered-inputs.ts';
import { isConfirmable } from './resume-checks.ts';

export interface StepsToResume {
  /** Id of the ended workflow run. */
  runId: number;
  what: RunAgain;
  planned: PlannedResume;
  Versions: WorkflowPlan['Versions'];
  activities: readonly MemberRow[];
}

export async function resumedSteps(
  { database: { knex }, versions }: { database: Database; versions: VersionCatalog },
  resume: StepsToResume,
): Promise<ResumedStep[]> {
  // A step may have run in an earlier run that this one continues, although it was not reached in this one.
  const runs = await listContinued(knex, resume.runId);
  const started = await listStartedSteps(
    knex,
    runs.map(({ Id }) => Id),
  );
  return Promise.all(
    resume.planned.plan.Graph.Steps.map((step) => resumedStep(versions, step, { ...resume, started })),
  );
}

async function resumedStep(
  versions: VersionCatalog,
  step: WorkflowStep,
  { what, planned, Versions, activities, started }: StepsToResume & { started: ReadonlySet<string> },
): Promise<ResumedStep> {
  const { states, again, never } = planned;
  const how = again.get(step.Key);
  const state = states.get(step.Key);
  const Message = never.get(step.Key) ?? '';
  const Will = !how ? 'Reuse' : never.has(step.Key) ? 'NotRun' : 'Run';
  const use = isActivityUse(step) ? step : null;
  const version = use && Will === 'Run' ? await versions.get(use.ActivityId, Versions[use.ActivityId]!) : undefined;
  const Effects = version ? effectsOf(version.definition) : [];
  return {
    StepKey: step.Key,
    StepName: step.Name,
    Kind: step.Kind,
    Name: activities.find(({ Id }) => Id === use?.ActivityId)?.Name ?? step.Name,
    Status: state?.Status ?? 'Cancelled',
    Will,
    Message,
    Because: how?.Because ?? null,
    Rows: how && step.Kind === 'ForEach' ? how.Rows : null,
    Effects,
    HasRun: started.has(step.Key),
    MustConfirm: Effects.length > 0 && isConfirmable(what),
  };
}
