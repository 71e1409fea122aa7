import type { TextRegion } from '#shared/codecs/text-region.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { said } from '#renderer/language/translate.ts';

/** Tells what is allowed apart from other messages: '1 to 40' alone would fit much. */
const ALLOWED = 'Allowed: ';

/** What a rule allows, as the shared rules and the server say it, in the language of the person. */
export function allowedWords(text: string, region?: TextRegion): string {
  const own = said(ALLOWED + spokenNumbers(text, region));
  return own.slice(own.indexOf(': ') + 2);
}

/** Numbers of a hint or a message, which have the marks of the workbook, as the person writes them and as fields read them. */
export function spokenNumbers(text: string, region?: TextRegion): string {
  const { Decimal, Group } = region ?? { Decimal: '.', Group: ',' };
  return text.replace(numberPattern(Decimal, Group), (written) =>
    numberText(Number(written.replaceAll(Group, '').replace(Decimal, '.')), DIGITS),
  );
}

const DIGITS = { maximumFractionDigits: 14 };

const escaped = (mark: string): string => mark.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A number that has a mark. */
function numberPattern(decimal: string, group: string): RegExp {
  const [point, mark] = [escaped(decimal), escaped(group)];
  return new RegExp(`(?<![\\d:/.,])(?:\\d{1,3}(?:${mark}\\d{3})+(?:${point}\\d+)?|\\d+${point}\\d+)(?![\\d:/])`, 'g');
}
