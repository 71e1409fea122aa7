import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';

type TableInfo = Pick<InputInfo | OutputInfo, 'RangeType' | 'ColumnHeaderValues' | 'CellUsages'>;

/**
 * Returns, for each column of an input, the index of the output column with the same name, ignoring case. Null if a
 * column is missing or names are ambiguous.
 */
export function columnsByName(output: TableInfo, input: TableInfo): number[] | null {
  if (output.RangeType !== 'RangeWithColumnHeaders' || input.RangeType !== 'RangeWithColumnHeaders') return null;
  const names = (output.ColumnHeaderValues ?? []).map((name) => name.trim().toLowerCase());
  const wanted = input.ColumnHeaderValues ?? [];
  const indices = wanted.map((name) => names.indexOf(name.trim().toLowerCase()));
  const areDistinct = new Set(indices).size === indices.length;
  return wanted.length === 0 || indices.includes(-1) || !areDistinct ? null : indices;
}

/**
 * Returns whether values of the output can be used for the input: the types must match. Table columns are matched by
 * name if they have names.
 */
export function fitsInput(output: TableInfo, input: TableInfo): boolean {
  if (output.RangeType !== input.RangeType) return false;
  const indices = columnsByName(output, input) ?? output.CellUsages.map((_, at) => at);
  return (
    indices.length === input.CellUsages.length &&
    input.CellUsages.every((usage, at) => usage === output.CellUsages[indices[at]!])
  );
}

/**
 * Returns the rows of an output (JSON) with the columns of the input, in its order, if columns have names; otherwise
 * unchanged.
 */
export function matchedColumns(output: TableInfo, input: TableInfo, json: string): string {
  const indices = columnsByName(output, input);
  const width = output.ColumnHeaderValues?.length ?? 0;
  if (!indices || (indices.length === width && indices.every((index, at) => index === at))) return json;
  const rows = JSON.parse(json) as unknown[][];
  return JSON.stringify(rows.map((row) => indices.map((index) => row[index] ?? null)));
}
