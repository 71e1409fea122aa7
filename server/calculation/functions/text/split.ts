/** Splits texts at delimiters: TEXTSPLIT, TEXTBEFORE, TEXTAFTER. An empty optional argument has its default value. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CALC_ERROR, NA_ERROR, toBoolean, toNumber, toText, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { ArrayMatrix } from '#server/calculation/values/matrix.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { lower } from './characters.ts';
import { textsOf } from './join.ts';

interface DelimiterMatch {
  start: number;
  end: number;
}

/** Finds all delimiters from left to right, without overlaps; the longest one if several match at the same position. */
function findDelimiters(text: string, delimiters: readonly string[], ignoreCase: boolean): DelimiterMatch[] {
  const searched = ignoreCase ? lower(text) : text;
  const sought = ignoreCase ? delimiters.map(lower) : delimiters;
  const next = sought.map((delimiter) => searched.indexOf(delimiter));
  const found: DelimiterMatch[] = [];
  for (let from = 0; ;) {
    let best = -1;
    next.forEach((at, index) => {
      const delimiter = sought[index]!;
      const start = at >= 0 && at < from ? searched.indexOf(delimiter, from) : at;
      next[index] = start;
      if (start < 0) return;
      const isBetter =
        best < 0 || start < next[best]! || (start === next[best] && delimiter.length > sought[best]!.length);
      if (isBetter) best = index;
    });
    if (best < 0) return found;
    const start = next[best]!;
    from = start + sought[best]!.length;
    found.push({ start, end: from });
  }
}

/** Finds delimiters from right to left, for instances counted from the end. */
function findDelimitersFromEnd(text: string, delimiters: readonly string[], ignoreCase: boolean): DelimiterMatch[] {
  const reverse = (value: string): string => value.split('').reverse().join('');
  const { length } = text;
  return findDelimiters(reverse(text), delimiters.map(reverse), ignoreCase).map(({ start, end }) => ({
    start: length - end,
    end: length - start,
  }));
}

function splitText(text: string, delimiters: readonly string[], ignoreCase: boolean, ignoreEmpty: boolean): string[] {
  const result: string[] = [];
  let from = 0;
  for (const { start, end } of findDelimiters(text, delimiters, ignoreCase)) {
    result.push(text.slice(from, start));
    from = end;
  }
  result.push(text.slice(from));
  return ignoreEmpty ? result.filter((part) => part !== '') : result;
}

/** Reads delimiters; null if omitted. An empty delimiter is #VALUE!. */
function splitters(arg: FormulaValue, context: CallContext): string[] | CellError | null {
  if (arg === undefined) return null;
  const texts = textsOf(arg, context);
  return !(texts instanceof CellError) && texts.includes('') ? VALUE_ERROR : texts;
}

function textSplit(args: FormulaValue[], context: CallContext): FormulaValue {
  const text = toText(args[0] as CellValue);
  const columns = splitters(args[1], context);
  const rows = splitters(args[2], context);
  const ignoreEmpty = toBoolean(args[3] as CellValue);
  const mode = matchMode(args[4]);
  for (const value of [text, columns, rows, ignoreEmpty, mode]) if (value instanceof CellError) return value;
  if (!columns && !rows) return VALUE_ERROR;
  const padding = args[5] === undefined ? NA_ERROR : (args[5] as CellValue);
  const cut = (part: string, at: string[] | null): string[] =>
    at ? splitText(part, at, mode as boolean, ignoreEmpty as boolean) : [part];
  const lines = cut(text as string, rows as string[] | null).map((line) => cut(line, columns as string[] | null));
  const width = Math.max(0, ...lines.map((line) => line.length));
  if (width === 0) return CALC_ERROR;
  context.spend(width * lines.length);
  const cells = lines.flatMap((line) => Array.from({ length: width }, (_, col): CellValue => line[col] ?? padding));
  return lines.length === 1 && width === 1 ? cells[0] : new ArrayMatrix(lines.length, width, cells);
}

/** Returns true if case is ignored. */
function matchMode(arg: FormulaValue): boolean | CellError {
  const mode = toNumber(arg as CellValue);
  if (mode instanceof CellError) return mode;
  const kind = Math.trunc(mode);
  return kind === 0 || kind === 1 ? kind === 1 : VALUE_ERROR;
}

/** Returns the text before or after an instance of a delimiter. */
function around(args: FormulaValue[], context: CallContext, isBefore: boolean): FormulaValue {
  const text = toText(args[0] as CellValue);
  const delimiters = textsOf(args[1], context);
  const isAsked = args[2] !== undefined;
  const given = isAsked ? toNumber(args[2] as CellValue) : 1;
  const ignoreCase = matchMode(args[3]);
  const matchEnd = matchMode(args[4]);
  for (const value of [text, delimiters, given, ignoreCase, matchEnd]) if (value instanceof CellError) return value;
  const whole = text as string;
  const instance = Math.floor(given as number);
  const isTooFar = Math.abs(instance) > whole.length && whole !== '';
  if (instance === 0 || isTooFar || (isAsked && !couldHold(whole, delimiters as string[]))) return VALUE_ERROR;
  // An empty delimiter matches immediately, at the end from which instances are counted.
  if ((delimiters as string[]).includes('')) return isBefore === instance > 0 ? '' : whole;
  const list = instance > 0 ? findDelimiters : findDelimitersFromEnd;
  const found = list(whole, delimiters as string[], ignoreCase as boolean);
  const count = Math.abs(instance);
  if (count <= found.length) {
    const { start, end } = found[count - 1]!;
    return isBefore ? whole.slice(0, start) : whole.slice(end);
  }
  if (matchEnd === true && count === found.length + 1) return isBefore === instance > 0 ? whole : '';
  return args[5] === undefined ? NA_ERROR : ((args[5] ?? '') as CellValue);
}

/** If an instance number is given, Excel rejects delimiters that are all longer than the text. */
const couldHold = (text: string, delimiters: readonly string[]): boolean =>
  delimiters.some((delimiter) => delimiter.length <= text.length);

const AROUND = { required: 2, takesErrors: true };

export const splitFunctions: FunctionDefinition[] = [
  defineFunction('TEXTSPLIT', 'vrrvvv', textSplit, { required: 2 }),
  // These take errors because the result for a text not found may be an error. It matters only if the text is not
  // found.
  defineFunction('TEXTBEFORE', 'vrvvvv', (args, context) => around(args, context, true), AROUND),
  defineFunction('TEXTAFTER', 'vrvvvv', (args, context) => around(args, context, false), AROUND),
];
