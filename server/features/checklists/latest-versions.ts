/**
 * Determines the newest versions with which a run can be resumed, and checks that its entered values and reused results
 * still fit them.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { checkExpression } from '#server/calculation/expressions/check-expression.ts';
import type { ReadPlan } from '#server/workflows/workflow-plans.ts';
import { readStates } from '#server/workflows/workflow-states.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import { isSameType } from '#shared/rules/checklist-rules.ts';
import { reusedSteps } from '#shared/rules/workflows/reused-steps.ts';
import type { WorkflowPlan } from '#shared/rules/workflows/types.ts';
import { validateGraph } from '#shared/rules/workflows/validate-graph.ts';
import { readActivityCatalogue } from './activity-catalogue.ts';
import type { InputsOf } from './checklist-inputs-service.ts';
import type { NamedWorkflowRunRow } from '#server/access/find-workflow-run.ts';
import type { MemberRow } from '#server/access/find-checklist.ts';
import { listActivities } from './checklists-repository.ts';
import { inputNamed, isActivityUse, type ActivityUse } from './entered-inputs.ts';

export interface LatestVersionsDeps {
  database: Database;
  inputsOf: InputsOf;
  versions: VersionCatalog;
  readPlan: ReadPlan;
}

export interface LatestVersions {
  plan: WorkflowPlan;
  /**
   * The newest version of each activity that runs again. An activity whose results are all reused keeps the version it
   * ran with.
   */
  Versions: WorkflowPlan['Versions'];
  /** Steps that run again. */
  again: ActivityUse[];
  activities: MemberRow[];
  /** Names of the activities that have a newer version. */
  newer: string[];
}

export async function findLatestVersions(
  { database: { knex }, readPlan }: Pick<LatestVersionsDeps, 'database' | 'readPlan'>,
  run: NamedWorkflowRunRow,
): Promise<LatestVersions> {
  const plan = await readPlan(knex, run.PlanId);
  const uses = plan.Graph.Steps.filter(isActivityUse);
  const { steps } = await readStates(knex, run, plan.Graph);
  const reused = reusedSteps(plan.Graph, steps);
  const again = uses.filter(({ Key }) => !reused.has(Key));
  const activities = await listActivities(knex, [...new Set(uses.map(({ ActivityId }) => ActivityId))]);
  const changed = activities.filter(
    ({ Id, Version }) => plan.Versions[Id] !== Version && again.some(({ ActivityId }) => ActivityId === Id),
  );
  const Versions = { ...plan.Versions, ...Object.fromEntries(changed.map(({ Id, Version }) => [Id, Version])) };
  return { plan, Versions, again, activities, newer: changed.map(({ Name }) => Name) };
}

/** Returns the versions to resume with. Throws an AppError 409 that names the first step that no longer fits. */
export async function requireLatestFits(
  deps: LatestVersionsDeps,
  person: Person,
  run: NamedWorkflowRunRow,
): Promise<WorkflowPlan['Versions']> {
  const latest = await findLatestVersions(deps, run);
  const { plan, Versions } = latest;
  const [problem] = validateGraph(plan.Graph, await catalogueOf(deps, person, latest), undefined, checkExpression);
  if (problem) {
    const step = plan.Graph.Steps.find(({ Key }) => Key === problem.Step);
    throw unfit(step ? `${step.Name}: ${problem.Message}` : problem.Message);
  }
  await requireSameInputs(deps, latest);
  return Versions;
}

const unfit = (reason: string): AppError =>
  new AppError('versionsUnfit', 409, `The run cannot be resumed with the latest versions. ${reason}`);

/** Describes the activities in the versions to resume with. */
const catalogueOf = (deps: LatestVersionsDeps, person: Person, { activities, Versions }: LatestVersions) =>
  readActivityCatalogue(
    deps,
    person,
    activities.map((activity) => ({ ...activity, Version: Versions[activity.Id] ?? activity.Version })),
  );

/** The entered values were validated for the old versions, so an input of another type could misinterpret them. */
async function requireSameInputs(
  { versions }: LatestVersionsDeps,
  { plan, Versions, again }: LatestVersions,
): Promise<void> {
  for (const { Name, ActivityId, Inputs } of again) {
    const before = await versions.get(ActivityId, plan.Versions[ActivityId]!);
    const now = await versions.get(ActivityId, Versions[ActivityId]!);
    if (!before || !now) throw unfit(`${Name}: its version no longer exists`);
    for (const { Input, From } of Inputs) {
      const [old, latest] = [inputNamed(before, Input), inputNamed(now, Input)];
      if (From.Kind !== 'Input' || !latest) continue;
      if (!old)
        throw unfit(`${Name}: nothing was entered for the input '${Input}', because it did not exist at the start`);
      if (!isSameType(old.Info, latest.Info)) {
        throw unfit(
          `${Name}: the input '${Input}' has a different type now, so it cannot use the value that was entered`,
        );
      }
    }
  }
}
