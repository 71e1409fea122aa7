/** DSUM, DCOUNT and related functions: statistics of the records of a list that meet criteria. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR, toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { averageOf, deviationOf, largestOf, productOf, smallestOf, sumOf, varianceOf } from '../sums/statistics.ts';
import { columnOf, criteriaTests } from './criteria-table.ts';

/** Returns the column of the field (from 0); null if the field is omitted. A number as field counts columns from 1. */
function fieldOf(database: Range, field: FormulaValue): number | null | CellError {
  if (field === undefined || field === null) return null;
  if (typeof field === 'string') {
    const column = columnOf(database, field);
    return column < 0 ? VALUE_ERROR : column;
  }
  const number = toNumber(field as CellValue);
  if (typeof number !== 'number') return number;
  const column = Math.trunc(number) - 1;
  return column < 0 || column >= database.cols ? VALUE_ERROR : column;
}

/** Returns the rows (from 0) of the records that meet the criteria. */
function matchingRows(database: Range, criteria: Range, context: CallContext): number[] {
  const lines = criteriaTests(database, criteria, context);
  const { rows } = database.used();
  context.spend(rows * Math.max(lines.length, 1));
  const found: number[] = [];
  for (let row = 1; row < rows; row += 1) {
    if (lines.some((tests) => tests.every((test) => test(row)))) found.push(row);
  }
  return found;
}

interface Selected {
  /** The values of the field; empty if the field was omitted. */
  values: CellValue[];
  /** Number of records. */
  records: number;
  hasField: boolean;
}

function select([source, field, conditions]: FormulaValue[], context: CallContext): Selected | CellError {
  if (!(source instanceof Range) || !(conditions instanceof Range)) return VALUE_ERROR;
  // A list needs headers and at least one record.
  if (source.rows < 2) return VALUE_ERROR;
  const column = fieldOf(source, field);
  if (column instanceof CellError) return column;
  const rows = matchingRows(source, conditions, context);
  const values = column === null ? [] : rows.map((row) => source.at(row, column));
  return { values, records: rows.length, hasField: column !== null };
}

/** Creates a statistic of the numbers of a field; the field is required. */
function ofNumbers(name: string, statistic: (numbers: readonly number[]) => number | CellError): FunctionDefinition {
  return defineFunction(name, 'RvR', (args, context) => {
    const selected = select(args, context);
    if (selected instanceof CellError) return selected;
    if (!selected.hasField) return VALUE_ERROR;
    const numbers: number[] = [];
    for (const value of selected.values) {
      if (value instanceof CellError) return value;
      if (typeof value === 'number') numbers.push(value);
    }
    return statistic(numbers);
  });
}

/** Creates a counting function. Without a field it counts the records. */
function counting(name: string, counts: (value: CellValue) => boolean): FunctionDefinition {
  return defineFunction(name, 'RvR', (args, context) => {
    const selected = select(args, context);
    if (selected instanceof CellError) return selected;
    return selected.hasField ? selected.values.filter(counts).length : selected.records;
  });
}

function get(args: FormulaValue[], context: CallContext): FormulaValue {
  const selected = select(args, context);
  if (selected instanceof CellError) return selected;
  if (!selected.hasField || selected.records === 0) return VALUE_ERROR;
  return selected.records > 1 ? NUM_ERROR : selected.values[0]!;
}

export const databaseFunctions: FunctionDefinition[] = [
  ofNumbers('DSUM', sumOf),
  ofNumbers('DAVERAGE', averageOf),
  ofNumbers('DMAX', largestOf),
  ofNumbers('DMIN', smallestOf),
  ofNumbers('DPRODUCT', productOf),
  ofNumbers('DSTDEV', deviationOf(true)),
  ofNumbers('DSTDEVP', deviationOf(false)),
  ofNumbers('DVAR', varianceOf(true)),
  ofNumbers('DVARP', varianceOf(false)),
  counting('DCOUNT', (value) => typeof value === 'number'),
  counting('DCOUNTA', (value) => value !== null),
  defineFunction('DGET', 'RvR', get),
];
