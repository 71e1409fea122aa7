/** Checks constants, and the inputs of a workflow with their types and defaults. */
import { isSameInputName as isSameName } from '#shared/rules/checklist-rules.ts';
import { isFileInput, valueShape } from '#shared/codecs/input-form.ts';
import { exactCell } from '#shared/codecs/exact-number.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { checkInput } from '#shared/rules/input-rules.ts';
import { issueMessages } from '#shared/rules/issue-messages.ts';
import { openInput } from '#shared/rules/open-input.ts';
import { kindOfUsage, type CheckExpression } from './expression-types.ts';
import { enteredInfo, rowTakersOf, takersOf, type Catalogue } from './graph-sources.ts';
import { readsOf, readsOfStep, sourcesOf } from './source-reads.ts';
import type { ConstantSource, WorkflowGraph, WorkflowInput } from './types.ts';
import { expressionProblem } from './validate-expressions.ts';

type NamedInput = Pick<Input, 'Name' | 'Info'>;

const TYPE_OF = { Number: 'number', Date: 'number', Boolean: 'boolean', Text: 'string' } as const;
const KIND_TEXT = { Number: 'a number', Date: 'a date', Boolean: 'TRUE or FALSE', Text: 'a text' } as const;

/** Returns why a constant cannot be the value of an input; null if it can. */
export function constantProblem({ Name, Info }: NamedInput, { Value }: ConstantSource): string | null {
  if (isFileInput(Info)) return `'${Name}' takes a file, so its value cannot be a constant`;
  if (valueShape(Info) !== 'cell')
    return `'${Name}' takes several values. Use a formula such as ={1,2;3,4} instead of a constant`;
  const kind = kindOfUsage(Info.CellUsages[0]);
  const isExact =
    kind === 'Number' && Info.ExactNumbers === true && typeof Value === 'string' && exactCell(Value) !== null;
  if (Value !== null && typeof Value !== TYPE_OF[kind] && !isExact)
    return `The constant for '${Name}' must be ${KIND_TEXT[kind]}`;
  // The list of a picker is known only at the start.
  const issues = checkInput(openInput({ Name, Info }), { value: Value, files: [], useDefault: false });
  return issues.length === 0 ? null : `The constant for '${Name}' is not valid: ${issueMessages(issues).join('. ')}`;
}

/** Returns the problems of the inputs of a workflow, except those of their names. */
export function workflowInputProblems(graph: WorkflowGraph, catalogue: Catalogue, check: CheckExpression): string[] {
  return graph.Inputs.flatMap((input) => [
    ...useProblems(graph, input),
    ...defaultProblems(graph, input, { catalogue, check }),
  ]);
}

/** The type of an input comes from the activities that take it, or is declared. */
function useProblems(graph: WorkflowGraph, { Name, Type }: WorkflowInput): string[] {
  const isNamed = (from: { Kind: string; Name?: string }): boolean =>
    from.Kind === 'Input' && isSameName(from.Name ?? '', Name);
  const isTaken = graph.Steps.some((step) =>
    sourcesOf(step).some((from) => isNamed(from) && !('Values' in step && Type === undefined)),
  );
  if (isTaken) return [];
  const isRead =
    graph.Steps.some((step) => readsOfStep(graph, step).some(isNamed)) ||
    graph.Inputs.some(({ Default }) => Default !== undefined && readsOf(graph, Default).some(isNamed));
  if (!isRead) return [`No step uses the input '${Name}'`];
  return Type === undefined ? [`The input '${Name}' has no type, because no activity takes it. Choose its type`] : [];
}

function defaultProblems(
  graph: WorkflowGraph,
  { Name, Type, Default }: WorkflowInput,
  { catalogue, check }: { catalogue: Catalogue; check: CheckExpression },
): string[] {
  const problems: string[] = [];
  const isOfActivity = takersOf(graph, Name, catalogue).length > 0 || rowTakersOf(graph, Name).length > 0;
  if (Type !== undefined && isOfActivity)
    problems.push(`The type of the input '${Name}' comes from the activities that take it. Remove the chosen type`);
  if (!Default) return problems;
  const Info = enteredInfo(graph, Name, catalogue);
  // That it has no type is reported already.
  if (!Info) return problems;
  const problem =
    Default.Kind === 'Constant'
      ? constantProblem({ Name, Info }, Default)
      : (circularProblem(graph, Name) ??
        expressionProblem({ Name, Info }, Default, { graph, catalogue, before: new Set(), check }));
  return problem === null ? problems : [...problems, `Default of the input '${Name}': ${problem}`];
}

/** Returns the inputs that the default of an input reads. */
export function inputsReadBy(graph: WorkflowGraph, name: string): string[] {
  const input = graph.Inputs.find(({ Name }) => isSameName(Name, name));
  const reads = input?.Default ? readsOf(graph, input.Default) : [];
  return reads.flatMap(({ Kind, Name }) => (Kind === 'Input' ? [Name] : []));
}

function circularProblem(graph: WorkflowGraph, name: string): string | null {
  const seen = new Set<string>();
  const open = inputsReadBy(graph, name);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isSameName(next, name)) return 'it depends on itself. Use other inputs';
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...inputsReadBy(graph, next));
  }
  return null;
}
