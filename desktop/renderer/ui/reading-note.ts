/** How a text was read that could be read otherwise, in the language of the person. */
import { t } from '#renderer/language/translate.ts';
import { editedNumber } from '#renderer/language/typed-numbers.ts';

const WITH_COMMA = ': this workbook writes decimals with a comma';

/** @param note 'read as 12.5', as the readers of numbers and dates give it */
export function readingNote(note: string): string {
  const hasComma = note.endsWith(WITH_COMMA);
  const read = note.slice('read as '.length, hasComma ? -WITH_COMMA.length : undefined);
  const value = read.replace(/^-?\d+(?:\.\d+)?(?=%?$)/, (number) => editedNumber(Number(number)));
  return hasComma
    ? t('read as {value}: this workbook writes decimals with a comma', { value })
    : t('read as {value}', { value });
}
