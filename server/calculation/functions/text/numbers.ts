/** Numbers as texts and texts as numbers. */
import type { CellError, CellValue } from '#server/calculation/values/cell-value.ts';
import { VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { grouped, scaledDigits } from '#server/calculation/values/number-format/digits.ts';
import { numberFormat } from '#server/calculation/values/number-format/number-format.ts';
import { serialOfText } from '../date/date-text.ts';
import { parseNumberText } from '#server/calculation/values/parse-value.ts';
import type { CallContext, FunctionDefinition } from '../function.ts';
import { roundTo } from '../math/rounding.ts';
import { typed } from '../typed.ts';
import { bahtText } from './baht-text.ts';

const MOST_DECIMALS = 127;

function format(value: CellValue, code: string, context: CallContext): string | CellError {
  const compiled = numberFormat(code);
  if (!compiled) return VALUE_ERROR;
  if (typeof value === 'boolean') return compiled.text(value ? 'TRUE' : 'FALSE');
  const number = typeof value === 'string' ? serialOfText(value, context) : value === null ? 0 : value;
  if (typeof number === 'number') return compiled.number(number, context.date1904) ?? VALUE_ERROR;
  return compiled.text(value as string);
}

function toValue(value: CellValue, context: CallContext): number | CellError {
  if (typeof value === 'number') return value;
  if (value === null) return 0;
  return typeof value === 'string' ? (serialOfText(value, context) ?? VALUE_ERROR) : VALUE_ERROR;
}

/** Magnitude with `decimals` places (negative: rounded to tens, hundreds …). */
function fixedMagnitude(number: number, decimals: number, withCommas: boolean): string {
  const places = Math.max(0, decimals);
  const magnitude = Math.abs(decimals < 0 ? roundTo(number, decimals) : number);
  const digits = scaledDigits(magnitude, places).padStart(places + 1, '0');
  const split = digits.length - places;
  const whole = digits.slice(0, split);
  return (withCommas ? grouped(whole) : whole) + (places > 0 ? `.${digits.slice(split)}` : '');
}

function fixed(number: number, decimals: number, noCommas: boolean): string | CellError {
  const places = Math.trunc(decimals);
  if (places > MOST_DECIMALS) return VALUE_ERROR;
  const text = fixedMagnitude(number, places, !noCommas);
  return number < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

function dollar(number: number, decimals: number): string | CellError {
  const places = Math.trunc(decimals);
  if (places > MOST_DECIMALS) return VALUE_ERROR;
  const text = `$${fixedMagnitude(number, places, true)}`;
  return number < 0 ? `(${text})` : text;
}

function numberValue(text: string, decimalSeparator: string, groupSeparator: string): number | CellError {
  if (decimalSeparator === '' || groupSeparator === '') return VALUE_ERROR;
  const point = decimalSeparator[0]!;
  const group = groupSeparator[0]!;
  const typed = text.replace(/\s/g, '');
  if (typed === '') return 0;
  // parentheses are a minus; percent signs may stand within and behind them
  const inParentheses = /^\(([^()+-][^()]*)\)(%*)$/.exec(typed);
  const bare = inParentheses ? `-${inParentheses[1]}${inParentheses[2]}` : typed;
  const [whole, fraction, ...more] = bare.split(point) as [string, ...string[]];
  if (more.length > 0 || fraction?.includes(group)) return VALUE_ERROR;
  const number = whole.replaceAll(group, '') + (fraction === undefined ? '' : `.${fraction}`);
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%*)$/i.exec(number);
  if (!match) return VALUE_ERROR;
  return (parseNumberText(match[1]!) ?? Number.NaN) / 100 ** match[2]!.length;
}

export const numberTextFunctions: FunctionDefinition[] = [
  typed('TEXT', 'vt', ([value, code], context) => format(value, code, context)),
  typed('VALUE', 'v', ([value], context) => toValue(value, context)),
  typed('FIXED', 'nnb', ([number, decimals, noCommas]) => fixed(number, decimals, noCommas), {
    required: 1,
    defaults: [undefined, 2, false],
  }),
  typed('DOLLAR', 'nn', ([number, decimals]) => dollar(number, decimals), { required: 1, defaults: [undefined, 2] }),
  // The currency of the computer: in English it is the dollar.
  typed('USDOLLAR', 'nn', ([number, decimals]) => dollar(number, decimals), { required: 1, defaults: [undefined, 2] }),
  typed('NUMBERVALUE', 'ttt', ([text, point, group]) => numberValue(text, point, group), {
    required: 1,
    defaults: [undefined, '.', ','],
  }),
  typed('BAHTTEXT', 'n', ([number]) => bahtText(number)),
];
