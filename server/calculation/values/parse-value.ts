/** Texts that Excel reads as numbers where it needs one: '12', ' 1,234.50 ', '12%', '$5', '(3)', dates and times. */
import { parseDateText } from './parse-date.ts';

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DECORATED = /^([+-]?)([$€£¥]?)([+-]?)(\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+\.?\d*|\.\d+)((?:[eE][+-]?\d+)?)(%?)$/;
const FRACTION = /^([+-]?\d+) (\d+)\/(\d+)$/;

/** The number or serial day a text stands for, or null where Excel would answer #VALUE!. */
export function parseValueText(text: string): number | null {
  const trimmed = text.trim();
  if (PLAIN.test(trimmed)) return finite(Number(trimmed));
  return decorated(trimmed) ?? fraction(trimmed) ?? parseDateText(trimmed);
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

function decorated(text: string): number | null {
  const inParentheses = /^\((.*)\)$/.exec(text);
  const match = DECORATED.exec((inParentheses ? inParentheses[1]! : text).replace(/ %$/, '%'));
  if (!match) return null;
  const [, sign, currency, innerSign, digits, exponent, percent] = match;
  if (sign && innerSign) return null;
  if (innerSign && !currency) return null;
  if (inParentheses && (sign || innerSign)) return null;
  const number = Number(digits!.replaceAll(',', '') + exponent!);
  const value = percent ? number / 100 : number;
  return finite(sign === '-' || innerSign === '-' || inParentheses ? -value : value);
}

function fraction(text: string): number | null {
  const match = FRACTION.exec(text);
  if (!match || Number(match[3]) === 0) return null;
  const part = Number(match[2]) / Number(match[3]);
  return match[1]!.startsWith('-') ? Number(match[1]) - part : Number(match[1]) + part;
}
