/** Formats in the user's language how an ambiguous text was interpreted. */
import { t } from '#renderer/language/translate.ts';
import { editedNumber } from '#renderer/language/typed-numbers.ts';

/** @param note 'read as 12.5', as returned by the parsers of numbers and dates */
export function readingNote(note: string): string {
  const read = note.slice('read as '.length);
  const value = read.replace(/^-?\d+(?:\.\d+)?(?=%?$)/, (number) => editedNumber(Number(number)));
  return t('read as {value}', { value });
}
