/** Creates definitions of functions from numbers to a number, with Excel's coercions and error order. */
import { CellError } from '../values/cell-value.ts';
import { checkNumber, NA_ERROR, toNumber, VALUE_ERROR } from '../values/coerce.ts';
import type { CellValue } from '../values/cell-value.ts';
import type { FormulaValue } from '../values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from './function.ts';

/** Converts a `value` argument to a number; an omitted argument is `fallback`. */
export function numberOf(value: FormulaValue, fallback = 0): number | CellError {
  if (typeof value === 'number') return value;
  if (value === undefined) return fallback;
  if (typeof value === 'object' && value !== null && !(value instanceof CellError)) return VALUE_ERROR;
  return toNumber(value as CellValue);
}

/** Like `numberOf`, for functions of Excel's Analysis ToolPak, which reject Booleans. Source: Excel's behaviour. */
export const strictNumberOf = (value: FormulaValue, fallback = 0): number | CellError =>
  typeof value === 'boolean' ? VALUE_ERROR : numberOf(value, fallback);

/** Creates a function from one number to one number. */
export function unary(name: string, calculate: (x: number) => number | CellError): FunctionDefinition {
  return defineFunction(name, 'v', ([x]) => {
    const number = numberOf(x);
    if (typeof number !== 'number') return number;
    const result = calculate(number);
    return typeof result === 'number' ? checkNumber(result) : result;
  });
}

interface NumericOptions {
  required?: number;
  /** Values of omitted arguments, by position. */
  defaults?: readonly number[];
  /**
   * If true, TRUE and FALSE are #VALUE! and an empty required argument is #N/A, as in functions of the Analysis
   * ToolPak.
   */
  refusesBooleans?: boolean;
}

/** Creates a function from a fixed number of numbers to one number. */
export function numeric(
  name: string,
  parameters: number,
  calculate: (args: number[], context: CallContext) => number | CellError,
  options: NumericOptions = {},
): FunctionDefinition {
  const { required = parameters, defaults = [], refusesBooleans = false } = options;
  const read = refusesBooleans ? strictNumberOf : numberOf;
  return defineFunction(
    name,
    'v'.repeat(parameters),
    (args, context) => {
      const numbers: number[] = [];
      for (let index = 0; index < parameters; index += 1) {
        if (refusesBooleans && index < required && args[index] === undefined) return NA_ERROR;
        const number = read(args[index], defaults[index] ?? 0);
        if (typeof number !== 'number') return number;
        numbers.push(number);
      }
      const result = calculate(numbers, context);
      return typeof result === 'number' ? checkNumber(result) : result;
    },
    // The first argument that is not a number determines the result, whether it is an error or a text.
    { required, takesErrors: true },
  );
}
