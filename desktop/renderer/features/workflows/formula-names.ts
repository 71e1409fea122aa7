/** The names that a formula can use, as its field offers them. */
import type { WorkflowGraphData } from '#shared/contract/workflows.ts';
import { stepsBefore } from '#shared/rules/workflows/graph-order.ts';
import { printName, type ExpressionName } from '#shared/rules/workflows/expression-names.ts';
import { isOfFiles } from '#shared/rules/workflows/expression-types.ts';
import { stepOutputs, type ValueShape } from '#shared/rules/workflows/step-outputs.ts';
import type { ValueSource } from '#shared/rules/workflows/types.ts';
import { t } from '#renderer/language/translate.ts';
import { inputShape, type KnownActivities } from './offered-sources.ts';
import { stepInFormula } from './renamed-formulas.ts';

export interface FormulaNames {
  title: string;
  /** As formulas contain them. */
  names: string[];
}

/** Returns the name of a source in a formula; '' if formulas cannot read it. */
export function nameInFormula(graph: WorkflowGraphData, from: ValueSource): string {
  if (from.Kind === 'Input') return printName({ kind: 'Input', name: from.Name, column: null });
  if (from.Kind === 'Constant') return constantInFormula(from.Value);
  if (from.Kind !== 'Output' || from.Name === '') return '';
  return printName({ kind: 'Output', step: stepInFormula(graph, from.Step), name: from.Name, column: null });
}

function constantInFormula(value: string | number | boolean | null): string {
  if (typeof value === 'string') return `"${value.replaceAll('"', '""')}"`;
  return value === null ? '' : String(value).toUpperCase();
}

/**
 * Returns the inputs of the workflow and the outputs of the steps before a step, with the columns of tables.
 * @param key null for the default of an input, which can use other inputs only
 */
export function formulaNames(
  graph: WorkflowGraphData,
  key: string | null,
  activities: KnownActivities,
): FormulaNames[] {
  const inputs = graph.Inputs.flatMap(({ Name }) =>
    withColumns({ kind: 'Input', name: Name, column: null }, inputShape(graph, Name, activities)),
  );
  const before = key === null ? new Set<string>() : stepsBefore(graph, key);
  const outputs = graph.Steps.filter(({ Key }) => before.has(Key)).flatMap((step) =>
    stepOutputs(step, activities).flatMap(({ Name, Info }) =>
      withColumns({ kind: 'Output', step: stepInFormula(graph, step.Key), name: Name, column: null }, Info),
    ),
  );
  return [
    { title: t('Inputs of the workflow'), names: inputs },
    { title: t('Outputs of earlier steps'), names: outputs },
  ].filter(({ names }) => names.length > 0);
}

function withColumns(name: ExpressionName, shape: ValueShape | null): string[] {
  if (!shape || isOfFiles(shape)) return [];
  const columns = shape.RangeType === 'RangeWithColumnHeaders' ? shape.ColumnHeaderValues : [];
  return [printName(name), ...columns.map((column) => printName({ ...name, column }))];
}
