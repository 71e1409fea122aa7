import { createFilter } from '#shared/codecs/condition-filter.ts';
import { COLUMN_KINDS, readCondition, type ColumnKind, type KindValue } from '#shared/codecs/condition-columns.ts';
import { ConditionError } from '#shared/codecs/condition.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { shownExpression } from '#shared/rules/workflows/expression-names.ts';
import { decisionExpression } from '#shared/rules/workflows/source-reads.ts';
import type { DecisionStep, ExpressionSource } from '#shared/rules/workflows/types.ts';
import type { BeginStep, StepContext } from './step-context.ts';
import { evaluateOne } from './filled-values.ts';
import { insertEnded } from './other-steps.ts';
import { expressionFailure } from './step-expressions.ts';
import { readSource } from './step-values.ts';

type DecisionResult =
  | { Status: 'Succeeded'; Holds: boolean; Text: string }
  | { Status: 'Failed' | 'LogicError'; Text: string };

/**
 * Evaluates the decision before the workflow run is locked. This is safe because outputs of ended steps never change.
 */
export async function prepareDecision(context: StepContext, step: DecisionStep): Promise<BeginStep> {
  const result = await decide(context, step);
  return async (trx) => {
    const of = { ChecklistRunId: context.workflowRun.Id, StepKey: step.Key };
    await insertEnded(trx, of, { Kind: 'Decision', ...result });
    return { released: [], isMore: true };
  };
}

async function decide(context: StepContext, step: DecisionStep): Promise<DecisionResult> {
  const expression = decisionExpression(step);
  if (expression) return decideByFormula(context, expression);
  const columns: { Name: string; Kind: ColumnKind }[] = [];
  const row = new Map<string, KindValue>();
  for (const { Name, From } of step.Values) {
    if (From.Kind === 'Expression') {
      const result = await evaluateOne(context, From, 'cell');
      if ('problem' in result) return logicError(expressionFailure(`"${Name}"`, From, result.problem));
      columns.push({ Name, Kind: result.kind ?? 'Text' });
      row.set(Name, JSON.parse(result.json) as KindValue);
      continue;
    }
    const source = await readSource(context, From);
    if (!source) return failed(`There is no longer a value for "${Name}"`);
    if (source.info.RangeType !== 'SingleCell') return failed(`"${Name}" is not a single value`);
    columns.push({ Name, Kind: kindOf(source.info.CellUsages[0]) });
    row.set(Name, source.value.json === null ? null : (JSON.parse(source.value.json) as KindValue));
  }
  try {
    const condition = readCondition(step.Condition, columns);
    const Holds = condition === null || createFilter<typeof row>(condition, (of, { Name }) => of.get(Name))(row);
    const values = columns.map(({ Name }) => `${Name} is ${shown(row.get(Name))}`).join(', ');
    return {
      Status: 'Succeeded',
      Holds,
      Text: `${Holds ? 'Yes' : 'No'}: ${step.Condition}${values && ` (${values})`}`,
    };
  } catch (error) {
    if (error instanceof ConditionError) return failed(`The condition cannot be decided: ${error.message}`);
    throw error;
  }
}

const TRUE_OR_FALSE = { RangeType: 'SingleCell' as const, CellUsages: ['Boolean' as const], ColumnHeaderValues: [] };

async function decideByFormula(context: StepContext, from: ExpressionSource): Promise<DecisionResult> {
  const result = await evaluateOne(context, from, TRUE_OR_FALSE);
  const holds: unknown = 'problem' in result ? null : JSON.parse(result.json);
  if (typeof holds === 'boolean') {
    return { Status: 'Succeeded', Holds: holds, Text: `${holds ? 'Yes' : 'No'}: ${shownExpression(from.Formula)}` };
  }
  const problem = 'problem' in result ? result.problem : 'It returns a blank, but TRUE or FALSE is needed';
  return logicError(expressionFailure('the decision', from, problem));
}

const logicError = (Text: string): DecisionResult => ({ Status: 'LogicError', Text });

const failed = (Text: string): DecisionResult => ({ Status: 'Failed', Text });

const shown = (value: KindValue | undefined): string =>
  value === null || value === undefined || value === '' ? 'blank' : String(value);

const kindOf = (usage: CellUsage | undefined): ColumnKind => COLUMN_KINDS.find((kind) => kind === usage) ?? 'Text';
