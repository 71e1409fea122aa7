/** Converts named values of a program to the inputs of a start, and the outputs of a run to named values. */
import { readCellText, cellProblem, type CellKind } from '../codecs/cell-text.ts';
import {
  encodeInput,
  initialFormInput,
  isFileInput,
  isFixed,
  ruleIndex,
  valueShape,
  type FormCell,
  type FormFile,
  type FormInput,
} from '../codecs/input-form.ts';
import { hasDay } from '../codecs/date-format.ts';
import type { TextRegion } from '../codecs/text-region.ts';
import { twoReadings } from '../codecs/two-readings.ts';
import { fromSerial, toSerial } from '../codecs/serial-date.ts';
import type { Activity } from '../contract/activities.ts';
import type { Input, InputInfo, Output, RunInputValue } from '../contract/parameters.ts';

/**
 * A cell: a number, Boolean or text; null is blank. A Date input takes a Date (its UTC day and time). Texts are parsed:
 * '12 %', '31/Jan/2026', '2026-01-31', 'yes'. A text whose meaning depends on the region is refused unless the region
 * is specified.
 */
export type GivenCell = number | string | boolean | Date | null;

/** A single cell; a list for one row or column; rows for tables, either in column order or keyed by column heading. */
export type GivenValue = GivenCell | GivenCell[] | GivenCell[][] | Record<string, GivenCell>[];

/**
 * By input name, ignoring case and treating spaces and underscores alike. Files are passed as the result of an upload.
 */
export type GivenInputs = Readonly<Record<string, GivenValue | FormFile[]>>;

/** Some values cannot be used as inputs of the activity; one line per problem. */
export class InputFailure extends Error {
  override readonly name = 'InputFailure';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

const sameName = (name: string): string =>
  name
    .replace(/[\s_]+/g, ' ')
    .trim()
    .toLowerCase();

/** Returns the input with this name. Throws InputFailure, which lists the existing names. */
export function findInput(activity: { Name: string; Inputs: readonly Input[] }, name: string): Input {
  const found = activity.Inputs.find((input) => sameName(input.Name) === sameName(name));
  if (found) return found;
  const names = activity.Inputs.map(({ Name }) => Name).join(', ');
  throw new InputFailure([`"${activity.Name}" has no input "${name}"; it has ${names || 'none'}`]);
}

/**
 * Returns the inputs for a start. Inputs without a value use their preset or default value. Throws InputFailure with
 * all problems.
 * @param region region for parsing texts: '1.500' is 1500 in Germany; null accepts only texts that all regions read
 * alike
 */
export function readInputs(
  activity: Pick<Activity, 'Name' | 'Inputs'>,
  given: GivenInputs,
  region: TextRegion | null = null,
): RunInputValue[] {
  const problems: string[] = [];
  const forms = new Map<number, FormInput>();
  for (const [name, value] of Object.entries(given)) {
    try {
      const input = findInput(activity, name);
      if (isFixed(input)) throw new InputFailure([`${input.Name}: the value is fixed, and cannot be given`]);
      if (forms.has(input.Id)) throw new InputFailure([`${input.Name}: the value is given more than once`]);
      forms.set(input.Id, readValue(input, value, region));
    } catch (error) {
      if (!(error instanceof InputFailure)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new InputFailure(problems);
  return activity.Inputs.flatMap((input) => encodeInput(input, forms.get(input.Id) ?? initialFormInput(input)));
}

const isFiles = (value: GivenValue | FormFile[]): value is FormFile[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => isRecord(one) && 'FileId' in one && 'FileName' in one);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Returns the value of one input. Throws InputFailure with all problems. */
export function readValue(input: Input, value: GivenValue | FormFile[], region: TextRegion | null): FormInput {
  const initial = { ...initialFormInput(input), useDefault: false };
  if (isFileInput(input.Info)) {
    if (!isFiles(value)) throw new InputFailure([`${input.Name}: a file is wanted, not a value`]);
    return { ...initial, files: value };
  }
  if (isFiles(value)) throw new InputFailure([`${input.Name}: a value is wanted, not a file`]);
  const problems: string[] = [];
  const cellAt = (cell: unknown, row: number, col: number): FormCell => {
    const cellName =
      valueShape(input.Info) === 'cell' ? input.Name : `${input.Name}, row ${row + 1}, column ${col + 1}`;
    const read = readCell(cell, kindOf(input.Info, row, col, region));
    if ('problem' in read) problems.push(`${cellName}: ${read.problem}`);
    return 'problem' in read ? null : read.cell;
  };
  const read = shaped(input, value, cellAt);
  if (problems.length > 0) throw new InputFailure(problems.slice(0, 20));
  return { ...initial, value: read };
}

function shaped(
  input: Input,
  value: GivenValue,
  cellAt: (cell: unknown, row: number, col: number) => FormCell,
): FormInput['value'] {
  const shape = valueShape(input.Info);
  if (shape === 'cell') {
    if (Array.isArray(value)) throw new InputFailure([`${input.Name}: one value is wanted, not a list`]);
    return cellAt(value, 0, 0);
  }
  if (!Array.isArray(value)) throw new InputFailure([`${input.Name}: a list is wanted`]);
  if (shape === 'list') return value.map((cell, index) => cellAt(cell, index, 0));
  return value.map((row, index) => rowCells(input, row, index).map((cell, col) => cellAt(cell, index, col)));
}

/** Returns the cells of a row in column order. Unknown headings are reported, not ignored. */
function rowCells(input: Input, row: unknown, index: number): unknown[] {
  const { Width, ColsVariable, ColumnHeaderValues } = input.Info;
  if (isRecord(row)) {
    const given = new Map(Object.entries(row).map(([name, cell]) => [sameName(name), cell]));
    const cells = ColumnHeaderValues.map((heading) => {
      const cell = given.get(sameName(heading)) ?? null;
      given.delete(sameName(heading));
      return cell;
    });
    if (given.size === 0) return cells;
    const wrong = [...given.keys()].map((name) => `"${name}"`).join(', ');
    throw new InputFailure([`${input.Name}: there is no column ${wrong}; there are ${ColumnHeaderValues.join(', ')}`]);
  }
  if (!Array.isArray(row)) throw new InputFailure([`${input.Name}, row ${index + 1}: a list of cells is wanted`]);
  if (row.length !== Width && !ColsVariable) {
    const found = row.length === 1 ? '1 cell is given' : `${row.length} cells are given`;
    const wanted = Width === 1 ? '1 is wanted' : `${Width} are wanted`;
    throw new InputFailure([`${input.Name}, row ${index + 1}: ${found}, ${wanted}`]);
  }
  return row;
}

function kindOf(info: InputInfo, row: number, col: number, region: TextRegion | null): CellKind {
  const index = ruleIndex(info, row, col);
  const at = <T>(list: readonly T[]): T | undefined => list[index] ?? list[0];
  return {
    usage: at(info.CellUsages) ?? 'Text',
    format: at(info.Formats) ?? 'General',
    // Forms truncate what users type; for programs, the server reports texts that are too long.
    maxSize: null,
    isExact: info.ExactNumbers === true,
    ...(region ? { region, canAsk: true } : {}),
  };
}

function readCell(cell: unknown, kind: CellKind): { cell: FormCell } | { problem: string } {
  if (cell === null || cell === undefined) return { cell: null };
  if (cell instanceof Date) {
    const serial = kind.usage === 'Date' ? serialOf(cell) : null;
    return serial === null ? { problem: 'a day is given where none can be' } : { cell: serial };
  }
  if (typeof cell === 'boolean') {
    if (kind.usage === 'Boolean') return { cell };
    return kind.usage === 'Text'
      ? { cell: cell ? 'TRUE' : 'FALSE' }
      : { problem: `${cell} is given where none can be` };
  }
  if (typeof cell === 'number') {
    if (kind.usage === 'Number' || kind.usage === 'Date') return { cell };
    return kind.usage === 'Boolean' ? { problem: `${cell} is no truth value` } : { cell: String(cell) };
  }
  if (typeof cell !== 'string') return { problem: 'the value is none that a cell can hold' };
  if (!kind.region && !PLAIN_NUMBER.test(cell.trim()) && twoReadings(cell, kind))
    return { problem: `"${cell}" can be read in two ways: write it as ${PLAIN[kind.usage]}, or tell the region` };
  const read = readCellText(cell, kind).cell;
  const problem = cellProblem(read, kind);
  if (problem !== null) return { problem: `${problem}: "${cell}"` };
  return kind.usage === 'Boolean' && typeof read !== 'boolean'
    ? { problem: `"${cell}" is no truth value` }
    : { cell: read };
}

/** Returns the value of a cell for an input of one cell, or what is wrong with it. */
export const readCellValue = (
  { Info }: Pick<Input, 'Info'>,
  cell: GivenCell,
  region: TextRegion | null,
): ReturnType<typeof readCell> => readCell(cell, kindOf(Info, 0, 0, region));

/** Number notation of programs, independent of the region. */
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?\s?%?$/i;
const PLAIN: Partial<Record<CellKind['usage'], string>> = {
  Number: 'a plain number, such as 1234.5',
  Date: 'year-month-day, such as 2026-01-31',
};

const serialOf = (day: Date): number | null =>
  toSerial({
    year: day.getUTCFullYear(),
    month: day.getUTCMonth() + 1,
    day: day.getUTCDate(),
    hour: day.getUTCHours(),
    minute: day.getUTCMinutes(),
    second: day.getUTCSeconds(),
    millisecond: day.getUTCMilliseconds(),
  });

/**
 * A cell of an output. Days are ISO 8601 ('2026-01-31', with a time if there is one). Times and durations without a day
 * are fractions of a day, as in Excel. An Excel error is {"error": "#N/A"}.
 */
export type ResultCell = number | string | boolean | null | { error: string };
export type ResultValue = ResultCell | ResultCell[] | ResultCell[][];

/** Returns the values of a run's outputs by name; null for files, which are downloaded separately. */
export function readOutputs(outputs: readonly Output[]): Record<string, ResultValue> {
  return Object.fromEntries(outputs.map((output) => [output.Name, output.Value === null ? null : valueOf(output)]));
}

const valueOf = ({ Value, Info }: Output): ResultValue => resultValue(Info, JSON.parse(Value!) as ResultValue);

/** Returns the value of an output as the contract has it, with days as texts. */
export function resultValue(Info: Output['Info'], value: ResultValue): ResultValue {
  const cell = (given: ResultCell, row: number, col: number): ResultCell => {
    const index = Info.RangeType === 'RangeWithRowHeaders' ? row : col;
    const at = <T>(list: readonly T[]): T | undefined => list[Math.min(index, list.length - 1)];
    const isDay = at(Info.CellUsages) === 'Date' && hasDay(at(Info.Formats) || 'dd/mm/yyyy');
    return isDay && typeof given === 'number' ? (isoOf(given) ?? given) : given;
  };
  if (!Array.isArray(value)) return cell(value, 0, 0);
  return value.map((row, index) =>
    Array.isArray(row) ? row.map((one, col) => cell(one, index, col)) : cell(row, index, 0),
  ) as ResultValue;
}

function isoOf(serial: number): string | null {
  const parts = fromSerial(serial);
  if (parts === null) return null;
  const pad = (number: number, digits = 2): string => String(number).padStart(digits, '0');
  const day = `${pad(parts.year, 4)}-${pad(parts.month)}-${pad(parts.day)}`;
  const milliseconds = parts.millisecond > 0 ? `.${pad(parts.millisecond, 3)}` : '';
  const time = `${pad(parts.hour)}:${pad(parts.minute)}:${pad(parts.second)}${milliseconds}`;
  return time === '00:00:00' ? day : `${day}T${time}`;
}
