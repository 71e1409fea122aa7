import type { DateKind } from './date-format.ts';
import { fromSerial } from './serial-date.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/**
 * Formats a serial number so that spreadsheets of any region read the same value from it: '2026-01-05',
 * '2026-01-05 08:15:00', '08:15:00', or '30:15:00' for an elapsed time. Null if the number is not a date.
 */
export function isoOfSerial(serial: number, kind: DateKind): string | null {
  if (kind === 'duration') return serial < 0 ? null : elapsed(serial);
  const parts = fromSerial(serial);
  if (!parts) return null;
  const time = `${two(parts.hour)}:${two(parts.minute)}:${two(parts.second)}`;
  if (kind === 'time' || parts.day === 0) return time;
  const day = `${String(parts.year).padStart(4, '0')}-${two(parts.month)}-${two(parts.day)}`;
  return time === '00:00:00' && kind !== 'dateTime' ? day : `${day} ${time}`;
}

function elapsed(days: number): string {
  const seconds = Math.round(days * 86_400);
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
