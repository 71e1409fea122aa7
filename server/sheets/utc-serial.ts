import { toSerial } from '#shared/codecs/serial-date.ts';

/** Converts a time to the serial day that Excel shows for it in UTC; null if Excel cannot represent it. */
export function utcSerial(time: Date): number | null {
  return toSerial({
    year: time.getUTCFullYear(),
    month: time.getUTCMonth() + 1,
    day: time.getUTCDate(),
    hour: time.getUTCHours(),
    minute: time.getUTCMinutes(),
    second: time.getUTCSeconds(),
    millisecond: time.getUTCMilliseconds(),
  });
}
