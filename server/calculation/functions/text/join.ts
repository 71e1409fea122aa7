/** Functions that join many values into a text. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { NA_ERROR, toBoolean, toNumber, toText, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import {
  Areas,
  ArrayMatrix,
  asMatrix,
  eachValue,
  isMatrix,
  Lambda,
  Range,
  ReferenceArray,
} from '#server/calculation/values/matrix.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { columnSeparator, currentRegion } from '#server/calculation/values/region/region.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { MAX_TEXT } from './limits.ts';

/** Collects texts and reports when the result exceeds the length limit of a cell. */
class Joiner {
  private readonly parts: string[] = [];
  private readonly separators: readonly string[];
  private length = 0;
  constructor(separators: readonly string[]) {
    this.separators = separators;
  }
  /** Adds a value; returns null, or the error that ends the joining. */
  add(value: CellValue | undefined): CellError | null {
    const text = toText(value);
    if (text instanceof CellError) return text;
    if (this.parts.length > 0) {
      const separator = this.separators[((this.parts.length - 1) / 2) % this.separators.length]!;
      this.parts.push(separator);
      this.length += separator.length;
    }
    this.parts.push(text);
    this.length += text.length;
    return this.length > MAX_TEXT ? VALUE_ERROR : null;
  }
  get text(): string {
    return this.parts.join('');
  }
}

/** Visits all values of the arguments row by row; blank cells of ranges only if `withBlanks` is true. */
function eachOf(
  args: readonly FormulaValue[],
  withBlanks: boolean,
  context: CallContext,
  take: (value: CellValue | undefined) => CellError | null,
  skipsEmpty = false,
): CellError | null {
  let failure: CellError | null = null;
  const visit = (value: CellValue): boolean => {
    failure = take(value);
    return failure !== null;
  };
  for (const arg of args) {
    if (arg instanceof Lambda) return VALUE_ERROR;
    const matrices = arg instanceof Areas ? arg.ranges : isMatrix(arg) ? [arg] : null;
    if (!matrices) failure = take(arg as CellValue | undefined);
    for (const matrix of matrices ?? []) {
      if (withBlanks && matrix instanceof Range) everyCell(matrix, context, visit);
      else if (skipsEmpty && matrix instanceof ArrayMatrix && isEmpty(matrix.sparse?.rest)) {
        // Most elements are empty; visit only the others.
        matrix.sparse!.values.some(visit);
      } else eachValue(matrix, visit);
      if (failure) break;
    }
    if (failure) return failure;
  }
  return null;
}

const isEmpty = (value: CellValue | undefined): boolean => value === null || value === '';

function everyCell(range: Range, context: CallContext, visit: (value: CellValue) => boolean): void {
  for (let row = 0; row < range.rows; row += 1) {
    context.spend(range.cols);
    for (let col = 0; col < range.cols; col += 1) if (visit(range.at(row, col))) return;
  }
}

function concatenate(args: readonly FormulaValue[], context: CallContext): string | CellError {
  const joiner = new Joiner(['']);
  return eachOf(args, false, context, (value) => joiner.add(value)) ?? joiner.text;
}

function textJoin([delimiter, skip, ...values]: FormulaValue[], context: CallContext): string | CellError {
  const separators = textsOf(delimiter, context);
  if (separators instanceof CellError) return separators;
  // Excel describes this argument as "if TRUE(default), ignores empty cells".
  const ignoresEmpty = skip === undefined ? true : toBoolean(skip as CellValue);
  if (ignoresEmpty instanceof CellError) return ignoresEmpty;
  const joiner = new Joiner(separators);
  // Blanks between empty separators make no difference.
  const withBlanks = !ignoresEmpty && separators.some((separator) => separator !== '');
  const failure = eachOf(
    values,
    withBlanks,
    context,
    (value) => {
      if (ignoresEmpty && (value === undefined || isEmpty(value))) return null;
      return joiner.add(value);
    },
    ignoresEmpty,
  );
  return failure ?? joiner.text;
}

/** Returns the texts of an argument with one or more values. */
export function textsOf(arg: FormulaValue, context: CallContext): string[] | CellError {
  const texts: string[] = [];
  const used = arg instanceof Range ? arg.used() : arg;
  const failure = eachOf([used], true, context, (value) => {
    const text = toText(value);
    if (text instanceof CellError) return text;
    texts.push(text);
    return null;
  });
  return failure ?? texts;
}

/** Formats a value like ARRAYTOTEXT and VALUETOTEXT; `strict` formats it as in a formula. */
function shown(value: CellValue | undefined, strict: boolean): string {
  if (value instanceof CellError) return value.code;
  if (strict && typeof value === 'string') return `"${value.replaceAll('"', '""')}"`;
  return toText(value) as string;
}

function formatOf(arg: FormulaValue): boolean | CellError {
  const format = toNumber((arg ?? 0) as CellValue);
  if (format instanceof CellError) return format;
  const kind = Math.trunc(format);
  return kind === 0 || kind === 1 ? kind === 1 : VALUE_ERROR;
}

function arrayToText([array, format]: FormulaValue[], context: CallContext): string | CellError {
  const strict = formatOf(format);
  const matrix = asMatrix(array);
  if (strict instanceof CellError) return strict;
  if (!matrix || matrix.rows * matrix.cols > MAX_TEXT) return VALUE_ERROR;
  context.spend(matrix.rows * matrix.cols);
  const rows = Array.from({ length: matrix.rows }, (_, row) =>
    Array.from({ length: matrix.cols }, (__, col) => shown(matrix.at(row, col), strict)),
  );
  const column = columnSeparator(currentRegion());
  const text = strict ? `{${rows.map((row) => row.join(column)).join(';')}}` : rows.flat().join(', ');
  return text.length > MAX_TEXT ? VALUE_ERROR : text;
}

/** Applies a function to the first cell of a range, or to each value of an array. */
export function firstOrEach(arg: FormulaValue, change: (value: CellValue) => CellValue): FormulaValue {
  if (arg instanceof ArrayMatrix) return new ArrayMatrix(arg.rows, arg.cols, arg.cells.map(change));
  if (arg instanceof Areas) return change(arg.ranges[0]!.at(0, 0));
  if (arg instanceof Range) return change(arg.at(0, 0));
  return arg instanceof Lambda || arg instanceof ReferenceArray ? VALUE_ERROR : change(arg ?? null);
}

export const joinFunctions: FunctionDefinition[] = [
  defineFunction('CONCAT', 'r', concatenate, { required: 1, repeat: 1 }),
  defineFunction('CONCATENATE', 'v', concatenate, { required: 1, repeat: 1 }),
  // Files use this function for a text of more than 255 characters.
  defineFunction('_LONGTEXT', 'v', concatenate, { required: 1, repeat: 1 }),
  defineFunction('TEXTJOIN', 'rvr', textJoin, { required: 3, repeat: 1 }),
  defineFunction('ARRAYTOTEXT', 'rv', arrayToText, { required: 1 }),
  defineFunction(
    'VALUETOTEXT',
    'vv',
    ([value, format]) => {
      const strict = formatOf(format);
      return strict instanceof CellError ? strict : shown(value as CellValue, strict);
    },
    { required: 1, takesErrors: true },
  ),
  defineFunction('T', 'r', ([value]) =>
    firstOrEach(value, (cell) => (typeof cell === 'string' || cell instanceof CellError ? cell : '')),
  ),
  // Files contain no phonetic text for most texts. The text itself is then the result; #N/A if it has no Chinese or
  // Japanese characters.
  defineFunction('PHONETIC', 'r', ([value], context) => {
    const joiner = new Joiner(['']);
    const take = (cell: CellValue | undefined): CellError | null =>
      typeof cell === 'string' || cell instanceof CellError ? joiner.add(cell) : null;
    const failure = eachOf([value], false, context, take);
    if (failure) return failure;
    return /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(joiner.text) ? joiner.text : NA_ERROR;
  }),
];
