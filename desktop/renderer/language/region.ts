/**
 * The region of the person, as that of Windows is for Excel: how they type and read numbers and days, in cells of workbooks as in the portal's own
 * fields. Beside the language of the screens: many in Zurich or Vienna read English ones.
 */
import { REGION_IDS, regionOf, type TextRegion } from '#shared/codecs/text-region.ts';

/** Where the browser speaks another language than the person has chosen. */
const REGIONS_OF_LANGUAGES: Readonly<Record<string, string>> = { en: 'en-US', de: 'de-DE' };

let chosen: TextRegion | null = null;
let language = 'en';

/** Of a language of the screens. */
export const defaultRegion = (spoken: string): string => REGIONS_OF_LANGUAGES[spoken] ?? spoken;

/** How the person writes numbers and days. */
export const personRegion = (): TextRegion => chosen ?? regionOf(defaultRegion(language));

/** Counts as long as no region is set. */
export function followLanguage(spoken: string): void {
  language = spoken;
}

/** From now on; what was shown before stays as it is. */
export function useRegion(tag: string | null): void {
  chosen = tag === null ? null : regionOf(tag);
}

/** The region of a browser's languages, of which the first counts; null where another language than those was chosen. */
export function browserRegion(tags: readonly string[], spoken: string): string | null {
  const [first] = tags;
  // English is also shown to those whose language the portal does not have: their region stays their own.
  const isChosen = Object.keys(REGIONS_OF_LANGUAGES).some((one) => tags.some((tag) => isOfLanguage(tag, one)));
  if (first === undefined || (isChosen && !tags.some((tag) => isOfLanguage(tag, spoken)))) return null;
  return knownRegion(first) ?? REGIONS_OF_LANGUAGES[first.toLowerCase()] ?? regionOfLanguage(first) ?? null;
}

const isOfLanguage = (tag: string, spoken: string): boolean => tag.split('-')[0]!.toLowerCase() === spoken;

/** One of those that can be chosen; undefined for any other text. */
export const knownRegion = (tag: string): string | undefined =>
  REGION_IDS.find((id) => id.toLowerCase() === tag.toLowerCase());

/** 'fr-LU' and 'fr' are written as in France, 'zh-Hans-CN' as in China. */
function regionOfLanguage(tag: string): string | undefined {
  const { language: spoken, region } = new Intl.Locale(tag).maximize();
  return (
    knownRegion(`${spoken}-${region}`) ?? REGION_IDS.find((id) => id.startsWith(`${spoken}-${spoken.toUpperCase()}`))
  );
}
