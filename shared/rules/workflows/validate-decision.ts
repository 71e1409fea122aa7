/** Checks the condition of a decision and the values that it uses. */
import { isSameInputName as isSameName } from '#shared/rules/checklist-rules.ts';
import { readCondition, type ColumnKind } from '#shared/codecs/condition-columns.ts';
import { ConditionError } from '#shared/codecs/condition.ts';
import { kindIncompatibility, kindOfUsage } from './expression-types.ts';
import { knownOf } from './graph-sources.ts';
import { decisionExpression } from './source-reads.ts';
import type { DecisionStep, ValueSource } from './types.ts';
import { shortFormula, typeOfExpression, type ExpressionContext } from './validate-expressions.ts';

/** A value of the condition; `Kind` is null if it is known only at run time. */
interface Value {
  Name: string;
  Kind: ColumnKind | null;
}

/** Returns all problems, one text each. */
export function decisionProblems(step: DecisionStep, around: ExpressionContext): string[] {
  const problems: string[] = [];
  const values: Value[] = [];
  for (const { Name, From } of step.Values) {
    if (Name.trim() === '') problems.push('A value of a decision must have a name');
    if (values.some((one) => isSameName(one.Name, Name))) problems.push(`There are two values named '${Name}'`);
    const kind = kindOfValue(From, around);
    if (kind !== null && typeof kind === 'object') problems.push(`'${Name}' ${kind.problem}`);
    values.push({ Name, Kind: kind !== null && typeof kind === 'object' ? 'Text' : kind });
  }
  const expression = decisionExpression(step);
  const problem = expression ? formulaProblem(step, around) : conditionProblem(step.Condition, values);
  return problem === null ? problems : [...problems, problem];
}

function kindOfValue(From: ValueSource, around: ExpressionContext): ColumnKind | null | { problem: string } {
  if (From.Kind === 'Expression') {
    const type = typeOfExpression(From, around);
    if ('problem' in type) return { problem: `cannot be calculated by ${shortFormula(From.Formula)}: ${type.problem}` };
    const isMany = type.whole !== null && type.whole.RangeType !== 'SingleCell';
    return isMany ? { problem: 'is not a single value' } : type.kind;
  }
  const info = knownOf(around.graph, From, around.catalogue, around.before);
  if (typeof info === 'string') return { problem: info };
  if (info && info.RangeType !== 'SingleCell') return { problem: 'is not a single value' };
  return kindOfUsage(info?.CellUsages[0]);
}

function formulaProblem({ Condition }: DecisionStep, around: ExpressionContext): string | null {
  const type = typeOfExpression({ Kind: 'Expression', Formula: Condition }, around);
  const problem = 'problem' in type ? type.problem : kindIncompatibility(type.kind, 'Boolean');
  return problem === null ? null : `The condition ${shortFormula(Condition)} cannot be decided: ${problem}`;
}

/** Values of unknown types may have any one for which the condition is valid. */
function conditionProblem(condition: string, values: readonly Value[]): string | null {
  const isKnown = values.every(({ Kind }) => Kind !== null);
  let first: string | null = null;
  for (const kind of isKnown ? (['Text'] as const) : KINDS_TO_TRY) {
    const problem = problemWith(
      condition,
      values.map(({ Name, Kind }) => ({ Name, Kind: Kind ?? kind })),
    );
    if (problem === null) return null;
    first ??= problem;
  }
  return first;
}

const KINDS_TO_TRY: readonly ColumnKind[] = ['Boolean', 'Date', 'Number', 'Text'];

function problemWith(condition: string, columns: { Name: string; Kind: ColumnKind }[]): string | null {
  try {
    return readCondition(condition, columns) === null ? 'A decision must have a condition' : null;
  } catch (error) {
    if (error instanceof ConditionError) return error.message;
    throw error;
  }
}
