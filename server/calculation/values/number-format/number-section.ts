/** Format sections that show numbers in decimal or scientific notation. */
import { exponentOf, grouped, scaledDigits } from './digits.ts';
import { countPlaceholders, fillDecimals, fillWhole, isPlaceholder, type Item } from './placeholders.ts';
import type { FormatToken } from './tokens.ts';

/** Formats a magnitude; `negative` prepends a '-' unless only zeros remain. */
export type SectionFormat = (magnitude: number, negative: boolean) => string | null;

interface NumberLayout {
  whole: Item[];
  /** The decimal separator; '' if there is none. */
  point: string;
  decimals: Item[];
  exponent: { letter: string; signed: boolean; items: Item[] } | null;
  /** The thousands separator; '' if there is none. */
  separator: string;
  inTwos: boolean;
  /** Power of ten by which '%' and trailing commas change the number. */
  shift: number;
}

/** The separators of numbers: decimal, and thousands. */
export interface NumberMarks {
  decimal: string;
  group: string;
  groupsInTwos: boolean;
}

/** Returns null if the section is not a valid number format in Excel. */
export function compileNumber(tokens: readonly FormatToken[], marks: NumberMarks): SectionFormat | null {
  const layout = layOut(tokens, marks);
  if (!layout) return null;
  if (layout.exponent) return scientific(layout);
  return simple(layout) ?? decimal(layout);
}

const emptyLayout = (inTwos: boolean): NumberLayout => ({
  whole: [],
  point: '',
  decimals: [],
  exponent: null,
  separator: '',
  inTwos,
  shift: 0,
});

function layOut(tokens: readonly FormatToken[], marks: NumberMarks): NumberLayout | null {
  const layout = emptyLayout(marks.groupsInTwos);
  let items = layout.whole;
  let commas = 0;
  let places = 0;
  let last: FormatToken['type'] | null = null;
  let isShown = false;
  for (const token of tokens) {
    const { exponent } = layout;
    switch (token.type) {
      case 'digit':
        // Commas between digits group thousands. Each comma at the end divides by a thousand. Before a literal within
        // the number, commas do nothing.
        if (commas > 0 && last !== 'literal' && items === layout.whole) layout.separator = marks.group;
        commas = 0;
        places += 1;
        items.push({ placeholder: token.placeholder });
        break;
      case 'comma':
        // A run of commas that does neither is shown as one comma.
        if (last !== 'comma') isShown = !exponent && (places === 0 || last === 'literal');
        if (!isShown) commas += 1;
        else if (last !== 'comma') items.push({ literal: ',' });
        break;
      case 'point':
        if (layout.point !== '' || exponent) items.push({ literal: '.' });
        else {
          layout.point = marks.decimal;
          layout.shift -= 3 * commas;
          commas = 0;
          items = layout.decimals;
        }
        break;
      case 'percent':
        layout.shift += 2;
        items.push({ literal: '%' });
        break;
      case 'exponent':
        if (exponent || places === 0) return null;
        layout.exponent = { letter: token.letter, signed: token.signed, items: [] };
        items = layout.exponent.items;
        break;
      case 'literal':
        items.push({ literal: token.text });
        break;
      case 'whole':
        // '5000' is a 5 before three places.
        for (const digit of token.text) items.push(digit === '0' ? { placeholder: '0' } : { literal: digit });
        places += token.text.split('0').length - 1;
        break;
      default:
        return null;
    }
    last = token.type;
  }
  layout.shift -= 3 * commas;
  return layout;
}

const literals = (items: readonly Item[]): string =>
  items.map((item) => (isPlaceholder(item) ? '' : item.literal)).join('');

/** Fast path for common formats such as '$#,##0.00', without iterating over places; null for all others. */
function simple({ whole, point, decimals, separator, inTwos, shift }: NumberLayout): SectionFormat | null {
  const shape = whole.map((item) => (isPlaceholder(item) ? item.placeholder : 'x')).join('');
  const found = /^(x*)#*(0+)(x*)$/.exec(shape);
  if (!found || (point !== '' && found[3] !== '')) return null;
  const behind = decimals.map((item) => (isPlaceholder(item) ? item.placeholder : 'x')).join('');
  const fraction = /^(0*)x*$/.exec(behind);
  if (!fraction || (separator !== '' && found[2]!.length > 1)) return null;
  const prefix = literals(whole.slice(0, found[1]!.length));
  const suffix = literals(whole.slice(whole.length - found[3]!.length)) + literals(decimals);
  const zeros = found[2]!.length;
  const places = fraction[1]!.length;
  return (magnitude, negative) => {
    const digits = scaledDigits(magnitude, places, shift);
    const padded = digits.length < places + zeros ? digits.padStart(places + zeros, '0') : digits;
    const split = padded.length - places;
    const ahead = places === 0 ? padded : padded.slice(0, split);
    const text =
      prefix +
      (separator === '' ? ahead : grouped(ahead, separator, inTwos)) +
      point +
      (places === 0 ? '' : padded.slice(split)) +
      suffix;
    return negative && digits !== '0' ? `-${text}` : text;
  };
}

function decimal({ whole, point, decimals, separator, inTwos, shift }: NumberLayout): SectionFormat {
  const places = countPlaceholders(decimals);
  const wholeDigits = countPlaceholders(whole);
  if (wholeDigits + places === 0) return literalOnly(literals(whole) + point + literals(decimals));
  // A format that begins with its point still shows whole digits before it.
  const items: Item[] = wholeDigits > 0 ? whole : [...whole, { placeholder: '#' }];
  return (magnitude, negative) => {
    const digits = scaledDigits(magnitude, places, shift);
    const padded = digits.padStart(places, '0');
    const split = padded.length - places;
    const digitsAhead = padded.slice(0, split);
    const ahead = fillWhole(items, digitsAhead === '0' ? '' : digitsAhead, separator, inTwos);
    const text = ahead + point + fillDecimals(decimals, padded.slice(split));
    return negative && digits !== '0' ? `-${text}` : text;
  };
}

const literalOnly =
  (text: string): SectionFormat =>
  (_magnitude, negative) =>
    negative ? `-${text}` : text;

function scientific({ whole, point, decimals, exponent, separator }: NumberLayout): SectionFormat {
  const { letter, signed, items } = exponent!;
  const places = countPlaceholders(decimals);
  const wholeDigits = countPlaceholders(whole);
  const zeros: Item[] = whole.map((item) => (isPlaceholder(item) ? { placeholder: '0' } : item));
  const wholeItems: Item[] = wholeDigits > 0 ? whole : [...whole, { placeholder: '#' }];
  // The sign of the exponent comes at its first digit, after literals.
  const firstPlaceholder = items.findIndex(isPlaceholder);
  const lead = literals(items.slice(0, Math.max(0, firstPlaceholder)));
  const rest = items.slice(Math.max(0, firstPlaceholder));
  return (magnitude, negative) => {
    let power = mantissaPower(exponentOf(magnitude), wholeDigits);
    let digits = scaledDigits(magnitude, places, -power);
    // 9.99 rounds up to 10.0, which increases the power by one.
    if (digits.length > places + wholeDigits && magnitude !== 0) {
      power += Math.max(1, wholeDigits);
      digits = scaledDigits(magnitude, places, -power);
    }
    const padded = digits.padStart(places, '0');
    const split = padded.length - places;
    const ahead = padded.slice(0, split);
    const mantissa =
      (magnitude === 0 && wholeDigits > 0
        ? fillWhole(zeros, '0', separator)
        : fillWhole(wholeItems, ahead === '0' ? '' : ahead, separator)) +
      point +
      fillDecimals(decimals, padded.slice(split));
    const sign = power < 0 ? '-' : signed ? '+' : '';
    const text = mantissa + letter + lead + sign + fillWhole(rest, String(Math.abs(power)));
    return negative && digits !== '0' ? `-${text}` : text;
  };
}

/** With several whole places, the exponent is a multiple of their number, as in engineering notation. */
function mantissaPower(exponent: number, wholeDigits: number): number {
  if (wholeDigits === 0) return exponent + 1;
  return wholeDigits === 1 ? exponent : Math.floor(exponent / wholeDigits) * wholeDigits;
}
