/** Values that replace some of those that a checklist or workflow was started with. */
import type { EnteredAgain } from '#server/workflows/resume-workflow-run.ts';
import type { NewStep } from '#server/workflows/start-workflow-run.ts';
import type { NewRunInput } from '#server/queue/enqueue-run.ts';
import type { ChecklistInputValue } from '#shared/contract/checklist-runs.ts';
import type { RunInputValue } from '#shared/contract/parameters.ts';
import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import { enteredInputs, filledLater, inputNamed, readEntered, type PlannedStep } from './entered-inputs.ts';

export interface ChangedStart {
  /** All steps that run activities, with the versions they run again with. */
  steps: readonly PlannedStep[];
  sent: readonly ChecklistInputValue[];
  /** Names of the inputs that the values belong to. */
  names: readonly string[];
  /** The values that the earlier run was started with, as JSON. */
  Inputs: string;
  /** The inputs of the earlier runs, by step key. */
  stored: ReadonlyMap<string, readonly NewRunInput[]>;
}

export const isNamed = (names: readonly string[], name: string): boolean =>
  names.some((one) => isSameInputName(one, name));

/** Returns the sent values with those of the earlier run for all inputs that stay unchanged, by workflow input. */
export function withEarlier(
  graph: WorkflowGraph,
  { names, Inputs }: Pick<ChangedStart, 'names' | 'Inputs'>,
  sent: ReadonlyMap<string, ChecklistInputValue[]>,
): Map<string, ChecklistInputValue[]> {
  const earlier = readEntered(Inputs);
  return new Map(
    graph.Inputs.map(({ Name }) => [
      Name,
      isNamed(names, Name)
        ? (sent.get(Name) ?? [])
        : earlier.filter(({ ChecklistInputName }) => isSameInputName(ChecklistInputName, Name)),
    ]),
  );
}

/** Returns the inputs of a step that take changed inputs of the workflow. */
export const changedInputs = (
  { step, version }: PlannedStep,
  { names }: Pick<ChangedStart, 'names'>,
): ReadonlySet<number> =>
  new Set(
    step.Inputs.flatMap(({ Input, From }) =>
      From.Kind === 'Input' && isNamed(names, From.Name) ? (inputNamed(version, Input)?.Id ?? []) : [],
    ),
  );

/** Returns the values to check a step with: the sent ones of its changed inputs, and the stored ones of all others. */
export function withUnchanged(
  planned: PlannedStep,
  changed: ChangedStart,
  sent: readonly RunInputValue[],
): RunInputValue[] {
  const changedIds = changedInputs(planned, changed);
  const later = filledLater(planned);
  const isUnchanged = ({ ActivityParameterId: id }: NewRunInput): boolean =>
    !later.has(id) && !changedIds.has(id) && planned.version.inputs.some(({ Id }) => Id === id);
  const unchanged = storedOf(planned, changed)
    .filter(isUnchanged)
    .map(({ ActivityParameterId, ArrayIndex, Value, UseDefault, FileId, FileName }) => ({
      ActivityParameterId,
      ArrayIndex,
      UseDefault,
      ...(FileId === null ? { Value } : { FileId, FileName }),
    }));
  return [...sent.filter(({ ActivityParameterId }) => changedIds.has(ActivityParameterId)), ...unchanged];
}

const storedOf = ({ step }: PlannedStep, { stored }: ChangedStart): readonly NewRunInput[] =>
  stored.get(step.Key) ?? [];

/** Returns the files that the earlier run of a step had, including those that other people uploaded. */
export const storedFiles = (planned: PlannedStep, changed: ChangedStart): string[] =>
  storedOf(planned, changed).flatMap(({ FileId }) => FileId ?? []);

/** Returns what the new run stores: the changed values for each step, and all entered values. */
export function enteredAgain(
  graph: WorkflowGraph,
  changed: ChangedStart,
  { checked, tables }: { checked: readonly NewStep[]; tables: readonly NewRunInput[] },
): EnteredAgain {
  const { steps, names, Inputs } = changed;
  const rows = new Map(
    checked.map(({ StepKey, inputs }) => {
      const ids = changedInputs(
        steps.find(({ step }) => step.Key === StepKey)!,
        changed,
      );
      return [StepKey, inputs.filter(({ ActivityParameterId }) => ids.has(ActivityParameterId))];
    }),
  );
  const now = enteredInputs(graph, steps, [...[...rows.values()].flat(), ...tables]);
  const before = readEntered(Inputs).filter(({ ChecklistInputName }) => !isNamed(names, ChecklistInputName));
  const all = graph.Inputs.flatMap(({ Name }) =>
    [...before, ...now].filter(({ ChecklistInputName }) => isSameInputName(ChecklistInputName, Name)),
  );
  return { Inputs: JSON.stringify(all), rows };
}
