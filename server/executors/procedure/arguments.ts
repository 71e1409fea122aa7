/** Converts values of inputs to procedure arguments, as exact texts. */
import { Category, LogCode } from '#shared/rules/log-codes.ts';
import { parseValue, valueShape, type FormCell } from '#shared/codecs/input-form.ts';
import { EXACT_DIGITS, readDecimal } from '#shared/codecs/exact-number.ts';
import { fromSerial } from '#shared/codecs/serial-date.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import type { ActivityDefinition, InputDefinition } from '../activity-definition.ts';
import type { InputValue, RunLogLine } from '../executor.ts';
import type { ProcedureCell, ProcedureType, ProcedureValue } from '#server/base/procedure-types.ts';
import type { BoundParameter, ProcedureDefinition } from '../procedure-definition.ts';
import { ProcedureRefused } from '../procedure-call.ts';
import { writtenText } from './empty-text.ts';

type Say = (line: RunLogLine) => void;

/**
 * Returns the arguments by parameter name, without omitted parameters. Throws ProcedureRefused for values that no
 * parameter can take.
 */
export async function argumentsOf(
  { inputs }: Pick<ActivityDefinition, 'inputs'>,
  { parameters, pinned }: ProcedureDefinition,
  values: readonly InputValue[],
  say: Say,
): Promise<Map<string, ProcedureValue>> {
  // Users supply no value for a cursor: PostgreSQL assigns a name to a NULL cursor when it is opened.
  const cursors = pinned.parameters.filter(
    ({ isCursor, direction, mayBeLeftOut }) => isCursor && direction === 'inout' && mayBeLeftOut === false,
  );
  const args = new Map<string, ProcedureValue>(cursors.map(({ name }) => [name, null]));
  for (const bound of parameters) {
    const input = inputs.find(({ Name }) => Name === bound.input);
    const parameter = pinned.parameters.find(({ name }) => name === bound.parameter);
    if (!input || !parameter) continue;
    const inputValue = values.find(({ Name }) => Name === input.Name);
    const value = await argumentOf({ bound, input, type: parameter.type, say }, inputValue);
    if (value !== undefined) args.set(bound.parameter, value);
  }
  return args;
}

interface ArgumentContext {
  bound: BoundParameter;
  input: InputDefinition;
  type: ProcedureType;
  say: Say;
}

async function argumentOf(
  context: ArgumentContext,
  inputValue: InputValue | undefined,
): Promise<ProcedureValue | undefined> {
  const { bound, input, type } = context;
  const [file] = inputValue?.files ?? [];
  if (file) return file.read();
  const json = inputValue?.value ?? null;
  if (json === null && bound.mayBeLeftOut) return undefined;
  if (json === null && type.kind === 'Table') return { rows: [] };
  if (json === null && bound.required) throw refused(`'${input.Name}' has no value: preset one`, 'LogicError');
  if (json === null || type.kind === 'File') return null;
  const value = parseValue(input.Info, json);
  const shape = valueShape(input.Info);
  const [usage] = input.Info.CellUsages;
  if (shape === 'cell') return cellOf(value as FormCell, { type, isNullable: true, usage }, context);
  const rows = shape === 'list' ? (value as FormCell[]).map((cell) => [cell]) : (value as FormCell[][]);
  return { rows: rows.map((cells) => rowOf(cells, context)) };
}

function rowOf(cells: readonly FormCell[], context: ArgumentContext): ProcedureCell[] {
  const { CellUsages } = context.input.Info;
  return context.type.columns.map(({ type, isNullable }, col) =>
    cellOf(cells[col] ?? null, { type, isNullable, usage: CellUsages[col] }, context),
  );
}

interface TakenAs {
  type: ProcedureType;
  isNullable: boolean;
  usage: CellUsage | undefined;
}

function cellOf(cell: FormCell, { type, isNullable, usage }: TakenAs, context: ArgumentContext): ProcedureCell {
  if (cell === null || cell === '') return isNullable || type.kind !== 'Text' ? null : '';
  if (typeof cell === 'boolean') return type.kind === 'Boolean' ? cell : String(cell);
  if (typeof cell === 'number' && type.kind === 'Date') return dateText(cell, type, context);
  const text = String(cell);
  if (usage === 'Number' && !isApproximate(type)) checkDigits(text, type, context);
  return type.kind === 'Text' && typeof cell === 'string' ? writtenText(text, type) : text;
}

function checkDigits(text: string, { precision }: ProcedureType, { input, say }: ArgumentContext): void {
  const digits = readDecimal(text)?.digits.length ?? 0;
  if (digits <= EXACT_DIGITS) return;
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  // A declared precision of more than 15 digits would let the value through, so it is refused here. With a smaller
  // precision, the database's own rules report the error.
  if (precision !== null && precision > EXACT_DIGITS)
    throw refused(`The value of '${input.Name}' has more than ${EXACT_DIGITS} digits: ${shown}`, 'Failed');
  if (precision !== null) return;
  const Message = `The value of '${input.Name}' is passed with all its ${digits} digits: ${shown}`;
  say({ Message, StatusCode: LogCode.Information, Category: Category.Information });
}

const APPROXIMATE = new Set(['real', 'float', 'float4', 'float8', 'double precision']);

const isApproximate = ({ base }: Pick<ProcedureType, 'base'>): boolean => APPROXIMATE.has(base);

function dateText(serial: number, { base }: ProcedureType, { input }: ArgumentContext): string {
  const parts = fromSerial(serial);
  // Excel's nonexistent 29 February 1900, and day 0.
  if (!parts || parts.day === 0 || Math.floor(serial) === 60)
    throw refused(`The value of '${input.Name}' is not a date`, 'Failed');
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${String(parts.year).padStart(4, '0')}-${two(parts.month)}-${two(parts.day)}`;
  const { hour, minute, second, millisecond } = parts;
  if (base === 'date' && hour + minute + second + millisecond === 0) return day;
  const fraction = millisecond === 0 ? '' : `.${String(millisecond).padStart(3, '0')}`;
  return `${day} ${two(hour)}:${two(minute)}:${two(second)}${fraction}`;
}

const refused = (Message: string, status: 'Failed' | 'LogicError'): ProcedureRefused =>
  new ProcedureRefused(status, { Message, StatusCode: LogCode.InputRefused, Category: Category.Error });
