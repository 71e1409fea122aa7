/** Converts database rows to the shapes of the contract. */
import type { Checklist, ChecklistInput } from '#shared/contract/checklists.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { isFixed } from '#shared/codecs/input-form.ts';
import { isMappable, isSameInputName } from '#shared/rules/checklist-rules.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import { isActivityUse, ownInput } from './entered-inputs.ts';
import { withDefault } from './input-defaults.ts';
import type { VisibleChecklist } from '#server/access/checklist-access.ts';
import type { MappingRow } from './checklists-repository.ts';

/**
 * Returns the inputs of a checklist in order. It omits inputs that can no longer be mapped because they have been
 * preset or removed.
 * @param own inputs of its activities, in the order of these
 */
export function checklistInputs(
  ChecklistId: number,
  own: readonly Input[],
  mappings: readonly MappingRow[],
): ChecklistInput[] {
  const inputs: ChecklistInput[] = [];
  const byParameter = new Map(mappings.map((mapping) => [mapping.ActivityParameterId, mapping]));
  for (const input of own.filter(isMappable)) {
    const mapping = byParameter.get(input.Id);
    if (!mapping) continue;
    const { InputName, Order } = mapping;
    const known = inputs.find((one) => isSameInputName(one.InputName, InputName));
    if (known) known.ActivityInputs.push(input);
    else inputs.push({ ChecklistId, InputId: input.Id, InputName, ActivityInputs: [input], Order });
  }
  return inputs.sort((one, other) => one.Order - other.Order);
}

/** Excludes inputs that only display a value, because nobody fills them in. */
export function unmappedInputs(own: readonly Input[], mapped: readonly ChecklistInput[]): Input[] {
  const ids = new Set(mapped.flatMap(({ ActivityInputs }) => ActivityInputs.map(({ Id }) => Id)));
  return own.filter(
    (input) => !ids.has(input.Id) && !isFixed({ Info: input.Info, PresetValue: null, HasAccess: true }),
  );
}

/** Returns the workflow that the checklist is run as: the checklist itself, until it was edited as a workflow. */
export function workflowOf({
  Id,
  Revision,
  WorkflowVersion,
}: VisibleChecklist['checklist']): Pick<Checklist, 'WorkflowId' | 'WorkflowVersion' | 'Workflow'> {
  if (WorkflowVersion === null) return { WorkflowId: Id, WorkflowVersion: Revision, Workflow: null };
  return { WorkflowId: null, WorkflowVersion: null, Workflow: { Id, Version: WorkflowVersion } };
}

/** Returns the inputs of a workflow according to its graph. @param own inputs of its activities */
export function workflowInputs(ChecklistId: number, own: readonly Input[], graph: WorkflowGraph): ChecklistInput[] {
  return graph.Inputs.flatMap((graphInput, Order) => {
    const { Name } = graphInput;
    const taking = graph.Steps.filter(isActivityUse).flatMap((step) =>
      step.Inputs.filter(({ From }) => From.Kind === 'Input' && isSameInputName(From.Name, Name)).flatMap(
        (mapping) =>
          own.find((input) => input.ActivityId === step.ActivityId && isSameInputName(input.Name, mapping.Input)) ?? [],
      ),
    );
    const table =
      taking.length > 0 ? null : ownInput(graph, Name, (id) => own.filter(({ ActivityId }) => ActivityId === id));
    const ActivityInputs = (table ? [table] : [...new Set(taking)]).map((input) => withDefault(graphInput, input));
    const [first] = ActivityInputs;
    return first ? [{ ChecklistId, InputId: first.Id, InputName: Name, ActivityInputs, Order }] : [];
  });
}
