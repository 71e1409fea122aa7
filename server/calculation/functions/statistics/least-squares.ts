/**
 * Linear least squares as in LINEST since 2003: orthogonal (Householder) transformations; columns explained by others
 * are omitted with coefficient 0. Sources: Microsoft, 'LINEST function'; Golub and Van Loan, 'Matrix Computations',
 * 5.3.
 */

/** A column counts as explained by others if its remainder, relative to its length, is below this. */
const COLLINEAR = 1e-13;

export interface Fit {
  /** One coefficient per variable. */
  coefficients: number[];
  intercept: number;
  /** Standard errors of the coefficients and of the intercept. */
  errors: number[];
  interceptError: number;
  /** Standard error of the residuals; 0 if there are no degrees of freedom. */
  standardError: number;
  freedom: number;
  /** Number of variables that were not omitted. */
  rank: number;
  regressionSquares: number;
  residualSquares: number;
}

const dot = (a: Float64Array, b: Float64Array, from: number): number => {
  let sum = 0;
  for (let index = from; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
};

/** Reflects `column` by the vector `mirror`, from row `from` on; `scale` is 2/|v|². */
function reflect(column: Float64Array, mirror: Float64Array, scale: number, from: number): void {
  const factor = scale * dot(mirror, column, from);
  for (let index = from; index < column.length; index += 1) column[index]! -= factor * mirror[index]!;
}

interface Triangle {
  /** Indexes of the columns that were not omitted; row k of each column is the element of R. */
  included: number[];
  columns: Float64Array[];
}

/** Makes the columns triangular and transforms `y` accordingly. */
function triangulate(columns: Float64Array[], y: Float64Array): Triangle {
  const included: number[] = [];
  columns.forEach((column, index) => {
    const row = included.length;
    const whole = Math.sqrt(dot(column, column, 0));
    const rest = Math.sqrt(dot(column, column, row));
    if (row >= column.length || rest <= whole * COLLINEAR || rest === 0) return;
    const mirror = column.slice();
    const head = column[row]! > 0 ? -rest : rest;
    mirror[row]! -= head;
    const scale = 2 / dot(mirror, mirror, row);
    for (let other = index + 1; other < columns.length; other += 1) reflect(columns[other]!, mirror, scale, row);
    reflect(y, mirror, scale, row);
    column[row] = head;
    column.fill(0, row + 1);
    included.push(index);
  });
  return { included, columns: included.map((index) => columns[index]!) };
}

/** Solves R·x = b. */
function solve(columns: Float64Array[], b: ArrayLike<number>): number[] {
  const n = columns.length;
  const result = Array.from({ length: n }, (_, index) => b[index]!);
  for (let row = n - 1; row >= 0; row -= 1) {
    for (let col = row + 1; col < n; col += 1) result[row]! -= columns[col]![row]! * result[col]!;
    result[row]! /= columns[row]![row]!;
  }
  return result;
}

/** Returns the rows of R's inverse, as columns. */
function inverse(columns: Float64Array[]): number[][] {
  return columns.map((_, index) => {
    const unit = new Float64Array(columns.length);
    unit[index] = 1;
    return solve(columns, unit);
  });
}

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function centre(values: Float64Array): number {
  const middle = mean(values);
  for (let index = 0; index < values.length; index += 1) values[index]! -= middle;
  return middle;
}

/** Fits y = Σ coefficient·x + intercept. Overwrites the given arrays. */
export function leastSquares(variables: Float64Array[], y: Float64Array, hasIntercept: boolean): Fit {
  const n = y.length;
  const means = hasIntercept ? variables.map(centre) : variables.map(() => 0);
  const meanY = hasIntercept ? centre(y) : 0;
  const total = dot(y, y, 0);
  // With one variable, calculate directly: integers then stay exact.
  const slope = variables.length === 1 ? dot(variables[0]!, y, 0) / dot(variables[0]!, variables[0]!, 0) : null;
  const { included, columns } = triangulate(variables, y);
  const rank = included.length;
  // Constant variables are omitted, but still use up the degrees of freedom if there are too many variables. Source:
  // values saved by Excel.
  const isFull = rank === 0 && hasIntercept && n <= variables.length + 1;
  const freedom = isFull ? 0 : n - rank - (hasIntercept ? 1 : 0);
  const residualSquares = freedom > 0 ? dot(y, y, rank) : 0;
  const variance = freedom > 0 ? residualSquares / freedom : 0;
  const coefficients = variables.map(() => 0);
  const errors = variables.map(() => 0);
  solve(columns, y).forEach((value, index) => {
    coefficients[included[index]!] = slope ?? value;
  });
  const inverted = inverse(columns);
  const toMean = inverted.map(() => 0);
  included.forEach((variable, row) => {
    let squares = 0;
    for (let col = row; col < rank; col += 1) {
      const element = inverted[col]![row]!;
      squares += element * element;
      toMean[col]! += element * means[variable]!;
    }
    errors[variable] = Math.sqrt(variance * squares);
  });
  const atMean = toMean.reduce((sum, value) => sum + value * value, hasIntercept ? 1 / n : 0);
  const intercept = meanY - coefficients.reduce((sum, value, index) => sum + value * means[index]!, 0);
  return {
    coefficients,
    intercept,
    errors,
    interceptError: Math.sqrt(variance * atMean),
    standardError: Math.sqrt(variance),
    freedom,
    rank,
    regressionSquares: Math.max(0, total - residualSquares),
    residualSquares,
  };
}
