/**
 * COUNTIFS, SUMIFS and their kin without going through the cells for each formula: the values of a criteria column are
 * numbered once, rows are grouped by the numbers of all criteria columns, and sums by group are kept while nothing changes.
 */
import type { CallContext } from '../functions/function.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { criterionKey } from '../values/criteria.ts';
import type { Criterion } from '../values/criteria.ts';
import { eachValue } from '../values/matrix.ts';
import type { Range } from '../values/matrix.ts';
import { parseValueText } from '../values/parse-value.ts';

export interface Condition {
  range: Range;
  criterion: Criterion;
}

/** What the cells come to whose counterparts meet all conditions. */
export interface Tally {
  /** Places where all conditions are met. */
  count: number;
  /** Cells with numbers there, and what they come to; min and max are ±Infinity where there is none. */
  numbers: number;
  sum: number;
  min: number;
  max: number;
  /** The first error there. */
  error: CellError | null;
}

/** The values of a criteria range, numbered: 0 is blank; places behind the array are blank, too. */
interface NumberedColumn {
  ids: Int32Array;
  /** One value for each number. */
  values: CellValue[];
  /** Numbers by what criteria ask for; a text that reads as a number has both. */
  byKey: Map<string | number, number[]>;
  /** Which numbers meet a criterion, by its operator and operand. */
  masks: Map<string, Uint8Array>;
  groupings: Map<string, Grouping>;
}

/** Places grouped by the numbers of several columns. */
interface Grouping {
  columns: NumberedColumn[];
  /** Group by combined numbers. */
  groups: Map<number, number>;
  /** Places of group g are `places` from `starts[g]` up to before `starts[g + 1]`. */
  starts: Int32Array;
  places: Int32Array;
  tallies: WeakMap<ValueColumn, Tally[]>;
}

/** The cells to be summed: NaN where there is no number. */
interface ValueColumn {
  numbers: Float64Array;
  errors: Map<number, CellError> | null;
}

const MOST_MASKS = 4096;

/** All ranges must have the same size; `values` is null where places are only counted. */
export function tallyWhere(conditions: readonly Condition[], values: Range | null, context: CallContext): Tally {
  const columns = conditions.map(({ range }) => numberedColumn(range, context));
  const summed = values ? valueColumn(values, context) : null;
  const keyed: number[] = [];
  conditions.forEach(({ criterion }, index) => {
    if (criterion.key !== null) keyed.push(index);
  });
  if (keyed.length > 0) return tallyGroups(conditions, columns, keyed, summed, context);
  return tallyAll(conditions, columns, summed, values ?? conditions[0]!.range, context);
}

function numberedColumn(range: Range, context: CallContext): NumberedColumn {
  return context.kept(range, 'criteria', () => {
    const { cols } = range;
    const rows = Math.max(0, Math.min(range.rows, context.cells.usedRows(range.sheet) - range.top));
    const ids = new Int32Array(rows * cols);
    const known = new Map<string | number, number>();
    const values: CellValue[] = [null];
    const byKey = new Map<string | number, number[]>();
    context.spend(ids.length);
    eachValue(range, (value, row, col) => {
      const own = valueKey(value);
      let id = known.get(own);
      if (id === undefined) {
        id = values.push(value) - 1;
        known.set(own, id);
        const key = keyOfCell(value)!;
        const same = byKey.get(key);
        if (same) same.push(id);
        else byKey.set(key, [id]);
      }
      ids[row * cols + col] = id;
    });
    return { ids, values, byKey, masks: new Map(), groupings: new Map() };
  });
}

/** Values that no criterion can tell apart have one key; blanks have been left out. */
const valueKey = (value: CellValue): string | number => criterionKey(value) ?? '';

function keyOfCell(value: CellValue): string | number | null {
  const number = typeof value === 'string' && value !== '' ? parseValueText(value) : null;
  return criterionKey(number ?? value);
}

function valueColumn(range: Range, context: CallContext): ValueColumn {
  return context.kept(range, 'summed', () => {
    const { cols } = range;
    const rows = Math.max(0, Math.min(range.rows, context.cells.usedRows(range.sheet) - range.top));
    const numbers = new Float64Array(rows * cols).fill(NaN);
    let errors: Map<number, CellError> | null = null;
    context.spend(numbers.length);
    eachValue(range, (value, row, col) => {
      if (typeof value === 'number') numbers[row * cols + col] = value;
      else if (value instanceof CellError) (errors ??= new Map<number, CellError>()).set(row * cols + col, value);
    });
    return { numbers, errors };
  });
}

const emptyTally = (): Tally => ({ count: 0, numbers: 0, sum: 0, min: Infinity, max: -Infinity, error: null });

function add(tally: Tally, column: ValueColumn | null, place: number): void {
  tally.count += 1;
  if (!column || place >= column.numbers.length) return;
  const number = column.numbers[place]!;
  if (number === number) {
    tally.numbers += 1;
    tally.sum += number;
    if (number < tally.min) tally.min = number;
    if (number > tally.max) tally.max = number;
  } else if (column.errors) tally.error ??= column.errors.get(place) ?? null;
}

function join(into: Tally, other: Tally): void {
  into.count += other.count;
  into.numbers += other.numbers;
  into.sum += other.sum;
  into.min = Math.min(into.min, other.min);
  into.max = Math.max(into.max, other.max);
  into.error ??= other.error;
}

/** Goes to the groups that the criteria for single values name, and tests what else is asked within them. */
function tallyGroups(
  conditions: readonly Condition[],
  columns: readonly NumberedColumn[],
  keyed: readonly number[],
  summed: ValueColumn | null,
  context: CallContext,
): Tally {
  const grouping = groupingOf(conditions, columns, keyed, context);
  const wanted = keyed.map((index) => columns[index]!.byKey.get(conditions[index]!.criterion.key!) ?? []);
  const others = conditions.flatMap(({ criterion }, index) =>
    keyed.includes(index) ? [] : [{ ids: columns[index]!.ids, mask: maskOf(columns[index]!, criterion) }],
  );
  const result = emptyTally();
  for (const group of groupsOf(grouping, wanted)) {
    if (others.length === 0) {
      join(result, groupTally(grouping, group, summed));
      continue;
    }
    const from = grouping.starts[group]!;
    const to = grouping.starts[group + 1]!;
    context.spend(to - from);
    for (let at = from; at < to; at += 1) {
      const place = grouping.places[at]!;
      if (others.every(({ ids, mask }) => mask[place < ids.length ? ids[place]! : 0] === 1)) add(result, summed, place);
    }
  }
  return result;
}

function groupTally(grouping: Grouping, group: number, summed: ValueColumn | null): Tally {
  if (!summed) return { ...emptyTally(), count: grouping.starts[group + 1]! - grouping.starts[group]! };
  let tallies = grouping.tallies.get(summed);
  if (!tallies) {
    tallies = Array.from({ length: grouping.starts.length - 1 }, emptyTally);
    for (let own = 0; own < tallies.length; own += 1) {
      for (let at = grouping.starts[own]!; at < grouping.starts[own + 1]!; at += 1) {
        add(tallies[own]!, summed, grouping.places[at]!);
      }
    }
    grouping.tallies.set(summed, tallies);
  }
  return tallies[group]!;
}

/** The groups for all combinations of numbers; nearly always one. */
function groupsOf({ groups, columns }: Grouping, wanted: readonly number[][]): number[] {
  let combined = [0];
  wanted.forEach((ids, index) => {
    const size = columns[index]!.values.length;
    combined = combined.flatMap((own) => ids.map((id) => own * size + id));
  });
  return combined.flatMap((own) => groups.get(own) ?? []);
}

function groupingOf(
  conditions: readonly Condition[],
  columns: readonly NumberedColumn[],
  keyed: readonly number[],
  context: CallContext,
): Grouping {
  const own = keyed.map((index) => columns[index]!);
  const { groupings } = own[0]!;
  const key = keyed.length === 1 ? '' : keyed.map((index) => rangeKey(conditions[index]!.range)).join();
  const known = groupings.get(key);
  if (known && known.columns.every((column, index) => column === own[index])) return known;
  const grouping = group(own, context);
  groupings.set(key, grouping);
  return grouping;
}

const rangeKey = ({ sheet, top, left, rows, cols }: Range): string => `${sheet}:${top}:${left}:${rows}:${cols}`;

function group(columns: NumberedColumn[], context: CallContext): Grouping {
  // a place where one of the columns is blank meets no criterion for a value
  const length = Math.min(...columns.map(({ ids }) => ids.length));
  context.spend(length * columns.length);
  const groupAt = new Int32Array(length).fill(-1);
  const groups = new Map<number, number>();
  const counts: number[] = [];
  for (let place = 0; place < length; place += 1) {
    let combined = 0;
    let isBlank = false;
    for (const { ids, values } of columns) {
      const id = ids[place]!;
      if (id === 0) isBlank = true;
      combined = combined * values.length + id;
    }
    if (isBlank) continue;
    let own = groups.get(combined);
    if (own === undefined) {
      own = counts.push(0) - 1;
      groups.set(combined, own);
    }
    counts[own]! += 1;
    groupAt[place] = own;
  }
  const starts = new Int32Array(counts.length + 1);
  counts.forEach((count, own) => {
    starts[own + 1] = starts[own]! + count;
  });
  const next = starts.slice(0, -1);
  const places = new Int32Array(starts.at(-1)!);
  for (let place = 0; place < length; place += 1) {
    const own = groupAt[place]!;
    if (own >= 0) places[next[own]!++] = place;
  }
  return { columns, groups, starts, places, tallies: new WeakMap() };
}

function maskOf(column: NumberedColumn, criterion: Criterion): Uint8Array {
  const { operator, operand } = criterion;
  const key = `${operator}${typeof operand}${operand instanceof CellError ? operand.code : String(operand)}${criterion.matchesBlank ? 1 : 0}`;
  let mask = column.masks.get(key);
  if (!mask) {
    mask = Uint8Array.from(column.values, (value) => (criterion.test(value) ? 1 : 0));
    if (column.masks.size >= MOST_MASKS) column.masks.clear();
    column.masks.set(key, mask);
  }
  return mask;
}

/** Tests every place; those behind what is used meet the conditions where blanks do. */
function tallyAll(
  conditions: readonly Condition[],
  columns: readonly NumberedColumn[],
  summed: ValueColumn | null,
  whole: Range,
  context: CallContext,
): Tally {
  const masks = conditions.map(({ criterion }, index) => maskOf(columns[index]!, criterion));
  const used = Math.max(summed?.numbers.length ?? 0, ...columns.map(({ ids }) => ids.length));
  const result = emptyTally();
  context.spend(used * columns.length);
  for (let place = 0; place < used; place += 1) {
    let isMet = true;
    for (let index = 0; isMet && index < columns.length; index += 1) {
      const { ids } = columns[index]!;
      isMet = masks[index]![place < ids.length ? ids[place]! : 0] === 1;
    }
    if (isMet) add(result, summed, place);
  }
  if (masks.every((mask) => mask[0] === 1)) result.count += whole.rows * whole.cols - used;
  return result;
}
