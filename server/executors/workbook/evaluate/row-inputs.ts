/** Reads the values of rows as a start and a run would read them. */
import type { ActivityDefinition, InputDefinition } from '#server/executors/activity-definition.ts';
import type { EvaluatedInput } from '#server/executors/executor.ts';
import { InputFailure, readValue, type GivenValue } from '#shared/client/inputs.ts';
import { readCellText } from '#shared/codecs/cell-text.ts';
import {
  blankCell,
  encodeInput,
  initialFormInput,
  InputShapeError,
  isFileInput,
  isFixed,
  mayUseDefault,
  suppliedValue,
  valueShape,
  type FormCell,
  type FormInput,
} from '#shared/codecs/input-form.ts';
import type { Input, InputInfo } from '#shared/contract/parameters.ts';
import { checkInput, isUnconfigured, UNCONFIGURED } from '#shared/rules/input-rules.ts';
import { issueMessages } from '#shared/rules/issue-messages.ts';
import { isCalculatedList, type PickerItems } from '#shared/rules/outside-list.ts';
import { valueRows } from '../run/input-cells.ts';

/** What a row supplies for an input of one cell. */
export type SuppliedCell =
  | { kind: 'value'; cell: FormCell }
  /** The workbook's own value applies. */
  | { kind: 'default' }
  | { kind: 'refused'; messages: string[] };

/** An input of one cell, which may have another value in each row. */
export interface CellInput {
  kind: 'cell';
  input: InputDefinition;
  at: (row: number) => SuppliedCell;
}

/** A list or a table, which is the same in all rows: JSON text of the contract, or null for the workbook's own value. */
export interface WholeInput {
  kind: 'whole';
  input: InputDefinition;
  json: string | null;
}

export type RowInput = CellInput | WholeInput;

/** Returns the inputs in the order of the definition, or messages by input about values that apply to all rows. */
export function readRowInputs(
  { inputs }: ActivityDefinition,
  given: readonly EvaluatedInput[],
): { inputs: RowInput[] } | { refused: Record<string, string[]> } {
  const read: RowInput[] = [];
  const refused = new Map<string, string[]>();
  for (const [index, input] of inputs.entries()) {
    const one = rowInput(input, given[index]!);
    if ('messages' in one) refused.set(input.Name, one.messages);
    else read.push(one);
  }
  return refused.size > 0 ? { refused: Object.fromEntries(refused) } : { inputs: read };
}

/** A run has a number; an evaluation has none, as a trial. */
const NO_RUN = '0';

function rowInput(input: InputDefinition, evaluated: EvaluatedInput): RowInput | { messages: string[] } {
  const own = contractInput(input, evaluated);
  const { given } = evaluated;
  if (isUnconfigured(own)) return { messages: [UNCONFIGURED] };
  const items = itemsOf(input);
  if (valueShape(input.Info) !== 'cell' || isFileInput(input.Info)) return wholeInput(input, own, evaluated, items);
  const isRunId = input.Info.CellUsages[0] === 'ActivityRunId';
  if (given.kind === 'rows' && !isFixed(own) && !isRunId) {
    const supply = createSupply(own, items);
    return { kind: 'cell', input, at: (row) => supply(given.values[row]) };
  }
  const all = isRunId ? stored(input, NO_RUN) : supplyCell(own, given.kind === 'all' ? given.value : undefined, items);
  const supplied = all.kind !== 'refused' && own.PresetValue !== null ? stored(input, own.PresetValue) : all;
  return supplied.kind === 'refused' ? supplied : { kind: 'cell', input, at: () => supplied };
}

const stored = (input: InputDefinition, json: string): SuppliedCell => ({
  kind: 'value',
  cell: valueRows(input, json)[0]![0]!,
});

/** Returns the input as the contract has it; its ids play no role here. */
const contractInput = ({ Name, Description, Info }: InputDefinition, own: EvaluatedInput): Input => ({
  Id: 0,
  ActivityId: 0,
  Name,
  Description,
  HasAccess: own.HasAccess,
  PresetValue: own.PresetValue,
  PresetValueError: own.PresetValueError,
  Info,
});

/** Returns the items of lists that the file contains. The calculated workbook checks those of calculated lists. */
const itemsOf =
  ({ Info, pickerItems }: InputDefinition): PickerItems =>
  (col) =>
    isCalculatedList(Info.Pickers[col]) ? null : (pickerItems[col] ?? null);

function wholeInput(
  input: InputDefinition,
  own: Input,
  { given }: EvaluatedInput,
  items: PickerItems,
): WholeInput | { messages: string[] } {
  try {
    const value = given.kind === 'all' ? given.value : undefined;
    const form = value === undefined ? defaultForm(own) : readValue(own, value as GivenValue, null);
    const issues = checkInput(own, form, items);
    if (issues.length > 0) return { messages: issueMessages(issues) };
    if (isFileInput(input.Info)) return { kind: 'whole', input, json: null };
    return { kind: 'whole', input, json: own.PresetValue ?? encodeInput(own, form)[0]?.Value ?? null };
  } catch (error) {
    if (error instanceof InputFailure) return { messages: [...error.problems] };
    if (error instanceof InputShapeError) return { messages: [error.message] };
    throw error;
  }
}

/** Maximum number of texts and other values whose reading is remembered per column. */
const MAX_REMEMBERED = 1000;

/** Reads the values of a column. Texts of a column repeat, so each is read once. */
function createSupply(own: Input, items: PickerItems): (given: unknown) => SuppliedCell {
  const known = new Map<unknown, SuppliedCell>();
  return (given) => {
    if (typeof given === 'number') return supplyCell(own, given, items);
    let supplied = known.get(given);
    if (!supplied) {
      supplied = supplyCell(own, given, items);
      if (known.size < MAX_REMEMBERED) known.set(given, supplied);
    }
    return supplied;
  };
}

function supplyCell(own: Input, given: unknown, items: PickerItems): SuppliedCell {
  const form = formOf(own, given);
  if (form === null) return NO_CELL;
  const issues = checkInput(own, form, items);
  if (issues.length > 0) return { kind: 'refused', messages: issueMessages(issues) };
  const value = isFixed(own) ? undefined : suppliedValue(own, form);
  if (value === undefined || Array.isArray(value)) return DEFAULT;
  // JSON knows no infinity, but 1e999 is read as one.
  if (typeof value === 'number' && !Number.isFinite(value)) return NO_CELL;
  // Adding 0 turns -0 into 0, which is what JSON keeps of it.
  const cell = typeof value === 'number' ? value + 0 : value;
  return { kind: 'value', cell: cell === null ? blankCell(own.Info.CellUsages[0]) : cell };
}

const DEFAULT: SuppliedCell = { kind: 'default' };
const NO_CELL: SuppliedCell = {
  kind: 'refused',
  messages: ['A cell must be a number, a text, true, false or null'],
};

/** A start without a value takes the workbook's own if it may; otherwise this is the value that the form shows at first. */
const defaultForm = (own: Input): FormInput => ({ ...initialFormInput(own), useDefault: mayUseDefault(own.Info) });

/** Returns null if the value cannot be that of a cell. */
function formOf(own: Input, given: unknown): FormInput | null {
  if (given === undefined) return defaultForm(own);
  if (given !== null && typeof given === 'object') return null;
  const value = given === null ? blankCell(own.Info.CellUsages[0]) : readDay(own.Info, given as FormCell);
  return { value, files: [], useDefault: false };
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/;

/** Programs write days as '2026-01-31'. All other texts are left to the rules of a start. */
function readDay({ CellUsages, Formats }: InputInfo, given: FormCell): FormCell {
  if (CellUsages[0] !== 'Date' || typeof given !== 'string' || !ISO_DAY.test(given)) return given;
  return readCellText(given.replace('T', ' '), {
    usage: 'Date',
    format: Formats[0] ?? 'General',
    maxSize: null,
    isExact: false,
  }).cell;
}
