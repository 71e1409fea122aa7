/** The values that fill inputs of a step when it is queued: outputs of earlier steps, and results of expressions. */
import type { OutputValue } from '#shared/codecs/linked-values.ts';
import { nameKey } from '#server/versions/version-catalog.ts';
import type { ExpressionResult } from '#shared/rules/workflows/expression-task.ts';
import type { ReadSource } from '#shared/rules/workflows/source-reads.ts';
import type { ActivityStep, ExpressionSource, ForEachStep } from '#shared/rules/workflows/types.ts';
import { evaluateExpressions, expressionFailure, type ReadValue, type WantedExpression } from './step-expressions.ts';
import type { StepContext } from './step-context.ts';
import type { Refusal } from './step-runs.ts';
import { readEnteredValue, readOutput, readUpstreamValues } from './step-values.ts';

/** By ActivityParameterId of the input. */
type Filled = { refused: null; upstreamValues: Map<number, OutputValue> };

/** Returns the outputs and results of expressions that a step takes. */
export async function readFilledInputs(
  context: StepContext,
  step: ActivityStep | ForEachStep,
): Promise<Filled | Refusal> {
  const { database, versions, plan, workflowRun } = context;
  const source = { knex: database.knex, versions, plan, workflowRunId: workflowRun.Id };
  const { upstreamValues, issue } = await readUpstreamValues(source, step);
  if (issue !== null) return { refused: issue };
  const calculated = await calculateInputs(context, step);
  if (calculated.refused !== null) return calculated;
  return { refused: null, upstreamValues: new Map([...upstreamValues, ...calculated.upstreamValues]) };
}

interface WantedInput extends WantedExpression {
  Id: number;
  Name: string;
}

/** Evaluates the expressions of the inputs of a step. */
export async function calculateInputs(
  context: StepContext,
  step: ActivityStep | ForEachStep,
): Promise<Filled | Refusal> {
  const wanted: WantedInput[] = [];
  const version = await context.versions.get(step.ActivityId, context.plan.Versions[step.ActivityId]!);
  for (const { Input, From } of step.Inputs) {
    if (From.Kind !== 'Expression') continue;
    const input = version?.inputs.find(({ Name }) => nameKey(Name) === nameKey(Input));
    if (!input) return { refused: `Step "${step.Name}" no longer has an input "${Input}"` };
    wanted.push({ Id: input.Id, Name: input.Name, from: From, wanted: input.Info });
  }
  if (wanted.length === 0) return { refused: null, upstreamValues: new Map() };
  const results = await evaluateOf(context, wanted);
  const upstreamValues = new Map<number, OutputValue>();
  for (const [index, { Id, Name, from }] of wanted.entries()) {
    const result = results[index]!;
    if ('problem' in result)
      return { refused: expressionFailure(`"${Name}"`, from, result.problem), status: 'LogicError' };
    upstreamValues.set(Id, { json: result.json, files: [] });
  }
  return { refused: null, upstreamValues };
}

/** Evaluates one expression of a step. */
export async function evaluateOne(
  context: StepContext,
  from: ExpressionSource,
  wanted: WantedExpression['wanted'],
): Promise<ExpressionResult> {
  const [result] = await evaluateOf(context, [{ from, wanted }]);
  return result!;
}

const evaluateOf = (context: StepContext, wanted: readonly WantedExpression[]): Promise<ExpressionResult[]> =>
  evaluateExpressions(context, context.plan.Graph, wanted, valueReader(context));

function valueReader({ database, versions, plan, workflowRun }: StepContext): ReadValue {
  const source = { knex: database.knex, versions, plan, workflowRunId: workflowRun.Id };
  return async (from: ReadSource) => {
    const found = from.Kind === 'Input' ? await readEnteredValue(source, from.Name) : await readOutput(source, from);
    if (!found) return null;
    if (found.issue !== undefined) return found.issue;
    if (found.value.files.length > 0) return `'${from.Name}' is a file, which a formula cannot read`;
    return { shape: found.info, json: found.value.json, isEntered: from.Kind === 'Input' };
  };
}
