/** Describes the inputs of an activity as JSON Schema, and reads the arguments that assistants send. */
import type { JSONObject } from '@modelcontextprotocol/server';
import type { Input, InputInfo, ValueRule } from '#shared/contract/parameters.ts';
import { isFileInput, isFixed, mayUseDefault, ruleIndex, valueShape } from '#shared/codecs/input-form.ts';
import { cleanText, distinctKeys, visibleText } from '../clean-text.ts';

export type JsonSchema = JSONObject;

/** The schema of an object with these fields. */
export interface ObjectSchema extends JSONObject {
  type: 'object';
  properties: Record<string, JsonSchema>;
}

/** The schema of an object whose keys stand for names of inputs. */
export interface InputSchema {
  schema: ObjectSchema & { required: string[] };
  /** The name of the input, and the headings of the table's columns, by key. */
  keys: ReadonlyMap<string, InputKey>;
}

export interface InputKey {
  name: string;
  /** Headings by key; absent if rows are lists of cells. */
  columns?: ReadonlyMap<string, string>;
}

/** An input with the items of its lists, by column; null for columns without a fixed list. */
export type ListedInput = Input & { items: readonly (readonly string[] | null)[] };

const MAX_DESCRIPTION = 300;
const MAX_ITEMS = 100;
const MAX_ITEM = 100;
const MAX_INPUTS = 200;
const MAX_COLUMNS = 100;
/** Maximum number of characters of a whole schema. Above it, only names, types and which inputs are required remain. */
const MAX_SCHEMA = 40_000;

/** Returns the inputs that an assistant can supply: neither files nor what is fixed, preset or hidden. */
const suppliable = <T extends Input>(inputs: readonly T[]): T[] =>
  inputs.filter((input) => !isFixed(input) && !isFileInput(input.Info)).slice(0, MAX_INPUTS);

export function inputSchema(inputs: readonly ListedInput[]): InputSchema {
  const shown = suppliable(inputs);
  const names = distinctKeys(shown.map(({ Name }) => Name));
  const keys = new Map<string, InputKey>();
  const build = (isBrief: boolean): InputSchema['schema'] => ({
    type: 'object',
    properties: Object.fromEntries(
      shown.map((input, index) => {
        const columns = columnKeys(input.Info);
        keys.set(names[index]!, { name: input.Name, ...(columns && { columns }) });
        return [names[index]!, propertyOf(input, columns, isBrief)];
      }),
    ),
    required: names.filter((_, index) => isRequired(shown[index]!)),
    additionalProperties: false,
  });
  const whole = build(false);
  return { schema: JSON.stringify(whole).length <= MAX_SCHEMA ? whole : build(true), keys };
}

const isRequired = ({ Info }: Input): boolean => !mayUseDefault(Info) && Info.DefaultValue === null && !Info.Blanks[0];

/** Returns the headings by key; undefined if rows must be lists: some column has no heading, or two have the same. */
function columnKeys(info: InputInfo): ReadonlyMap<string, string> | undefined {
  const headings = info.ColumnHeaderValues;
  if (valueShape(info) === 'cell' || valueShape(info) === 'list') return undefined;
  const isUsable = headings.length === info.Width && headings.length <= MAX_COLUMNS && !info.ColsVariable;
  const distinct = new Set(
    headings.map((heading) =>
      heading
        .replaceAll(/[\s_]+/g, ' ')
        .trim()
        .toLowerCase(),
    ),
  );
  if (!isUsable || distinct.size < headings.length || distinct.has('')) return undefined;
  return new Map(distinctKeys(headings).map((key, index) => [key, headings[index]!]));
}

function propertyOf(
  input: ListedInput,
  columns: ReadonlyMap<string, string> | undefined,
  isBrief: boolean,
): JsonSchema {
  const { Info } = input;
  const about = isBrief ? {} : titled(input);
  const shape = valueShape(Info);
  if (shape === 'cell') return { ...cellSchema(input, 0, 0, isBrief), ...about, ...(isBrief ? {} : defaultOf(Info)) };
  const limits = lengthLimits(Info);
  if (shape === 'list') return { type: 'array', items: cellSchema(input, 0, 0, isBrief), ...limits, ...about };
  if (!columns) return { type: 'array', items: { type: 'array' }, ...limits, ...about };
  const properties = [...columns].map(([key, heading], col) => {
    const cell = cellSchema(input, 0, col, isBrief);
    return [key, isBrief ? cell : { title: cleanText(heading, 100), ...cell }] as const;
  });
  const items = { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
  return { type: 'array', items, ...limits, ...about };
}

function titled({ Name, Description }: Input): JsonSchema {
  const description = cleanText(Description, MAX_DESCRIPTION);
  return { title: cleanText(Name, 100), ...(description === '' ? {} : { description }) };
}

function defaultOf({ DefaultValue }: InputInfo): JsonSchema {
  if (DefaultValue === null || DefaultValue.length > MAX_ITEM) return {};
  const value: unknown = JSON.parse(DefaultValue);
  if (typeof value === 'string') return { default: visibleText(value) };
  return typeof value === 'number' || typeof value === 'boolean' ? { default: value } : {};
}

function lengthLimits(info: InputInfo): JsonSchema {
  const { RowsVariable, ColsVariable, Height, Width, MaxRows } = info;
  if (RowsVariable) return MaxRows === undefined ? {} : { maxItems: MaxRows };
  if (ColsVariable) return {};
  return { maxItems: valueShape(info) === 'list' ? Math.max(Height, Width) : Height };
}

function cellSchema({ Info, items }: ListedInput, row: number, col: number, isBrief: boolean): JsonSchema {
  const index = ruleIndex(Info, row, col);
  const isBlankAllowed = Info.Blanks[index] ?? Info.Blanks[0] ?? true;
  const schema = { ...typeOf(Info, index), ...(isBrief ? {} : limitsOf(Info, index)) };
  const choices = isBrief ? null : choicesOf(Info, items, index);
  const type = isBlankAllowed ? [schema.type, 'null'].flat() : schema.type;
  if (choices === null) return { ...schema, type };
  return { ...schema, type, enum: isBlankAllowed ? [...choices, null] : choices };
}

function typeOf(info: InputInfo, index: number): { type: string | string[]; description?: string } {
  const format = cleanText(info.Formats[index] ?? info.Formats[0] ?? '', 60);
  switch (info.CellUsages[index] ?? info.CellUsages[0]) {
    case 'Number': {
      // A number with more than 15 digits would be rounded on its way.
      const type = info.ExactNumbers ? ['number', 'string'] : 'number';
      if (format.includes('%')) return { type, description: 'A fraction: 0.05 is 5 %' };
      return format === '' || format === 'General' ? { type } : { type, description: `Shown as ${format}` };
    }
    case 'Date':
      return { type: 'string', description: 'A day such as 2026-01-31, or with a time 2026-01-31T08:30:00' };
    case 'Boolean':
      return { type: 'boolean' };
    default:
      return { type: 'string' };
  }
}

/** Returns the bounds that the workbook enforces for the whole column. */
function limitsOf(info: InputInfo, index: number): JsonSchema {
  const usage = info.CellUsages[index] ?? info.CellUsages[0];
  const max = info.MaxSize[index] ?? info.MaxSize[0] ?? null;
  if (usage !== 'Number') return usage === 'Text' && max !== null ? { maxLength: max } : {};
  const rules = (info.Rules ?? []).filter((rule) => isWhole(rule, info, index));
  return rules.map(boundsOf).reduce((all, bounds) => ({ ...all, ...bounds }), {});
}

const isWhole = ({ Top, Left, Right, Bottom, Alert, Calculated, Type }: ValueRule, info: InputInfo, index: number) =>
  Alert === 'Stop' &&
  !Calculated &&
  (Type === 'whole' || Type === 'decimal') &&
  Top === 0 &&
  Left <= index &&
  Right >= index &&
  (Bottom === null || Bottom >= info.Height - 1);

function boundsOf({ Type, Operator, Bounds: [first, second] }: ValueRule): JsonSchema {
  const whole: JsonSchema = Type === 'whole' ? { multipleOf: 1 } : {};
  if (first === undefined) return whole;
  switch (Operator) {
    case 'between':
      return second === undefined ? whole : { ...whole, minimum: first, maximum: second };
    case 'greaterThan':
      return { ...whole, exclusiveMinimum: first };
    case 'lessThan':
      return { ...whole, exclusiveMaximum: first };
    case 'greaterThanOrEqual':
      return { ...whole, minimum: first };
    case 'lessThanOrEqual':
      return { ...whole, maximum: first };
    default:
      return whole;
  }
}

/** Returns the items of a short list to which the workbook limits a text; null otherwise. */
function choicesOf(info: InputInfo, items: ListedInput['items'], index: number): string[] | null {
  const picker = info.Pickers[index] ?? info.Pickers[0];
  const choices = items[index] ?? items[0] ?? null;
  const usage = info.CellUsages[index] ?? info.CellUsages[0];
  if (picker?.Type !== 'List' || !picker.PreventOtherValues || picker.Calculated || usage !== 'Text') return null;
  if (!choices || choices.length === 0 || choices.length > MAX_ITEMS) return null;
  const isShort = choices.every((item) => item.length <= MAX_ITEM && visibleText(item) === item);
  return isShort && new Set(choices).size === choices.length ? [...choices] : null;
}

/**
 * Returns the arguments by names of inputs, and rows by headings. A name itself also counts as its key; what is neither
 * stays as it is, so that reading the inputs reports it.
 */
export function namedArguments(
  args: Readonly<Record<string, unknown>>,
  { keys }: InputSchema,
): Record<string, unknown> {
  const entries = Object.entries(args).map(([key, value]) => {
    const known = keys.get(key);
    if (!known) return [key, value] as const;
    return [known.name, known.columns ? headedRows(value, known.columns) : value] as const;
  });
  return Object.fromEntries(entries);
}

function headedRows(value: unknown, columns: ReadonlyMap<string, string>): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((row: unknown) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return row;
    return Object.fromEntries(Object.entries(row).map(([key, cell]) => [columns.get(key) ?? key, cell as unknown]));
  });
}
