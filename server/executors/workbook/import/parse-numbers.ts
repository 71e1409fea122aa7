/**
 * Parses numbers in text files. The decimal separator, '.' or ',', is determined from all numbers of a file, never
 * guessed.
 */

export type DecimalSeparator = '.' | ',';

/**
 * The separator that a file's numbers prove; 'unknown' if all of them are ambiguous like '1,234', 'both' if they
 * contradict each other.
 */
export type Separator = DecimalSeparator | 'unknown' | 'both';

const POINT = /^\d+\.(?:\d{1,2}|\d{4,})$|^(?:0|\d{4,})\.\d+$|^\d{1,3}(?:,\d{3})+\.\d+$|^\d{1,3}(?:,\d{3}){2,}$/;
const COMMA = /^\d+,(?:\d{1,2}|\d{4,})$|^(?:0|\d{4,}),\d+$|^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/;
/** Ambiguous numbers such as '1,234' and '1.234': over a thousand, or slightly over one. */
const GROUP = /^[1-9]\d{0,2}([.,])\d{3}$/;

/**
 * Returns the decimal separator that the texts prove. In a file whose columns are separated by commas (`isCommaFile`),
 * '1.234' counts as a decimal number: people who write decimals with commas do not separate columns with them.
 */
export function findSeparator(texts: Iterable<string>, isCommaFile = false): Separator {
  let point = false;
  let comma = false;
  let open = false;
  for (const text of texts) {
    const digits = bare(text);
    const group = GROUP.exec(digits);
    if (group) open ||= group[1] === ',' || !isCommaFile;
    else if (POINT.test(digits)) point = true;
    else if (COMMA.test(digits)) comma = true;
  }
  if (point && comma) return 'both';
  if (comma) return ',';
  return point || !open ? '.' : 'unknown';
}

/** Strips sign, currency, percent and blanks from a number. */
const bare = (text: string): string =>
  text
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^[+-]|[-%]$/g, '')
    .replace(/^\p{Sc}|\p{Sc}$/gu, '')
    .replace(/[\s\u00a0\u202f']/g, '');

const PLAIN: Record<DecimalSeparator, RegExp> = {
  '.': /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?(?:e[+-]?\d{1,3})?$|^\.\d+$/i,
  ',': /^(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d*)?(?:e[+-]?\d{1,3})?$|^,\d+$/i,
};

/** Parses numbers such as '1,234.56', '(12.50)', '12.50-', '€ 3', '12 %'; null if the text is not a number. */
export function parseFileNumber(text: string, separator: DecimalSeparator): number | null {
  const trimmed = text.trim();
  const digits = bare(trimmed);
  if (!PLAIN[separator].test(digits)) return null;
  const plain = separator === '.' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.');
  const isNegative = /^-|-$|^\(.*\)$/.test(trimmed.replace(/%$/, '').trim());
  // Divide in decimal, so that 12.3 % is exactly 0.123.
  const [mantissa, exponent = '0'] = plain.toLowerCase().split('e');
  const value = Number(`${mantissa}e${Number(exponent) - (trimmed.endsWith('%') ? 2 : 0)}`);
  return Number.isFinite(value) ? (isNegative ? -value : value) : null;
}
