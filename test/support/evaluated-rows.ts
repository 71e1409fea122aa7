/** Evaluates rows of values and runs the same rows, so that tests can compare the results. */
import { Buffer } from 'node:buffer';
import { expect } from 'vitest';
import type { ActivityDefinition, InputDefinition } from '#server/executors/activity-definition.ts';
import type { EvaluatedInput, GivenRows } from '#server/executors/executor.ts';
import type { WorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { isFileInput, valueShape, type FormCell } from '#shared/codecs/input-form.ts';
import type { EvaluateError } from '#shared/contract/evaluate.ts';
import { buildWorkbook, type WorkbookSpec } from './build-workbook.ts';
import { type SeededRandom } from './seeded-random.ts';
import { never, nextVersion } from './workbook-executors.ts';

/** By name of the input; inputs without an entry have their default. */
export type Row = Record<string, FormCell>;

export interface Evaluable {
  definition: ActivityDefinition;
  /** Outputs of a run as JSON texts by name; null if the run did not succeed. */
  run(row: Row, whole?: Record<string, unknown>): Promise<Record<string, string | null> | null>;
  evaluate(rows: readonly Row[], whole?: Record<string, unknown>): Promise<Evaluated>;
}

export interface Evaluated {
  /** Per row: outputs as JSON texts by name. */
  rows: Record<string, string>[];
  errors: EvaluateError[];
  refused: Record<string, string[]> | null;
}

export async function evaluable(executor: WorkbookExecutor, spec: WorkbookSpec | Buffer): Promise<Evaluable> {
  const bytes = Buffer.isBuffer(spec) ? spec : await buildWorkbook(spec);
  const { definition, problems } = await executor.inspect({ fileName: 'B.xlsx', bytes, acceptUnsupported: [] }, never);
  expect(problems).toEqual([]);
  const of = { executor, definition: definition!, versionKey: `evaluated ${nextVersion()}`, bytes };
  return {
    definition: definition!,
    run: (row, whole = {}) => run(of, row, whole),
    evaluate: (rows, whole = {}) => evaluate(of, rows, whole),
  };
}

interface Published {
  executor: WorkbookExecutor;
  definition: ActivityDefinition;
  versionKey: string;
  bytes: Buffer;
}

const read = ({ bytes }: Published) => Promise.resolve(Uint8Array.from(bytes));

async function run(of: Published, row: Row, whole: Record<string, unknown>): ReturnType<Evaluable['run']> {
  const values = { ...row, ...whole };
  const inputs = of.definition.inputs.map(({ Name }) => ({
    Name,
    value: Name in values ? JSON.stringify(values[Name]) : null,
    files: [],
  }));
  const { status, outputs } = await of.executor.run({
    versionKey: of.versionKey,
    definition: of.definition,
    fileName: 'B.xlsx',
    readWorkbook: () => read(of),
    inputs,
    timeLimit: 60_000,
    signal: never,
    onLog: () => undefined,
    onProgress: () => undefined,
  });
  if (status !== 'Succeeded' && status !== 'SucceededWarn') return null;
  return Object.fromEntries(outputs.map(({ Name, Value }) => [Name, Value]));
}

async function evaluate(of: Published, rows: readonly Row[], whole: Record<string, unknown>): Promise<Evaluated> {
  const outputs = of.definition.outputs.filter(({ Info }) => Info.CellUsages[0] !== 'FilePath').map(({ Name }) => Name);
  const found: Evaluated = { rows: [], errors: [], refused: null };
  while (found.rows.length < rows.length) {
    const from = found.rows.length;
    const answer = await of.executor.evaluate({
      versionKey: of.versionKey,
      definition: of.definition,
      readWorkbook: () => read(of),
      owner: 'somebody',
      inputs: of.definition.inputs.map((input) => evaluatedInput(input, rows.slice(from), whole)),
      outputs,
      rows: rows.length - from,
      timeLimit: 60_000,
      signal: never,
    });
    if ('refusal' in answer) throw new Error(answer.refusal);
    if ('refused' in answer) return { ...found, refused: answer.refused };
    const columns = answer.outputs.map((texts) => JSON.parse(`[${texts}]`) as unknown[]);
    for (let row = 0; row < answer.rows; row += 1) {
      found.rows.push(Object.fromEntries(outputs.map((name, col) => [name, JSON.stringify(columns[col]![row])])));
    }
    found.errors.push(...answer.errors.map((error) => ({ ...error, Row: error.Row + from })));
  }
  return found;
}

function evaluatedInput(
  { Name }: InputDefinition,
  rows: readonly Row[],
  whole: Record<string, unknown>,
): EvaluatedInput {
  const isGiven = rows.some((row) => Name in row);
  const given: GivenRows =
    Name in whole
      ? { kind: 'all', value: whole[Name] }
      : isGiven
        ? { kind: 'rows', values: rows.map((row) => row[Name]) }
        : { kind: 'default' };
  return { Name, HasAccess: true, PresetValue: null, PresetValueError: null, given };
}

/** Expects that each row has the results of its run, or is refused as its run is. */
export async function expectRuns(of: Evaluable, rows: readonly Row[], whole?: Record<string, unknown>): Promise<void> {
  const { rows: found, errors, refused } = await of.evaluate(rows, whole);
  expect(refused).toBeNull();
  for (const [index, row] of rows.entries()) {
    const wanted = await of.run(row, whole);
    const said = JSON.stringify(row);
    const error = errors.find(({ Row }) => Row === index);
    expect(error === undefined, `${said}: ${error?.Message}`).toBe(wanted !== null);
    if (wanted === null) continue;
    for (const [name, text] of Object.entries(found[index]!)) expect(text, `${name} of ${said}`).toBe(wanted[name]);
  }
}

/** Returns a row with values that a start accepts, around the default values of the inputs. */
export function randomRow({ inputs }: ActivityDefinition, random: SeededRandom): Row {
  const row: Row = {};
  for (const input of inputs) {
    const { Info, Name, pickerItems } = input;
    const isOpen = !['Display', 'Hidden'].includes(Info.Specifications[0] ?? '');
    if (valueShape(Info) !== 'cell' || isFileInput(Info) || !isOpen) continue;
    const own = JSON.parse(Info.DefaultValue ?? 'null') as FormCell;
    row[Name] = randomCell(
      own,
      { usage: Info.CellUsages[0]!, items: pickerItems[0] ?? null, isWhole: isWhole(input) },
      random,
    );
  }
  return row;
}

const isWhole = ({ Info }: InputDefinition): boolean => Info.Rules?.some(({ Type }) => Type === 'whole') ?? false;

function randomCell(
  own: FormCell,
  { usage, items, isWhole: whole }: { usage: string; items: string[] | null; isWhole: boolean },
  random: SeededRandom,
): FormCell {
  if (items && usage === 'Text') return random.pick(items);
  if (usage === 'Boolean') return random.pick([true, false]);
  if (typeof own !== 'number') return own;
  if (usage === 'Date') return Math.floor(own) + random.between(-400, 400);
  if (whole) return Math.max(1, random.between(1, own * 2));
  return (own * random.between(1, 1999)) / 1000;
}
