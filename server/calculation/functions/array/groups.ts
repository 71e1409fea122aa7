/** GROUPBY, PIVOTBY and PERCENTOF. Source: Microsoft's page on each function. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { checkNumber, DIV0_ERROR, NUM_ERROR, toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { ArrayMatrix, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { eachNumber } from '../sums/tally.ts';
import { arrayOf, createCells, wholeOf } from './cells.ts';
import { sourceOf, type Headers, type Source, type SourceFunction } from './group-source.ts';
import { entriesOf, type GroupAxis, type GroupEntry } from './group-tree.ts';

interface AxisArguments {
  fields: ArrayMatrix | null;
  depth: FormulaValue;
  sort: FormulaValue;
  isTable: boolean;
}

function axisOf(args: AxisArguments, source: Source, context: CallContext): GroupAxis | CellError {
  const { fields, isTable } = args;
  const depth = wholeOf(args.depth, 1);
  if (typeof depth !== 'number') return depth;
  if (Math.abs(depth) > (isTable ? 1 : (fields?.cols ?? 1))) return VALUE_ERROR;
  const sort: number[] = [];
  if (args.sort !== undefined) {
    const numbers = arrayOf(args.sort, context);
    if (numbers instanceof CellError) return numbers;
    for (const value of numbers.cells) {
      const number = toNumber(value);
      if (typeof number !== 'number') return number;
      const column = Math.trunc(number);
      if (column === 0 || Math.abs(column) > (fields?.cols ?? 0) + source.columns.length) return VALUE_ERROR;
      sort.push(column);
    }
  }
  const aggregate = (of: readonly number[], column: number): CellValue =>
    source.aggregate(of, source.columns[column]!, source.lines[0]!, source.records);
  return { fields, depth, sort, isTable, aggregate };
}

/** Reads the fields of an axis; null if omitted. */
function fieldsOf(arg: FormulaValue, context: CallContext): ArrayMatrix | null | CellError {
  return arg === undefined ? null : arrayOf(arg, context);
}

/**
 * Returns the labels before the values of a line: its keys, and the function's name if several functions are stacked
 * vertically.
 */
const labels = (keys: readonly CellValue[], { name }: SourceFunction): CellValue[] =>
  name === null ? [...keys] : [...keys, name];

/** Returns the names above the columns if several functions are side by side; null otherwise. */
function functionNames({ columns }: Source): CellValue[] | null {
  return columns[0]!.function ? columns.map((column) => column.function!.name) : null;
}

const rowNames = (fields: ArrayMatrix | null, { headers, lines }: Source): CellValue[] =>
  labels(names(fields, headers, 'Row Field'), { ...lines[0]!, name: lines[0]!.name === null ? null : '' });

function valueNames({ columns, values, headers }: Source): CellValue[] {
  const own = names(values, headers, 'Value');
  return columns.map(({ value }) => own[value]!);
}

/** Returns the headers of result columns: those of the source, or generated ones. */
function names(matrix: ArrayMatrix | null, headers: Headers, kind: string): CellValue[] {
  return Array.from({ length: matrix?.cols ?? 0 }, (_, col) =>
    headers.isFirstRow ? matrix!.at(0, col) : `${kind} ${col + 1}`,
  );
}

function fromRows(rows: CellValue[][], context: CallContext): ArrayMatrix {
  const cols = rows[0]!.length;
  const cells = createCells(rows.length, cols, context);
  rows.forEach((row, at) => row.forEach((value, col) => (cells[at * cols + col] = value)));
  return new ArrayMatrix(rows.length, cols, cells);
}

function groupBy(args: FormulaValue[], context: CallContext): FormulaValue {
  const [rowFields, values, callee, headers, depth, sort, filter, relationship] = args;
  const fields = fieldsOf(rowFields, context);
  if (fields instanceof CellError) return fields;
  const table = wholeOf(relationship, 0);
  if (typeof table !== 'number') return table;
  if (!fields || table < 0 || table > 1) return VALUE_ERROR;
  const source = sourceOf({ fields: [fields], values, callee, headers, filter }, context);
  if (source instanceof CellError) return source;
  const axis = axisOf({ fields, depth, sort, isTable: table === 1 }, source, context);
  if (axis instanceof CellError) return axis;
  const rows = entriesOf(axis, source.records).flatMap(({ path, records }) =>
    source.lines.map((line) => [
      ...labels(path, line),
      ...source.columns.map((column) => source.aggregate(records, column, line, source.records)),
    ]),
  );
  const corner = rowNames(fields, source).map(() => '');
  if (functionNames(source)) rows.unshift([...corner, ...functionNames(source)!]);
  if (source.headers.isShown) rows.unshift([...rowNames(fields, source), ...valueNames(source)]);
  return fromRows(rows, context);
}

/**
 * Returns the records that a share refers to: 0 the column, 1 the row, 2 all records, 3 the row within the column's
 * parent group, 4 the column within the row's parent group (values saved by Excel).
 */
function totalOf(relativeTo: number, row: GroupEntry, col: GroupEntry, all: readonly number[]): readonly number[] {
  if (relativeTo === 3) return shared(row.records, col.parent);
  if (relativeTo === 4) return shared(col.records, row.parent);
  return [col.records, row.records, all][relativeTo]!;
}

function shared(records: readonly number[], others: readonly number[]): number[] {
  const within = new Set(others);
  return records.filter((record) => within.has(record));
}

function pivotBy(args: FormulaValue[], context: CallContext): FormulaValue {
  const [rowArg, colArg, values, callee, headers, rowDepth, rowSort, colDepth, colSort, filter, relative] = args;
  const rowFields = fieldsOf(rowArg, context);
  if (rowFields instanceof CellError) return rowFields;
  const colFields = fieldsOf(colArg, context);
  if (colFields instanceof CellError) return colFields;
  const relativeTo = wholeOf(relative, 0);
  if (typeof relativeTo !== 'number') return relativeTo;
  if ((!rowFields && !colFields) || relativeTo < 0 || relativeTo > 4) return VALUE_ERROR;
  const source = sourceOf({ fields: [rowFields, colFields], values, callee, headers, filter }, context);
  if (source instanceof CellError) return source;
  const rowAxis = axisOf({ fields: rowFields, depth: rowDepth, sort: rowSort, isTable: false }, source, context);
  if (rowAxis instanceof CellError) return rowAxis;
  const colAxis = axisOf({ fields: colFields, depth: colDepth, sort: colSort, isTable: false }, source, context);
  if (colAxis instanceof CellError) return colAxis;
  const rows = entriesOf(rowAxis, source.records);
  const cols = entriesOf(colAxis, source.records);
  const cells = valuesOf(rows, cols, source, relativeTo, context);
  const top = columnHeaders(cols, { rowFields, colFields, source });
  const { lines } = source;
  const body = rows.flatMap(({ path }, at) =>
    lines.map((line, index) => [...labels(path, line), ...cells[at * lines.length + index]!]),
  );
  return fromRows([...top, ...body], context);
}

/**
 * Returns the values of all columns for each row and stacked function; '' if no record belongs to both the row and the
 * column.
 */
function valuesOf(
  rows: readonly GroupEntry[],
  cols: readonly GroupEntry[],
  source: Source,
  relativeTo: number,
  context: CallContext,
): CellValue[][] {
  const inCol = cols.map(({ records }) => new Set(records));
  return rows.flatMap((row) => {
    context.spend(row.records.length * cols.length);
    const inBoth = cols.map((_, at) => row.records.filter((record) => inCol[at]!.has(record)));
    return source.lines.map((line) =>
      cols.flatMap((col, at) => {
        const records = inBoth[at]!;
        const total = totalOf(relativeTo, row, col, source.records);
        if (relativeTo >= 3) context.spend(col.parent.length + row.parent.length);
        return source.columns.map((column) =>
          records.length === 0 ? '' : source.aggregate(records, column, line, total),
        );
      }),
    );
  });
}

interface HeaderParts {
  rowFields: ArrayMatrix | null;
  colFields: ArrayMatrix | null;
  source: Source;
}

/** Returns the rows above the values: the keys of each column level, with names around them if headers are shown. */
function columnHeaders(cols: readonly GroupEntry[], { rowFields, colFields, source }: HeaderParts): CellValue[][] {
  const { headers, columns } = source;
  const corner = rowNames(rowFields, source).map(() => '');
  const repeated = (of: (col: GroupEntry) => CellValue): CellValue[] =>
    cols.flatMap((col) => Array.from({ length: columns.length }, () => of(col)));
  const levels = Array.from({ length: colFields?.cols ?? 0 }, (_, level) => [
    ...corner,
    ...repeated(({ path }) => path[level]!),
  ]);
  const called = functionNames(source);
  if (called) levels.push([...corner, ...cols.flatMap(() => called)]);
  if (!headers.isShown) return levels;
  const over = headers.isFirstRow ? [names(colFields, headers, '').join(', ')] : colFields ? ['Column Field'] : [];
  const width = cols.length * columns.length;
  const first = Array.from({ length: width }, (_, at) => over[at] ?? '');
  const last = [...rowNames(rowFields, source), ...cols.flatMap(() => valueNames(source))];
  return colFields ? [[...corner, ...first], ...levels, last] : [last, ...levels];
}

/** Any error in either argument becomes #NUM! (values saved by Excel). */
function percentOf([subset, all]: FormulaValue[]): FormulaValue {
  const sums = [0, 0];
  for (const [at, arg] of [subset, all].entries()) {
    const failure = eachNumber([arg], (value) => {
      sums[at]! += value;
    });
    if (failure) return NUM_ERROR;
  }
  return sums[1] === 0 ? DIV0_ERROR : checkNumber(sums[0]! / sums[1]!);
}

export const groupFunctions: FunctionDefinition[] = [
  defineFunction('GROUPBY', 'aafvvrav', groupBy, { required: 3 }),
  defineFunction('PIVOTBY', 'aaafvvrvrav', pivotBy, { required: 4 }),
  defineFunction('PERCENTOF', 'rr', percentOf),
];
