/** Values of inputs as a procedure takes them: exact texts. */
import { Category, LogCode } from '#shared/rules/log-codes.ts';
import { parseValue, valueShape, type FormCell } from '#shared/codecs/input-form.ts';
import { fromSerial } from '#shared/codecs/serial-date.ts';
import type { ActivityDefinition, InputDefinition, InputValue, RunLogLine } from '../executor.ts';
import type { ProcedureCell, ProcedureType, ProcedureValue } from '#server/base/procedure-types.ts';
import { ProcedureRefused, type BoundParameter, type ProcedureDefinition } from '../procedure-definition.ts';

type Say = (line: RunLogLine) => void;

/** By the names of the parameters; what is left out is not in it. Throws ProcedureRefused for what no parameter may be given. */
export async function argumentsOf(
  { inputs }: Pick<ActivityDefinition, 'inputs'>,
  { parameters, pinned }: ProcedureDefinition,
  values: readonly InputValue[],
  say: Say,
): Promise<Map<string, ProcedureValue>> {
  // Nobody is asked for a cursor: PostgreSQL names one that is NULL when it is opened.
  const cursors = pinned.parameters.filter(
    ({ isCursor, direction, mayBeLeftOut }) => isCursor && direction === 'inout' && mayBeLeftOut === false,
  );
  const args = new Map<string, ProcedureValue>(cursors.map(({ name }) => [name, null]));
  for (const bound of parameters) {
    const input = inputs.find(({ Name }) => Name === bound.input);
    const parameter = pinned.parameters.find(({ name }) => name === bound.parameter);
    if (!input || !parameter) continue;
    const given = values.find(({ Name }) => Name === input.Name);
    const value = await argumentOf({ bound, input, type: parameter.type, say }, given);
    if (value !== undefined) args.set(bound.parameter, value);
  }
  return args;
}

interface Place {
  bound: BoundParameter;
  input: InputDefinition;
  type: ProcedureType;
  say: Say;
}

async function argumentOf(place: Place, given: InputValue | undefined): Promise<ProcedureValue | undefined> {
  const { bound, input, type } = place;
  const [file] = given?.files ?? [];
  if (file) return file.read();
  const json = given?.value ?? null;
  if (json === null && bound.mayBeLeftOut) return undefined;
  if (json === null && type.kind === 'Table') return { rows: [] };
  if (json === null && bound.required) throw refused(`'${input.Name}' has no value: preset one`, 'LogicError');
  if (json === null || type.kind === 'File') return null;
  const value = parseValue(input.Info, json);
  const shape = valueShape(input.Info);
  if (shape === 'cell') return cellOf(value as FormCell, type, true, place);
  const rows = shape === 'list' ? (value as FormCell[]).map((cell) => [cell]) : (value as FormCell[][]);
  return { rows: rows.map((cells) => rowOf(cells, place)) };
}

function rowOf(cells: readonly FormCell[], place: Place): ProcedureCell[] {
  return place.type.columns.map(({ type, isNullable }, col) => cellOf(cells[col] ?? null, type, isNullable, place));
}

function cellOf(cell: FormCell, type: ProcedureType, isNullable: boolean, place: Place): ProcedureCell {
  if (cell === null || cell === '') return isNullable || type.kind !== 'Text' ? null : '';
  if (typeof cell === 'boolean') return type.kind === 'Boolean' ? cell : String(cell);
  if (typeof cell === 'string') return cell;
  return type.kind === 'Date' ? dateText(cell, type, place) : numberText(cell, type, place);
}

/** Digits that a double keeps of every number. */
const KEPT_DIGITS = 15;

function numberText(value: number, type: ProcedureType, { input, say }: Place): string {
  const text = String(value);
  if (isApproximate(type)) return text;
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw refused(`The value of '${input.Name}' has more digits than a number keeps: ${text}`, 'Failed');
  const digits = text.replace(/e.*$/, '').replaceAll(/\D/g, '').replace(/^0+/, '');
  if (digits.length > KEPT_DIGITS && type.precision !== null)
    throw refused(`The value of '${input.Name}' has more than ${KEPT_DIGITS} digits: ${text}`, 'Failed');
  if (digits.length > KEPT_DIGITS) {
    const Message = `The value of '${input.Name}' is passed with all its ${digits.length} digits: ${text}`;
    say({ Message, StatusCode: LogCode.Information, Category: Category.Information });
  }
  return text;
}

const APPROXIMATE = new Set(['real', 'float', 'float4', 'float8', 'double precision']);

export const isApproximate = ({ base }: Pick<ProcedureType, 'base'>): boolean => APPROXIMATE.has(base);

function dateText(serial: number, { base }: ProcedureType, { input }: Place): string {
  const parts = fromSerial(serial);
  // Excel's 29 February of 1900, and day 0.
  if (!parts || parts.day === 0 || Math.floor(serial) === 60)
    throw refused(`The value of '${input.Name}' is no date`, 'Failed');
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${String(parts.year).padStart(4, '0')}-${two(parts.month)}-${two(parts.day)}`;
  const { hour, minute, second, millisecond } = parts;
  if (base === 'date' && hour + minute + second + millisecond === 0) return day;
  const fraction = millisecond === 0 ? '' : `.${String(millisecond).padStart(3, '0')}`;
  return `${day} ${two(hour)}:${two(minute)}:${two(second)}${fraction}`;
}

const refused = (Message: string, status: 'Failed' | 'LogicError'): ProcedureRefused =>
  new ProcedureRefused(status, { Message, StatusCode: LogCode.InputRefused, Category: Category.Error });
