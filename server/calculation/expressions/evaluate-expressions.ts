/**
 * Evaluates expressions of workflows. Each value that they read is on a sheet of a workbook, so they calculate exactly
 * as formulas of that workbook do, and within the same limits.
 */
import type {
  ExpressionResult,
  ExpressionTask,
  ExpressionToCalculate,
} from '#shared/rules/workflows/expression-task.ts';
import { CalculationError } from '../engine.ts';
import type { CalculationModel } from '../engine.ts';
import { createRunsheetEngine } from '../runsheet-engine.ts';
import { printFormula } from '../syntax/printer.ts';
import type { CellValue } from '../values/cell-value.ts';
import { expressionBook, OWN_SHEET, referenceTo } from './expression-book.ts';
import { expressionResult, WrongResult, type Grid } from './expression-result.ts';
import { expressionType } from './expression-type.ts';
import { blockOf, cellsOf, requireExact, type ReadCells } from './expression-values.ts';
import { ExpressionError, parseExpression, placeholderIndex, withValues } from './parse-expression.ts';

const AT = { row: 0, col: 0 };

/**
 * Returns one result per expression.
 * @param onBroken called if a limit was exceeded: the thread must then not be reused
 */
export function evaluateExpressions(task: ExpressionTask, onBroken: () => void = () => {}): ExpressionResult[] {
  const start = Date.now();
  const cells = task.values.map(cellsOf);
  const model = createRunsheetEngine().load(expressionBook(cells));
  const result = (expression: ExpressionToCalculate): ExpressionResult => {
    const timeLimit = Math.max(1, task.timeLimit - (Date.now() - start));
    try {
      return resultOf(expression, task, { cells, model, timeLimit });
    } catch (error) {
      if (error instanceof ExpressionError || error instanceof WrongResult) return { problem: error.message };
      // The JavaScript stack or the memory of one array overflowed.
      if (!(error instanceof CalculationError) && !(error instanceof RangeError)) throw error;
      onBroken();
      if (Date.now() - start >= task.timeLimit) return { problem: tooLong(task.timeLimit) };
      return { problem: error instanceof CalculationError ? error.message : 'The calculation is too large' };
    }
  };
  return task.expressions.map(result);
}

/** The limit applies to all expressions of a task. */
const tooLong = (timeLimit: number): string =>
  `The formulas of the step took longer than ${timeLimit / 1000} seconds to calculate`;

interface Around {
  cells: readonly ReadCells[];
  model: CalculationModel;
  timeLimit: number;
}

function resultOf(
  expression: ExpressionToCalculate,
  { values, now }: ExpressionTask,
  { cells, model, timeLimit }: Around,
): ExpressionResult {
  const { formula, reads, wanted } = expression;
  const { tree, names } = parseExpression(formula);
  if (names.length !== reads.length) throw new Error('an expression came without its values');
  const shapes = reads.map(({ value, column }) => ({ shape: values[value]!.shape, column }));
  const type = expressionType(tree, shapes);
  const only = placeholderIndex(tree);
  if (only !== null) {
    // The value is passed on as it is: with all digits of a long number, and without rows if it has none.
    const { value, column } = reads[only]!;
    return expressionResult(wholeGrid(cells[value]!, column), type, wanted);
  }
  for (const { value, column } of reads) requireExact(cells[value]!, column);
  const placed = withValues(tree, (index) => {
    const { value, column } = reads[index]!;
    return referenceTo(value, blockOf(cells[value]!, column));
  });
  const text = printFormula(placed, AT);
  const found = model.evaluate!({ text, sheet: OWN_SHEET, base: AT }, AT, { timeLimit, now });
  return expressionResult({ cells: found.values, width: found.width }, type, wanted);
}

function wholeGrid({ values, width }: ReadCells, column: number | null): Grid {
  if (column !== null) return { cells: values.map((row) => row[column] ?? null), width: 1 };
  const cells = values.flatMap((row): CellValue[] => Array.from({ length: width }, (_, x) => row[x] ?? null));
  return { cells, width };
}
