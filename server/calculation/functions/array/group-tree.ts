/**
 * The groups of GROUPBY and PIVOTBY along one axis: records with the same keys, level by level, sorted, with their
 * totals.
 */
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { ArrayMatrix } from '#server/calculation/values/matrix.ts';
import { sameKey, sameKeyOf, sortOrder } from './ordering.ts';

/** One row (or column) of the result. */
export interface GroupEntry {
  /** Keys of all levels; '' at the levels below a total. */
  path: CellValue[];
  records: readonly number[];
  /** The records of the parent group. */
  parent: readonly number[];
  isTotal: boolean;
}

export interface GroupAxis {
  /** One column per level. */
  fields: ArrayMatrix | null;
  /**
   * 0: no totals; 1: grand total; n above 1: also subtotals of the n - 1 outer levels. Negative: totals are placed
   * above the groups.
   */
  depth: number;
  /** Columns of the result, numbered from 1 (fields, then values); negative numbers sort in descending order. */
  sort: readonly number[];
  /** True if the fields are independent columns of a table, not levels of a hierarchy. */
  isTable: boolean;
  /** Aggregates a value column over records, to sort by the result. */
  aggregate: (records: readonly number[], column: number) => CellValue;
}

interface Group {
  keys: CellValue[];
  records: number[];
}

export function entriesOf(axis: GroupAxis, records: readonly number[]): GroupEntry[] {
  const { fields, depth, isTable } = axis;
  const levels = fields?.cols ?? 0;
  if (levels === 0) return [{ path: [], records, parent: records, isTotal: false }];
  const entries = isTable ? tableEntries(axis, records) : levelEntries(axis, records, []);
  if (depth === 0) return entries;
  const label = Math.abs(depth) > 1 ? 'Grand Total' : 'Total';
  const total = { path: padded([label], levels), records, parent: records, isTotal: true };
  return depth < 0 ? [total, ...entries] : [...entries, total];
}

const padded = (path: CellValue[], levels: number): CellValue[] => [
  ...path,
  ...Array.from({ length: levels - path.length }, () => ''),
];

function tableEntries(axis: GroupAxis, records: readonly number[]): GroupEntry[] {
  const { cols, cells } = axis.fields!;
  const groups = groupBy(records, (record) => cells.slice(record * cols, (record + 1) * cols));
  return sorted(groups, axis, 0).map(({ keys, records: own }) => ({
    path: keys,
    records: own,
    parent: records,
    isTotal: false,
  }));
}

/** Returns the entries of the groups one level below the given keys, including all their descendants. */
function levelEntries(axis: GroupAxis, records: readonly number[], above: CellValue[]): GroupEntry[] {
  const { cols, cells } = axis.fields!;
  const level = above.length;
  const groups = groupBy(records, (record) => [cells[record * cols + level]!]);
  const entries: GroupEntry[] = [];
  for (const { keys, records: own } of sorted(groups, axis, level)) {
    const path = [...above, keys[0]!];
    if (level === cols - 1) {
      entries.push({ path, records: own, parent: records, isTotal: false });
      continue;
    }
    const hasTotal = Math.abs(axis.depth) >= level + 2;
    const total = { path: padded(path, cols), records: own, parent: records, isTotal: true };
    if (hasTotal && axis.depth < 0) entries.push(total);
    entries.push(...levelEntries(axis, own, path));
    if (hasTotal && axis.depth > 0) entries.push(total);
  }
  return entries;
}

function groupBy(records: readonly number[], keysOf: (record: number) => CellValue[]): Group[] {
  const groups = new Map<string, Group>();
  for (const record of records) {
    const keys = keysOf(record);
    const key = keys.length === 1 ? sameKey(keys[0]!) : sameKeyOf(keys);
    const group = groups.get(key);
    if (group) group.records.push(record);
    else groups.set(key, { keys, records: [record] });
  }
  return [...groups.values()];
}

/**
 * Sorts by the columns of the sort order that are keys of this level or values, then by the keys. Values sort an outer
 * level only if its subtotals are shown (columns of a PIVOTBY saved by Excel).
 */
function sorted(groups: Group[], { fields, depth, sort, isTable, aggregate }: GroupAxis, level: number): Group[] {
  const levels = fields!.cols;
  const hasValues = isTable || level === levels - 1 || Math.abs(depth) >= level + 2;
  const criteria: { values: CellValue[]; direction: number }[] = [];
  for (const column of sort) {
    const columnIndex = Math.abs(column) - 1;
    const direction = Math.sign(column);
    const key = columnIndex - level;
    if (columnIndex >= levels) {
      if (!hasValues) continue;
      criteria.push({ values: groups.map(({ records }) => aggregate(records, columnIndex - levels)), direction });
    } else if (key >= 0 && key < groups[0]!.keys.length) {
      criteria.push({ values: groups.map(({ keys }) => keys[key]!), direction });
    }
  }
  const width = groups[0]!.keys.length;
  for (let key = 0; key < width; key += 1)
    criteria.push({ values: groups.map(({ keys }) => keys[key]!), direction: 1 });
  const order = groups.map((_, at) => at);
  order.sort((left, right) => {
    for (const { values, direction } of criteria) {
      const difference = sortOrder(values[left]!, values[right]!, direction);
      if (difference !== 0) return difference;
    }
    return left - right;
  });
  return order.map((at) => groups[at]!);
}
