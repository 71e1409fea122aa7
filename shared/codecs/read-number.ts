/**
 * Parses numbers as Excel shows them and users paste them: '€ 12.50', '(7)', '1,234.50-', '1.234,5', '12 %', '1E3', '1
 * 1/2'. The separators of the region are tried first, then the English ones; other texts are not numbers.
 */
import { exactCell, shiftDecimal } from './exact-number.ts';
import { plainText, MAX_VALUE_LENGTH, type Reading, type TextRegion } from './text-region.ts';

/** Properties of a cell that determine how numbers typed into it are interpreted. */
export interface NumberCell {
  /** Excel's number format. */
  format: string;
  /** Undefined if it is unknown: then the English separators apply. */
  region?: TextRegion;
  /**
   * True if a user can be asked. Then a text that only makes sense with a decimal comma is accepted, and an ambiguous
   * text leads to a question instead of a note.
   */
  canAsk?: boolean;
  /** True if every digit is preserved. */
  isExact?: boolean;
  /**
   * True for typed text, in contrast to pasted or submitted text. In a percent cell, Excel then appends a percent sign
   * unless the text starts with the decimal point.
   */
  isTyped?: boolean;
}

const ENGLISH: Marks = { decimal: '.', group: ',' };
const COMMA: Marks = { decimal: ',', group: '.' };

interface Marks {
  decimal: string;
  group: string;
}

/** Returns the number that a text represents in a cell; null if it is not a number or too large. */
export function readNumber(text: string, cell: NumberCell): Reading | null {
  if (text.length > MAX_VALUE_LENGTH) return null;
  const found = readParts(text, cell);
  if (!found) return isShownZero(text, cell) ? { value: 0, note: null } : null;
  const { parts, read } = found;
  const value = sizeOf(parts, read.decimal, cell);
  if (value === null) return null;
  const isFraction = isPercentFormat(cell) && !parts.percent && Math.abs(Number(read.decimal)) < 1 && value !== 0;
  const note = isFraction
    ? `read as ${Number(shiftDecimal(String(value), 2))}%`
    : read.isOdd
      ? `read as ${value}`
      : null;
  return { value, note };
}

/** The dash that accounting formats show for zero. */
const isShownZero = (text: string, { format }: NumberCell): boolean =>
  plainText(text) === '-' && format.includes('"-"');

const isPercentFormat = ({ format }: NumberCell): boolean => codesOf(format).includes('%');

/** Applies sign and percent; returns null if the number is too large. */
function sizeOf(parts: Parts, decimal: string, cell: NumberCell): number | null {
  const typed = Number(decimal);
  const hasSign = Math.abs(typed) >= 1 || (cell.isTyped === true && parts.digits.startsWith('0'));
  const inPercent = !parts.percent && isPercentFormat(cell) && hasSign;
  const size = parts.percent || inPercent ? Number(shiftDecimal(decimal, -2)) : typed;
  if (!Number.isFinite(size)) return null;
  return size === 0 ? 0 : parts.negative ? -size : size;
}

/**
 * Parses a text with the separators of one region only, and tells whether it contains a decimal separator; null if it
 * is not a number.
 */
export function readInMarks(text: string, cell: NumberCell, region: TextRegion): MarkedNumber | null {
  if (text.length > (cell.isExact ? MAX_EXACT_LENGTH : MAX_VALUE_LENGTH)) return null;
  const parts = partsOf(plainText(text), cell.format);
  const exponent = (parts && EXPONENT.exec(parts.digits)?.[0]) ?? '';
  const body = parts?.digits.slice(0, parts.digits.length - exponent.length) ?? '';
  const decimal = readMarks(body, marksOf(region));
  if (parts === null || decimal === null) return null;
  const value = cell.isExact ? exactOf(parts, decimal + exponent) : sizeOf(parts, decimal + exponent, cell);
  return value === null ? null : { value, hasDecimals: body.includes(region.Decimal) };
}

export interface MarkedNumber {
  value: number | string;
  hasDecimals: boolean;
}

const EXPONENT = /e[+-]?\d{1,3}$/i;

/**
 * Parses a number for a cell that preserves every digit and shows no percentages: a number with more than 15 digits is
 * returned as its plain text.
 */
export function readExactNumber(text: string, cell: Partial<NumberCell> = {}): number | string | null {
  if (text.length > MAX_EXACT_LENGTH) return null;
  const found = readParts(text, { ...cell, format: 'General' });
  return found && exactOf(found.parts, found.read.decimal);
}

function exactOf(parts: Parts, digits: string): number | string | null {
  const decimal = parts.percent ? shiftDecimal(digits, -2) : digits;
  return exactCell(parts.negative ? `-${decimal}` : decimal);
}

/**
 * Maximum length of an exact number. PostgreSQL's numeric would allow 131,072 digits before the decimal point, but
 * nobody types or pastes such texts intentionally.
 */
const MAX_EXACT_LENGTH = 2000;

/** Fast path for most pasted numbers: their value does not depend on separators or the words of the format. */
const PLAIN_DIGITS = /^(?:0|[1-9]\d{0,14})$/;

function readParts(text: string, cell: NumberCell): { parts: Parts; read: Digits } | null {
  if (PLAIN_DIGITS.test(text))
    return { parts: { digits: text, negative: false, percent: false }, read: { decimal: text, isOdd: false } };
  const parts = partsOf(plainText(text), cell.format);
  const read = parts && readDigits(parts.digits, cell);
  return parts && read ? { parts, read } : null;
}

const isoCodes = new Set(Intl.supportedValuesOf('currency'));

/**
 * Returns whether the text is a currency sign: it must not stand between digits, and a word of three letters must be an
 * ISO 4217 code.
 */
const isCurrency = (sign: string, before: string, behind: string): boolean =>
  !(/\d ?$/.test(before) && /^ ?\d/.test(behind)) && (!/^[A-Z]{3}$/.test(sign) || isoCodes.has(sign));

interface Parts {
  digits: string;
  negative: boolean;
  percent: boolean;
}

// Unicode currency signs, three-letter codes, and currencies written as words.
const CURRENCY =
  /(?:\p{Sc}|(?<!\p{L})(?:[A-Z]{1,3}\p{Sc}|[A-Z]{3}|kr\.?|kn|zł|Kč|Ft|lei|лв\.?|руб\.?|Fr\.|SFr\.|RM|Rp|Rs\.?|Bs|S\/)(?!\p{L}))/u;

/**
 * Removes sign, currency, percent sign and the words of the format; returns null if a sign or percent sign occurs
 * twice.
 */
function partsOf(text: string, format: string): Parts | null {
  let rest = withoutWords(text, format).replace(CURRENCY, (sign, at: number, whole: string) =>
    isCurrency(sign, whole.slice(0, at), whole.slice(at + sign.length)) ? '' : sign,
  );
  rest = rest.trim();
  let signs = 0;
  let percents = 0;
  let negative = false;
  for (let before = ''; before !== rest;) {
    before = rest;
    if (/^\(.*\)$/.test(rest)) [rest, negative, signs] = [rest.slice(1, -1), true, signs + 1];
    else if (/^[+-]/.test(rest)) [rest, negative, signs] = [rest.slice(1), rest.startsWith('-'), signs + 1];
    else if (/\d[^a-z]*-$/i.test(rest)) [rest, negative, signs] = [rest.slice(0, -1), true, signs + 1];
    else if (rest.endsWith('%')) [rest, percents] = [rest.slice(0, -1), percents + 1];
    else if (rest.startsWith('%')) [rest, percents] = [rest.slice(1), percents + 1];
    rest = rest.trim();
  }
  return signs > 1 || percents > 1 ? null : { digits: rest, negative, percent: percents === 1 };
}

/** Removes the words of the format, which Excel shows with each number: '12 kg' for the format '0 "kg"'. */
function withoutWords(text: string, format: string): string {
  const words = [...format.matchAll(/"([^"]*)"|\\(.)|\[\$([^\]-]+)[^\]]*\]/g)].map((match) =>
    plainText(match[1] ?? match[2] ?? match[3] ?? ''),
  );
  return words
    .filter((word) => /\p{L}|\p{Sc}/u.test(word) && !/\d/.test(word))
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.replace(word, ''), text);
}

/** Returns how many decimals a format shows; 0 for General, which shows as many as there are. */
export const decimalsShown = (format: string): number => /\.([0#?]+)/.exec(codesOf(format))?.[1]?.length ?? 0;

/** Returns the codes of a format without its words. */
const codesOf = (format: string): string => format.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '');

interface Digits {
  /** In JavaScript notation. */
  decimal: string;
  /** True if the separators are ambiguous. */
  isOdd: boolean;
}

function readDigits(text: string, { region, canAsk, format }: NumberCell): Digits | null {
  const own = region ? marksOf(region) : ENGLISH;
  const exponent = EXPONENT.exec(text)?.[0] ?? '';
  const body = exponent === '' ? text : text.slice(0, -exponent.length);
  const first = readMarks(body, own);
  const english = readMarks(body, ENGLISH);
  const read = first ?? english ?? (canAsk ? readMarks(body, COMMA) : null);
  const isOdd = first === null || (!canAsk && english !== null && english !== first);
  if (read !== null) return { decimal: read + exponent, isOdd };
  return exponent === '' ? fraction(text, format) : null;
}

const marksOf = ({ Decimal, Group }: TextRegion): Marks => ({ decimal: Decimal, group: plainGroup(Group) });

const plainGroup = (group: string): string => plainText(`0${group}0`).slice(1, -1);

const isDigits = (text: string): boolean => /^\d+$/.test(text);

/**
 * Parses digits with the given separators; spaces and apostrophes are accepted as thousands separators in every region.
 */
function readMarks(text: string, { decimal, group }: Marks): string | null {
  const at = text.lastIndexOf(decimal);
  const whole = at < 0 ? text : text.slice(0, at);
  const part = at < 0 ? '' : text.slice(at + 1);
  if ((part !== '' && !isDigits(part)) || (whole === '' && part === '')) return null;
  if (whole === '' || isDigits(whole)) return `${whole || '0'}.${part || '0'}`;
  for (const mark of new Set([group, ' ', "'"])) {
    const groups = whole.split(mark);
    if (mark === decimal || groups.length < 2 || !groups.every(isDigits)) continue;
    const [head = '', ...others] = groups;
    // '0,125' means an eighth, never 125.
    if (head.startsWith('0')) continue;
    const inThrees = head.length <= 3 && others.every(({ length }) => length === 3);
    // Indian grouping: 12,34,567.
    const last = others.at(-1)!;
    const inTwos = head.length <= 2 && last.length === 3 && others.slice(0, -1).every(({ length }) => length === 2);
    if (inThrees || inTwos) return `${groups.join('')}.${part || '0'}`;
  }
  return null;
}

/**
 * Parses fractions: '1 1/2' in every cell, '1/2' only if the format shows fractions, because it might be a date
 * elsewhere.
 */
function fraction(text: string, format: string): Digits | null {
  const match = /^(?:(\d{1,15}) )?(\d{1,7}) ?\/ ?(\d{1,7})$/.exec(text);
  if (!match || Number(match[3]) === 0) return null;
  if (match[1] === undefined && !/[?#0] ?\/ ?[?#\d]/.test(codesOf(format))) return null;
  return { decimal: String(Number(match[1] ?? 0) + Number(match[2]) / Number(match[3])), isOdd: false };
}
