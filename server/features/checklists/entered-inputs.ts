/** Values entered for a checklist or workflow, and their distribution to its steps. */
import { AppError, createModelState, type ModelState } from '#server/base/app-error.ts';
import type { NewRunInput } from '#server/queue/enqueue-run.ts';
import { nameKey, type ActivityVersion, type VersionCatalog } from '#server/versions/version-catalog.ts';
import type { ChecklistInputValue } from '#shared/contract/checklist-runs.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import { INTEGER_MAX } from '#shared/contract/endpoint.ts';
import { forEachRows } from '#shared/rules/workflows/for-each-rows.ts';
import { declaredInfo } from '#shared/rules/workflows/declared-input.ts';
import { rowTakersOf, tableOfRows } from '#shared/rules/workflows/graph-sources.ts';
import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import type { ActivityStep, WorkflowGraph, WorkflowPlan, ForEachStep } from '#shared/rules/workflows/types.ts';
import { openInput } from '#shared/rules/open-input.ts';

export type ActivityUse = ActivityStep | ForEachStep;

/** A step that runs an activity, with the version it is started with. */
export interface PlannedStep {
  step: ActivityUse;
  version: ActivityVersion;
}

export const isActivityUse = (step: WorkflowGraph['Steps'][number]): step is ActivityUse =>
  step.Kind === 'Activity' || step.Kind === 'ForEach';

/**
 * Returns the steps of a plan that run activities, with the versions that the plan pins. It omits steps whose activity
 * no longer exists.
 */
export async function plannedSteps(
  versions: VersionCatalog,
  { Graph, Versions }: WorkflowPlan,
): Promise<PlannedStep[]> {
  const steps = Graph.Steps.filter(isActivityUse).map(async (step) => {
    const version = await versions.get(step.ActivityId, Versions[step.ActivityId]!);
    return version ? [{ step, version }] : [];
  });
  return (await Promise.all(steps)).flat();
}

/** Returns the activity input with the given name in a graph. */
export const inputNamed = (version: ActivityVersion, name: string) =>
  version.inputs.find((input) => nameKey(input.Name) === nameKey(name));

/** Returns the activity inputs that take the value of a workflow input, in the order of the steps. */
export function targetsOf(name: string, steps: readonly PlannedStep[]): number[] {
  return steps.flatMap(({ step, version }) =>
    step.Inputs.flatMap(({ Input, From }) => {
      const input = inputNamed(version, Input);
      return From.Kind === 'Input' && isSameInputName(From.Name, name) && input ? [input.Id] : [];
    }),
  );
}

/** Higher than any id that the database assigns. */
const OWN_INPUT_IDS = INTEGER_MAX;

/**
 * Returns the workflow input that is not an input of any activity: a table whose rows are used only by For each steps,
 * or an input of a declared type. Null if the graph has no such input of this name.
 */
export function ownInput(
  graph: WorkflowGraph,
  name: string,
  inputsOf: (activityId: number) => readonly Pick<Input, 'Name' | 'Info'>[],
): Input | null {
  const Info = tableOfRows(graph, name, inputsOf) ?? declaredInfo(graph, name);
  const step = rowTakersOf(graph, name)[0] ?? graph.Steps.find(isActivityUse);
  const at = graph.Inputs.findIndex(({ Name }) => isSameInputName(Name, name));
  if (!Info || at === -1) return null;
  const ActivityId = step?.ActivityId ?? 1;
  return openInput({ Id: OWN_INPUT_IDS - at, ActivityId, Name: graph.Inputs[at]!.Name, Info });
}

/** Returns all such inputs of a workflow. */
export function ownInputs(graph: WorkflowGraph, steps: readonly PlannedStep[]): Input[] {
  const inputsOf = (id: number) => steps.find(({ step }) => step.ActivityId === id)?.version.inputs ?? [];
  return graph.Inputs.flatMap(({ Name }) =>
    targetsOf(Name, steps).length > 0 ? [] : (ownInput(graph, Name, inputsOf) ?? []),
  );
}

/** Returns the sent values by workflow input. Throws an AppError 400 if a value belongs to no input. */
export function enteredByName(
  graph: WorkflowGraph,
  steps: readonly PlannedStep[],
  sent: readonly ChecklistInputValue[],
): Map<string, ChecklistInputValue[]> {
  const entered = new Map<string, ChecklistInputValue[]>(graph.Inputs.map(({ Name }) => [Name, []]));
  const targets = graph.Inputs.map(({ Name }) => ({ Name, ids: new Set(targetsOf(Name, steps)) }));
  for (const value of sent) {
    const { ChecklistInputName, ActivityParameterId } = value;
    const found = targets.find(({ Name, ids }) =>
      ChecklistInputName
        ? isSameInputName(Name, ChecklistInputName)
        : ActivityParameterId !== undefined && ActivityParameterId !== null && ids.has(ActivityParameterId),
    );
    if (!found) throw unknownInput();
    entered.get(found.Name)!.push(value);
  }
  return entered;
}

function unknownInput(): AppError {
  const text = 'There is a value for an input that does not exist';
  return new AppError('inputsInvalid', 400, text, { modelState: { '': [text] } });
}

/**
 * Returns the entered values and the constants for a step. A value applies to all inputs of its name. If the caller sent
 * separate values for several of these inputs, each input takes its own.
 */
export function sentTo(
  { step, version }: PlannedStep,
  entered: ReadonlyMap<string, ChecklistInputValue[]>,
): RunInputValue[] {
  return step.Inputs.flatMap(({ Input, From }) => {
    const input = inputNamed(version, Input);
    if (From.Kind === 'Constant' && input)
      return [{ ActivityParameterId: input.Id, Value: JSON.stringify(From.Value), UseDefault: false }];
    if (From.Kind !== 'Input' || !input) return [];
    const [, values = []] = [...entered].find(([name]) => isSameInputName(name, From.Name)) ?? [];
    const own = values.filter(({ ActivityParameterId }) => ActivityParameterId === input.Id);
    const firsts = values.filter(({ ActivityParameterId }) => ActivityParameterId === values[0]?.ActivityParameterId);
    return (own.length > 0 ? own : firsts).map(({ ChecklistInputName: _name, ...value }) => ({
      ...value,
      ActivityParameterId: input.Id,
    }));
  });
}

/**
 * Returns the inputs of a step that are filled in only when it starts: from outputs of earlier steps, from expressions,
 * or from the columns of a row.
 */
export function filledLater({ step, version }: PlannedStep): ReadonlySet<number> {
  return new Set(
    step.Inputs.flatMap(({ Input, From }) =>
      From.Kind === 'Input' || From.Kind === 'Constant' ? [] : (inputNamed(version, Input)?.Id ?? []),
    ),
  );
}

/** Returns the inputs of a step that take constants. They do so even if the person may not change them. */
export const constantInputs = ({ step, version }: PlannedStep): ReadonlySet<number> =>
  new Set(
    step.Inputs.flatMap(({ Input, From }) => (From.Kind === 'Constant' ? (inputNamed(version, Input)?.Id ?? []) : [])),
  );

/**
 * Returns the problems of tables whose rows For each steps use, by input name. They are reported before the first step
 * begins.
 */
export function enteredRowsIssues(
  graph: WorkflowGraph,
  steps: readonly PlannedStep[],
  rows: readonly NewRunInput[],
): ModelState {
  const tables = ownInputs(graph, steps);
  const issues = createModelState();
  for (const { step } of steps) {
    if (step.Kind !== 'ForEach' || step.Rows.Kind !== 'Input') continue;
    const { Name } = step.Rows;
    const [taker] = targetsOf(Name, steps);
    const asked =
      tables.find((table) => isSameInputName(table.Name, Name)) ??
      steps.flatMap(({ version }) => version.inputs).find(({ Id }) => Id === taker);
    const json = rows.find(({ ActivityParameterId }) => ActivityParameterId === asked?.Id)?.Value;
    if (!asked || json === undefined || json === null) continue;
    const found = forEachRows(step, asked.Info, json);
    if ('issue' in found) issues[asked.Name] = [`${step.Name}: ${found.issue}`];
  }
  return issues;
}

/** An entered value, as stored with a checklist run. */
export type EnteredInput = NewRunInput & { ChecklistInputName: string };

/**
 * Returns the entered values to store with the run, by input name. Each value is stored as the first input of that name
 * takes it.
 */
export function enteredInputs(
  graph: WorkflowGraph,
  steps: readonly PlannedStep[],
  rows: readonly NewRunInput[],
): EnteredInput[] {
  const tables = ownInputs(graph, steps);
  const byInput = Map.groupBy(rows, ({ ActivityParameterId }) => ActivityParameterId);
  return graph.Inputs.flatMap(({ Name }) => {
    const first = targetsOf(Name, steps)[0] ?? tables.find((table) => isSameInputName(table.Name, Name))?.Id;
    const stored = first === undefined ? [] : (byInput.get(first) ?? []);
    const seen = new Set<number>();
    // Several steps may use the same input.
    return stored.flatMap((row) => {
      if (seen.has(row.ArrayIndex)) return [];
      seen.add(row.ArrayIndex);
      return [{ ...row, ChecklistInputName: Name }];
    });
  });
}

export const readEntered = (json: string): EnteredInput[] => JSON.parse(json) as EnteredInput[];
