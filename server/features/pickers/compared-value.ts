/** Values of a picker as its statements compare them with a column: each as that column's type can be asked for it. */
import type { ResultColumn, ResultValue } from '#server/connections/types.ts';
import { dateOfSerial } from '#shared/codecs/condition-sql.ts';
import { digitsNeeded, exactCell, hasMoreDigits, plainNumber } from '#shared/codecs/exact-number.ts';
import type { SqlKind, SqlParameter, SqlPiece } from '#shared/codecs/query-text.ts';

/** What the text of an item stands for in the query; undefined where the column can have no such value. */
export function comparedText(text: string, column: ResultColumn): SqlParameter | undefined {
  if (column.kind === 'Number') return comparedNumber(text, column);
  if (column.kind === 'Date') {
    const serial = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isFinite(serial) ? (dateOfSerial(serial) ?? undefined) : undefined;
  }
  if (column.kind === 'Boolean') return { TRUE: true, FALSE: false }[text.toUpperCase()];
  return text;
}

/** The same of a value as a run keeps it. */
export function comparedValue(value: ResultValue, column: ResultColumn): SqlParameter | undefined {
  return value === null ? undefined : comparedText(String(value), column);
}

/** What is the same for values that the database takes as the same, whether a run keeps them as texts or not. */
export function sameKey(value: ResultValue, { kind }: ResultColumn): string {
  if (kind === 'Number') return String(exactCell(String(value)) ?? value);
  return String(value).toLowerCase();
}

/**
 * A number, or its plain text where that has more digits than a double keeps. A database refuses to read as a column's type what that does
 * not hold: nobody has to ask for it, as the column cannot have it.
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
  // One byte has no sign: tinyint of SQL Server.
  return bits === 8 ? whole >= 0n && whole < 256n : BigInt.asIntN(bits, whole) === whole;
}

/** Digits of the largest decimal. Source: decimal and numeric (Transact-SQL). */
const MOST_DIGITS = 38;

/**
 * The value in its place, undefined where SQL Server has no number of so many digits. There a long number is converted with all its digits,
 * as it would be rounded to those of the column otherwise; PostgreSQL reads it as the column's type by itself.
 */
export function comparedPieces(value: SqlParameter, column: ResultColumn, kind: SqlKind): SqlPiece[] | undefined {
  if (kind === 'pg' || column.kind !== 'Number' || typeof value !== 'string') return [{ value }];
  const { whole, fraction } = digitsNeeded(value)!;
  if (whole + fraction > MOST_DIGITS) return undefined;
  return [{ text: 'cast(' }, { value }, { text: ` as decimal(${Math.max(1, whole + fraction)}, ${fraction}))` }];
}
