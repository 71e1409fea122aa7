/** GROUPBY, PIVOTBY and PERCENTOF. Source: Microsoft's pages on each. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import {
  CALC_ERROR,
  checkNumber,
  DIV0_ERROR,
  toBoolean,
  toNumber,
  VALUE_ERROR,
} from '#server/calculation/values/coerce.ts';
import { ArrayMatrix, Lambda, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { eachNumber } from '../sums/tally.ts';
import { arrayOf, createCells, wholeOf } from './cells.ts';
import { entriesOf, type GroupAxis, type GroupEntry } from './group-tree.ts';
import { elementOf } from './lambdas.ts';

/** Whether the first record is a row of headers, and whether headers are shown. */
interface Headers {
  isFirstRow: boolean;
  isShown: boolean;
}

interface Source {
  values: ArrayMatrix;
  headers: Headers;
  /** Numbers of the records that count. */
  records: number[];
  /** A value column for some records; `total` are the records a second parameter of the function gets. */
  aggregate: (records: readonly number[], column: number, total: readonly number[]) => CellValue;
}

/** 0 no headers, 1 there, 2 made up and shown, 3 there and shown; left out: there where a text stands over a number. */
function headersOf(arg: FormulaValue, values: ArrayMatrix): Headers | CellError {
  if (arg === undefined) {
    const isFirstRow = values.rows > 1 && typeof values.at(0, 0) === 'string' && typeof values.at(1, 0) === 'number';
    return { isFirstRow, isShown: false };
  }
  const mode = wholeOf(arg, 0);
  if (typeof mode !== 'number') return mode;
  return mode < 0 || mode > 3 ? VALUE_ERROR : { isFirstRow: mode % 2 === 1, isShown: mode >= 2 };
}

interface SourceArguments {
  fields: (ArrayMatrix | null)[];
  values: FormulaValue;
  callee: FormulaValue;
  headers: FormulaValue;
  filter: FormulaValue;
}

function sourceOf(args: SourceArguments, context: CallContext): Source | CellError {
  const { callee } = args;
  if (!(callee instanceof Lambda)) return callee instanceof CellError ? callee : VALUE_ERROR;
  if (callee.parameters > 2) return VALUE_ERROR;
  const values = arrayOf(args.values, context);
  if (values instanceof CellError) return values;
  if (args.fields.some((field) => field && field.rows !== values.rows)) return VALUE_ERROR;
  const headers = headersOf(args.headers, values);
  if (headers instanceof CellError) return headers;
  const records = recordsOf(values.rows, headers.isFirstRow ? 1 : 0, args.filter, context);
  if (records instanceof CellError) return records;
  const column = (of: readonly number[], at: number): ArrayMatrix => {
    context.spend(of.length);
    return new ArrayMatrix(
      of.length,
      1,
      of.map((record) => values.at(record, at)),
    );
  };
  const aggregate: Source['aggregate'] = (of, at, total) =>
    elementOf(callee.call(callee.parameters === 2 ? [column(of, at), column(total, at)] : [column(of, at)]));
  return { values, headers, records, aggregate };
}

/** Records from `first` on that the filter lets through; the filter may go without a header. */
function recordsOf(rows: number, first: number, filter: FormulaValue, context: CallContext): number[] | CellError {
  const records = Array.from({ length: rows - first }, (_, at) => first + at);
  if (filter === undefined) return records.length === 0 ? CALC_ERROR : records;
  const tests = arrayOf(filter, context);
  if (tests instanceof CellError) return tests;
  if (tests.cols !== 1 || (tests.rows !== rows && tests.rows !== rows - first)) return VALUE_ERROR;
  const kept: number[] = [];
  for (const record of records) {
    const holds = toBoolean(tests.at(record - (rows - tests.rows), 0));
    if (holds instanceof CellError) return holds;
    if (holds) kept.push(record);
  }
  return kept.length === 0 ? CALC_ERROR : kept;
}

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
      if (column === 0 || Math.abs(column) > (fields?.cols ?? 0) + source.values.cols) return VALUE_ERROR;
      sort.push(column);
    }
  }
  const aggregate = (of: readonly number[], column: number): CellValue => source.aggregate(of, column, source.records);
  return { fields, depth, sort, isTable, aggregate };
}

/** The fields of an axis; one left out has none. */
function fieldsOf(arg: FormulaValue, context: CallContext): ArrayMatrix | null | CellError {
  return arg === undefined ? null : arrayOf(arg, context);
}

/** What stands over columns of the result: the headers of the source, or made up ones. */
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
  const columns = Array.from({ length: source.values.cols }, (_, col) => col);
  const rows = entriesOf(axis, source.records).map(({ path, records }) => [
    ...path,
    ...columns.map((column) => source.aggregate(records, column, source.records)),
  ]);
  if (source.headers.isShown) {
    rows.unshift([...names(fields, source.headers, 'Row Field'), ...names(source.values, source.headers, 'Value')]);
  }
  return fromRows(rows, context);
}

/** The records a share is taken of: 0 the column's, 1 the row's, 2 all, 3 those of the column around it, 4 of the row around it. */
function totalOf(relativeTo: number, row: GroupEntry, col: GroupEntry, all: readonly number[]): readonly number[] {
  return [col.records, row.records, all, col.parent, row.parent][relativeTo]!;
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
  const cells = body(rows, cols, source, relativeTo, context);
  const top = columnHeaders(cols, { rowFields, colFields, source });
  return fromRows([...top, ...rows.map(({ path }, at) => [...path, ...cells[at]!])], context);
}

/** For each row the values of each column; '' where no record is in both. */
function body(
  rows: readonly GroupEntry[],
  cols: readonly GroupEntry[],
  source: Source,
  relativeTo: number,
  context: CallContext,
): CellValue[][] {
  const inCol = cols.map(({ records }) => new Set(records));
  return rows.map((row) => {
    context.spend(row.records.length * cols.length);
    return cols.flatMap((col, at) => {
      const records = row.records.filter((record) => inCol[at]!.has(record));
      const total = totalOf(relativeTo, row, col, source.records);
      return Array.from({ length: source.values.cols }, (_, column) =>
        records.length === 0 ? '' : source.aggregate(records, column, total),
      );
    });
  });
}

interface HeaderParts {
  rowFields: ArrayMatrix | null;
  colFields: ArrayMatrix | null;
  source: Source;
}

/** Rows over the values: the keys of each level of the columns, and names around them where they are shown. */
function columnHeaders(cols: readonly GroupEntry[], { rowFields, colFields, source }: HeaderParts): CellValue[][] {
  const { headers, values } = source;
  const corner = Array.from({ length: rowFields?.cols ?? 0 }, () => '');
  const repeated = (of: (col: GroupEntry) => CellValue): CellValue[] =>
    cols.flatMap((col) => Array.from({ length: values.cols }, () => of(col)));
  const levels = Array.from({ length: colFields?.cols ?? 0 }, (_, level) => [
    ...corner,
    ...repeated(({ path }) => path[level]!),
  ]);
  if (!headers.isShown) return levels;
  const over = headers.isFirstRow ? names(colFields, headers, '') : colFields ? ['Column Field'] : [];
  const width = cols.length * values.cols;
  const first = Array.from({ length: width }, (_, at) => over[at] ?? '');
  const last = [...names(rowFields, headers, 'Row Field'), ...cols.flatMap(() => names(values, headers, 'Value'))];
  return colFields ? [[...corner, ...first], ...levels, last] : [last];
}

function percentOf([subset, all]: FormulaValue[]): FormulaValue {
  const sums = [0, 0];
  for (const [at, arg] of [subset, all].entries()) {
    const failure = eachNumber([arg], (value) => {
      sums[at]! += value;
    });
    if (failure) return failure;
  }
  return sums[1] === 0 ? DIV0_ERROR : checkNumber(sums[0]! / sums[1]!);
}

export const groupFunctions: FunctionDefinition[] = [
  defineFunction('GROUPBY', 'aafvvrav', groupBy, { required: 3 }),
  defineFunction('PIVOTBY', 'aaafvvrvrav', pivotBy, { required: 4 }),
  defineFunction('PERCENTOF', 'rr', percentOf),
];
