/**
 * The criteria range of database functions: a row of column names, with rows of criteria below. A record must meet all
 * criteria of at least one row. Source: Microsoft, 'DSUM function' and related functions, with their examples of
 * criteria.
 */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { toBoolean, toText } from '#server/calculation/values/coerce.ts';
import { parseCriterion } from '#server/calculation/values/criteria.ts';
import { parseValueText } from '#server/calculation/values/parse-value.ts';
import { isMatrix, type Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';

/**
 * Finds a column of the database by its name, ignoring case; -1 if there is none. Names can also be numbers and
 * Booleans.
 */
export function columnOf(database: Range, name: CellValue): number {
  const wanted = nameOf(name);
  if (wanted === null) return -1;
  for (let col = 0; col < database.cols; col += 1) if (nameOf(database.at(0, col)) === wanted) return col;
  return -1;
}

function nameOf(header: CellValue): string | null {
  if (header === null || header instanceof CellError) return null;
  return String(toText(header)).trim().toLowerCase();
}

/** Returns true if the record in a row of the database (from 1, below the names) meets a criterion. */
type Test = (row: number) => boolean;

/** Returns the tests of each criteria row. A record must pass all tests of one row. */
export function criteriaTests(database: Range, criteria: Range, context: CallContext): Test[][] {
  const { rows, cols } = criteria.used();
  const columns: number[] = [];
  for (let col = 0; col < cols; col += 1) columns.push(columnOf(database, criteria.at(0, col)));
  const lines: Test[][] = [];
  for (let row = 1; row < criteria.rows; row += 1) {
    // Every record meets a row of blanks, even if this row is below the used cells of the sheet.
    if (row >= rows) {
      lines.push([]);
      break;
    }
    const tests: Test[] = [];
    for (let col = 0; col < cols; col += 1) {
      const test = testOf(database, criteria, row, col, columns[col]!, context);
      if (test) tests.push(test);
    }
    lines.push(tests);
  }
  return lines;
}

/** Returns the test in one criteria cell; null if the cell is blank. */
function testOf(
  database: Range,
  criteria: Range,
  row: number,
  col: number,
  column: number,
  context: CallContext,
): Test | null {
  const value = criteria.at(row, col);
  if (value === null) return null;
  if (column >= 0) {
    const { test } = parseCriterion(startingWith(value));
    return (record) => test(database.at(record, column));
  }
  return formulaTest(criteria, row, col, value, context);
}

/** A plain text matches all texts that start with it; '=text' matches only this text. */
function startingWith(value: CellValue): CellValue {
  if (typeof value !== 'string' || /^[<>=]/.test(value) || value === '') return value;
  const isOther = parseValueText(value) !== null || /^(true|false|#.*)$/i.test(value);
  return isOther ? value : `${value}*`;
}

/**
 * If no column has the name above it, a criterion is a formula for the first record. It is tested for each record as if
 * it were filled down next to the list.
 */
function formulaTest(criteria: Range, row: number, col: number, value: CellValue, context: CallContext): Test {
  const at = [criteria.sheet, criteria.top + row, criteria.left + col] as const;
  const holds = (result: CellValue): boolean => toBoolean(result) === true;
  if (context.formulaText(...at) === null) return () => holds(value);
  return (record) => {
    const result = context.formulaBelow(...at, record - 1);
    return holds((isMatrix(result) ? result.at(0, 0) : result) as CellValue);
  };
}
