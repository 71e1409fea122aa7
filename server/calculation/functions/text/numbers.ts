/** Conversions between numbers and texts. */
import type { CellError, CellValue } from '#server/calculation/values/cell-value.ts';
import { VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { grouped, scaledDigits } from '#server/calculation/values/number-format/digits.ts';
import { numberFormat } from '#server/calculation/values/number-format/number-format.ts';
import { parseEnglishNumber } from '#server/calculation/values/parse-value.ts';
import {
  currentRegion,
  inMoney,
  UNITED_STATES,
  type RegionalSettings,
} from '#server/calculation/values/region/region.ts';
import { serialOfText } from '../date/date-text.ts';
import type { CallContext, FunctionDefinition } from '../function.ts';
import { roundTo } from '../math/rounding.ts';
import { typed } from '../typed.ts';
import { bahtText } from './baht-text.ts';

const MAX_DECIMALS = 127;

function format(value: CellValue, code: string, context: CallContext): string | CellError {
  const compiled = numberFormat(code);
  if (!compiled) return VALUE_ERROR;
  if (typeof value === 'boolean') return compiled.text(currentRegion().truth[value ? 0 : 1]);
  const number = typeof value === 'string' ? serialOfText(value, context) : value === null ? 0 : value;
  if (typeof number === 'number') return compiled.number(number, context.date1904) ?? VALUE_ERROR;
  return compiled.text(value as string);
}

function toValue(value: CellValue, context: CallContext): number | CellError {
  if (typeof value === 'number') return value;
  if (value === null) return 0;
  return typeof value === 'string' ? (serialOfText(value, context) ?? VALUE_ERROR) : VALUE_ERROR;
}

/** Formats the magnitude with `decimals` decimals (negative: rounded to tens, hundreds …). */
function fixedMagnitude(number: number, decimals: number, withCommas: boolean): string {
  const places = Math.max(0, decimals);
  const magnitude = Math.abs(decimals < 0 ? roundTo(number, decimals) : number);
  const digits = scaledDigits(magnitude, places).padStart(places + 1, '0');
  const split = digits.length - places;
  const whole = digits.slice(0, split);
  const { group, decimal, groupsInTwos } = currentRegion();
  return (withCommas ? grouped(whole, group, groupsInTwos) : whole) + (places > 0 ? decimal + digits.slice(split) : '');
}

function fixed(number: number, decimals: number, noCommas: boolean): string | CellError {
  const places = Math.trunc(decimals);
  if (places > MAX_DECIMALS) return VALUE_ERROR;
  const text = fixedMagnitude(number, places, !noCommas);
  return number < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

function money(number: number, decimals: number, region: RegionalSettings): string | CellError {
  const places = Math.trunc(decimals);
  if (places > MAX_DECIMALS) return VALUE_ERROR;
  return inMoney(region, fixedMagnitude(number, places, true), number < 0);
}

/** Marks an omitted separator. */
const OF_REGION = '\u0000';

function numberValue(text: string, decimalSeparator: string, groupSeparator: string): number | CellError {
  if (decimalSeparator === '' || groupSeparator === '') return VALUE_ERROR;
  const region = currentRegion();
  const point = decimalSeparator === OF_REGION ? region.decimal : decimalSeparator[0]!;
  const group = groupSeparator === OF_REGION ? region.group : groupSeparator[0]!;
  // The given decimal separator may equal the region's group separator. Source: values saved by Excel.
  if (group === point && groupSeparator !== OF_REGION) return VALUE_ERROR;
  const typed = text.replace(/\s/g, '');
  if (typed === '') return 0;
  // Parentheses mean a negative number; percent signs can be inside and after them.
  const inParentheses = /^\(([^()+-][^()]*)\)(%*)$/.exec(typed);
  const bare = inParentheses ? `-${inParentheses[1]}${inParentheses[2]}` : typed;
  const [whole, fraction, ...more] = bare.split(point) as [string, ...string[]];
  if (more.length > 0 || fraction?.includes(group)) return VALUE_ERROR;
  const number = whole.replaceAll(group, '') + (fraction === undefined ? '' : `.${fraction}`);
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%*)$/i.exec(number);
  if (!match) return VALUE_ERROR;
  return (parseEnglishNumber(match[1]!) ?? Number.NaN) / 100 ** match[2]!.length;
}

export const numberTextFunctions: FunctionDefinition[] = [
  typed('TEXT', 'vt', ([value, code], context) => format(value, code, context)),
  typed('VALUE', 'v', ([value], context) => toValue(value, context)),
  typed('FIXED', 'nnb', ([number, decimals, noCommas]) => fixed(number, decimals, noCommas), {
    required: 1,
    defaults: [undefined, 2, false],
  }),
  // Uses the currency of the region.
  typed('DOLLAR', 'nn', ([number, decimals]) => money(number, decimals, currentRegion()), {
    required: 1,
    defaults: [undefined, 2],
  }),
  typed('USDOLLAR', 'nn', ([number, decimals]) => money(number, decimals, UNITED_STATES), {
    required: 1,
    defaults: [undefined, 2],
  }),
  typed('NUMBERVALUE', 'ttt', ([text, point, group]) => numberValue(text, point, group), {
    required: 1,
    defaults: [undefined, OF_REGION, OF_REGION],
  }),
  typed('BAHTTEXT', 'n', ([number]) => bahtText(number)),
];
