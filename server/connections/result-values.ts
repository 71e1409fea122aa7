/** Values of databases as cells hold them. */
import { serialOfDatabaseDate } from '#shared/codecs/database-date.ts';
import { exactCell } from '#shared/codecs/exact-number.ts';

/** The serial of a date or timestamp as the database writes it; the text itself where Excel knows no such day (infinity, 0044 BC). */
export const serialOfText = (text: string): number | string => serialOfDatabaseDate(text) ?? text;

/** '13:45:00' as a fraction of the day. */
export function fractionOfTime(text: string): number | string {
  const found = /^(\d{2}):(\d{2}):(\d{2}(?:\.\d+)?)$/.exec(text);
  if (!found) return text;
  return (Number(found[1]) * 3600 + Number(found[2]) * 60 + Number(found[3])) / 86_400;
}

/** A number as text: a number where it is one; NaN and infinities stay texts. */
export function numberOfText(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

/** The same, but a number of more than 15 digits is its plain text, with all of them. */
export const exactNumberOfText = (text: string): number | string => exactCell(text) ?? text;

/** The serial of a Date whose parts in UTC are meant, as SQL Server's driver gives times without a zone. */
export function serialOfUtc(date: Date): number | string {
  return serialOfText(date.toISOString());
}

/** The serial of a moment as a clock in the zone shows it. */
export function createMomentSerial(timeZone: string): (moment: Date) => number | string {
  // Swedish writes years first: '2026-11-21 13:45:00'.
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (moment) => {
    const milliseconds = String(moment.getUTCMilliseconds()).padStart(3, '0');
    return serialOfText(`${clock.format(moment)}.${milliseconds}`);
  };
}

/** Bytes as texts of digits, as databases write them. */
export const hexOf = (bytes: Buffer): string => `0x${bytes.toString('hex').toUpperCase()}`;
