/** Formats numbers in the user's region, and lists and sorting in the user's language. */
import { formatFileSize } from '#shared/codecs/file-size.ts';
import { personRegion } from './region.ts';
import { currentLocale } from './translate.ts';

/** Returns '1,234.5', or '1.234,5' in Germany. */
export const numberText = (number: number, options?: Intl.NumberFormatOptions): string =>
  number.toLocaleString(personRegion().Id, { numberingSystem: 'latn', ...options });

/** Returns '1.5 KB', or '1,5 KB' in Germany. */
export const fileSizeText = (bytes: number): string =>
  formatFileSize(bytes).replace(/^[\d.]+/, (size) => numberText(Number(size)));

/** Returns 'a, b and c'. */
export const listText = (items: readonly string[]): string =>
  new Intl.ListFormat(currentLocale(), { type: 'conjunction' }).format(items);

let collator: { locale: string; compare: Intl.Collator['compare'] } | null = null;

/** Compares names for sorting in the user's language: digits by their numeric value, ignoring case. */
export function compareNames(a: string, b: string): number {
  const locale = currentLocale();
  if (collator?.locale !== locale) {
    collator = { locale, compare: new Intl.Collator(locale, { numeric: true, sensitivity: 'accent' }).compare };
  }
  return collator.compare(a, b);
}
