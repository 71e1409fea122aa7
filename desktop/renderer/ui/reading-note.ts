/** How a text was read that could be read otherwise, in the language of the person. */
import { t } from '#renderer/language/translate.ts';
import { editedNumber } from '#renderer/language/typed-numbers.ts';

/** @param note 'read as 12.5', as the readers of numbers and dates give it */
export function readingNote(note: string): string {
  const read = note.slice('read as '.length);
  const value = read.replace(/^-?\d+(?:\.\d+)?(?=%?$)/, (number) => editedNumber(Number(number)));
  return t('read as {value}', { value });
}
