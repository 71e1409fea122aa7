/**
 * The criteria range of database functions: under a row of column names, rows of criteria of which a record must meet all of
 * one row. Source: Microsoft, 'DSUM function' and its siblings, with their examples of criteria.
 */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { toBoolean, toText } from '#server/calculation/values/coerce.ts';
import { parseCriterion } from '#server/calculation/values/criteria.ts';
import { parseValueText } from '#server/calculation/values/parse-value.ts';
import { isMatrix, type Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';

/** Column of the database by its name, in any case; names may be numbers and truth values too. -1 where there is none. */
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

/** Whether the record in a row of the database (from 1, below its names) meets a criterion. */
type Test = (row: number) => boolean;

/** Tests of the rows of criteria; a record has to pass all tests of one row. */
export function criteriaTests(database: Range, criteria: Range, context: CallContext): Test[][] {
  const { rows, cols } = criteria.used();
  const columns: number[] = [];
  for (let col = 0; col < cols; col += 1) columns.push(columnOf(database, criteria.at(0, col)));
  const lines: Test[][] = [];
  for (let row = 1; row < criteria.rows; row += 1) {
    // a row of blanks is met by every record, also where the range goes on below the cells in use
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

/** The test in one cell of criteria, or null where it is blank. */
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

/** A text alone is met by all that begins with it; '=text' by that text alone. */
function startingWith(value: CellValue): CellValue {
  if (typeof value !== 'string' || /^[<>=]/.test(value) || value === '') return value;
  const isOther = parseValueText(value) !== null || /^(true|false|#.*)$/i.test(value);
  return isOther ? value : `${value}*`;
}

/** Under a name that no column has stands a formula for the first record, tested as if it were filled down beside them all. */
function formulaTest(criteria: Range, row: number, col: number, value: CellValue, context: CallContext): Test {
  const at = [criteria.sheet, criteria.top + row, criteria.left + col] as const;
  const holds = (result: CellValue): boolean => toBoolean(result) === true;
  if (context.formulaText(...at) === null) return () => holds(value);
  return (record) => {
    const result = context.formulaBelow(...at, record - 1);
    return holds((isMatrix(result) ? result.at(0, 0) : result) as CellValue);
  };
}
