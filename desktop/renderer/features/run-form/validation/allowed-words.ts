import type { TextRegion } from '#shared/codecs/text-region.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { said } from '#renderer/language/translate.ts';

/** Prefix that distinguishes these texts for translation: '1 to 40' alone would match many patterns. */
const ALLOWED = 'Allowed: ';

/** Translates what a rule allows, as phrased by the shared rules and the server. */
export function allowedWords(text: string, region?: TextRegion): string {
  const own = said(ALLOWED + spokenNumbers(text, region));
  return own.slice(own.indexOf(': ') + 2);
}

/** Rewrites the numbers of a hint or message from the workbook's separators to the user's, as fields read them. */
export function spokenNumbers(text: string, region?: TextRegion): string {
  const { Decimal, Group } = region ?? { Decimal: '.', Group: ',' };
  return text.replace(numberPattern(Decimal, Group), (written) =>
    numberText(Number(written.replaceAll(Group, '').replace(Decimal, '.')), DIGITS),
  );
}

const DIGITS = { maximumFractionDigits: 14 };

const escaped = (mark: string): string => mark.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Matches numbers that contain a separator. */
function numberPattern(decimal: string, group: string): RegExp {
  const [point, mark] = [escaped(decimal), escaped(group)];
  return new RegExp(`(?<![\\d:/.,])(?:\\d{1,3}(?:${mark}\\d{3})+(?:${point}\\d+)?|\\d+${point}\\d+)(?![\\d:/])`, 'g');
}
