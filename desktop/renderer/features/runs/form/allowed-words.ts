import { readNumber } from '#shared/codecs/read-number.ts';
import type { TextRegion } from '#shared/codecs/text-region.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { currentLocale, said } from '#renderer/language/translate.ts';
import { spokenRegion } from '#renderer/language/typed-numbers.ts';

/** Tells what is allowed apart from other messages: '1 to 40' alone would fit much. */
const ALLOWED = 'Allowed: ';

/** What a rule allows, as the shared rules and the server say it, in the language of the person. */
export function allowedWords(text: string, region?: TextRegion): string {
  const own = said(ALLOWED + spokenNumbers(text, region));
  return own.slice(own.indexOf(': ') + 2);
}

/**
 * Numbers of a hint or a message, which have the marks of the workbook, as the person writes them. Where the field would read that as
 * another number their thousands are parted by spaces, which all marks leave alone; where that does not help either they stay as they are.
 */
export function spokenNumbers(text: string, region?: TextRegion): string {
  const spoken = spokenRegion();
  const cell = { format: 'General', ...(region ? { region } : {}), ...(spoken ? { spoken } : {}) };
  const { Decimal, Group } = region ?? { Decimal: '.', Group: ',' };
  return text.replace(numberPattern(Decimal, Group), (written) => {
    const value = Number(written.replaceAll(Group, '').replace(Decimal, '.'));
    const own = numberText(value, DIGITS);
    const isRead = (one: string): boolean => readNumber(one, cell)?.value === value;
    return [own, spaced(value)].find(isRead) ?? written;
  });
}

const DIGITS = { maximumFractionDigits: 14 };
/** A space that no line is broken at. */
const SPACE = '\u202f';

const spaced = (value: number): string =>
  new Intl.NumberFormat(currentLocale(), DIGITS)
    .formatToParts(value)
    .map((part) => (part.type === 'group' ? SPACE : part.value))
    .join('');

const escaped = (mark: string): string => mark.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A number that has a mark. */
function numberPattern(decimal: string, group: string): RegExp {
  const [point, mark] = [escaped(decimal), escaped(group)];
  return new RegExp(`(?<![\\d:/.,])(?:\\d{1,3}(?:${mark}\\d{3})+(?:${point}\\d+)?|\\d+${point}\\d+)(?![\\d:/])`, 'g');
}
