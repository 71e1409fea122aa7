/**
 * Converts between days and serial numbers of the 1900 system. It uses arithmetic only, because sheets call date
 * functions for every row. Serial 0 is 'January 0, 1900'; 60 is February 29, 1900, a day that never existed. Source:
 * ECMA-376 part 1, 18.17.4.1.
 */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR } from '#server/calculation/values/coerce.ts';
import type { CallContext } from '../function.ts';

/** 9999-12-31. */
export const LAST_DAY = 2_958_465;
/** Days between the 1900 and the 1904 date system. */
const DAYS_1904 = 1462;
/** Days from 0000-03-01 to serial 0. It matches serials from 61 on, after the day that never existed. */
const EPOCH = 693_899;
const FALSE_LEAP_DAY = 60;

export interface CalendarDay {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
}

/** Returns the day of a serial number from 0 to LAST_DAY; fractions are ignored. */
export function calendarDay(serial: number): CalendarDay {
  const whole = Math.floor(serial);
  if (whole === 0) return { year: 1900, month: 1, day: 0 };
  if (whole === FALSE_LEAP_DAY) return { year: 1900, month: 2, day: 29 };
  // Years from March to February have the leap day at their end. Source: H. Hinnant, 'chrono-Compatible Low-Level Date
  // Algorithms'.
  const days = whole + EPOCH + (whole < FALSE_LEAP_DAY ? 1 : 0);
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
  };
}

/**
 * Returns the serial number of a day. Months and days outside their range carry over into the next or previous year and
 * month.
 */
export function serialOfDay(year: number, month: number, day: number): number {
  const years = year + Math.floor((month - 1) / 12);
  const inYear = (((month - 1) % 12) + 12) % 12;
  const shifted = inYear < 2 ? years - 1 : years;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (inYear + (inYear > 1 ? -2 : 10)) + 2) / 5);
  const days = era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  const first = days - EPOCH;
  return (first > FALSE_LEAP_DAY ? first : first - 1) + day - 1;
}

/** Excel treats 1900 as a leap year. */
export const isLeapYear = (year: number): boolean =>
  (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 || year === 1900;

/** Number of days in a month; months are 1 to 12. */
export function monthLength(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** 0 is Sunday. */
export const weekdayOf = (serial: number): number => (((Math.floor(serial) + 6) % 7) + 7) % 7;

/** Converts a serial number of the workbook to a whole day in the 1900 system; #NUM! if there is no such day. */
export function dayOf(serial: number, { date1904 }: CallContext): number | CellError {
  if (serial < 0) return NUM_ERROR;
  const day = Math.floor(serial) + (date1904 ? DAYS_1904 : 0);
  return day > LAST_DAY ? NUM_ERROR : day;
}

/** Converts a day in the 1900 system to a serial number of the workbook; #NUM! if its date system has no such day. */
export function bookDay(serial: number, { date1904 }: CallContext): number | CellError {
  const day = serial - (date1904 ? DAYS_1904 : 0);
  return day < 0 || serial > LAST_DAY ? NUM_ERROR : day;
}
