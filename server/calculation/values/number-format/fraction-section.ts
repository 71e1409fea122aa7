/** Format sections that show numbers as fractions: '# ?/?', '# ??/16', '?/8'. */
import { countPlaceholders, fillWhole, isPlaceholder, type Item } from './placeholders.ts';
import type { SectionFormat } from './number-section.ts';
import type { FormatToken } from './tokens.ts';

interface FractionLayout {
  prefix: string;
  /** Empty if the whole part is included in the numerator. */
  whole: Item[];
  separator: string;
  numerator: Item[];
  beforeSlash: string;
  afterSlash: string;
  denominator: Item[];
  /** A denominator fixed by the format. */
  fixed: number | null;
  suffix: string;
}

/** Maximum number of digits of a denominator. */
const MAX_DIGITS = 7;

/** Returns null if the section is not a valid fraction format in Excel. */
export function compileFraction(tokens: readonly FormatToken[]): SectionFormat | null {
  const layout = layOut(tokens);
  if (!layout) return null;
  const { whole, fixed } = layout;
  const largest = 10 ** Math.min(MAX_DIGITS, countPlaceholders(layout.denominator)) - 1;
  return (magnitude, negative) => {
    const units = whole.length > 0 ? Math.floor(magnitude) : 0;
    const [top, bottom] = approximate(magnitude - units, fixed, largest);
    const carried = whole.length > 0 && top === bottom;
    const text = show(layout, carried ? units + 1 : units, carried ? 0 : top, bottom);
    return negative && (units > 0 || top > 0) ? `-${text}` : text;
  };
}

function layOut(tokens: readonly FormatToken[]): FractionLayout | null {
  const slash = tokens.findIndex(({ type }) => type === 'slash');
  const before = tokens.slice(0, slash).map(asItem);
  const after = tokens.slice(slash + 1);
  if (before.includes(null)) return null;
  const items = before as Item[];
  const end = items.findLastIndex(isPlaceholder) + 1;
  if (end === 0) return null;
  let start = end;
  while (start > 0 && isPlaceholder(items[start - 1]!)) start -= 1;
  const wholeStart = items.findIndex(isPlaceholder);
  const wholeEnd = items.slice(0, start).findLastIndex(isPlaceholder) + 1;
  const below = layOutDenominator(after);
  if (!below) return null;
  const hasWhole = wholeEnd > 0;
  return {
    prefix: text(items.slice(0, hasWhole ? wholeStart : start)),
    whole: hasWhole ? items.slice(wholeStart, wholeEnd) : [],
    separator: hasWhole ? text(items.slice(wholeEnd, start)) : '',
    numerator: items.slice(start, end),
    beforeSlash: text(items.slice(end)),
    ...below,
  };
}

function layOutDenominator(
  tokens: readonly FormatToken[],
): Pick<FractionLayout, 'afterSlash' | 'denominator' | 'fixed' | 'suffix'> | null {
  const start = tokens.findIndex(({ type }) => type === 'digit' || type === 'whole');
  if (start < 0) return null;
  let end = start;
  let digits = '';
  const denominator: Item[] = [];
  for (; end < tokens.length; end += 1) {
    const token = tokens[end]!;
    if (token.type === 'whole') digits += token.text;
    else if (token.type !== 'digit') break;
    else {
      // '/100' is a 1 and two zeros.
      if (digits !== '') digits += '0';
      denominator.push({ placeholder: token.placeholder });
    }
  }
  const ends = [...tokens.slice(0, start), ...tokens.slice(end)].map(asItem);
  if (ends.some((item) => item === null || isPlaceholder(item))) return null;
  return {
    afterSlash: text(ends.slice(0, start) as Item[]),
    denominator,
    fixed: digits === '' ? null : Number(digits),
    suffix: text(ends.slice(start) as Item[]),
  };
}

function asItem(token: FormatToken): Item | null {
  if (token.type === 'digit') return { placeholder: token.placeholder };
  if (token.type === 'literal' || token.type === 'whole') return { literal: token.text };
  return token.type === 'comma' ? { literal: '' } : null;
}

const text = (items: readonly Item[]): string =>
  items.map((item) => (isPlaceholder(item) ? '' : item.literal)).join('');

const has = (items: readonly Item[], placeholder: string): boolean =>
  items.some((item) => isPlaceholder(item) && item.placeholder === placeholder);

function show(layout: FractionLayout, units: number, top: number, bottom: number): string {
  const { prefix, whole, separator, numerator, suffix } = layout;
  if (whole.length === 0) return prefix + fraction(layout, top, bottom) + suffix;
  if (top === 0 && !has(numerator, '0')) {
    return prefix + fillWhole(whole, String(units)) + blank(layout) + suffix;
  }
  const last = whole.findLast(isPlaceholder);
  const showsZero = last !== undefined && isPlaceholder(last) && last.placeholder !== '#' && top === 0;
  const digits = units > 0 || showsZero ? String(units) : '';
  const ahead = fillWhole(whole, digits);
  return (
    prefix +
    ahead +
    between(separator, digits !== '' || has(whole, '0'), layout) +
    fraction(layout, top, bottom) +
    suffix
  );
}

/**
 * The literal between whole part and fraction belongs to the whole part: without the whole part, it becomes blanks or
 * nothing.
 */
function between(separator: string, hasUnits: boolean, { whole, numerator }: FractionLayout): string {
  if (hasUnits) return separator;
  return has(whole, '?') || has(numerator, '?') ? ' '.repeat(separator.length) : '';
}

/** If the fraction is zero, its space stays blank if a '?' requests space. */
function blank({ whole, separator, numerator, beforeSlash, afterSlash, denominator, fixed }: FractionLayout): string {
  const places = fixed === null ? denominator.length : String(fixed).length;
  if (!has(whole, '?') && !has(numerator, '?') && !has(denominator, '?')) return '';
  return ' '.repeat(separator.length + numerator.length + beforeSlash.length + 1 + afterSlash.length + places);
}

function fraction(layout: FractionLayout, top: number, bottom: number): string {
  const { numerator, beforeSlash, afterSlash, denominator, fixed } = layout;
  return fillWhole(numerator, String(top)) + beforeSlash + '/' + afterSlash + below(denominator, fixed, bottom);
}

/** Denominators are left-aligned in their space, but padded with zeros if the format has a '0'. */
function below(denominator: readonly Item[], fixed: number | null, bottom: number): string {
  if (fixed !== null) return String(fixed);
  const digits = String(bottom);
  if (has(denominator, '0')) return digits.padStart(denominator.length, '0');
  return has(denominator, '?') ? digits.padEnd(denominator.length) : digits;
}

/**
 * Returns the fraction closest to a number with a denominator up to `largest`; on a tie, the one with the smallest
 * denominator.
 */
function approximate(value: number, fixed: number | null, largest: number): [number, number] {
  if (fixed !== null) return [Math.floor(value * fixed + 0.5), fixed];
  // Adjacent fractions in the Stern-Brocot tree close in on the number, in steps as long as possible.
  const base = Math.floor(value);
  const target = Number((value - base).toPrecision(15));
  let [lowTop, lowBottom, highTop, highBottom] = [0, 1, 1, 1];
  for (;;) {
    const low = steps(target * lowBottom - lowTop, highTop - target * highBottom);
    const up = Math.min(low, Math.floor((largest - lowBottom) / highBottom));
    [lowTop, lowBottom] = [lowTop + up * highTop, lowBottom + up * highBottom];
    const high = steps(highTop - target * highBottom, target * lowBottom - lowTop);
    const down = Math.min(high, Math.floor((largest - highBottom) / lowBottom));
    [highTop, highBottom] = [highTop + down * lowTop, highBottom + down * lowBottom];
    if (up === 0 && down === 0) break;
  }
  const isLow = nearer(target, lowTop / lowBottom, highTop / highBottom, lowBottom <= highBottom);
  return isLow ? [lowTop + base * lowBottom, lowBottom] : [highTop + base * highBottom, highBottom];
}

/** Returns how often the far side may be added to the near one without passing the target. */
function steps(distance: number, step: number): number {
  if (distance <= 1e-14) return 0;
  return step <= 1e-14 ? Number.MAX_SAFE_INTEGER : Math.floor(distance / step + 1e-9);
}

function nearer(target: number, low: number, high: number, lowIsSmaller: boolean): boolean {
  const difference = target - low - (high - target);
  if (Math.abs(difference) < 1e-14) return lowIsSmaller;
  return difference < 0;
}
