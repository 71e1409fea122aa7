import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';

type TableInfo = Pick<InputInfo | OutputInfo, 'RangeType' | 'ColumnHeaderValues' | 'CellUsages'>;

/**
 * For each column of an input the index of the output's column of that name, without regard to case; null where one is missing, or where
 * names do not tell them apart.
 */
export function columnsByName(output: TableInfo, input: TableInfo): number[] | null {
  if (output.RangeType !== 'RangeWithColumnHeaders' || input.RangeType !== 'RangeWithColumnHeaders') return null;
  const names = (output.ColumnHeaderValues ?? []).map((name) => name.trim().toLowerCase());
  const wanted = input.ColumnHeaderValues ?? [];
  const indices = wanted.map((name) => names.indexOf(name.trim().toLowerCase()));
  const areTold = new Set(indices).size === indices.length;
  return wanted.length === 0 || indices.includes(-1) || !areTold ? null : indices;
}

/** Whether values of the output can become values of the input: of the same kind, tables by the names of their columns where they have them. */
export function fitsInput(output: TableInfo, input: TableInfo): boolean {
  if (output.RangeType !== input.RangeType) return false;
  const indices = columnsByName(output, input) ?? output.CellUsages.map((_, at) => at);
  return (
    indices.length === input.CellUsages.length &&
    input.CellUsages.every((usage, at) => usage === output.CellUsages[indices[at]!])
  );
}

/** The rows of an output (JSON) with the columns of the input, in its order, where they have names; else as they are. */
export function matchedColumns(output: TableInfo, input: TableInfo, json: string): string {
  const indices = columnsByName(output, input);
  const width = output.ColumnHeaderValues?.length ?? 0;
  if (!indices || (indices.length === width && indices.every((index, at) => index === at))) return json;
  const rows = JSON.parse(json) as unknown[][];
  return JSON.stringify(rows.map((row) => indices.map((index) => row[index] ?? null)));
}
