/** Numbers in the portal's own fields, with the separators of the user's region. */
import { readNumber } from '#shared/codecs/read-number.ts';
import { numberText } from './numbers.ts';
import { personRegion } from './region.ts';

/** Formats a number for editing in a field: all digits, without thousands separators. */
export const editedNumber = (number: number): string =>
  numberText(number, { useGrouping: false, maximumSignificantDigits: 17 });

/**
 * Converts text typed into a field of the portal to program notation. In Germany, '1.000' becomes '1000' and '1,5'
 * becomes '1.5', so that a user who enters a thousand days does not get one. Text that is not a number in the region is
 * read as an English number.
 */
export function neutralNumber(typed: string): string {
  const text = typed.trim();
  if (text === '') return text;
  const { Decimal, ...region } = personRegion();
  // The user cannot be asked here: in regions with a decimal comma, including Austria and France, a point is treated as
  // a thousands separator.
  const Group = Decimal === ',' && /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(text) ? '.' : region.Group;
  const read = readNumber(text, { format: 'General', region: { ...region, Decimal, Group } });
  return read === null ? text : String(read.value);
}
