/** Functions on the type of a value: ISNUMBER and similar, NA, N, TYPE, ERROR.TYPE. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue, ErrorCode } from '#server/calculation/values/cell-value.ts';
import { NA_ERROR, toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { Areas, ArrayMatrix, Lambda, Range } from '#server/calculation/values/matrix.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type FunctionDefinition } from '../function.ts';
import { firstOrEach } from '../text/join.ts';

const ask = (name: string, holds: (value: CellValue) => boolean): FunctionDefinition =>
  defineFunction(name, 'v', ([value]) => holds((value ?? null) as CellValue), {
    takesErrors: true,
    takesFunctions: true,
  });

const isNa = (value: CellValue): boolean => value instanceof CellError && value.code === '#N/A';

function parity(name: string, rest: number): FunctionDefinition {
  return defineFunction(name, 'v', ([value]) => {
    if (typeof value === 'boolean') return VALUE_ERROR;
    const number = toNumber(value as CellValue);
    return typeof number === 'number' ? Math.abs(Math.trunc(number)) % 2 === rest : number;
  });
}

/** Source: Microsoft, ERROR.TYPE. */
const ERROR_TYPES: Record<ErrorCode, number> = {
  '#NULL!': 1,
  '#DIV/0!': 2,
  '#VALUE!': 3,
  '#REF!': 4,
  '#NAME?': 5,
  '#NUM!': 6,
  '#N/A': 7,
  '#GETTING_DATA': 8,
  '#SPILL!': 9,
  '#CONNECT!': 10,
  '#BLOCKED!': 11,
  '#UNKNOWN!': 12,
  '#FIELD!': 13,
  '#CALC!': 14,
};

function typeOf(value: FormulaValue): number {
  if (value instanceof Areas) return value.ranges.length === 1 ? typeOf(value.ranges[0]) : 16;
  if (value instanceof Range) return value.rows * value.cols > 1 ? 64 : typeOf(value.at(0, 0));
  if (value instanceof ArrayMatrix) return 64;
  if (value instanceof Lambda) return 128;
  if (value instanceof CellError) return 16;
  if (typeof value === 'string') return 2;
  return typeof value === 'boolean' ? 4 : 1;
}

function asNumber(value: CellValue): CellValue {
  if (typeof value === 'number' || value instanceof CellError) return value;
  return value === true ? 1 : 0;
}

const QUESTIONS: Readonly<Record<string, (value: CellValue) => boolean>> = {
  ISBLANK: (value) => value === null,
  ISERROR: (value) => value instanceof CellError,
  ISERR: (value) => value instanceof CellError && !isNa(value),
  ISNA: isNa,
  ISNUMBER: (value) => typeof value === 'number',
  ISTEXT: (value) => typeof value === 'string',
  ISNONTEXT: (value) => typeof value !== 'string',
  ISLOGICAL: (value) => typeof value === 'boolean',
};

/**
 * Returns what a legacy array formula that calls this function shows in cells beyond its array. The missing value is
 * #N/A. Only the functions in QUESTIONS are applied to it; all others show #N/A, including IFERROR and ERROR.TYPE.
 * Source: values saved by Excel.
 */
export const beyondArrayOf = (name: string): CellValue => QUESTIONS[name]?.(NA_ERROR) ?? NA_ERROR;

export const kindFunctions: FunctionDefinition[] = [
  ...Object.entries(QUESTIONS).map(([name, holds]) => ask(name, holds)),
  parity('ISEVEN', 0),
  parity('ISODD', 1),
  defineFunction('ISREF', 'r', ([value]) => value instanceof Range || value instanceof Areas, { takesErrors: true }),
  defineFunction('TYPE', 'r', ([value]) => typeOf(value), { takesErrors: true }),
  defineFunction('ERROR.TYPE', 'v', ([value]) => (value instanceof CellError ? ERROR_TYPES[value.code] : NA_ERROR), {
    takesErrors: true,
  }),
  defineFunction('NA', '', () => NA_ERROR),
  defineFunction('N', 'r', ([value]) => firstOrEach(value, asNumber), { takesErrors: true }),
];
