/** Texts as days of the book's own date system. */
import { fromSerial, shiftTo1904 } from '#shared/codecs/serial-date.ts';
import { readDateText, type DateText } from '#server/calculation/values/parse-date.ts';
import { parseNumberText } from '#server/calculation/values/parse-value.ts';
import type { CallContext } from '../function.ts';

/** Day (of the book's date system) and time a text stands for; null where it is none. */
export function bookDateText(text: string, context: CallContext): DateText | null {
  const found = readDateText(text, fromSerial(context.now)?.year);
  if (!found || found.day === null || !context.date1904) return found;
  const day = shiftTo1904(found.day);
  return day < 0 ? null : { day, time: found.time };
}

/** The number, or day and time, a text stands for in this book; null where it is none. */
export function serialOfText(text: string, context: CallContext): number | null {
  const number = parseNumberText(text);
  if (number !== null) return number;
  const found = bookDateText(text, context);
  return found && (found.day ?? 0) + (found.time ?? 0);
}
