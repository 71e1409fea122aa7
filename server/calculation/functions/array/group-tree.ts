/** The groups of GROUPBY and PIVOTBY along one axis: records with the same keys, level by level, in order, with their totals. */
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { ArrayMatrix } from '#server/calculation/values/matrix.ts';
import { sameKey, sameKeyOf, sortOrder } from './ordering.ts';

/** One row (or column) of the result. */
export interface GroupEntry {
  /** Keys of all levels; '' where it is a total of what lies below. */
  path: CellValue[];
  records: readonly number[];
  /** Those of the group around it. */
  parent: readonly number[];
  isTotal: boolean;
}

export interface GroupAxis {
  /** One column a level. */
  fields: ArrayMatrix | null;
  /** 0 none, 1 grand total, 2 and more also subtotals of as many outer levels less one; negative: above what they sum. */
  depth: number;
  /** Columns of the result from 1 (fields, then values), negative ones descending. */
  sort: readonly number[];
  /** Fields are independent columns of a table, not levels of a hierarchy. */
  isTable: boolean;
  /** What a value column comes to for records, to sort by it. */
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

/** Groups of the level below the keys given, each with what lies in it. */
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
 * By what the sort order says of this level's keys and of values, then by the keys. Values order an outer level only where its
 * subtotals are shown (columns of a PIVOTBY that Excel saved).
 */
function sorted(groups: Group[], { fields, depth, sort, isTable, aggregate }: GroupAxis, level: number): Group[] {
  const levels = fields!.cols;
  const hasValues = isTable || level === levels - 1 || Math.abs(depth) >= level + 2;
  const criteria: { values: CellValue[]; direction: number }[] = [];
  for (const column of sort) {
    const place = Math.abs(column) - 1;
    const direction = Math.sign(column);
    const key = place - level;
    if (place >= levels) {
      if (!hasValues) continue;
      criteria.push({ values: groups.map(({ records }) => aggregate(records, place - levels)), direction });
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
