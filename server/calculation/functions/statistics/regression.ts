/** LINEST, LOGEST, TREND and GROWTH. Source: Microsoft's function reference. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { checkNumber, NA_ERROR, NUM_ERROR, REF_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { ArrayMatrix, asMatrix, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { arrayOf, truthOf } from '../array/cells.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { cachedForTwoRanges } from '../two-range-cache.ts';
import { leastSquares, type Fit } from './least-squares.ts';

/** Numbers of a matrix in row order. */
interface Numbers {
  rows: number;
  cols: number;
  values: Float64Array;
}

interface Problem {
  y: Numbers;
  x: Numbers;
  /** Layout of the variables: one variable in all cells of x, one per column, or one per row. */
  layout: 'single' | 'columns' | 'rows';
  hasIntercept: boolean;
}

/** Reads numbers. Blank cells (unless `takesBlanks`) and errors are #VALUE!. Source: values saved by Excel. */
function numbersOf(arg: FormulaValue, context: CallContext, takesBlanks = false): Numbers | CellError {
  if (arg instanceof Range && arg.used() !== arg && !takesBlanks) return VALUE_ERROR;
  const array = arrayOf(arg, context);
  if (array instanceof CellError) return array;
  const values = new Float64Array(array.cells.length);
  for (let index = 0; index < values.length; index += 1) {
    const value = array.cells[index] ?? (takesBlanks ? 0 : null);
    if (typeof value !== 'number') return VALUE_ERROR;
    values[index] = value;
  }
  return { rows: array.rows, cols: array.cols, values };
}

/** Returns 1, 2, 3 … in the shape of y. */
const countingNumbers = ({ rows, cols, values }: Numbers): Numbers => ({
  rows,
  cols,
  values: Float64Array.from(values, (_, index) => index + 1),
});

type Shape = Pick<Numbers, 'rows' | 'cols'>;

function shapeOf(arg: FormulaValue): Shape | null {
  return arg === undefined || arg instanceof CellError ? null : asMatrix(arg);
}

function layoutOf(y: Shape, x: Shape): Problem['layout'] | null {
  if (y.rows === x.rows && y.cols === x.cols) return 'single';
  if (y.cols === 1 && x.rows === y.rows) return 'columns';
  return y.rows === 1 && x.cols === y.cols ? 'rows' : null;
}

function problemOf(args: FormulaValue[], isLogarithmic: boolean, context: CallContext): Problem | CellError {
  const [ys, xs, , constant] = args;
  const shapes = [shapeOf(ys), shapeOf(xs)];
  if (shapes[0] && shapes[1] && !layoutOf(shapes[0], shapes[1])) return REF_ERROR;
  const y = numbersOf(ys, context);
  if (y instanceof CellError) return y;
  const x = xs === undefined ? countingNumbers(y) : numbersOf(xs, context);
  if (x instanceof CellError) return x;
  const layout = layoutOf(y, x);
  if (!layout) return REF_ERROR;
  const hasIntercept = truthOf(constant, true);
  // Any error gives #VALUE!. Source: values saved by Excel.
  if (hasIntercept instanceof CellError) return VALUE_ERROR;
  if (!isLogarithmic) return { y, x, layout, hasIntercept };
  if (y.values.some((value) => value <= 0)) return NUM_ERROR;
  return { y: { ...y, values: y.values.map(Math.log) }, x, layout, hasIntercept };
}

/** Returns copies of the variables, one array per variable. */
function variablesOf({ rows, cols, values }: Numbers, layout: Problem['layout']): Float64Array[] {
  if (layout === 'single') return [values.slice()];
  const count = layout === 'columns' ? cols : rows;
  const length = layout === 'columns' ? rows : cols;
  return Array.from({ length: count }, (_, variable) =>
    Float64Array.from({ length }, (_, index) =>
      layout === 'columns' ? values[index * cols + variable]! : values[variable * cols + index]!,
    ),
  );
}

function fit({ y, x, layout, hasIntercept }: Problem, context: CallContext): Fit {
  const variables = variablesOf(x, layout);
  context.spend(variables.length * variables.length * y.values.length);
  return leastSquares(variables, y.values.slice(), hasIntercept);
}

/** The coefficients are in reverse order of the variables; the intercept is last. */
function statistics(result: Fit, hasIntercept: boolean, isFull: boolean, isLogarithmic: boolean): FormulaValue {
  const { coefficients, errors, freedom, rank, regressionSquares, residualSquares } = result;
  const shown = isLogarithmic ? Math.exp : (value: number): number => value;
  const first = [...coefficients].reverse().map(shown).concat(shown(result.intercept)).map(checkNumber);
  const cols = first.length;
  if (!isFull) return new ArrayMatrix(1, cols, first);
  const total = regressionSquares + residualSquares;
  const padding = Array.from({ length: cols - 2 }, (): CellValue => NA_ERROR);
  const quotient = (a: number, b: number): CellValue => (b === 0 ? NUM_ERROR : checkNumber(a / b));
  const cells: CellValue[] = [
    ...first,
    ...[...errors].reverse(),
    hasIntercept ? result.interceptError : NA_ERROR,
    total === 0 ? 1 : regressionSquares / total,
    result.standardError,
    ...padding,
    freedom === 0 ? NUM_ERROR : quotient(regressionSquares / Math.max(rank, 1), residualSquares / freedom),
    freedom,
    ...padding,
    regressionSquares,
    residualSquares,
    ...padding,
  ];
  return new ArrayMatrix(5, cols, cells);
}

function estimate(isLogarithmic: boolean) {
  return ([ys, xs, constant, stats]: FormulaValue[], context: CallContext): FormulaValue => {
    const problem = problemOf([ys, xs, undefined, constant], isLogarithmic, context);
    if (problem instanceof CellError) return problem;
    const isFull = truthOf(stats, false);
    if (isFull instanceof CellError) return isFull;
    return statistics(fit(problem, context), problem.hasIntercept, isFull, isLogarithmic);
  };
}

interface Solved {
  problem: Problem;
  result: Fit;
}

/** Solves a regression, cached because many formulas request values of the same line. */
function solvedOf(args: FormulaValue[], isLogarithmic: boolean, context: CallContext): Solved | CellError {
  const [ys, xs, , constant] = args;
  const key = `fit ${isLogarithmic} ${typeof constant === 'object' ? '' : String(constant)}`;
  const solve = (): Solved | CellError => {
    const problem = problemOf(args, isLogarithmic, context);
    return problem instanceof CellError ? problem : { problem, result: fit(problem, context) };
  };
  return typeof constant === 'object' && constant !== null ? solve() : cachedForTwoRanges(ys, xs, key, context, solve);
}

/**
 * Returns values at the new x: in the shape of the new x if there is one variable, otherwise a row or column in the
 * direction of y.
 */
function predict(isLogarithmic: boolean) {
  return (args: FormulaValue[], context: CallContext): FormulaValue => {
    const solved = solvedOf(args, isLogarithmic, context);
    if (solved instanceof CellError) return solved;
    const { x, layout } = solved.problem;
    const { coefficients, intercept } = solved.result;
    // For a level line the new x do not matter, even if blank. Source: values saved by Excel.
    const isLevel = coefficients.every((coefficient) => coefficient === 0);
    const at = args[2] === undefined ? x : numbersOf(args[2], context, isLevel);
    if (at instanceof CellError) return at;
    const isColumns = layout === 'columns';
    if (layout !== 'single' && (isColumns ? at.cols !== x.cols : at.rows !== x.rows)) return REF_ERROR;
    const variables = variablesOf(at, layout);
    const count = variables[0]!.length;
    const cells = Array.from({ length: count }, (_, index) => {
      const value = variables.reduce(
        (sum, column, variable) => sum + column[index]! * coefficients[variable]!,
        intercept,
      );
      return checkNumber(isLogarithmic ? Math.exp(value) : value);
    });
    if (layout === 'single') return new ArrayMatrix(at.rows, at.cols, cells);
    return isColumns ? new ArrayMatrix(count, 1, cells) : new ArrayMatrix(1, count, cells);
  };
}

export const regressionFunctions: FunctionDefinition[] = [
  defineFunction('LINEST', 'aavv', estimate(false), { required: 1, takesErrors: true }),
  defineFunction('LOGEST', 'aavv', estimate(true), { required: 1, takesErrors: true }),
  defineFunction('TREND', 'aaav', predict(false), { required: 1 }),
  defineFunction('GROWTH', 'aaav', predict(true), { required: 1 }),
];
