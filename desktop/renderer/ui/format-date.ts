/** Formats points in time. Source: specification of activities, section 9: day/Mon/year, Today, 'n days ago'. */
import { MONTH_NAMES } from '#shared/codecs/serial-date.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { personRegion } from '#renderer/language/region.ts';
import { currentLocale, t } from '#renderer/language/translate.ts';

type DateLike = Date | string | number;

const two = (value: number): string => String(value).padStart(2, '0');
const toDate = (value: DateLike): Date => (value instanceof Date ? value : new Date(value));

/**
 * Returns '5/Jan/2026', in the user's time zone. If language and region belong to a non-English country, its own
 * notation is used: '05.01.2026'.
 */
export function formatDay(value: DateLike): string {
  const date = toDate(value);
  const { Id } = personRegion();
  if (currentLocale() !== 'en' && Id.startsWith(currentLocale()))
    return date.toLocaleDateString(Id, { dateStyle: 'medium' });
  return `${date.getDate()}/${MONTH_NAMES[date.getMonth()]}/${date.getFullYear()}`;
}

/** Returns '09:05', optionally with seconds. */
export function formatTime(value: DateLike, seconds = false): string {
  const date = toDate(value);
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return seconds ? `${clock}:${two(date.getSeconds())}` : clock;
}

/** Returns '5/Jan/2026 09:05'. */
export const formatDayTime = (value: DateLike, seconds = false): string =>
  `${formatDay(value)} ${formatTime(value, seconds)}`;

/** Returns the number of calendar days from `now` to the moment, in the user's time zone: -1 is yesterday. */
export function daysFrom(value: DateLike, now: DateLike = new Date()): number {
  const day = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((day(toDate(value)) - day(toDate(now))) / 86_400_000);
}

/** Returns 'Today', 'Yesterday', 'Tomorrow', '3 days ago', '3 days later'. */
export function relativeDay(value: DateLike, now: DateLike = new Date()): string {
  const days = daysFrom(value, now);
  if (days === 0) return t('Today');
  if (days === -1) return t('Yesterday');
  if (days === 1) return t('Tomorrow');
  return days < 0 ? t('{days} days ago', { days: -days }) : t('{days} days later', { days });
}

/** Formats milliseconds as '1.2 s', '3 min 20 s', '2 h 5 min'. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return t('{round} ms', { round: Math.round(Math.max(0, milliseconds)) });
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${numberText(seconds, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t('{minutes} min {floor} s', { minutes, floor: Math.floor(seconds % 60) });
  return t('{floor} h {minutes} min', { floor: Math.floor(minutes / 60), minutes: minutes % 60 });
}
