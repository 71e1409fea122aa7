/**
 * Converts values for SQL Server: texts in one format, which a statement converts, so nothing passes through a double.
 */
import { readDate, type ArgumentRules, type WrittenDate } from './argument-check.ts';
import { plainNumber } from '#shared/codecs/exact-number.ts';
import type { ProcedureCell, ProcedureType } from '#server/base/procedure-types.ts';

function dateProblem(date: WrittenDate, { base, declared }: ProcedureType): string | null {
  const day = date.year * 10_000 + date.month * 100 + date.day;
  if (base === 'smalldatetime') {
    if (day < 1900_01_01 || day > 2079_06_06) return `${declared} holds days from 1900-01-01 to 2079-06-06`;
    return date.second > 0 || date.fraction !== '' ? `${declared} holds no seconds` : null;
  }
  if (base !== 'datetime') return null;
  if (date.year < 1753) return `${declared} holds days from 1753-01-01`;
  // The type counts in 300ths of a second: milliseconds that end in 0, 3 or 7.
  return /[037]$/.test(date.fraction.padEnd(3, '0')) ? null : `${declared} would round the fraction .${date.fraction}`;
}

const GUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const ROW_VERSION = /^0x[\da-f]{16}$/i;

export const RULES_MSSQL: ArgumentRules = {
  integers: new Map([
    ['tinyint', [0n, 255n]],
    ['smallint', [-(2n ** 15n), 2n ** 15n - 1n]],
    ['int', [-(2n ** 31n), 2n ** 31n - 1n]],
    ['bigint', [-(2n ** 63n), 2n ** 63n - 1n]],
  ]),
  floats: new Map([
    ['real', 32],
    ['float', 64],
  ]),
  specialNumbers: new Set(),
  numberProblem: (plain, { base, declared }) => {
    const limit = { money: 2n ** 63n, smallmoney: 2n ** 31n }[base];
    if (limit === undefined) return null;
    const [whole = '', fraction = ''] = plain.split('.');
    const parts = BigInt(whole + fraction.padEnd(4, '0'));
    return parts >= limit || parts < -limit ? `'${plain}' is out of the bounds of ${declared}` : null;
  },
  textProblem: (text, { base, declared }) => {
    if (base === 'uniqueidentifier') return GUID.test(text) ? null : `'${text.slice(0, 40)}' is no ${declared}`;
    const isRowVersion = base === 'timestamp' || base === 'rowversion';
    return isRowVersion && !ROW_VERSION.test(text) ? `'${text.slice(0, 40)}' is no 0x with 16 digits` : null;
  },
  dateProblem,
  isOtherDate: () => false,
  fixedBytes: new Set(['binary']),
};

/**
 * Values are sent unchanged, except numbers (no exponents) and dates. Dates are written independently of the login's
 * language: in ISO 8601 format, without separators for datetime. Source: "datetime2", "datetime", Supported string
 * literal formats.
 */
export function sentMssql(
  { kind, base, hasZone }: ProcedureType,
  value: Exclude<ProcedureCell, null>,
  offsetOf: (date: WrittenDate) => string,
): string | Buffer {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value !== 'string') return Buffer.from(value);
  if (kind === 'Number') return base === 'float' || base === 'real' ? value : (plainNumber(value) ?? value);
  const date = kind === 'Date' ? readDate(value) : null;
  if (date === null) return value;
  const separator = base === 'datetime' || base === 'smalldatetime' ? '' : '-';
  const day = [String(date.year).padStart(4, '0'), two(date.month), two(date.day)].join(separator);
  if (base === 'date') return day;
  const fraction = date.fraction === '' ? '' : `.${date.fraction}`;
  if (separator === '') return `${day} ${two(date.hour)}:${two(date.minute)}:${two(date.second)}${fraction}`;
  const zone = hasZone ? (date.zone ?? offsetOf(date)) : '';
  return `${day}T${two(date.hour)}:${two(date.minute)}:${two(date.second)}${fraction}${zone}`;
}

const two = (part: number): string => String(part).padStart(2, '0');

/** Returns the offset of the zone when its clocks show that time; if they show it twice in autumn, the first. */
export function createOffset(timeZone: string): (date: WrittenDate) => string {
  const clock = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const offsetAt = (instant: number): number => {
    const name = clock.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    const [, sign = '+', hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d+):(\d+))?/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
  return ({ year, month, day, hour, minute, second }) => {
    const shown = new Date(Date.UTC(2000, month - 1, day, hour, minute, second)).setUTCFullYear(year);
    // Around a clock change, the days before and after have the two possible offsets.
    const both = [-1, 1].map((days) => offsetAt(shown + days * 86_400_000));
    const minutes = both.find((one) => offsetAt(shown - one * 60_000) === one) ?? both[0]!;
    return `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  };
}

/**
 * Returns the expression that converts a text or bytes to the declared type. Style 1 preserves whitespace in XML.
 * Source: CAST and CONVERT (Transact-SQL), "xml styles", "Binary styles".
 */
export function convertedMssql(declaration: string, { base }: ProcedureType, expression: string): string {
  if (/^n(?:var)?char\(/.test(declaration)) return expression;
  const style = base === 'xml' || base === 'timestamp' || base === 'rowversion' ? ', 1' : '';
  return `convert(${declaration}, ${expression}${style})`;
}
