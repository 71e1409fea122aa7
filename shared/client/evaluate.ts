/** Calculates an activity for many rows of inputs, for programs. */
import type { Activity } from '../contract/activities.ts';
import {
  evaluateActivity,
  NDJSON,
  type EvaluateBody,
  type EvaluateCell,
  type EvaluateError,
  type EvaluateLine,
  type EvaluateValue,
} from '../contract/evaluate.ts';
import { isFixed, valueShape } from '../codecs/input-form.ts';
import type { TextRegion } from '../codecs/text-region.ts';
import { CallFailure, type Client } from './client.ts';
import {
  findInput,
  InputFailure,
  readCellValue,
  readValue,
  resultValue,
  type GivenCell,
  type GivenInputs,
  type ResultValue,
} from './inputs.ts';

export interface EvaluateOptions {
  /** Values that are the same in all rows, such as tables. */
  inputs?: GivenInputs;
  /** Names of the outputs to return; all except files if absent. */
  outputs?: readonly string[];
  /** Region for parsing texts; see readInputs. */
  region?: TextRegion | null;
  signal?: AbortSignal;
  /** Called with the number of calculated rows so far, and of all rows. */
  onProgress?: (done: number, total: number) => void;
  /** Maximum number of rows per call; 50,000 if absent. More rows take several calls. */
  rowsPerCall?: number;
}

export interface EvaluatedColumns {
  /** By name of the output, a value per row; null for rows that were refused. */
  Outputs: Record<string, ResultValue[]>;
  /** Why rows were refused. `Row` counts from 0. */
  Errors: EvaluateError[];
}

const ROWS_PER_CALL = 50_000;

/**
 * Calculates the version of `activity` for each row, by name of the input. Values are read as by readInputs; a row with
 * a value that cannot be read is refused like one that the portal refuses. Throws InputFailure for wrong names and for
 * values of `inputs`, and CallFailure.
 */
export async function evaluate(
  client: Client,
  activity: Pick<Activity, 'Id' | 'Name' | 'Version' | 'Inputs' | 'Outputs'>,
  rows: readonly Readonly<Record<string, GivenCell>>[],
  options: EvaluateOptions = {},
): Promise<EvaluatedColumns> {
  const { region = null, rowsPerCall = ROWS_PER_CALL } = options;
  const Inputs = readConstants(activity, options.inputs ?? {}, region);
  const { sent, Errors } = readRows(activity, rows, region);
  const found: EvaluatedColumns = { Outputs: {}, Errors };
  const body: EvaluateBody = { Inputs, Version: activity.Version };
  if (options.outputs) body.Outputs = [...options.outputs];
  // Without rows, one call finds out whether names and values are right.
  for (let from = 0; from === 0 || from < sent.length; from += rowsPerCall) {
    const part = sent.slice(from, from + rowsPerCall);
    const call = { client, activity, body: { ...body, Rows: part.map(({ cells }) => cells) }, signal: options.signal };
    for await (const line of linesOf(call)) {
      if (line.Type !== 'Rows') continue;
      addLine(found, activity, line, { rowOf: (index) => part[index]!.row, rows: rows.length });
      options.onProgress?.(from + line.FirstRow + line.Rows, sent.length);
    }
  }
  found.Errors.sort((a, b) => a.Row - b.Row);
  return found;
}

function readConstants(
  activity: Pick<Activity, 'Name' | 'Inputs'>,
  inputs: GivenInputs,
  region: TextRegion | null,
): Record<string, EvaluateValue> {
  const constants: Record<string, EvaluateValue> = {};
  for (const [name, given] of Object.entries(inputs)) {
    const input = findInput(activity, name);
    if (isFixed(input)) throw new InputFailure([`${input.Name}: the value is fixed, and cannot be given`]);
    constants[input.Name] = readValue(input, given, region).value;
  }
  return constants;
}

interface SentRow {
  /** Index among all rows. */
  row: number;
  cells: Record<string, EvaluateCell>;
}

function readRows(
  activity: Pick<Activity, 'Name' | 'Inputs'>,
  rows: readonly Readonly<Record<string, GivenCell>>[],
  region: TextRegion | null,
): { sent: SentRow[]; Errors: EvaluateError[] } {
  const sent: SentRow[] = [];
  const Errors: EvaluateError[] = [];
  const inputs = new Map<string, ReturnType<typeof findInput>>();
  for (const [row, given] of rows.entries()) {
    const cells: Record<string, EvaluateCell> = {};
    const before = Errors.length;
    for (const [name, value] of Object.entries(given)) {
      let input = inputs.get(name);
      if (!input) inputs.set(name, (input = findInput(activity, name)));
      if (valueShape(input.Info) !== 'cell')
        throw new InputFailure([`${input.Name}: give a list or a table once for all rows`]);
      if (Object.hasOwn(cells, input.Name))
        throw new InputFailure([`${input.Name}, row ${row}: the value is given more than once`]);
      const read = readCellValue(input, value, region);
      if ('problem' in read) Errors.push({ Row: row, Code: 'inputInvalid', Input: input.Name, Message: read.problem });
      else cells[input.Name] = read.cell;
    }
    if (Errors.length === before) sent.push({ row, cells });
  }
  return { sent, Errors };
}

/** Yields the lines of an answer. Throws CallFailure if it is incomplete. */
async function* linesOf(call: {
  client: Client;
  activity: Pick<Activity, 'Id'>;
  body: EvaluateBody;
  signal: AbortSignal | undefined;
}): AsyncGenerator<EvaluateLine> {
  const { client, activity, body, signal } = call;
  const lines = client.lines(evaluateActivity, { params: { id: activity.Id }, body, signal, accept: NDJSON });
  for await (const line of lines as AsyncGenerator<EvaluateLine>) {
    if (line.Type === 'Failure') throw new CallFailure(line.message, { status: 422, answer: line });
    yield line;
    if (line.Type === 'End') return;
  }
  throw new CallFailure('The answer ended before all rows were calculated', { status: 0 });
}

function addLine(
  { Outputs, Errors }: EvaluatedColumns,
  activity: Pick<Activity, 'Outputs'>,
  line: Extract<EvaluateLine, { Type: 'Rows' }>,
  { rowOf, rows }: { rowOf: (index: number) => number; rows: number },
): void {
  for (const [name, values] of Object.entries(line.Outputs)) {
    const info = activity.Outputs.find(({ Name }) => Name === name)?.Info;
    const column = (Outputs[name] ??= Array.from({ length: rows }, () => null));
    for (const [index, value] of values.entries()) {
      const result = value as ResultValue;
      column[rowOf(line.FirstRow + index)] = info ? resultValue(info, result) : result;
    }
  }
  for (const error of line.Errors) Errors.push({ ...error, Row: rowOf(error.Row) });
}
