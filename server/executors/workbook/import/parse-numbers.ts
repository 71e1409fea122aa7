/** Numbers in text files. Which of '.' and ',' parts decimals is found out from all numbers of a file, never guessed. */

export type DecimalSeparator = '.' | ',';

/** What a file's numbers say; 'unknown' where only numbers such as '1,234' speak, 'both' where they contradict. */
export type Separator = DecimalSeparator | 'unknown' | 'both';

const POINT = /^\d+\.(?:\d{1,2}|\d{4,})$|^(?:0|\d{4,})\.\d+$|^\d{1,3}(?:,\d{3})+\.\d+$|^\d{1,3}(?:,\d{3}){2,}$/;
const COMMA = /^\d+,(?:\d{1,2}|\d{4,})$|^(?:0|\d{4,}),\d+$|^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/;
/** '1,234' and '1.234': a thousand and more, or a little more than one. */
const GROUP = /^[1-9]\d{0,2}([.,])\d{3}$/;

/**
 * The decimal separator that the texts prove. In a file whose columns are parted by commas (`isCommaFile`) '1.234' is
 * taken as a decimal number: whoever writes decimals with commas does not part columns with them.
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

/** The digits of a number without sign, currency, percent and blanks. */
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

/** The number of a text, null where it is none: '1,234.56', '(12.50)', '12.50-', '€ 3', '12 %'. */
export function parseFileNumber(text: string, separator: DecimalSeparator): number | null {
  const trimmed = text.trim();
  const digits = bare(trimmed);
  if (!PLAIN[separator].test(digits)) return null;
  const plain = separator === '.' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.');
  const isNegative = /^-|-$|^\(.*\)$/.test(trimmed.replace(/%$/, '').trim());
  // Dividing in decimal: 12.3 % is 0.123.
  const [mantissa, exponent = '0'] = plain.toLowerCase().split('e');
  const value = Number(`${mantissa}e${Number(exponent) - (trimmed.endsWith('%') ? 2 : 0)}`);
  return Number.isFinite(value) ? (isNegative ? -value : value) : null;
}
