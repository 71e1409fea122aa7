/**
 * Converts between workbooks of the 1904 date system and the 1900 system that the rest of the program uses. Times and
 * durations are the same in both.
 */
import { dateFormatOf } from './date-format.ts';
import { shiftFrom1904, shiftTo1904 } from './serial-date.ts';

/** The first serial number of the 1900 system that the 1904 system can represent: 1904-01-01. */
const FIRST_OF_1904 = 1462;

/** Converts a serial number of the 1900 system to that of a cell with this format in a 1904 workbook. */
export function to1904(serial: number, format: string): number {
  const { kind } = dateFormatOf(format);
  if (kind === 'duration') return serial;
  return kind !== 'date' && kind !== 'dateTime' && serial < FIRST_OF_1904 ? serial : shiftTo1904(serial);
}

/** Converts the serial number of a cell with this format in a 1904 workbook to the 1900 system. */
export function from1904(serial: number, format: string): number {
  const { kind } = dateFormatOf(format);
  if (kind === 'time' || kind === 'duration') return serial;
  return kind === 'any' && serial < 1 ? serial : shiftFrom1904(serial);
}
