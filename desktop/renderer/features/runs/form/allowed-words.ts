import { currentLocale, t } from '#renderer/language/translate.ts';

/** As `allowedText` of the shared rules writes them; what says most is asked first. */
const PHRASES: readonly [RegExp, (low: string, high: string) => string][] = [
  [/^not (.+) to (.+)$/, (low, high) => t('not {low} to {high}', { low, high })],
  [/^up to (.+)$/, (limit) => t('up to {limit}', { limit })],
  [/^(.+) to (.+)$/, (low, high) => t('{low} to {high}', { low, high })],
  [/^more than (.+)$/, (limit) => t('more than {limit}', { limit })],
  [/^less than (.+)$/, (limit) => t('less than {limit}', { limit })],
  [/^at least (.+)$/, (limit) => t('at least {limit}', { limit })],
  [/^at most (.+)$/, (limit) => t('at most {limit}', { limit })],
  [/^after (.+)$/, (limit) => t('after {limit}', { limit })],
  [/^before (.+)$/, (limit) => t('before {limit}', { limit })],
  [/^from (.+) on$/, (limit) => t('from {limit} on', { limit })],
  [/^not (.+)$/, (limit) => t('not {limit}', { limit })],
];

/** What a rule allows, as the shared rules and the server say it, in the language of the person. */
export function allowedWords(text: string): string {
  if (currentLocale() === 'en') return text;
  const count = /^(.+) characters$/.exec(text)?.[1];
  if (count !== undefined) return t('{count} characters', { count: allowedWords(count) });
  for (const [phrase, write] of PHRASES) {
    const found = phrase.exec(text);
    if (found) return write(found[1]!, found[2] ?? '');
  }
  return text;
}
