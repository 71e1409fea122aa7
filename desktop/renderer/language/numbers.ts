/** Numbers as the person's region has them, order and names as their language does. */
import { formatFileSize } from '#shared/codecs/file-size.ts';
import { personRegion } from './region.ts';
import { currentLocale } from './translate.ts';

/** '1,234.5', in Germany '1.234,5'. */
export const numberText = (number: number, options?: Intl.NumberFormatOptions): string =>
  number.toLocaleString(personRegion().Id, { numberingSystem: 'latn', ...options });

/** '1.5 KB', in Germany '1,5 KB'. */
export const fileSizeText = (bytes: number): string =>
  formatFileSize(bytes).replace(/^[\d.]+/, (size) => numberText(Number(size)));

/** 'a, b and c'. */
export const listText = (items: readonly string[]): string =>
  new Intl.ListFormat(currentLocale(), { type: 'conjunction' }).format(items);

let collator: { locale: string; compare: Intl.Collator['compare'] } | null = null;

/** Order of names for people: digits by their number, letters regardless of case, as the language sorts them. */
export function compareNames(a: string, b: string): number {
  const locale = currentLocale();
  if (collator?.locale !== locale) {
    collator = { locale, compare: new Intl.Collator(locale, { numeric: true, sensitivity: 'accent' }).compare };
  }
  return collator.compare(a, b);
}
