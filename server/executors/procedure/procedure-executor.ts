/** Runs versions of stored-procedure activities, with a caller that has access to the database. */
import { Category, LogCode } from '#shared/rules/log-codes.ts';
import type { ActivityDefinition } from '../activity-definition.ts';
import type { OutputFile, RunLogLine, RunOutcome } from '../executor.ts';
import { safeFileName } from '../file-name.ts';
import type { ProcedureType, ProcedureValue } from '#server/base/procedure-types.ts';
import type { ProcedureDefinition } from '../procedure-definition.ts';
import { ProcedureRefused } from '../procedure-call.ts';
import type { ProcedureOutcome, ProcedureRequest } from '../procedure-call.ts';
import { argumentsOf } from './arguments.ts';
import { createValueConverter, inexactValueLines } from './value-converter.ts';
import { outputUsage } from './result-cells.ts';
import { createMessages } from './messages.ts';
import { createResultSets } from './result-sets.ts';

/** Rejects with the reason of the run's signal, or with an unexpected error (the run then ends as InternalError). */
export async function runProcedure(request: ProcedureRequest): Promise<RunOutcome> {
  const { definition, inputs, caller } = request;
  const { procedure } = definition;
  if (!procedure) throw new Error('the version is none of a stored procedure');
  const say = (line: RunLogLine): void => request.onLog(line);
  const messages = createMessages(say);
  const results = createResultSets(procedure, say);
  try {
    const args = await argumentsOf(definition, procedure, inputs, say);
    request.onProgress(`Calling ${procedure.pinned.name}`, null);
    let outcome: RunOutcome | undefined;
    await caller.call(args, {
      onMessage: (message) => messages.add(message),
      onRows: (rows) => results.add(rows),
      // Build the outcome before the commit: if it cannot be built, the procedure's changes are rolled back.
      onEnd: async (done) => {
        messages.end();
        const ended = await results.end();
        outcome = outcomeOf(definition, procedure, done, { results: ended, warned: messages.warned, say });
      },
    });
    if (!outcome) throw new Error('the call of a procedure ended without an outcome');
    return outcome;
  } catch (error) {
    messages.end();
    results.discard();
    if (!(error instanceof ProcedureRefused)) throw error;
    say(error.line);
    return { status: error.status, outputs: [], files: [] };
  }
}

interface Gathered {
  results: Pick<RunOutcome, 'outputs' | 'files'> & { warned: boolean };
  warned: boolean;
  say: (line: RunLogLine) => void;
}

function outcomeOf(
  definition: ActivityDefinition,
  procedure: ProcedureDefinition,
  { outputs: returned, returnCode }: ProcedureOutcome,
  { results, warned, say }: Gathered,
): RunOutcome {
  const outputs = [...results.outputs];
  const files = [...results.files];
  for (const { parameter, output } of procedure.parameters) {
    const type = procedure.pinned.parameters.find(({ name }) => name === parameter)?.type;
    const value = returned.get(parameter);
    if (output === null || !type || value === undefined) continue;
    const converted = convertOutput(output, value, type, say);
    if ('file' in converted) files.push(converted.file);
    else outputs.push(converted.value);
  }
  const code = returnCode ?? 0;
  if (procedure.returnCode !== null && returnCode !== null)
    outputs.push({ Name: procedure.returnCode, Value: JSON.stringify(code), Rows: null });
  if (code !== 0) {
    const Message = `The procedure returned the code ${code}`;
    const line = { Message, StatusCode: LogCode.ReturnCode };
    if (procedure.settings.ReturnCodeFails) throw new ProcedureRefused('Failed', { ...line, Category: Category.Error });
    say({ ...line, Category: Category.Warning });
  }
  const order = new Map(definition.outputs.map(({ Name }, index) => [Name, index]));
  outputs.sort((a, b) => (order.get(a.Name) ?? 0) - (order.get(b.Name) ?? 0));
  const hasWarnings = code !== 0 || warned || results.warned;
  return { status: hasWarnings ? 'SucceededWarn' : 'Succeeded', outputs, files };
}

/** Maximum characters of a text value; a longer text becomes a file. */
const MAX_VALUE_LENGTH = 1_000_000;

type ConvertedOutput = { file: OutputFile } | { value: RunOutcome['outputs'][number] };

function convertOutput(
  Name: string,
  value: ProcedureValue,
  type: ProcedureType,
  say: (line: RunLogLine) => void,
): ConvertedOutput {
  if (value instanceof Uint8Array) return { file: { Name, FileName: safeFileName(`${Name}.bin`), bytes: value } };
  if (value !== null && typeof value === 'object') {
    const converters = type.columns.map((column) => createValueConverter(outputUsage(column.type)));
    const rows = value.rows.map((row) => row.map((cell, col) => converters[col]!.cellOf(cell)));
    for (const [col, values] of converters.entries())
      for (const line of inexactValueLines(`column ${type.columns[col]!.name} of ${Name}`, values)) say(line);
    return { value: { Name, Value: JSON.stringify(rows), Rows: rows.length } };
  }
  const converter = createValueConverter(outputUsage(type));
  const cell = converter.cellOf(value);
  if (typeof cell === 'string' && cell.length > MAX_VALUE_LENGTH) {
    const FileName = safeFileName(`${Name}.txt`);
    const Message = `${Name} has ${cell.length.toLocaleString('en')} characters: they are in the file ${FileName}`;
    say({ Message, StatusCode: LogCode.ResultKept, Category: Category.Information });
    return { file: { Name, FileName, bytes: new TextEncoder().encode(cell) } };
  }
  for (const line of inexactValueLines(Name, converter)) say(line);
  return { value: { Name, Value: JSON.stringify(cell), Rows: null } };
}
