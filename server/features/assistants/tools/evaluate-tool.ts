/** The tool that calculates many variants without runs. */
import type { EvaluateService, Evaluation } from '#server/features/evaluate/evaluate-service.ts';
import type { EvaluateBody, EvaluateError } from '#shared/contract/evaluate.ts';
import { distinctKeys, visibleText, visibleValue } from '../clean-text.ts';
import { activityIdOf } from './find-activities.ts';
import { inputSchema, namedArguments, type InputSchema } from './input-schema.ts';
import { offeredActivity, type RunDeps } from './run-activity.ts';
import { answer, invalid, isObject, objectArgument, type Tool, type ToolCall, type ToolResult } from './tool.ts';

export interface EvaluateDeps extends Pick<RunDeps, 'activities' | 'versions'> {
  evaluations: Pick<EvaluateService, 'evaluate'>;
}

/** An assistant reads all results. */
const MAX_ROWS = 500;
const MAX_OUTPUTS = 200;
const MAX_CHARACTERS = 200_000;

export function evaluateTool(deps: EvaluateDeps): Tool {
  return {
    definition: {
      name: 'evaluate_activity',
      title: 'Calculate variants of an activity',
      description:
        'Calculates the outputs of an activity for several variants of its inputs, without storing runs. It works for activities that only calculate. Use it for comparisons and what-if questions.',
      inputSchema: {
        type: 'object',
        properties: {
          activity_id: { type: 'integer', minimum: 1 },
          inputs: { type: 'object', description: 'Values that are the same in all variants, as for run_activity' },
          rows: {
            type: 'array',
            maxItems: MAX_ROWS,
            items: { type: 'object' },
            description: 'For each variant, the values of inputs of one cell',
          },
          outputs: {
            type: 'array',
            items: { type: 'string' },
            maxItems: MAX_OUTPUTS,
            description: 'Keys of outputs to return',
          },
        },
        required: ['activity_id'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: {
          rows: { type: 'integer' },
          outputs: { type: 'object', description: 'For each output, a list with one value per variant' },
          errors: {
            type: 'array',
            items: { type: 'object' },
            description: 'Variants without results; row counts from 0',
          },
        },
        required: ['rows', 'outputs', 'errors'],
      },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    call: (call) => evaluate(deps, call),
  };
}

async function evaluate(deps: EvaluateDeps, call: ToolCall): Promise<ToolResult> {
  const activityId = activityIdOf(call);
  const offered = await offeredActivity(deps, call, activityId);
  const schema = inputSchema(offered.inputs);
  const outputs = new Map(
    distinctKeys(offered.activity.Outputs.map(({ Name }) => Name)).map((key, index) => [
      key,
      offered.activity.Outputs[index]!.Name,
    ]),
  );
  const { person, address } = call.caller;
  const { signal } = call.context.mcpReq;
  const body = bodyOf(call, schema, outputs);
  const evaluation = await deps.evaluations.evaluate({
    person,
    activityId,
    body,
    address,
    clientName: call.client,
    maxRows: MAX_ROWS,
    signal,
  });
  const keys = new Map([...outputs].map(([key, name]) => [name, key]));
  const { columns, errors } = await collect(evaluation);
  const named = evaluation.outputs.map((name, index) => [keys.get(name) ?? name, columns[index]] as const);
  return answer({ rows: evaluation.rows, outputs: visibleValue(Object.fromEntries(named)), errors });
}

function bodyOf(call: ToolCall, schema: InputSchema, outputs: ReadonlyMap<string, string>): EvaluateBody {
  const { rows, outputs: wanted } = call.args;
  const Inputs = namedArguments(objectArgument(call, 'inputs'), schema) as EvaluateBody['Inputs'];
  const body: EvaluateBody = { Inputs };
  if (rows !== undefined) {
    if (!Array.isArray(rows) || !rows.every(isObject)) throw invalid('rows must be a list of objects');
    body.Rows = rows.map((row) => namedArguments(row, schema)) as EvaluateBody['Rows'];
  }
  if (wanted === undefined) return body;
  const isList = Array.isArray(wanted) && wanted.every((key) => typeof key === 'string');
  if (!isList || wanted.length === 0 || wanted.length > MAX_OUTPUTS) throw invalid('outputs must be a list of keys');
  return { ...body, Outputs: wanted.map((key) => outputs.get(key) ?? key) };
}

/** Threads have already written the values as JSON. */
async function collect({ outputs, slices }: Evaluation): Promise<{ columns: unknown[][]; errors: unknown[] }> {
  const columns = outputs.map((): unknown[] => []);
  const errors: unknown[] = [];
  let size = 0;
  for await (const slice of slices()) {
    errors.push(...slice.errors.map(errorView));
    for (const [index, column] of columns.entries()) {
      const text = slice.outputs[index] ?? '';
      size += text.length;
      if (size > MAX_CHARACTERS) throw invalid('The results are too long. Ask for fewer rows or outputs');
      column.push(...(JSON.parse(`[${text}]`) as unknown[]));
    }
  }
  return { columns, errors };
}

const errorView = ({ Row, Code, Input, Message }: EvaluateError): Record<string, unknown> => ({
  row: Row,
  code: Code,
  input: Input,
  message: visibleText(Message).slice(0, 500),
});
