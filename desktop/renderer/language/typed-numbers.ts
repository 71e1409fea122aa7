/** Numbers in fields of the portal itself, in the marks of the person's region. */
import { readNumber } from '#shared/codecs/read-number.ts';
import { numberText } from './numbers.ts';
import { personRegion } from './region.ts';

/** A number as a field shows it to be edited: without marks between thousands, and every digit. */
export const editedNumber = (number: number): string =>
  numberText(number, { useGrouping: false, maximumSignificantDigits: 17 });

/**
 * What was typed into a field of the portal itself, as programs write it: in Germany '1.000' is '1000' and '1,5' is '1.5', so that nobody who
 * asks for a thousand days is given one. What is no number of the region is read as an English one.
 */
export function neutralNumber(typed: string): string {
  const text = typed.trim();
  if (text === '') return text;
  const { Decimal, ...region } = personRegion();
  // Nobody is asked here: where decimals have a comma a point groups thousands, also in Austria and France.
  const Group = Decimal === ',' && /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(text) ? '.' : region.Group;
  const read = readNumber(text, { format: 'General', region: { ...region, Decimal, Group } });
  return read === null ? text : String(read.value);
}
