/** Converts texts to days of the workbook's date system. */
import { fromSerial, shiftTo1904 } from '#shared/codecs/serial-date.ts';
import { readDateText, type DateText } from '#server/calculation/values/parse-date.ts';
import { parseNumberText } from '#server/calculation/values/parse-value.ts';
import type { CallContext } from '../function.ts';

/** Parses a text as a day (in the workbook's date system) and time; null if it is neither. */
export function bookDateText(text: string, context: CallContext): DateText | null {
  const found = readDateText(text, fromSerial(context.now)?.year);
  if (!found || found.day === null || !context.date1904) return found;
  const day = shiftTo1904(found.day);
  return day < 0 ? null : { day, time: found.time };
}

/** Parses a text as a number, or as a day and time of the workbook; null if it is neither. */
export function serialOfText(text: string, context: CallContext): number | null {
  const number = parseNumberText(text);
  if (number !== null) return number;
  const found = bookDateText(text, context);
  return found && (found.day ?? 0) + (found.time ?? 0);
}
