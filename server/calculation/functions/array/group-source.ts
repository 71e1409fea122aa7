/** The source of GROUPBY and PIVOTBY: the values, the functions that aggregate them, and the records to include. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { CALC_ERROR, toBoolean, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { ArrayMatrix, FunctionList, Lambda, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';
import { arrayOf, wholeOf } from './cells.ts';
import { elementOf } from './lambdas.ts';

/** Whether the first record is a row of headers, and whether the result shows headers. */
export interface Headers {
  isFirstRow: boolean;
  isShown: boolean;
}

export interface Source {
  values: ArrayMatrix;
  headers: Headers;
  /** Numbers of the records to include. */
  records: number[];
  /**
   * Functions whose results are stacked vertically, each in its own line with its name; one entry without a name if
   * there is only one function.
   */
  lines: readonly SourceFunction[];
  /** The columns of results side by side: one per column of values, or one per column and function. */
  columns: readonly SourceColumn[];
  /**
   * Aggregates the values of a column over some records; `total` are the records passed as the function's second
   * parameter.
   */
  aggregate: (
    records: readonly number[],
    column: SourceColumn,
    line: SourceFunction,
    total: readonly number[],
  ) => CellValue;
}

export interface SourceFunction {
  /** Null if this is the only function. */
  name: string | null;
  /** Null if the columns have their own functions. */
  lambda: Lambda | null;
}

export interface SourceColumn {
  /** Column of the values. */
  value: number;
  function: { name: string; lambda: Lambda } | null;
}

/**
 * Reads the headers argument: 0 no headers, 1 present, 2 generated and shown, 3 present and shown. If omitted: present
 * if the first row has a text above a number.
 */
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

/** Returns the error given in place of a function, as a value or in a cell; null if there is none. */
function errorOf(callee: FormulaValue): CellError | null {
  const value = callee instanceof Range && callee.rows * callee.cols === 1 ? callee.at(0, 0) : callee;
  return value instanceof CellError ? value : null;
}

/**
 * Returns the records from `first` on that pass the filter. The filter may omit the header row. If it has several
 * columns, only the first one counts (values saved by Excel).
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
