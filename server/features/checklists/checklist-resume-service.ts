/**
 * Continues ended runs of checklists and workflows in new ones: says beforehand what would run again, and refuses what
 * cannot work before anything is stored.
 */
import type { Static } from 'typebox';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { ChecklistRunAccess, VisibleWorkflowRun } from '#server/access/checklist-run-access.ts';
import type { Database } from '#server/db/database.ts';
import { planResume, type PlannedResume } from '#server/workflows/reused-runs.ts';
import { resumeWorkflowRun, type EnteredAgain, type ResumedBy } from '#server/workflows/resume-workflow-run.ts';
import { readStoredInputsOf } from '#server/workflows/step-values.ts';
import { readPlan } from '#server/workflows/workflow-plans.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { nameKey } from '#server/versions/version-catalog.ts';
import type { planChecklistResume, ResumePlan, resumeChecklistRun } from '#shared/contract/checklist-resumes.ts';
import type { ChecklistInputValue } from '#shared/contract/checklist-runs.ts';
import type { AgainFrom, RunAgain } from '#shared/rules/workflows/steps-again.ts';
import type { WorkflowPlan } from '#shared/rules/workflows/types.ts';
import { isNamed } from './changed-inputs.ts';
import { findByUniqueId } from './checklist-runs-repository.ts';
import type { ChecklistStartService } from './checklist-start-service.ts';
import { seenActivities } from './chosen-activities-service.ts';
import { enteredByName, plannedSteps } from './entered-inputs.ts';
import { workflowInputs } from './checklist-views.ts';
import { findLatestVersions, type LatestVersions } from './latest-versions.ts';
import { isConfirmable, requireReady, type ResumeChecksDeps } from './resume-checks.ts';
import { resumedSteps } from './resumed-steps.ts';

export interface ChecklistResumeService {
  /** Returns what the new run would run again, and why it may be impossible. */
  plan(person: Person, runId: number, how: PlanBody): Promise<ResumePlan>;
  /** Returns the id of the new run. */
  resume(person: Person, runId: number, how: ResumeBody): Promise<number>;
}

type PlanBody = Static<typeof planChecklistResume.parts.body>;
type ResumeBody = Static<typeof resumeChecklistRun.parts.body>;

export interface ChecklistResumeDeps extends ResumeChecksDeps {
  database: Database;
  runAccess: ChecklistRunAccess;
  starts: Pick<ChecklistStartService, 'checkChanged'>;
  signals: RunSignals;
}

/** A run to continue, with what would happen. */
interface Opened {
  found: VisibleWorkflowRun;
  what: RunAgain;
  planned: PlannedResume;
  /** The versions that steps run again with, and the newest ones. */
  Versions: WorkflowPlan['Versions'];
  latest: LatestVersions;
}

export function createChecklistResumeService(deps: ChecklistResumeDeps): ChecklistResumeService {
  const { database, runAccess, signals } = deps;
  const { knex } = database;

  async function open(found: VisibleWorkflowRun, what: RunAgain, isLatest: boolean): Promise<Opened> {
    const planned = await planResume(knex, found.run, what);
    const latest = await findLatestVersions(knex, planned.plan, planned.again);
    return { found, what, planned, latest, Versions: isLatest ? latest.Versions : planned.plan.Versions };
  }

  /** Returns the run that an earlier identical call created. */
  async function resumedBefore(runId: number, UserId: number, UniqueId: string | null): Promise<number | null> {
    const run = UniqueId === null ? undefined : await findByUniqueId(knex, UserId, UniqueId);
    if (!run) return null;
    if (run.ResumeOf !== runId) throw new AppError('uniqueIdTaken', 409, 'The UniqueId belongs to another start');
    return run.Id;
  }

  async function resumeNew(person: Person, found: VisibleWorkflowRun, how: ResumeBody): Promise<number> {
    const { Inputs = [], Confirmed = [], LatestVersions = false, UniqueId = null } = how ?? {};
    const names = await changedNames(deps, found, Inputs);
    const opened = await open(found, asked(how?.From, names), LatestVersions);
    const entered = Inputs.length === 0 ? undefined : await checkInputs(deps, person, opened, Inputs);
    await requireReady(deps, person, { ...opened, changed: entered?.rows });
    const confirmed = await requireConfirmed(deps, opened, Confirmed);
    const by: ResumedBy = { ...opened.what, UserId: person.UserId, UniqueId, confirmed };
    if (LatestVersions) by.Versions = opened.Versions;
    if (entered) by.entered = entered;
    return (await resumeWorkflowRun(database, signals, found.run.Id, by)).Id;
  }

  return {
    plan: async (person, runId, { From, ChangedInputs = [], LatestVersions = false }) => {
      const found = await requireRunnableRun(runAccess, person, runId);
      const names = knownNames((await readPlan(knex, found.run.PlanId)).Graph, ChangedInputs);
      const opened = await open(found, asked(From, names), LatestVersions);
      return planView(deps, person, opened);
    },
    resume: async (person, runId, how) => {
      const found = await requireRunnableRun(runAccess, person, runId);
      const UniqueId = how?.UniqueId ?? null;
      // Calls with the same UniqueId create only one run, and all of them return its id.
      const before = await resumedBefore(runId, person.UserId, UniqueId);
      if (before !== null) return before;
      try {
        return await resumeNew(person, found, how);
      } catch (error) {
        const existing = await resumedBefore(runId, person.UserId, UniqueId);
        if (existing === null) throw error;
        return existing;
      }
    },
  };
}

async function requireRunnableRun(
  runAccess: ChecklistRunAccess,
  person: Person,
  runId: number,
): Promise<VisibleWorkflowRun> {
  const found = await runAccess.require(person, runId);
  if (!found.visible.CanRun) throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
  return found;
}

const asked = (From: AgainFrom | null | undefined, ChangedInputs: readonly string[]): RunAgain => ({
  ...(From ? { From } : {}),
  ...(ChangedInputs.length > 0 ? { ChangedInputs } : {}),
});

/** Returns the names as the workflow spells them. Throws an AppError 400 if it has no such input. */
function knownNames({ Inputs }: WorkflowPlan['Graph'], names: readonly string[]): string[] {
  if (names.some((name) => !Inputs.some(({ Name }) => nameKey(Name) === nameKey(name))))
    throw new AppError('inputsInvalid', 400, 'There is a value for an input that does not exist');
  return Inputs.flatMap(({ Name }) => (isNamed(names, Name) ? [Name] : []));
}

async function changedNames(
  { database: { knex }, versions }: ChecklistResumeDeps,
  { run }: VisibleWorkflowRun,
  sent: readonly ChecklistInputValue[],
): Promise<string[]> {
  if (sent.length === 0) return [];
  const plan = await readPlan(knex, run.PlanId);
  const entered = enteredByName(plan.Graph, await plannedSteps(versions, plan), sent);
  return [...entered].flatMap(([name, values]) => (values.length > 0 ? [name] : []));
}

/** Checks the new values as a start would, in the versions that the steps run again with. */
async function checkInputs(
  { database: { knex }, versions, starts }: ChecklistResumeDeps,
  person: Person,
  { found, what, planned: { plan, runsAgain }, Versions }: Opened,
  sent: readonly ChecklistInputValue[],
): Promise<EnteredAgain> {
  const steps = await plannedSteps(versions, { ...plan, Versions });
  const runs = new Map(runsAgain.map(({ run }) => [run.StepKey, run.Id]));
  const rows = await readStoredInputsOf(knex, [...runs.values()]);
  const stored = new Map([...runs].map(([key, id]) => [key, rows.get(id) ?? []]));
  const changed = { steps, sent, names: what.ChangedInputs ?? [], Inputs: found.run.Inputs, stored };
  return starts.checkChanged(person, plan.Graph, changed);
}

/** Returns the keys of the steps whose effects were confirmed. Throws an AppError 409 that names those that were not. */
async function requireConfirmed(
  deps: ChecklistResumeDeps,
  { found, what, planned, Versions, latest: { activities } }: Opened,
  confirmed: readonly string[],
): Promise<string[]> {
  if (!isConfirmable(what)) return [];
  const steps = await resumedSteps(deps, { runId: found.run.Id, what, planned, Versions, activities });
  const effective = steps.filter(({ MustConfirm }) => MustConfirm);
  const missing = effective.filter(({ StepKey }) => !confirmed.includes(StepKey));
  if (missing.length > 0) {
    const names = missing.map(({ StepName }) => `"${StepName}"`).join(', ');
    const text = `Confirm that these steps may change something outside the portal: ${names}`;
    throw new AppError('effectsUnconfirmed', 409, text);
  }
  return effective.map(({ StepKey }) => StepKey);
}

async function planView(deps: ChecklistResumeDeps, person: Person, opened: Opened): Promise<ResumePlan> {
  const { database, access, inputsOf } = deps;
  const { found, what, planned, Versions, latest } = opened;
  const { activities, newer: NewerVersions } = latest;
  const ids = activities.map(({ Id }) => Id);
  const seen = await seenActivities(database.knex, access, person, found.visible, ids);
  const own = await inputsOf(
    person,
    activities
      .filter(({ Id }) => seen.has(Id))
      .map((activity) => ({ ...activity, Version: Versions[activity.Id] ?? activity.Version })),
  );
  return {
    Steps: await resumedSteps(deps, { runId: found.run.Id, what, planned, Versions, activities }),
    Inputs: workflowInputs(found.run.ChecklistId, own, planned.plan.Graph),
    Problem: await problemOf(requireReady(deps, person, opened)),
    NewerVersions,
  };
}

async function problemOf(check: Promise<void>): Promise<string | null> {
  try {
    await check;
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
