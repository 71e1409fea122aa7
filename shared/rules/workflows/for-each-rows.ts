import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { MAX_FOR_EACH_ROWS, ROW_KEY_MAX, type ForEachStep } from './types.ts';

export interface EachRow {
  /** Identifies the row for the lifetime of the workflow. */
  key: string;
  /** JSON of single cells, by the names of the inputs that receive them. */
  values: ReadonlyMap<string, string>;
}

type TableInfo = Pick<InputInfo | OutputInfo, 'RangeType' | 'ColumnHeaderValues'>;

/**
 * Converts a table (JSON) to the rows of a ForEach step; returns the problem as text for users if that is impossible.
 * @param taker name of the receiver in texts for users
 */
export function forEachRows(
  step: Pick<ForEachStep, 'KeyColumn' | 'Inputs'>,
  info: TableInfo,
  json: string | null,
  taker = 'a For each',
): { rows: EachRow[] } | { issue: string } {
  if (info.RangeType !== 'RangeWithColumnHeaders') return { issue: 'The rows are not a table with column headers' };
  if (json === null) return { issue: 'The step that provides the rows returned none' };
  const table = JSON.parse(json) as unknown[][];
  if (table.length > MAX_FOR_EACH_ROWS) {
    const [found, max] = [table.length, MAX_FOR_EACH_ROWS].map((count) => count.toLocaleString('en-US'));
    return { issue: `The table has ${found} rows, but ${taker} allows at most ${max}` };
  }
  const names = info.ColumnHeaderValues.map(nameOf);
  const columns: [input: string, at: number][] = [];
  for (const { Input, From } of step.Inputs) {
    if (From.Kind !== 'Column') continue;
    const at = names.indexOf(nameOf(From.Name));
    if (at === -1) return { issue: `The table has no column "${From.Name}"` };
    columns.push([Input, at]);
  }
  const keys = keysOf(table, names, step.KeyColumn);
  if ('issue' in keys) return keys;
  const rows = table.map((row, index) => ({
    key: keys.keys[index]!,
    values: new Map(columns.map(([input, at]) => [input, JSON.stringify(row[at] ?? null)])),
  }));
  return { rows };
}

const nameOf = (name: string): string => name.trim().toLowerCase();

function keysOf(
  table: readonly unknown[][],
  names: readonly string[],
  keyColumn: string | null,
): { keys: string[] } | { issue: string } {
  if (keyColumn === null) return { keys: table.map((_, index) => String(index + 1)) };
  const at = names.indexOf(nameOf(keyColumn));
  if (at === -1) return { issue: `The table has no column "${keyColumn}"` };
  const keys = table.map((row) => cellText(row[at]));
  const seen = new Set<string>();
  for (const [index, key] of keys.entries()) {
    if (key === '')
      return { issue: `Row ${index + 1} has no value in the column "${keyColumn}", which names the rows` };
    if (key.length > ROW_KEY_MAX) return { issue: `Row ${index + 1} has a name longer than ${ROW_KEY_MAX} characters` };
    if (seen.has(key))
      return { issue: `Two rows are named "${key}" in the column "${keyColumn}", but row names must be unique` };
    seen.add(key);
  }
  return { keys };
}

/** PostgreSQL cannot store NUL characters in text. */
const cellText = (cell: unknown): string =>
  typeof cell === 'string'
    ? cell.replaceAll('\0', '').trim()
    : typeof cell === 'number' || typeof cell === 'boolean'
      ? String(cell)
      : '';
