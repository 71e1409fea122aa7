/** What GROUPBY and PIVOTBY summarise: values, the functions that do, and the records that count. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { CALC_ERROR, toBoolean, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { ArrayMatrix, FunctionList, Lambda, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';
import { arrayOf, wholeOf } from './cells.ts';
import { elementOf } from './lambdas.ts';

/** Whether the first record is a row of headers, and whether headers are shown. */
export interface Headers {
  isFirstRow: boolean;
  isShown: boolean;
}

export interface Source {
  values: ArrayMatrix;
  headers: Headers;
  /** Numbers of the records that count. */
  records: number[];
  /** Functions whose results stand below each other, each in a line of its own with its name; one without a name where there is but one. */
  lines: readonly SourceFunction[];
  /** What stands side by side: for each column of values one, or one for each function. */
  columns: readonly SourceColumn[];
  /** What a column comes to for some records; `total` are the records a second parameter of the function gets. */
  aggregate: (
    records: readonly number[],
    column: SourceColumn,
    line: SourceFunction,
    total: readonly number[],
  ) => CellValue;
}

export interface SourceFunction {
  /** Null where it is the only one. */
  name: string | null;
  /** Null where the columns have functions of their own. */
  lambda: Lambda | null;
}

export interface SourceColumn {
  /** Column of the values. */
  value: number;
  function: { name: string; lambda: Lambda } | null;
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

export function sourceOf(args: SourceArguments, context: CallContext): Source | CellError {
  const { callee } = args;
  if (!(callee instanceof Lambda)) return errorOf(callee) ?? VALUE_ERROR;
  const list = callee instanceof FunctionList ? callee : null;
  if ((list?.functions ?? [{ lambda: callee }]).some(({ lambda }) => lambda.parameters > 2)) return VALUE_ERROR;
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
  const aggregate: Source['aggregate'] = (of, { value, function: own }, line, total) => {
    const { parameters, call } = own?.lambda ?? line.lambda!;
    return elementOf(call(parameters === 2 ? [column(of, value), column(total, value)] : [column(of, value)]));
  };
  const functionsOfColumn = list?.isRow ? list.functions : [null];
  const columns = Array.from({ length: values.cols }, (_, value) =>
    functionsOfColumn.map((own) => ({ value, function: own })),
  ).flat();
  const lines = list
    ? list.isRow
      ? [{ name: null, lambda: null }]
      : list.functions
    : [{ name: null, lambda: callee }];
  return { values, headers, records, lines, columns, aggregate };
}

/** The error that stands where a function should, as a value or in a cell. */
function errorOf(callee: FormulaValue): CellError | null {
  const value = callee instanceof Range && callee.rows * callee.cols === 1 ? callee.at(0, 0) : callee;
  return value instanceof CellError ? value : null;
}

/**
 * Records from `first` on that the filter lets through; the filter may go without a header. Of several columns the first one decides
 * (values Excel saved).
 */
function recordsOf(rows: number, first: number, filter: FormulaValue, context: CallContext): number[] | CellError {
  const records = Array.from({ length: rows - first }, (_, at) => first + at);
  if (filter === undefined) return records.length === 0 ? CALC_ERROR : records;
  const tests = arrayOf(filter, context);
  if (tests instanceof CellError) return tests;
  if (tests.rows !== rows && tests.rows !== rows - first) return VALUE_ERROR;
  const passing: number[] = [];
  for (const record of records) {
    const holds = toBoolean(tests.at(record - (rows - tests.rows), 0));
    if (holds instanceof CellError) return holds;
    if (holds) passing.push(record);
  }
  return passing.length === 0 ? CALC_ERROR : passing;
}
