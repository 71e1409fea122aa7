/** Defaults of the inputs of a workflow: what they take if nothing is entered for them. */
import { createModelState, type ModelState } from '#server/base/app-error.ts';
import { evaluateExpressions, type ExpressionClock } from '#server/workflows/step-expressions.ts';
import type { ChecklistInputValue } from '#shared/contract/checklist-runs.ts';
import type { Input, InputInfo } from '#shared/contract/parameters.ts';
import { cleanValue, InputShapeError, parseValue, valueShape } from '#shared/codecs/input-form.ts';
import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import { shownExpression } from '#shared/rules/workflows/expression-names.ts';
import { inputsReadBy } from '#shared/rules/workflows/validate-inputs.ts';
import type { ExpressionValue } from '#shared/rules/workflows/expression-task.ts';
import type { WorkflowGraph, WorkflowInput } from '#shared/rules/workflows/types.ts';
import { ownInput, targetsOf, type PlannedStep } from './entered-inputs.ts';

type Entered = Map<string, ChecklistInputValue[]>;

/**
 * Shows a default in forms: people may leave the input as it is. A constant is suggested; a formula is calculated at the
 * start, so an input with a formula is optional.
 */
export function withDefault({ Default }: Pick<WorkflowInput, 'Default'>, input: Input): Input {
  if (!Default) return input;
  const { Calculated: _, ...Info } = input.Info;
  const DefaultValue = Default.Kind === 'Constant' ? JSON.stringify(Default.Value) : null;
  const specification = Default.Kind === 'Constant' ? 'Suggested' : 'Optional';
  const Specifications = Info.Specifications.map((own) =>
    own === 'Display' || own === 'Hidden' ? own : specification,
  );
  const own = { ...Info, Specifications, AllowDefaultValue: true, DefaultValue };
  return { ...input, WorkflowDefault: Default.Kind, Info: own };
}

/**
 * Returns the values with the defaults of inputs for which nothing was entered.
 * @param entered the sent values by workflow input
 * @param isFilled restricts the inputs that take their defaults
 */
export async function withDefaults(
  clock: ExpressionClock,
  graph: WorkflowGraph,
  steps: readonly PlannedStep[],
  entered: Entered,
  isFilled: (name: string) => boolean = () => true,
): Promise<{ entered: Entered; modelState: ModelState }> {
  const filled: Entered = new Map(entered);
  const modelState = createModelState();
  for (const input of inOrder(graph)) {
    const { Name, Default } = input;
    if (!Default || !isFilled(Name) || !isUnspecified(filled.get(Name) ?? [])) continue;
    const value = await valueOf(clock, graph, steps, input, filled);
    if ('problem' in value) modelState[Name] = [value.problem];
    else filled.set(Name, [{ ChecklistInputName: Name, Value: value.json, UseDefault: false }]);
  }
  return { entered: filled, modelState };
}

const isUnspecified = (values: readonly ChecklistInputValue[]): boolean =>
  values.every(({ Value, UseDefault, FileId }) => !FileId && (UseDefault === true || (Value ?? null) === null));

/** Returns the inputs so that each comes after those that its default reads. A saved workflow has no cycles. */
function inOrder(graph: WorkflowGraph): WorkflowInput[] {
  const ordered: WorkflowInput[] = [];
  const add = (input: WorkflowInput, open: readonly WorkflowInput[]): void => {
    if (ordered.includes(input) || open.includes(input)) return;
    for (const name of inputsReadBy(graph, input.Name)) {
      const before = graph.Inputs.find(({ Name }) => isSameInputName(Name, name));
      if (before) add(before, [...open, input]);
    }
    ordered.push(input);
  };
  for (const input of graph.Inputs) add(input, []);
  return ordered;
}

async function valueOf(
  clock: ExpressionClock,
  graph: WorkflowGraph,
  steps: readonly PlannedStep[],
  { Name, Default }: WorkflowInput,
  entered: Entered,
): Promise<{ json: string } | { problem: string }> {
  if (Default?.Kind !== 'Expression') return { json: JSON.stringify(Default?.Value ?? null) };
  const info = infoOf(graph, steps, Name);
  if (!info) return { problem: 'Nothing uses this input any more' };
  const wanted = { from: Default, wanted: info };
  const [result] = await evaluateExpressions(clock, graph, [wanted], (from) => {
    const read = from.Kind === 'Input' ? infoOf(graph, steps, from.Name) : null;
    return Promise.resolve(read && enteredValue(read, namedValues(entered, from.Name)));
  });
  if (!result || !('problem' in result)) return { json: result?.json ?? 'null' };
  return { problem: `Its default has no valid result. ${result.problem}: ${shownExpression(Default.Formula)}` };
}

const namedValues = (entered: Entered, name: string): readonly ChecklistInputValue[] =>
  [...entered].find(([Name]) => isSameInputName(Name, name))?.[1] ?? [];

function infoOf(graph: WorkflowGraph, steps: readonly PlannedStep[], name: string): InputInfo | null {
  const [taker] = targetsOf(name, steps);
  const taken = steps.flatMap(({ version }) => version.inputs).find(({ Id }) => Id === taker);
  const inputsOf = (id: number) => steps.find(({ step }) => step.ActivityId === id)?.version.inputs ?? [];
  return taken?.Info ?? ownInput(graph, name, inputsOf)?.Info ?? null;
}

/** Returns a text if the value cannot be read. */
function enteredValue(info: InputInfo, values: readonly ChecklistInputValue[]): ExpressionValue | string {
  const [first] = values;
  const blank = valueShape(info) === 'cell' ? 'null' : '[]';
  const sent = first?.UseDefault === true ? info.DefaultValue : first?.Value;
  if (first?.FileId) return 'a formula cannot read files';
  try {
    // Programs may send numbers as texts.
    const json = sent == null ? blank : JSON.stringify(cleanValue(info, parseValue(info, sent)));
    return { shape: info, json, isEntered: true };
  } catch (error) {
    if (!(error instanceof InputShapeError)) throw error;
    return error.message;
  }
}
