/** Describes the outputs of an activity as JSON Schema, and prepares the values of runs for assistants. */
import { readOutputs } from '#shared/client/inputs.ts';
import type { Output } from '#shared/contract/parameters.ts';
import { cleanText, distinctKeys, visibleValue } from '../clean-text.ts';
import type { JsonSchema, ObjectSchema } from './input-schema.ts';

const MAX_OUTPUTS = 200;
/** Maximum number of rows, and of cells, of one output. An assistant reads everything, and its memory is small. */
const MAX_ROWS = 200;
const MAX_CELLS = 2_000;

/** An error of Excel, such as {"error": "#N/A"}. */
const ERROR: JsonSchema = { type: 'object', properties: { error: { type: 'string' } } };

export function outputSchema(outputs: readonly Output[]): ObjectSchema {
  const shown = outputs.slice(0, MAX_OUTPUTS);
  const keys = distinctKeys(shown.map(({ Name }) => Name));
  const properties = shown.map((output, index) => [keys[index]!, propertyOf(output)] as const);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function propertyOf({ Name, Description, Info }: Output): JsonSchema {
  const description = cleanText(Description, 300);
  const about = { title: cleanText(Name, 100), ...(description === '' ? {} : { description }) };
  const type = Info.CellUsages[0] === 'Number' ? 'number' : Info.CellUsages[0] === 'Boolean' ? 'boolean' : 'string';
  if (Info.RangeType === 'SingleCell') return { anyOf: [{ type: ['number', type, 'null'] }, ERROR], ...about };
  const headings = Info.ColumnHeaderValues.map((heading) => cleanText(heading, 60)).filter((heading) => heading !== '');
  const columns = headings.length === 0 ? {} : { description: `Columns: ${cleanText(headings.join(', '), 300)}` };
  return { anyOf: [{ type: 'array' }, { type: 'null' }], ...columns, ...about };
}

export interface ShownOutputs {
  values: Record<string, unknown>;
  /** Outputs of which only the first rows are shown, with the number of all rows. */
  shortened: Record<string, number>;
}

/** Returns the outputs by their keys; long tables are cut. */
export function shownOutputs(outputs: readonly Output[]): ShownOutputs {
  const shown = outputs.slice(0, MAX_OUTPUTS);
  const keys = distinctKeys(shown.map(({ Name }) => Name));
  const shortened: Record<string, number> = {};
  const values = shown.map((output, index) => {
    const value = readOutputs([output])[output.Name] ?? null;
    const cut = cutRows(value);
    if (Array.isArray(value) && cut !== value) shortened[keys[index]!] = value.length;
    return [keys[index]!, visibleValue(cut)] as const;
  });
  return { values: Object.fromEntries(values), shortened };
}

function cutRows<T>(value: T): T | unknown[] {
  if (!Array.isArray(value)) return value;
  const [first] = value as unknown[];
  const width = Array.isArray(first) ? Math.max(1, first.length) : 1;
  const rows = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_CELLS / width)));
  return value.length <= rows ? value : value.slice(0, rows);
}
