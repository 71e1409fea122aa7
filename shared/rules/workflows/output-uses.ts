/**
 * Checks before a workflow starts that all outputs passed between steps exist and fit. This can fail because activities
 * may get new versions after a graph was saved.
 */
import { isMappable, isSameInputName as isSameName } from '#shared/rules/checklist-rules.ts';
import { stepsBefore } from './graph-order.ts';
import { findSource, type Catalogue } from './graph-sources.ts';
import { fitsInput } from './matched-columns.ts';
import type { ActivityStep, WorkflowGraph, WorkflowStep, ForEachStep, ValueSource } from './types.ts';
import type { GraphProblem } from './validate-graph.ts';

type OutputSource = Extract<ValueSource, { Kind: 'Output' }>;

/** Returns the first output that is missing or does not fit its use; null if there is none. */
export function outputUseProblem(graph: WorkflowGraph, catalogue: Catalogue): GraphProblem | null {
  for (const step of graph.Steps) {
    const Message = stepProblem(graph, step, catalogue);
    if (Message !== null) return { Step: step.Key, Message };
  }
  return null;
}

function stepProblem(graph: WorkflowGraph, step: WorkflowStep, catalogue: Catalogue): string | null {
  const before = stepsBefore(graph, step.Key);
  const missing = (from: ValueSource): string | null => {
    const source = from.Kind === 'Output' ? findSource(graph, from, catalogue, before) : null;
    return typeof source === 'string' ? source : null;
  };
  if ('Values' in step) {
    for (const { Name, From } of step.Values) {
      const why = missing(From);
      if (why !== null) return `'${Name}' ${why}`;
    }
    return null;
  }
  if (step.Kind === 'ForEach') {
    const why = missing(step.Rows) ?? rowsProblem(graph, step, catalogue, before);
    if (why !== null) return `For its rows, it ${why}`;
  }
  for (const { Input, From } of step.Inputs) {
    if (From.Kind !== 'Output') continue;
    const why = inputProblem(graph, { step, name: Input, from: From }, catalogue, before);
    if (why !== null) return why;
  }
  return null;
}

/**
 * Checks an output used as an input of the step's activity. A mapping to an input that the activity no longer asks for
 * is ignored.
 */
function inputProblem(
  graph: WorkflowGraph,
  { step, name, from }: { step: ActivityStep | ForEachStep; name: string; from: OutputSource },
  catalogue: Catalogue,
  before: ReadonlySet<string>,
): string | null {
  const input = catalogue.get(step.ActivityId)?.Inputs.find((one) => isSameName(one.Name, name));
  if (!input || !isMappable(input)) return null;
  const source = findSource(graph, from, catalogue, before);
  if (typeof source === 'string') return `'${input.Name}' ${source}`;
  return fitsInput(source.output.Info, input.Info)
    ? null
    : `'${from.Name}' of '${source.step.Name}' cannot become '${input.Name}': they are of different types`;
}

/** Checks that the table has the columns that the step uses. */
function rowsProblem(
  graph: WorkflowGraph,
  { Rows, Inputs, KeyColumn }: ForEachStep,
  catalogue: Catalogue,
  before: ReadonlySet<string>,
): string | null {
  if (Rows.Kind !== 'Output') return null;
  const source = findSource(graph, Rows, catalogue, before);
  if (typeof source === 'string') return source;
  const columns = source.output.Info.ColumnHeaderValues;
  const wanted = [...Inputs.flatMap(({ From }) => (From.Kind === 'Column' ? [From.Name] : [])), KeyColumn];
  const gone = wanted.find((name) => name !== null && !columns.some((column) => isSameName(column, name)));
  return gone === undefined ? null : `uses the column '${gone}' of '${Rows.Name}', which has no such column`;
}
