/** Reads numbers in the same way as the functions of the Analysis ToolPak. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type FunctionDefinition } from '../function.ts';

/** Converts an argument to a number. Unlike most functions, it rejects Booleans. */
export function strictNumber(arg: FormulaValue): number | CellError {
  if (typeof arg === 'number') return arg;
  if (arg === undefined || arg === null) return 0;
  if (arg instanceof CellError) return arg;
  return typeof arg === 'string' ? toNumber(arg) : VALUE_ERROR;
}

/** Creates a function of numbers only; omitted arguments are 0. */
export function strict(
  name: string,
  parameters: number,
  calculate: (args: number[], count: number) => number | CellError,
  required = parameters,
): FunctionDefinition {
  return defineFunction(
    name,
    'v'.repeat(parameters),
    (args) => {
      const numbers: number[] = [];
      for (let index = 0; index < parameters; index += 1) {
        const number = strictNumber(args[index]);
        if (typeof number !== 'number') return number;
        numbers.push(number);
      }
      const result = calculate(numbers, args.length);
      return typeof result === 'number' ? checkNumber(result) : result;
    },
    { required },
  );
}
