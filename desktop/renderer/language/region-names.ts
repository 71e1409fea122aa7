/** Names of regions in the language of the screens. */
import { REGION_IDS } from '#shared/codecs/text-region.ts';
import type { RegionId } from '#shared/contract/auth.ts';
import { compareNames } from './numbers.ts';
import { currentLocale } from './translate.ts';

const namesIn = (locale: string): Intl.DisplayNames =>
  new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard' });

/** Returns 'German (Germany)' for 'de-DE'. */
export const regionName = (id: string): string => namesIn(currentLocale()).of(id) ?? id;

/** Returns all selectable regions, sorted by name. */
export function regionNames(): { id: RegionId; name: string }[] {
  const names = namesIn(currentLocale());
  return REGION_IDS.map((id) => ({ id, name: names.of(id) ?? id })).toSorted((a, b) => compareNames(a.name, b.name));
}
