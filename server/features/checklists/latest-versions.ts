/**
 * Determines the newest versions with which steps can run again, and checks that entered values and reused results still
 * fit the versions they run with.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { checkExpression } from '#server/calculation/expressions/check-expression.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { PlannedResume } from '#server/workflows/reused-runs.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import { isSameType } from '#shared/rules/checklist-rules.ts';
import type { WorkflowPlan } from '#shared/rules/workflows/types.ts';
import { validateGraph } from '#shared/rules/workflows/validate-graph.ts';
import type { MemberRow } from '#server/access/find-checklist.ts';
import { readActivityCatalogue } from './activity-catalogue.ts';
import { isNamed } from './changed-inputs.ts';
import type { InputsOf } from './checklist-inputs-service.ts';
import { listActivities } from './checklists-repository.ts';
import { inputNamed, isActivityUse } from './entered-inputs.ts';

export interface LatestVersionsDeps {
  inputsOf: InputsOf;
  versions: VersionCatalog;
}

export interface LatestVersions {
  /**
   * The newest version of each activity that runs again. An activity whose results are all reused keeps the version it
   * ran with.
   */
  Versions: WorkflowPlan['Versions'];
  /** All activities of the plan. */
  activities: MemberRow[];
  /** Names of the activities that have a newer version. */
  newer: string[];
}

export async function findLatestVersions(
  db: Db,
  plan: WorkflowPlan,
  again: ReadonlyMap<string, unknown>,
): Promise<LatestVersions> {
  const uses = plan.Graph.Steps.filter(isActivityUse);
  const activities = await listActivities(db, [...new Set(uses.map(({ ActivityId }) => ActivityId))]);
  const changed = activities.filter(
    ({ Id, Version }) =>
      plan.Versions[Id] !== Version && uses.some(({ Key, ActivityId }) => ActivityId === Id && again.has(Key)),
  );
  const Versions = { ...plan.Versions, ...Object.fromEntries(changed.map(({ Id, Version }) => [Id, Version])) };
  return { Versions, activities, newer: changed.map(({ Name }) => Name) };
}

export interface FitRequest {
  planned: PlannedResume;
  /** The versions that the steps run again with. */
  Versions: WorkflowPlan['Versions'];
  activities: readonly MemberRow[];
  /** Names of the inputs that get other values, which were checked for these versions. */
  changedInputs: readonly string[];
}

/** Throws an AppError 409 that names the first step that no longer fits. Costs nothing if no version differs. */
export async function requireVersionsFit(deps: LatestVersionsDeps, person: Person, fit: FitRequest): Promise<void> {
  const { planned, Versions } = fit;
  const isOther = planned.runsAgain.some(({ run }) => run.ActivityVersion !== Versions[run.ActivityId]);
  if (!isOther) return;
  const { graph, catalogue } = await asReused(deps, person, fit);
  const problem = validateGraph(graph, catalogue, undefined, checkExpression).find(
    ({ Step }) => Step === null || planned.again.has(Step),
  );
  if (problem) {
    const step = graph.Steps.find(({ Key }) => Key === problem.Step);
    throw unfit(step ? `${step.Name}: ${problem.Message}` : problem.Message);
  }
  await requireSameInputs(deps, fit);
}

const unfit = (reason: string): AppError =>
  new AppError('versionsUnfit', 409, `The run cannot be resumed with the latest versions. ${reason}`);

/**
 * Describes the graph with the versions to run with, and reused steps with the versions they ran with. One activity may
 * be both, so a reused step gets a separate id.
 */
async function asReused(
  deps: LatestVersionsDeps,
  person: Person,
  { planned: { plan, again, reusedRuns }, Versions, activities }: FitRequest,
) {
  const catalogue = await readActivityCatalogue(
    deps,
    person,
    activities.map((activity) => ({ ...activity, Version: Versions[activity.Id] ?? activity.Version })),
  );
  const ran = new Map(reusedRuns.map((run) => [run.StepKey, run.ActivityVersion]));
  const Steps = [...plan.Graph.Steps];
  for (const [index, step] of Steps.entries()) {
    if (!isActivityUse(step) || again.has(step.Key)) continue;
    const activity = activities.find(({ Id }) => Id === step.ActivityId);
    const Version = ran.get(step.Key);
    if (!activity || Version === undefined || Version === Versions[activity.Id]) continue;
    const ActivityId = -1 - index;
    Steps[index] = { ...step, ActivityId };
    for (const known of (await readActivityCatalogue(deps, person, [{ ...activity, Version }])).values())
      catalogue.set(ActivityId, known);
  }
  return { graph: { ...plan.Graph, Steps }, catalogue };
}

/** The entered values were validated for the old versions, so an input of another type could misinterpret them. */
async function requireSameInputs(
  { versions }: LatestVersionsDeps,
  { planned: { plan, runsAgain }, Versions, changedInputs }: FitRequest,
): Promise<void> {
  const ran = new Map(runsAgain.map(({ run }) => [run.StepKey, run.ActivityVersion]));
  for (const { Key, Name, ActivityId, Inputs } of plan.Graph.Steps.filter(isActivityUse)) {
    const version = ran.get(Key);
    if (version === undefined || version === Versions[ActivityId]) continue;
    const before = await versions.get(ActivityId, version);
    const now = await versions.get(ActivityId, Versions[ActivityId]!);
    if (!before || !now) throw unfit(`${Name}: its version no longer exists`);
    for (const { Input, From } of Inputs) {
      const [old, latest] = [inputNamed(before, Input), inputNamed(now, Input)];
      const isCopied = From.Kind === 'Constant' || (From.Kind === 'Input' && !isNamed(changedInputs, From.Name));
      if (!isCopied || !latest) continue;
      if (!old)
        throw unfit(`${Name}: nothing was entered for the input '${Input}', because it did not exist at the start`);
      // A constant was checked for the latest version already.
      if (From.Kind === 'Input' && !isSameType(old.Info, latest.Info)) {
        throw unfit(
          `${Name}: the input '${Input}' has a different type now, so it cannot use the value that was entered`,
        );
      }
    }
  }
}
