/**
 * Functions of complex numbers. Source: Microsoft, 'IMABS function' and related functions; NIST DLMF 4 for the formulas
 * in real terms.
 */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, DIV0_ERROR, NUM_ERROR, toText, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { isMatrix, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type FunctionDefinition } from '../function.ts';
import { eachOf } from '../sums/tally.ts';
import { formatComplex, parseComplex, type Complex, type Suffix } from './complex-text.ts';
import { strictNumber } from './strict-number.ts';

interface Parts {
  re: number;
  im: number;
}

const multiply = (a: Parts, b: Parts): Parts => ({ re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re });

/**
 * Smith's method: results saved by Excel show its rounding. Source: Communications of the ACM 5 (1962), algorithm 116.
 */
function divide(a: Parts, b: Parts): Parts | CellError {
  if (b.re === 0 && b.im === 0) return NUM_ERROR;
  if (Math.abs(b.re) >= Math.abs(b.im)) {
    const ratio = b.im / b.re;
    const size = b.re + b.im * ratio;
    return { re: (a.re + a.im * ratio) / size, im: (a.im - a.re * ratio) / size };
  }
  const ratio = b.re / b.im;
  const size = b.re * ratio + b.im;
  return { re: (a.re * ratio + a.im) / size, im: (a.im * ratio - a.re) / size };
}

const ONE: Parts = { re: 1, im: 0 };
const sine = ({ re, im }: Parts): Parts => ({ re: Math.sin(re) * Math.cosh(im), im: Math.cos(re) * Math.sinh(im) });
const cosine = ({ re, im }: Parts): Parts => ({ re: Math.cos(re) * Math.cosh(im), im: -Math.sin(re) * Math.sinh(im) });
const hyperbolicSine = ({ re, im }: Parts): Parts => ({
  re: Math.sinh(re) * Math.cos(im),
  im: Math.cosh(re) * Math.sin(im),
});
const hyperbolicCosine = ({ re, im }: Parts): Parts => ({
  re: Math.cosh(re) * Math.cos(im),
  im: Math.sinh(re) * Math.sin(im),
});
const exponential = ({ re, im }: Parts): Parts => ({
  re: Math.exp(re) * Math.cos(im),
  im: Math.exp(re) * Math.sin(im),
});

/** Uses a form that does not overflow when numerator and denominator would. */
function tangent({ re, im }: Parts): Parts {
  const bottom = Math.cos(2 * re) + Math.cosh(2 * im);
  if (!Number.isFinite(bottom)) return { re: 0, im: Math.sign(im) };
  return { re: Math.sin(2 * re) / bottom, im: Math.sinh(2 * im) / bottom };
}

function logarithm({ re, im }: Parts, base = 1): Parts | CellError {
  if (re === 0 && im === 0) return NUM_ERROR;
  return { re: Math.log(Math.hypot(re, im)) / base, im: Math.atan2(im, re) / base };
}

function squareRoot({ re, im }: Parts): Parts {
  const size = Math.sqrt(Math.hypot(re, im));
  const angle = Math.atan2(im, re) / 2;
  return { re: size * Math.cos(angle), im: size * Math.sin(angle) };
}

function power(base: Parts, exponent: number): Parts | CellError {
  const size = Math.hypot(base.re, base.im);
  if (size === 0) return exponent > 0 ? { re: 0, im: 0 } : NUM_ERROR;
  const length = size ** exponent;
  const angle = Math.atan2(base.im, base.re) * exponent;
  return { re: length * Math.cos(angle), im: length * Math.sin(angle) };
}

const answer = (parts: Parts | CellError, suffix: Suffix | ''): FormulaValue =>
  parts instanceof CellError ? parts : formatComplex(parts.re, parts.im, suffix);

function mapping(name: string, calculate: (value: Complex) => Parts | CellError): FunctionDefinition {
  return defineFunction(name, 'v', ([arg]) => {
    const value = parseComplex(arg);
    return value instanceof CellError ? value : answer(calculate(value), value.suffix);
  });
}

function measure(name: string, calculate: (value: Complex) => number | CellError): FunctionDefinition {
  return defineFunction(name, 'v', ([arg]) => {
    const value = parseComplex(arg);
    if (value instanceof CellError) return value;
    const result = calculate(value);
    return typeof result === 'number' ? checkNumber(result) : result;
  });
}

/** Returns the common letter; #VALUE! if the numbers are written with different letters. */
function joined(a: Complex, b: Complex): Suffix | '' | CellError {
  if (a.suffix !== '' && b.suffix !== '' && a.suffix !== b.suffix) return VALUE_ERROR;
  return a.suffix === '' ? b.suffix : a.suffix;
}

function combining(name: string, calculate: (a: Parts, b: Parts) => Parts | CellError): FunctionDefinition {
  return defineFunction(name, 'vv', ([first, second]) => {
    const [a, b] = [parseComplex(first), parseComplex(second)];
    if (a instanceof CellError) return a;
    if (b instanceof CellError) return b;
    const suffix = joined(a, b);
    // Different letters are #NUM! here, but #VALUE! in IMSUM and IMPRODUCT. Source: values saved by Excel.
    return suffix instanceof CellError ? NUM_ERROR : answer(calculate(a, b), suffix);
  });
}

/** Blank cells in larger ranges are ignored; a single blank cell or a blank argument is 0. */
function folding(name: string, start: Parts, fold: (result: Parts, value: Parts) => Parts): FunctionDefinition {
  return defineFunction(
    name,
    'r',
    (args) => {
      let result: Complex = { ...start, suffix: '' };
      let failure: CellError | null = null;
      const take = (cell: CellValue): boolean => {
        const value = parseComplex(cell);
        const suffix = value instanceof CellError ? value : joined(result, value);
        if (suffix instanceof CellError) failure = suffix;
        else result = { ...fold(result, value as Complex), suffix };
        return failure !== null;
      };
      for (const arg of args) {
        if (isMatrix(arg) && arg.rows * arg.cols === 1) take(arg.at(0, 0));
        else eachOf(arg, (value, isDirect) => (value === null && !isDirect ? false : take(value)));
        if (failure) return failure;
      }
      return answer(result, result.suffix);
    },
    { repeat: 1 },
  );
}

function complex([real, imaginary, letter]: FormulaValue[]): FormulaValue {
  const re = strictNumber(real);
  if (typeof re !== 'number') return re;
  const im = strictNumber(imaginary);
  if (typeof im !== 'number') return im;
  const suffix = letter === undefined ? 'i' : toText(letter as CellValue);
  if (suffix instanceof CellError) return suffix;
  if (suffix !== 'i' && suffix !== 'j' && suffix !== '') return VALUE_ERROR;
  return formatComplex(re, im, suffix);
}

function imPower([value, exponent]: FormulaValue[]): FormulaValue {
  const base = parseComplex(value);
  if (base instanceof CellError) return base;
  const number = strictNumber(exponent);
  return typeof number === 'number' ? answer(power(base, number), base.suffix) : number;
}

export const complexFunctions: FunctionDefinition[] = [
  defineFunction('COMPLEX', 'vvv', complex, { required: 2 }),
  measure('IMABS', ({ re, im }) => Math.hypot(re, im)),
  measure('IMREAL', ({ re }) => re),
  measure('IMAGINARY', ({ im }) => im),
  measure('IMARGUMENT', ({ re, im }) => (re === 0 && im === 0 ? DIV0_ERROR : Math.atan2(im, re))),
  mapping('IMCONJUGATE', ({ re, im }) => ({ re, im: -im })),
  mapping('IMSQRT', squareRoot),
  mapping('IMEXP', exponential),
  mapping('IMLN', (value) => logarithm(value)),
  mapping('IMLOG10', (value) => logarithm(value, Math.LN10)),
  mapping('IMLOG2', (value) => logarithm(value, Math.LN2)),
  mapping('IMSIN', sine),
  mapping('IMCOS', cosine),
  mapping('IMTAN', tangent),
  mapping('IMSINH', hyperbolicSine),
  mapping('IMCOSH', hyperbolicCosine),
  mapping('IMSEC', (value) => divide(ONE, cosine(value))),
  mapping('IMCSC', (value) => divide(ONE, sine(value))),
  mapping('IMCOT', (value) => divide(ONE, tangent(value))),
  mapping('IMSECH', (value) => divide(ONE, hyperbolicCosine(value))),
  mapping('IMCSCH', (value) => divide(ONE, hyperbolicSine(value))),
  combining('IMSUB', (a, b) => ({ re: a.re - b.re, im: a.im - b.im })),
  combining('IMDIV', divide),
  folding('IMSUM', { re: 0, im: 0 }, (a, b) => ({ re: a.re + b.re, im: a.im + b.im })),
  folding('IMPRODUCT', ONE, multiply),
  defineFunction('IMPOWER', 'vv', imPower),
];
