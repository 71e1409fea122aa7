/**
 * Checks before a workflow starts that all outputs passed between steps exist and fit. This can fail because activities
 * may get new versions after a graph was saved.
 */
import { isMappable, isSameInputName as isSameName } from '#shared/rules/checklist-rules.ts';
import { stepsBefore } from './graph-order.ts';
import type { CheckExpression } from './expression-types.ts';
import { findSource, type Catalogue } from './graph-sources.ts';
import { fitsInput } from './matched-columns.ts';
import { decisionExpression } from './source-reads.ts';
import type {
  ActivityStep,
  DecisionStep,
  ExpressionSource,
  WorkflowGraph,
  WorkflowStep,
  ForEachStep,
  ValueSource,
} from './types.ts';
import {
  expressionProblem,
  shortFormula,
  tableOfExpression,
  typeOfExpression,
  UNKNOWN_EXPRESSION,
  type ExpressionContext,
  type RowsTable,
} from './validate-expressions.ts';
import type { GraphProblem } from './validate-graph.ts';

type OutputSource = Extract<ValueSource, { Kind: 'Output' }>;

/** Returns the first output that is missing or does not fit its use; null if there is none. */
export function outputUseProblem(
  graph: WorkflowGraph,
  catalogue: Catalogue,
  check: CheckExpression = UNKNOWN_EXPRESSION,
): GraphProblem | null {
  for (const step of graph.Steps) {
    const Message = stepProblem(step, { graph, catalogue, before: stepsBefore(graph, step.Key), check });
    if (Message !== null) return { Step: step.Key, Message };
  }
  return null;
}

function stepProblem(step: WorkflowStep, around: ExpressionContext): string | null {
  const { graph, catalogue, before } = around;
  if (step.Kind === 'Decision') return decisionProblem(step, around);
  if ('Values' in step) return valueProblem(step.Values, around);
  if (step.Kind === 'ForEach') {
    const why = missing(step.Rows, around) ?? rowsProblem(step, around);
    if (why !== null) return `For its rows, it ${why}`;
  }
  for (const { Input, From } of step.Inputs) {
    const why =
      From.Kind === 'Output'
        ? inputProblem(graph, { step, name: Input, from: From }, catalogue, before)
        : From.Kind === 'Expression'
          ? calculatedProblem(step, { name: Input, from: From }, around)
          : null;
    if (why !== null) return why;
  }
  return null;
}

/** Returns why a source has no value; null if it has one. */
function missing(from: ValueSource, around: ExpressionContext): string | null {
  if (from.Kind === 'Expression') {
    const type = typeOfExpression(from, around);
    return 'problem' in type ? `cannot use ${shortFormula(from.Formula)}: ${type.problem}` : null;
  }
  const source = from.Kind === 'Output' ? findSource(around.graph, from, around.catalogue, around.before) : null;
  return typeof source === 'string' ? source : null;
}

function valueProblem(
  values: readonly { Name: string; From: ValueSource }[],
  around: ExpressionContext,
): string | null {
  for (const { Name, From } of values) {
    const why = missing(From, around);
    if (why !== null) return `'${Name}' ${why}`;
  }
  return null;
}

function decisionProblem(step: DecisionStep, around: ExpressionContext): string | null {
  const own = decisionExpression(step);
  const why = own && missing(own, around);
  return why ? `The condition ${why}` : valueProblem(step.Values, around);
}

/** Checks an expression like an output; see inputProblem. */
function calculatedProblem(
  step: ActivityStep | ForEachStep,
  { name, from }: { name: string; from: ExpressionSource },
  around: ExpressionContext,
): string | null {
  const inputs = around.catalogue.get(step.ActivityId)?.Inputs ?? [];
  const input = inputs.find((one) => isSameName(one.Name, name));
  return input && isMappable(input) ? expressionProblem(input, from, around) : null;
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
function rowsProblem({ Rows, Inputs, KeyColumn }: ForEachStep, around: ExpressionContext): string | null {
  if (Rows.Kind !== 'Output' && Rows.Kind !== 'Expression') return null;
  const table = Rows.Kind === 'Expression' ? tableOfExpression(Rows, around) : tableOfOutput(Rows, around);
  if (typeof table === 'string') return table;
  const columns = table.Info.ColumnHeaderValues;
  if (columns.length === 0) return null;
  const wanted = [...Inputs.flatMap(({ From }) => (From.Kind === 'Column' ? [From.Name] : [])), KeyColumn];
  const gone = wanted.find((name) => name !== null && !columns.some((column) => isSameName(column, name)));
  return gone === undefined ? null : `uses the column '${gone}' of '${table.Name}', which has no such column`;
}

function tableOfOutput(from: OutputSource, { graph, catalogue, before }: ExpressionContext): RowsTable | string {
  const source = findSource(graph, from, catalogue, before);
  return typeof source === 'string' ? source : { Name: from.Name, Info: source.output.Info };
}
