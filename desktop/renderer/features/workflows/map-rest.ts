import type { WorkflowGraphData, WorkflowStepData } from '#shared/contract/workflows.ts';
import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import type { NamedSource, ValueSource } from '#shared/rules/workflows/types.ts';
import { activityOf, mappingOffers, type AskedInput, type KnownActivities } from './offered-sources.ts';
import { mapInput } from './workflow-draft.ts';

/** Returns the inputs of a step's activity that can be mapped and are not, whether they must be or not. */
export function unmappedInputs(step: WorkflowStepData, activities: KnownActivities): AskedInput[] {
  if (!('ActivityId' in step)) return [];
  const asked = activityOf(step, activities)?.Inputs ?? [];
  return asked.filter(
    ({ Name, IsMappable }) => IsMappable && !step.Inputs.some(({ Input }) => isSameInputName(Input, Name)),
  );
}

/**
 * Maps the inputs of a step that are not mapped: each to the source of the same name and type, else to a
 * new input of the workflow.
 */
export function mapRest(graph: WorkflowGraphData, key: string, activities: KnownActivities): WorkflowGraphData {
  const find = (from: WorkflowGraphData) => from.Steps.find(({ Key }) => Key === key);
  const first = find(graph);
  let next = graph;
  for (const input of first ? unmappedInputs(first, activities) : []) {
    // Each mapping may create an input that the next ones can use.
    const from = sourceFor(next, find(next)!, input, activities);
    if (from) next = mapInput(next, key, input.Name, from);
  }
  return next;
}

function sourceFor(
  graph: WorkflowGraphData,
  step: WorkflowStepData,
  input: AskedInput,
  activities: KnownActivities,
): ValueSource | undefined {
  const offers = mappingOffers(graph, step, input, activities).flatMap((group) => group.offers.map(({ from }) => from));
  const isNew = (from: ValueSource): boolean =>
    from.Kind === 'Input' && !graph.Inputs.some((one) => isSameInputName(one.Name, from.Name));
  const named = (kind: NamedSource['Kind']): ValueSource | undefined =>
    offers.findLast((from) => from.Kind === kind && isSameInputName(from.Name, input.Name) && !isNew(from));
  const created = offers.find(isNew);
  return named('Column') ?? named('Input') ?? named('Output') ?? created;
}
