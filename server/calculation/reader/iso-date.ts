/** Parses cells of type 'd', which contain ISO 8601 dates (ECMA-376 part 1, 18.18.11). */

const DAY = 86_400_000;
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?)?Z?$/;
const ISO_DURATION = /^(-?)P(?:(\d{1,7})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d+)?)S)?)?$/;
const ISO_TIME = /^T?(\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?Z?$/;

/**
 * Returns the serial number of an ISO date, date-time, time of day or duration ('PT26H30M0S', as Excel writes times);
 * null for anything else.
 */
export function isoToSerial(text: string, date1904: boolean): number | null {
  const time = ISO_TIME.exec(text);
  if (time) return dayFraction(time[1], time[2], time[3]);
  const duration = ISO_DURATION.exec(text);
  if (duration) {
    const [, sign, days = '0', hours, minutes, seconds] = duration;
    return (Number(days) + dayFraction(hours, minutes, seconds)) * (sign === '-' ? -1 : 1);
  }
  const match = ISO_DATE.exec(text);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCFullYear() !== year) return null;
  return daySerial(date.getTime(), date1904) + dayFraction(match[4], match[5], match[6]);
}

function daySerial(time: number, date1904: boolean): number {
  if (date1904) return (time - Date.UTC(1904, 0, 1)) / DAY;
  const serial = (time - Date.UTC(1899, 11, 30)) / DAY;
  // Excel retains Lotus's nonexistent 29 February 1900, so serial numbers before it are one less. Excel writes 0, the
  // day of times without a date, as 1899-12-30.
  return serial > 0 && serial < 61 ? serial - 1 : serial;
}

function dayFraction(hours = '0', minutes = '0', seconds = '0'): number {
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
}
