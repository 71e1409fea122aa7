/** Converts values of a picker for comparison with a column, depending on the column's type. */
import type { ResultColumn, ResultValue } from '#server/connections/types.ts';
import { dateOfSerial } from '#shared/codecs/condition-sql.ts';
import { digitsNeeded, hasMoreDigits, plainNumber } from '#shared/codecs/exact-number.ts';
import type { SqlKind, SqlParameter, SqlFragment } from '#shared/codecs/query-text.ts';

/** Returns the query parameter for the text of an item; undefined if the column cannot contain such a value. */
export function comparedText(text: string, column: ResultColumn): SqlParameter | undefined {
  if (column.kind === 'Number') return comparedNumber(text, column);
  if (column.kind === 'Date') {
    const serial = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isFinite(serial) ? (dateOfSerial(serial) ?? undefined) : undefined;
  }
  if (column.kind === 'Boolean') return { TRUE: true, FALSE: false }[text.toUpperCase()];
  return text;
}

/** Returns the query parameter for a value as a run stores it. */
export function comparedValue(value: ResultValue, column: ResultColumn): SqlParameter | undefined {
  return value === null ? undefined : comparedText(String(value), column);
}

/**
 * Returns a number, or its plain text if it has more digits than a double can hold. Returns undefined if the column's
 * type cannot hold the number: the database would reject such a parameter, and the column cannot contain it.
 */
function comparedNumber(text: string, column: ResultColumn): number | string | undefined {
  const plain = plainNumber(text);
  if (plain === null) return undefined;
  const number = Number(plain);
  if (column.isFloat) return isOfFloat(number, plain, column.bits) ? number : undefined;
  if (column.bits && !isOfWhole(plain, column.bits)) return undefined;
  return hasMoreDigits(plain) || !Number.isFinite(number) ? plain : number;
}

function isOfFloat(number: number, plain: string, bits: ResultColumn['bits']): boolean {
  const held = bits === 32 ? Math.fround(number) : number;
  return Number.isFinite(held) && (held !== 0 || plain === '0');
}

function isOfWhole(plain: string, bits: NonNullable<ResultColumn['bits']>): boolean {
  if (plain.includes('.')) return false;
  const whole = BigInt(plain);
  // SQL Server's tinyint, the one-byte type, is unsigned.
  return bits === 8 ? whole >= 0n && whole < 256n : BigInt.asIntN(bits, whole) === whole;
}

/** Maximum number of digits of a decimal. Source: decimal and numeric (Transact-SQL). */
const MAX_DIGITS = 38;

/**
 * Returns the SQL fragments for a value; undefined if SQL Server has no decimal with that many digits. On SQL Server, a
 * long number is cast with all its digits, because it would otherwise be rounded to the column's scale. PostgreSQL
 * converts it to the column's type automatically.
 */
export function comparedFragments(value: SqlParameter, column: ResultColumn, kind: SqlKind): SqlFragment[] | undefined {
  if (kind === 'pg' || column.kind !== 'Number' || typeof value !== 'string') return [{ value }];
  const { whole, fraction } = digitsNeeded(value)!;
  if (whole + fraction > MAX_DIGITS) return undefined;
  return [{ text: 'cast(' }, { value }, { text: ` as decimal(${Math.max(1, whole + fraction)}, ${fraction}))` }];
}
