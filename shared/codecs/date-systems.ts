/** Between workbooks of the 1904 date system and the 1900 system that everything else has. Times and durations are alike in both. */
import { dateFormatOf } from './date-format.ts';
import { shiftFrom1904, shiftTo1904 } from './serial-date.ts';

/** The first serial number of the 1900 system that the other one can name: 1904-01-01. */
const FIRST_OF_1904 = 1462;

/** A serial number of the 1900 system as a workbook of the 1904 system has it in a cell of this format. */
export function to1904(serial: number, format: string): number {
  const { kind } = dateFormatOf(format);
  if (kind === 'duration') return serial;
  return kind !== 'date' && kind !== 'dateTime' && serial < FIRST_OF_1904 ? serial : shiftTo1904(serial);
}

/** A serial number of a cell of this format, in a workbook of the 1904 system, as the 1900 system has it. */
export function from1904(serial: number, format: string): number {
  const { kind } = dateFormatOf(format);
  if (kind === 'time' || kind === 'duration') return serial;
  return kind === 'any' && serial < 1 ? serial : shiftFrom1904(serial);
}
