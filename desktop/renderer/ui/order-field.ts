/** The Order field of an activity or checklist, as typed. */
import { numberOf } from '#shared/codecs/number-text.ts';
import { ORDER_MAX, parseOrder } from '#shared/rules/activity-rules.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { neutralNumber } from '#renderer/language/typed-numbers.ts';

/** Returns null if nothing is typed, and undefined if the text is no valid order. */
export const readOrder = (typed: string): number | null | undefined => parseOrder(neutralNumber(typed));

/** Returns the error text of the field; null if the order is valid. */
export function orderIssue(typed: string): string | null {
  if (readOrder(typed) !== undefined) return null;
  if (numberOf(neutralNumber(typed)) === null) return t('Order must be a number');
  return t('Order must be between {least} and {most}', { least: numberText(-ORDER_MAX), most: numberText(ORDER_MAX) });
}

/** Returns a note if the typed number is rounded to a whole number. */
export function orderNote(typed: string): string | undefined {
  const order = readOrder(typed);
  if (order === null || order === undefined || order === numberOf(neutralNumber(typed))) return undefined;
  return t('Rounded to {number}', { number: numberText(order) });
}
