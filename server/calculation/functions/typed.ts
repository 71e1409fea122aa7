/**
 * Creates definitions of functions whose single values are texts, numbers and Booleans, with Excel's coercions and
 * error order.
 */
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { checkNumber, toBoolean, toNumber, toText, VALUE_ERROR } from '../values/coerce.ts';
import type { FormulaValue } from '../values/matrix.ts';
import { serialOfText } from './date/date-text.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from './function.ts';

interface KindTypes {
  t: string;
  n: number;
  d: number;
  b: boolean;
  v: CellValue;
}
type Kind = keyof KindTypes;
type Arguments<Kinds extends string> = Kinds extends `${infer First extends Kind}${infer Rest}`
  ? [KindTypes[First], ...Arguments<Rest>]
  : [];
type Defaults<List extends unknown[]> = { [Index in keyof List]?: List[Index] | undefined };

interface Options<Kinds extends string> {
  required?: number;
  /**
   * Values of omitted arguments, by position. An empty argument, such as the second of LEFT(A1,), is 0, '' or FALSE
   * instead.
   */
  defaults?: Defaults<Arguments<Kinds>>;
  volatile?: boolean;
  /** True if Booleans are rejected as numbers, as in functions that came to Excel as an add-in (EDATE, YEARFRAC …). */
  noBooleans?: boolean;
}

const EMPTY: Record<Kind, CellValue> = { t: '', n: 0, d: 0, b: false, v: null };

/**
 * Creates a definition. `kinds` has one letter per parameter: t text, n number, d serial number in the workbook's date
 * system, b Boolean, v any value except an error.
 */
export function typed<Kinds extends string>(
  name: string,
  kinds: Kinds,
  calculate: (args: Arguments<Kinds>, context: CallContext) => FormulaValue,
  options: Options<Kinds> = {},
): FunctionDefinition {
  const letters = Array.from(kinds) as Kind[];
  const defaults = (options.defaults ?? []) as readonly (CellValue | undefined)[];
  return defineFunction(
    name,
    'v'.repeat(letters.length),
    (args, context) => {
      const values: CellValue[] = [];
      for (let index = 0; index < letters.length; index += 1) {
        const letter = letters[index]!;
        if (options.noBooleans && typeof args[index] === 'boolean') return VALUE_ERROR;
        const value = index < args.length ? coerce(letter, args[index], context) : (defaults[index] ?? EMPTY[letter]);
        if (value instanceof CellError) return value;
        values.push(value);
      }
      const result = calculate(values as Arguments<Kinds>, context);
      return typeof result === 'number' ? checkNumber(result) : result;
    },
    { required: options.required ?? letters.length, volatile: options.volatile ?? false, takesErrors: true },
  );
}

function coerce(letter: Kind, arg: FormulaValue, context: CallContext): CellValue {
  if (arg === undefined) return EMPTY[letter];
  if (typeof arg === 'object' && arg !== null && !(arg instanceof CellError)) return VALUE_ERROR;
  switch (letter) {
    case 't':
      return typeof arg === 'string' ? arg : toText(arg);
    case 'n':
      return typeof arg === 'number' ? arg : toNumber(arg);
    case 'd':
      if (typeof arg === 'number') return arg;
      return typeof arg === 'string' ? (serialOfText(arg, context) ?? VALUE_ERROR) : toNumber(arg);
    case 'b':
      return toBoolean(arg);
    case 'v':
      return arg;
  }
}
