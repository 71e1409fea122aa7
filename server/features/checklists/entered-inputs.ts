/** What is entered for the inputs of a checklist or workflow, and what its steps take of it. */
import { AppError, type ModelState } from '#server/base/app-error.ts';
import type { NewRunInput } from '#server/jobs/queue/enqueue-run.ts';
import { nameKey, type ActivityVersion, type VersionCatalog } from '#server/versions/version-catalog.ts';
import type { ChecklistInputValue } from '#shared/contract/checklist-runs.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import { INTEGER_MAX } from '#shared/contract/endpoint.ts';
import { forEachRows } from '#shared/rules/chains/for-each-rows.ts';
import { rowTakersOf, tableOfRows } from '#shared/rules/chains/graph-sources.ts';
import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import type { ActivityStep, ChainGraph, ChainPlan, ForEachStep } from '#shared/rules/chains/types.ts';

export type ActivityUse = ActivityStep | ForEachStep;

/** A step that runs an activity, with the version that it is started with. */
export interface PlannedStep {
  step: ActivityUse;
  version: ActivityVersion;
}

export const isActivityUse = (step: ChainGraph['Steps'][number]): step is ActivityUse =>
  step.Kind === 'Activity' || step.Kind === 'ForEach';

/** The steps of a plan that run activities, with the versions that it pins; without those whose activity is gone. */
export async function plannedSteps(versions: VersionCatalog, { Graph, Versions }: ChainPlan): Promise<PlannedStep[]> {
  const steps = Graph.Steps.filter(isActivityUse).map(async (step) => {
    const version = await versions.get(step.ActivityId, Versions[step.ActivityId]!);
    return version ? [{ step, version }] : [];
  });
  return (await Promise.all(steps)).flat();
}

/** The input of an activity by its name in a graph. */
export const inputNamed = (version: ActivityVersion, name: string) =>
  version.inputs.find((input) => nameKey(input.Name) === nameKey(name));

/** The inputs of activities that take the value of an input of the chain, those of the first step first. */
export function targetsOf(name: string, steps: readonly PlannedStep[]): number[] {
  return steps.flatMap(({ step, version }) =>
    step.Inputs.flatMap(({ Input, From }) => {
      const input = inputNamed(version, Input);
      return From.Kind === 'Input' && isSameInputName(From.Name, name) && input ? [input.Id] : [];
    }),
  );
}

/** Above all ids that the database gives. */
const ROWS_INPUT_IDS = INTEGER_MAX;

/** The input that asks for a table of whose rows alone For each steps make use: no activity has it. Null where there is none of the name. */
export function rowsInput(
  graph: ChainGraph,
  name: string,
  inputsOf: (activityId: number) => readonly Pick<Input, 'Name' | 'Info'>[],
): Input | null {
  const Info = tableOfRows(graph, name, inputsOf);
  const [step] = rowTakersOf(graph, name);
  const at = graph.Inputs.findIndex(({ Name }) => isSameInputName(Name, name));
  if (!Info || !step || at === -1) return null;
  return {
    Id: ROWS_INPUT_IDS - at,
    ActivityId: step.ActivityId,
    Name: graph.Inputs[at]!.Name,
    Description: '',
    HasAccess: true,
    PresetValue: null,
    PresetValueError: null,
    Info,
  };
}

/** All of these that a chain asks for. */
export function rowsInputs(graph: ChainGraph, steps: readonly PlannedStep[]): Input[] {
  const inputsOf = (id: number) => steps.find(({ step }) => step.ActivityId === id)?.version.inputs ?? [];
  return graph.Inputs.flatMap(({ Name }) =>
    targetsOf(Name, steps).length > 0 ? [] : (rowsInput(graph, Name, inputsOf) ?? []),
  );
}

/** What was sent for each input of the chain, by its name; throws an AppError 400 where something belongs to none. */
export function enteredByName(
  graph: ChainGraph,
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
 * What a step is sent of it. A value counts for all inputs of its name; where values of several of these were sent, each takes its own.
 */
export function sentTo(
  { step, version }: PlannedStep,
  entered: ReadonlyMap<string, ChecklistInputValue[]>,
): RunInputValue[] {
  return step.Inputs.flatMap(({ Input, From }) => {
    const input = inputNamed(version, Input);
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

/** The inputs of a step that are not there before it begins: what outputs of earlier steps, or the columns of a row, give. */
export function filledLater({ step, version }: PlannedStep): ReadonlySet<number> {
  return new Set(
    step.Inputs.flatMap(({ Input, From }) => (From.Kind === 'Input' ? [] : (inputNamed(version, Input)?.Id ?? []))),
  );
}

/** What is wrong with tables that were entered for For each steps to run for their rows, by the names of their inputs: said before the first step begins. */
export function enteredRowsIssues(
  graph: ChainGraph,
  steps: readonly PlannedStep[],
  rows: readonly NewRunInput[],
): ModelState {
  const tables = rowsInputs(graph, steps);
  const issues: ModelState = {};
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

/** A value as a run of a checklist keeps it. */
export type EnteredInput = NewRunInput & { ChecklistInputName: string };

/** What the run keeps of what was entered, by name: as the first input of that name takes it. */
export function keptInputs(
  graph: ChainGraph,
  steps: readonly PlannedStep[],
  rows: readonly NewRunInput[],
): EnteredInput[] {
  const tables = rowsInputs(graph, steps);
  const byInput = Map.groupBy(rows, ({ ActivityParameterId }) => ActivityParameterId);
  return graph.Inputs.flatMap(({ Name }) => {
    const first = targetsOf(Name, steps)[0] ?? tables.find((table) => isSameInputName(table.Name, Name))?.Id;
    const kept = first === undefined ? [] : (byInput.get(first) ?? []);
    const seen = new Set<number>();
    // The same input may be taken by several steps.
    return kept.flatMap((row) => {
      if (seen.has(row.ArrayIndex)) return [];
      seen.add(row.ArrayIndex);
      return [{ ...row, ChecklistInputName: Name }];
    });
  });
}

export const readEntered = (json: string): EnteredInput[] => JSON.parse(json) as EnteredInput[];
