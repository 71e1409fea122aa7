/** Factorials, combinations, divisors, Roman numerals and numbers in other bases. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { NA_ERROR, NUM_ERROR, toText, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { eachValue, isMatrix, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type FunctionDefinition } from '../function.ts';
import { numberOf, numeric, strictNumberOf, unary } from '../numeric.ts';

const LARGEST_WHOLE = 2 ** 53;

function product(from: number, to: number, step = 1): number {
  let result = 1;
  for (let factor = to; factor >= from && Number.isFinite(result); factor -= step) result *= factor;
  return result;
}

const factorial = (n: number): number => product(2, n);

/**
 * Returns n over k. Alternates multiplication and division to keep intermediate results exact and small as long as
 * possible.
 */
export function combinations(n: number, k: number): number {
  const fewer = Math.min(k, n - k);
  let result = 1;
  for (let index = 1; index <= fewer && Number.isFinite(result); index += 1)
    result = (result * (n - fewer + index)) / index;
  return result < LARGEST_WHOLE ? Math.round(result) : result;
}

const pair =
  (calculate: (n: number, k: number) => number | CellError) =>
  ([n, k]: number[]): number | CellError => {
    const whole = Math.trunc(n!);
    const chosen = Math.trunc(k!);
    return whole < 0 || chosen < 0 ? NUM_ERROR : calculate(whole, chosen);
  };

/**
 * Returns the numbers of all arguments, truncated to integers. Booleans and texts that are not numbers are #VALUE!. A
 * single blank cell is ignored, a blank among other cells is 0, and an omitted argument is #N/A. Negative or too large
 * numbers are #NUM! if there is no other error. Source: values saved by Excel.
 */
function wholeNumbers(args: FormulaValue[]): number[] | CellError {
  const numbers: number[] = [];
  let failure: CellError | null = null;
  let isOutside = false;
  const take = (value: number | CellError): boolean => {
    if (typeof value !== 'number') failure = value;
    else if (value < 0 || value >= LARGEST_WHOLE) isOutside = true;
    else numbers.push(Math.trunc(value));
    return failure !== null;
  };
  for (const arg of args) {
    if (arg === undefined) return NA_ERROR;
    if (!isMatrix(arg)) take(strictNumberOf(arg));
    else {
      let seen = 0;
      eachValue(arg, (value) => {
        seen += 1;
        return take(strictNumberOf(value));
      });
      if (arg.rows * arg.cols > Math.max(seen, 1)) numbers.push(0);
    }
    if (failure) return failure;
  }
  return isOutside ? NUM_ERROR : numbers;
}

function gcd(a: number, b: number): number {
  let [left, right] = [a, b];
  while (right > 0) [left, right] = [right, left % right];
  return left;
}

/**
 * Creates a function of integers. Results from `limit` on are #NUM!. The limit of GCD and LCM is documented;
 * MULTINOMIAL is limited only by the range of numbers.
 */
function folded(name: string, fold: (numbers: number[]) => number, limit = LARGEST_WHOLE): FunctionDefinition {
  return defineFunction(
    name,
    'r',
    (args) => {
      const numbers = wholeNumbers(args);
      if (numbers instanceof CellError) return numbers;
      const result = numbers.length === 0 ? VALUE_ERROR : fold(numbers);
      return typeof result === 'number' && !(result < limit) ? NUM_ERROR : result;
    },
    { repeat: 1 },
  );
}

const lcm = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : (a / gcd(a, b)) * b);

function multinomial(numbers: number[]): number {
  let total = 0;
  let result = 1;
  for (const number of numbers) {
    total += number;
    result *= combinations(total, number);
  }
  return result;
}

/** Letters, values and the form (0 classic to 4 shortest) that allows them. Source: Microsoft, ROMAN. */
const ROMAN: [string, number, number][] = [
  ['M', 1000, 0],
  ['IM', 999, 4],
  ['VM', 995, 3],
  ['XM', 990, 2],
  ['LM', 950, 1],
  ['CM', 900, 0],
  ['D', 500, 0],
  ['ID', 499, 4],
  ['VD', 495, 3],
  ['XD', 490, 2],
  ['LD', 450, 1],
  ['CD', 400, 0],
  ['C', 100, 0],
  ['IC', 99, 2],
  ['VC', 95, 1],
  ['XC', 90, 0],
  ['L', 50, 0],
  ['IL', 49, 2],
  ['VL', 45, 1],
  ['XL', 40, 0],
  ['X', 10, 0],
  ['IX', 9, 0],
  ['V', 5, 0],
  ['IV', 4, 0],
  ['I', 1, 0],
];

function roman(value: number, form: number): string | CellError {
  let rest = Math.trunc(value);
  if (rest < 0 || rest > 3999 || form < 0 || form > 4) return VALUE_ERROR;
  let text = '';
  for (const [letters, worth, needed] of ROMAN) {
    if (needed > form) continue;
    for (; rest >= worth; rest -= worth) text += letters;
  }
  return text;
}

const DIGITS: Record<string, number> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

function arabic(text: string): number | CellError {
  const upper = text.trim().toUpperCase();
  if (upper.length > 255) return VALUE_ERROR;
  const negative = upper.startsWith('-');
  let total = 0;
  let highest = 0;
  for (const letter of Array.from(negative ? upper.slice(1) : upper).reverse()) {
    const worth = DIGITS[letter];
    if (worth === undefined) return VALUE_ERROR;
    total += worth < highest ? -worth : worth;
    highest = Math.max(highest, worth);
  }
  return negative ? -total : total;
}

function toBase([value, radix, length]: number[]): string | CellError {
  const number = Math.trunc(value!);
  const base = Math.trunc(radix!);
  const width = Math.trunc(length!);
  if (number < 0 || number >= LARGEST_WHOLE || base < 2 || base > 36 || width < 0 || width > 255) return NUM_ERROR;
  return number.toString(base).toUpperCase().padStart(width, '0');
}

function fromBase(text: string, radix: number): number | CellError {
  const base = Math.trunc(radix);
  const digits = text.trim().toLowerCase();
  if (base < 2 || base > 36 || digits.length > 255) return NUM_ERROR;
  let result = 0;
  for (const letter of digits) {
    const digit = Number.parseInt(letter, 36);
    if (Number.isNaN(digit) || digit >= base) return NUM_ERROR;
    result = result * base + digit;
  }
  return result;
}

const textOf = (value: FormulaValue): string | CellError => toText(value as CellValue);

export const countingFunctions: FunctionDefinition[] = [
  unary('FACT', (n) => (n < 0 ? NUM_ERROR : factorial(Math.trunc(n)))),
  numeric('FACTDOUBLE', 1, ([n]) => (n! < -1 ? NUM_ERROR : product(2, Math.trunc(n!), 2)), { refusesBooleans: true }),
  numeric(
    'COMBIN',
    2,
    pair((n, k) => (k > n ? NUM_ERROR : combinations(n, k))),
  ),
  numeric(
    'COMBINA',
    2,
    pair((n, k) => (n === 0 && k > 0 ? NUM_ERROR : combinations(n + Math.max(k - 1, 0), k > 0 ? k : 0))),
  ),
  numeric(
    'PERMUT',
    2,
    pair((n, k) => (k > n ? NUM_ERROR : product(n - k + 1, n))),
  ),
  numeric(
    'PERMUTATIONA',
    2,
    pair((n, k) => n ** k),
  ),
  folded('GCD', (numbers) => numbers.reduce(gcd)),
  folded('LCM', (numbers) => numbers.reduce(lcm)),
  folded('MULTINOMIAL', multinomial, Infinity),
  defineFunction(
    'ROMAN',
    'vv',
    ([value, form]) => {
      const number = numberOf(value);
      if (typeof number !== 'number') return number;
      // TRUE is the classic form, FALSE the shortest.
      const kind = form === true ? 0 : form === false ? 4 : numberOf(form);
      return typeof kind === 'number' ? roman(number, Math.trunc(kind)) : kind;
    },
    { required: 1 },
  ),
  defineFunction('ARABIC', 'v', ([value]) => {
    const text = textOf(value);
    return typeof text === 'string' ? arabic(text) : text;
  }),
  defineFunction(
    'BASE',
    'vvv',
    (args) => {
      const numbers: number[] = [];
      for (const arg of [args[0], args[1], args[2]]) {
        const number = numberOf(arg);
        if (typeof number !== 'number') return number;
        numbers.push(number);
      }
      return toBase(numbers);
    },
    { required: 2 },
  ),
  defineFunction('DECIMAL', 'vv', ([value, radix]) => {
    const text = textOf(value);
    const base = numberOf(radix);
    if (typeof text !== 'string') return text;
    return typeof base === 'number' ? fromBase(text, base) : base;
  }),
];
