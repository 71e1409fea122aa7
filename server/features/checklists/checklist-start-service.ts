/** Starts checklists and workflows. All steps are validated before the first one starts. */
import { AppError, createModelState, type ModelState } from '#server/base/app-error.ts';
import { checkExpression } from '#server/calculation/expressions/check-expression.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { StartService } from '#server/features/runs/start-service.ts';
import type { Executor } from '#server/executors/executor.ts';
import { findStoredFiles } from '#server/files/stored-files.ts';
import { startWorkflowRun, type NewWorkflowRun, type NewStep } from '#server/workflows/start-workflow-run.ts';
import type { EnteredAgain } from '#server/workflows/resume-workflow-run.ts';
import type { NewRunInput } from '#server/queue/enqueue-run.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { ChecklistInputValue, ChecklistStart } from '#shared/contract/checklist-runs.ts';
import { FORM_ISSUE } from '#shared/rules/input-rules.ts';
import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import { outputUseProblem } from '#shared/rules/workflows/output-uses.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import type { ChecklistAccess, VisibleChecklist } from '#server/access/checklist-access.ts';
import { readActivityCatalogue } from './activity-catalogue.ts';
import type { ChecklistGraphs } from './checklist-graphs-service.ts';
import type { InputsOf } from './checklist-inputs-service.ts';
import { withDefaults } from './input-defaults.ts';
import {
  constantInputs,
  enteredByName,
  enteredRowsIssues,
  filledLater,
  isActivityUse,
  enteredInputs,
  ownInputs,
  sentTo,
  targetsOf,
  type PlannedStep,
} from './entered-inputs.ts';
import {
  changedInputs,
  enteredAgain,
  isNamed,
  storedFiles,
  withEarlier,
  withUnchanged,
  type ChangedStart,
} from './changed-inputs.ts';
import { requireApprovers } from './start-approvers.ts';
import { findByUniqueId } from './checklist-runs-repository.ts';

export interface ChecklistStartService {
  /** Returns the id of the run. */
  start(person: Person, body: ChecklistStart): Promise<number>;
  /** Performs everything that a start does before it stores anything. Throws the same errors. */
  prepare(person: Person, body: ChecklistStart): Promise<PreparedWorkflowStart>;
  /** Checks values that replace some of those that a run was started with. Throws the same errors as a start. */
  checkChanged(person: Person, graph: WorkflowGraph, changed: ChangedStart): Promise<EnteredAgain>;
}

/** The rows that a start stores. */
export interface PreparedWorkflowStart {
  workflowRun: NewWorkflowRun;
  steps: NewStep[];
}

export interface ChecklistStartDeps {
  database: Database;
  access: ChecklistAccess;
  graphs: ChecklistGraphs;
  inputsOf: InputsOf;
  versions: VersionCatalog;
  starts: Pick<StartService, 'check' | 'checkValues'>;
  signals: RunSignals;
  /** Calculates the defaults of inputs. */
  executor: Pick<Executor, 'calculate'>;
  timeZone: string;
}

export function createChecklistStartService(deps: ChecklistStartDeps): ChecklistStartService {
  const { database, access, graphs, signals } = deps;
  const { knex, dialect } = database;

  async function prepare(person: Person, body: ChecklistStart): Promise<PreparedWorkflowStart> {
    const visible = await access.require(knex, person, body.ChecklistId);
    requireRunnable(visible);
    const { graph, WorkflowVersion } = await graphs.toStart(person, visible, body);
    await requireApprovers(knex, [person.UserId], graph.Steps);
    if (WorkflowVersion !== null) await requireUsedOutputs(deps, person, visible, graph);
    const steps = await plannedSteps(deps, visible, graph);
    const { checked, tables } = await checkSteps(deps, person, graph, steps, body.Inputs);
    const Versions = Object.fromEntries(steps.map(({ step, version }) => [step.ActivityId, version.Version]));
    const rows = [...checked.flatMap(({ inputs }) => inputs), ...tables];
    const workflowRun = {
      ChecklistId: body.ChecklistId,
      WorkflowVersion,
      Plan: { Graph: graph, Versions },
      UserId: person.UserId,
      UniqueId: body.UniqueId ?? null,
      Inputs: JSON.stringify(enteredInputs(graph, steps, rows)),
    };
    return { workflowRun, steps: checked };
  }

  async function startNew(person: Person, body: ChecklistStart): Promise<number> {
    const { workflowRun, steps } = await prepare(person, body);
    return (await startWorkflowRun(database, signals, workflowRun, steps)).Id;
  }

  /** Returns the run that the same form has already started. */
  async function startedBefore(person: Person, { UniqueId, ChecklistId }: ChecklistStart): Promise<number | null> {
    const run = UniqueId ? await findByUniqueId(knex, person.UserId, UniqueId) : undefined;
    if (!run) return null;
    if (run.ChecklistId !== ChecklistId) {
      throw new AppError('uniqueIdTaken', 409, 'The UniqueId belongs to another start');
    }
    return run.Id;
  }

  return {
    prepare,
    checkChanged: async (person, graph, changed) =>
      enteredAgain(graph, changed, await checkSteps(deps, person, graph, changed.steps, changed.sent, changed)),
    start: async (person, body) => {
      const before = await startedBefore(person, body);
      if (before !== null) return before;
      try {
        return await startNew(person, body);
      } catch (error) {
        const started = dialect.classify(error).fault === 'unique' ? await startedBefore(person, body) : null;
        if (started === null) throw error;
        return started;
      }
    },
  };
}

/** Throws an AppError that names the activities that are inactive, or that the person may not run. */
export function requireRunnable({ activities, CanRun }: Pick<VisibleChecklist, 'activities' | 'CanRun'>): void {
  if (CanRun) return;
  const named = (which: VisibleChecklist['activities']): string => which.map(({ Name }) => `'${Name}'`).join(', ');
  const inactive = activities.filter(({ IsActive }) => !IsActive);
  if (inactive.length > 0) {
    throw new AppError(
      'activityInactive',
      409,
      `The checklist cannot be run because of activities that are not active: ${named(inactive)}`,
    );
  }
  const lacking = activities.filter((activity) => !activity.CanRun);
  throw new AppError(
    'forbidden',
    403,
    `You do not have permissions to run these activities of the checklist: ${named(lacking)}`,
  );
}

/** Throws an AppError 409 if the newest version of an activity no longer provides an output that a step needs. */
async function requireUsedOutputs(
  deps: ChecklistStartDeps,
  person: Person,
  { activities }: VisibleChecklist,
  graph: WorkflowGraph,
): Promise<void> {
  const problem = outputUseProblem(graph, await readActivityCatalogue(deps, person, activities), checkExpression);
  if (!problem) return;
  const step = graph.Steps.find(({ Key }) => Key === problem.Step);
  const text = `The workflow cannot be run, because activities have changed since it was saved. ${step?.Name}: ${problem.Message}`;
  throw new AppError('workflowOutdated', 409, text);
}

/** Plans the steps with the newest version of each activity, which applies to the whole run. */
async function plannedSteps(
  { versions }: ChecklistStartDeps,
  { activities }: VisibleChecklist,
  graph: WorkflowGraph,
): Promise<PlannedStep[]> {
  return Promise.all(
    graph.Steps.filter(isActivityUse).map(async (step) => {
      const activity = activities.find(({ Id }) => Id === step.ActivityId);
      const version = activity && (await versions.get(activity.Id, activity.Version));
      if (!version) throw new Error(`the step ${step.Key} has no activity ${step.ActivityId}`);
      return { step, version };
    }),
  );
}

/**
 * Checks the values of all steps and returns the step runs to store, and the tables that only For each steps use.
 * Throws an AppError 400 with the problems of all steps, by input name.
 */
async function checkSteps(
  deps: ChecklistStartDeps,
  person: Person,
  graph: WorkflowGraph,
  steps: readonly PlannedStep[],
  sent: readonly ChecklistInputValue[],
  changed?: ChangedStart,
): Promise<{ checked: NewStep[]; tables: NewRunInput[] }> {
  const filled = await filledIn(deps, graph, steps, enteredByName(graph, steps, sent), changed);
  const { entered } = filled;
  const allowedFiles = await ownFiles(deps, person, graph, steps, entered);
  const modelState = createModelState();
  const checked: NewStep[] = [];
  for (const planned of changed ? steps.filter((one) => changedInputs(one, changed).size > 0) : steps) {
    const { step, version } = planned;
    const later = filledLater(planned);
    const constants = constantInputs(planned);
    const sentValues = sentTo(planned, entered);
    const values = changed ? withUnchanged(planned, changed, sentValues) : sentValues;
    const start = {
      ActivityId: step.ActivityId,
      ActivityVersion: version.Version,
      AcceptOutdatedVersion: changed !== undefined,
      UniqueId: null,
      Inputs: values,
    };
    try {
      const { activity, rows } = await deps.starts.check(person, start, {
        allowedFiles: changed ? new Set([...allowedFiles, ...storedFiles(planned, changed)]) : allowedFiles,
        prepare: (inputs) => ({
          inputs: inputs
            .filter(({ Id }) => !later.has(Id))
            .map((input) => (constants.has(input.Id) ? { ...input, HasAccess: true } : input)),
          values,
        }),
      });
      const { MemoryCost, SingleRun } = activity;
      checked.push({ StepKey: step.Key, ActivityId: step.ActivityId, MemoryCost, SingleRun, inputs: rows });
    } catch (error) {
      if (!(error instanceof AppError) || !error.modelState) throw error;
      Object.assign(modelState, namedIssues(planned, error.modelState));
    }
  }
  const asked = ownInputs(graph, steps).filter(({ Name }) => !changed || isNamed(changed.names, Name));
  const tables = await deps.starts.checkValues(
    asked,
    asked.flatMap(({ Id, Name }) => (entered.get(Name) ?? []).map((value) => ({ ...value, ActivityParameterId: Id }))),
  );
  // Why there is no default says more than that a value is missing.
  Object.assign(modelState, tables.modelState, filled.modelState);
  const stored = [...checked.flatMap(({ inputs }) => inputs), ...tables.rows];
  if (Object.keys(modelState).length === 0) Object.assign(modelState, enteredRowsIssues(graph, steps, stored));
  if (Object.keys(modelState).length > 0) throw new AppError('inputsInvalid', 400, FORM_ISSUE, { modelState });
  return { checked, tables: tables.rows };
}

/**
 * Returns the sent values by workflow input, with the defaults of inputs for which nothing was entered. Inputs that stay
 * unchanged keep the values of the earlier run, also those that were defaults.
 */
async function filledIn(
  deps: ChecklistStartDeps,
  graph: WorkflowGraph,
  steps: readonly PlannedStep[],
  sent: Map<string, ChecklistInputValue[]>,
  changed: ChangedStart | undefined,
): ReturnType<typeof withDefaults> {
  if (!changed) return withDefaults(deps, graph, steps, sent);
  const isChanged = (name: string): boolean => isNamed(changed.names, name);
  const all = withEarlier(graph, changed, sent);
  const { entered, modelState } = await withDefaults(deps, graph, steps, all, isChanged);
  return { entered: new Map([...entered].filter(([name]) => isChanged(name))), modelState };
}

/** Names problems by the workflow's input names. Problems of other inputs are prefixed with the step's name. */
function namedIssues({ step }: PlannedStep, issues: ModelState): ModelState {
  return Object.fromEntries(
    Object.entries(issues).map(([name, messages]) => {
      const from = step.Inputs.find(({ Input }) => isSameInputName(Input, name))?.From;
      return [from?.Kind === 'Input' ? from.Name : `${step.Name}: ${name}`, messages];
    }),
  );
}

/**
 * Returns the files that the person uploaded for one of the inputs that take a value. All of these inputs may use them.
 */
async function ownFiles(
  { database }: ChecklistStartDeps,
  person: Person,
  graph: WorkflowGraph,
  steps: readonly PlannedStep[],
  entered: ReadonlyMap<string, readonly ChecklistInputValue[]>,
): Promise<ReadonlySet<string>> {
  const wanted = graph.Inputs.flatMap(({ Name }) => {
    const ids = (entered.get(Name) ?? []).flatMap(({ FileId }) => FileId ?? []);
    return ids.length > 0 ? [{ ids, targets: new Set(targetsOf(Name, steps)) }] : [];
  });
  if (wanted.length === 0) return new Set();
  const files = await findStoredFiles(
    database.knex,
    wanted.flatMap(({ ids }) => ids),
  );
  const own = files.filter(
    ({ FileId, Purpose, UserId, ActivityParameterId }) =>
      Purpose === 'upload' &&
      UserId === person.UserId &&
      wanted.some(({ ids, targets }) => ids.includes(FileId) && targets.has(ActivityParameterId ?? 0)),
  );
  return new Set(own.map(({ FileId }) => FileId));
}
