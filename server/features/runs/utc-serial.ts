import { toSerial } from '#shared/codecs/serial-date.ts';

/** A moment as the serial day that Excel shows in UTC; null where Excel has none. */
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
