/** Converts database values to cell values. */
import { serialOfDatabaseDate } from '#shared/codecs/database-date.ts';
import { exactCell } from '#shared/codecs/exact-number.ts';

/**
 * Converts a date or timestamp in the database's notation to a serial date; returns the text if Excel has no such day
 * (infinity, 0044 BC).
 */
export const serialOfText = (text: string): number | string => serialOfDatabaseDate(text) ?? text;

/** Converts '13:45:00' to a fraction of a day. */
export function fractionOfTime(text: string): number | string {
  const found = /^(\d{2}):(\d{2}):(\d{2}(?:\.\d+)?)$/.exec(text);
  if (!found) return text;
  return (Number(found[1]) * 3600 + Number(found[2]) * 60 + Number(found[3])) / 86_400;
}

/** Converts a text to a number; NaN and infinities stay texts. */
export function numberOfText(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

/** The same, but a number with more than 15 digits stays plain text with all digits. */
export const exactNumberOfText = (text: string): number | string => exactCell(text) ?? text;

/** Returns the serial date of a Date by its UTC parts, as SQL Server's driver represents times without a zone. */
export function serialOfUtc(date: Date): number | string {
  return serialOfText(date.toISOString());
}

/** Converts a point in time to the serial date that a clock in the zone shows. */
export function createInstantSerial(timeZone: string): (instant: Date) => number | string {
  // The Swedish format has the year first: '2026-11-21 13:45:00'.
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (instant) => {
    const milliseconds = String(instant.getUTCMilliseconds()).padStart(3, '0');
    return serialOfText(`${clock.format(instant)}.${milliseconds}`);
  };
}

/** Formats bytes as hexadecimal text, as databases write them. */
export const hexOf = (bytes: Buffer): string => `0x${bytes.toString('hex').toUpperCase()}`;
