/** Powers, logarithms and angles. */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { DIV0_ERROR, NUM_ERROR } from '#server/calculation/values/coerce.ts';
import { raised } from '#server/calculation/values/powers.ts';
import { defineFunction, type FunctionDefinition } from '../function.ts';
import { numeric, unary } from '../numeric.ts';
import { cosine, sine, tangent } from './angles.ts';

/** Excel rejects angles from here on, because they no longer contain a fraction of a turn. */
const LARGEST_ANGLE = 2 ** 27;

/**
 * Returns x to the power y for '^' and POWER: 0^0 and roots of negative numbers are #NUM!, 0 to a negative power is
 * #DIV/0!.
 */
function power(x: number, y: number): number | CellError {
  if (x === 0) return y === 0 ? NUM_ERROR : y < 0 ? DIV0_ERROR : 0;
  const result = raised(x, y);
  return Number.isFinite(result) ? result : NUM_ERROR;
}

const angle =
  (calculate: (x: number) => number) =>
  (x: number): number | CellError =>
    Math.abs(x) >= LARGEST_ANGLE ? NUM_ERROR : calculate(x);

const reciprocal =
  (calculate: (x: number) => number) =>
  (x: number): number | CellError => {
    if (x === 0) return DIV0_ERROR;
    return Math.abs(x) >= LARGEST_ANGLE ? NUM_ERROR : 1 / calculate(x);
  };

const positive =
  (calculate: (x: number) => number) =>
  (x: number): number | CellError =>
    x <= 0 ? NUM_ERROR : calculate(x);

const within =
  (holds: (x: number) => boolean, calculate: (x: number) => number) =>
  (x: number): number | CellError =>
    holds(x) ? calculate(x) : NUM_ERROR;

function logarithm([x, base]: number[]): number | CellError {
  if (x! <= 0 || base! <= 0) return NUM_ERROR;
  if (base === 1) return DIV0_ERROR;
  if (base === 10) return Math.log10(x!);
  return base === 2 ? Math.log2(x!) : Math.log(x!) / Math.log(base!);
}

/** Unlike the textbook formula, accurate for small and large x. */
const acoth = (x: number): number => 0.5 * Math.log1p(2 / (x - 1));
const oneIsEnough = (x: number): boolean => Math.abs(x) <= 1;

const toBase = numeric('LOG', 2, logarithm);
const decadic = numeric('LOG', 2, logarithm, { required: 1, defaults: [0, 10] });

export const elementaryFunctions: FunctionDefinition[] = [
  unary('ABS', Math.abs),
  unary('SIGN', Math.sign),
  unary(
    'SQRT',
    within((x) => x >= 0, Math.sqrt),
  ),
  numeric('SQRTPI', 1, ([x]) => (x! < 0 ? NUM_ERROR : Math.sqrt(x! * Math.PI)), { refusesBooleans: true }),
  unary('EXP', Math.exp),
  unary('LN', positive(Math.log)),
  unary('LOG10', positive(Math.log10)),
  // An omitted base is 10; an empty one is 0, which is invalid.
  defineFunction('LOG', 'vv', (args, context) => (args.length < 2 ? decadic : toBase).call(args, context), {
    required: 1,
    takesErrors: true,
  }),
  numeric('POWER', 2, ([x, y]) => power(x!, y!)),
  defineFunction('PI', '', () => Math.PI),
  unary('RADIANS', (x) => (x * Math.PI) / 180),
  unary('DEGREES', (x) => (x * 180) / Math.PI),
  unary('SIN', angle(sine)),
  unary('COS', angle(cosine)),
  unary('TAN', angle(tangent)),
  unary(
    'SEC',
    angle((x) => 1 / cosine(x)),
  ),
  unary('CSC', reciprocal(sine)),
  unary('COT', reciprocal(tangent)),
  unary('ASIN', within(oneIsEnough, Math.asin)),
  unary('ACOS', within(oneIsEnough, Math.acos)),
  unary('ATAN', Math.atan),
  unary('ACOT', (x) => Math.PI / 2 - Math.atan(x)),
  numeric('ATAN2', 2, ([x, y]) => (x === 0 && y === 0 ? DIV0_ERROR : Math.atan2(y!, x!))),
  unary('SINH', Math.sinh),
  unary('COSH', Math.cosh),
  unary('TANH', Math.tanh),
  unary('SECH', (x) => 1 / Math.cosh(x)),
  unary('CSCH', (x) => (x === 0 ? DIV0_ERROR : 1 / Math.sinh(x))),
  unary('COTH', (x) => (x === 0 ? DIV0_ERROR : 1 / Math.tanh(x))),
  unary('ASINH', Math.asinh),
  unary(
    'ACOSH',
    within((x) => x >= 1, Math.acosh),
  ),
  unary(
    'ATANH',
    within((x) => Math.abs(x) < 1, Math.atanh),
  ),
  unary(
    'ACOTH',
    within((x) => Math.abs(x) > 1, acoth),
  ),
];
