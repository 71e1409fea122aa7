/**
 * Creates definitions of the functions on securities. All of them check days, frequencies and bases in the same way.
 */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, NUM_ERROR, toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { dayOf } from '../date/calendar.ts';
import { serialOfText } from '../date/date-text.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { isBasis } from '../date/day-count.ts';

type Calculate = (args: number[], context: CallContext) => number | CellError;

/**
 * Creates a definition. `letters` has one letter per parameter: d whole day of the 1900 system, f frequency (1, 2 or 4
 * coupons a year), b basis (0 to 4), n number, t Boolean as 1 or 0. An omitted basis is 0; an omitted Boolean is 1.
 */
export function security(
  name: string,
  letters: string,
  calculate: Calculate,
  required = letters.length - 1,
): FunctionDefinition {
  return defineFunction(
    name,
    'v'.repeat(letters.length),
    (args, context) => {
      const numbers: number[] = [];
      for (let index = 0; index < letters.length; index += 1) {
        const letter = letters[index]!;
        const number = index >= args.length && letter === 't' ? 1 : numberOrDay(args[index], letter, context);
        if (typeof number !== 'number') return number;
        numbers.push(number);
      }
      for (let index = 0; index < letters.length; index += 1) {
        const checked = check(letters[index]!, numbers[index]!, context);
        if (typeof checked !== 'number') return checked;
        numbers[index] = checked;
      }
      const result = calculate(numbers, context);
      return typeof result === 'number' ? checkNumber(result) : result;
    },
    { required },
  );
}

/** Booleans are rejected as numbers, as in all functions of the Analysis ToolPak. */
function numberOrDay(arg: FormulaValue, letter: string, context: CallContext): number | CellError {
  if (typeof arg === 'number') return arg;
  if (arg === undefined || arg === null) return 0;
  if (arg instanceof CellError) return arg;
  if (typeof arg === 'boolean' && letter === 't') return arg ? 1 : 0;
  if (typeof arg === 'string') return letter === 'd' ? (serialOfText(arg, context) ?? VALUE_ERROR) : toNumber(arg);
  return VALUE_ERROR;
}

function check(letter: string, value: number, context: CallContext): number | CellError {
  switch (letter) {
    case 'd':
      return dayOf(value, context);
    case 'f': {
      const frequency = Math.trunc(value);
      return frequency === 1 || frequency === 2 || frequency === 4 ? frequency : NUM_ERROR;
    }
    case 'b': {
      const basis = Math.trunc(value);
      return isBasis(basis) ? basis : NUM_ERROR;
    }
    default:
      return value;
  }
}
